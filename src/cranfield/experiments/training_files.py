"""Training data of a workspace in files, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cranfield.data.features import Features
from cranfield.errors import DataError, UsageError
from cranfield.experiments.finding import PARTS
from cranfield.experiments.ledger import Entry, RunSeen, TopicsSeen, add_entry
from cranfield.experiments.looks import sha256_of
from cranfield.experiments.split_files import part_documents, part_file, read_split
from cranfield.experiments.splits import TEST
from cranfield.experiments.staleness import system_states
from cranfield.experiments.training_data import candidate_features, judged_features
from cranfield.experiments.workspace import Workspace
from cranfield.formats import read_qrels, read_run
from cranfield.formats.letor import write_features
from cranfield.formats.topics import read_topics
from cranfield.formats.writing import writing


@dataclass(frozen=True)
class TrainingFile:
    """A file that was written."""

    path: Path
    topics: int
    documents: int
    graded: bool


def export_training_data(
    workspace: Workspace,
    folder: Path,
    systems: Sequence[str] = (),
    *,
    normalisation: str = "min-max",
    test_grades: bool = False,
    what: str,
) -> list[TrainingFile]:
    """Write for each part what a learner is given: the scores of systems as features.

    `PART.letor` has the judged documents with their grades, `PART.candidates.letor` every document that a system found,
    without grades. `features.tsv` says which feature is which system. The test part has candidates only, which is what
    a learner needs to come back as a run; with `test_grades` it has grades too, which is a look that the ledger notes.
    """
    names = list(systems or workspace.systems)
    _refuse_stale(workspace, names)
    runs = {name: read_run(workspace.run_file(name), name=name) for name in names}
    record = read_split(workspace)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror or error}") from None
    written = []
    for part in PARTS:
        if not record.counts[part]:
            continue
        topics = list(read_topics(part_file(workspace, part, "topics"), format="jsonl"))
        documents = part_documents(workspace, part)
        if part != TEST or test_grades:
            qrels = read_qrels(part_file(workspace, part), name=part)
            written.append(_written(judged_features(qrels, runs, normalisation=normalisation), folder, part, True))
            if part == TEST:
                _note_look(workspace, runs, qrels.queries, what)
        found = candidate_features(topics, runs, normalisation=normalisation, documents=documents)
        written.append(_written(found, folder, f"{part}.candidates", False))
    with writing(folder / "features.tsv") as out:
        lines = [f"{number}\t{name}\t{normalisation}\n" for number, name in enumerate(runs, 1)]
        out.write("".join(["feature\tsystem\tnormalisation\n", *lines]).encode())
    return written


def _refuse_stale(workspace: Workspace, systems: Sequence[str]) -> None:
    for name in systems:
        workspace.system(name)
    for one in system_states(workspace, list(systems)):
        if not one.run.current:
            advice = ": `cranfield update` makes it" if one.system.given is None else ""
            raise DataError(f"{one.system.name}: its run is {one.run}{advice}")


def _written(features: Features, folder: Path, name: str, graded: bool) -> TrainingFile:
    path = folder / f"{name}.letor"
    write_features(features, path)
    return TrainingFile(path, len(set(features.query.tolist())), len(features), graded)


def _note_look(workspace: Workspace, runs: Iterable[str], topics: Sequence[str], what: str) -> None:
    seen = tuple(RunSeen(name, sha256_of(workspace.run_file(name))) for name in runs)
    qrels = sha256_of(part_file(workspace, TEST))
    add_entry(workspace.ledger, Entry("look", what, TopicsSeen.of(TEST, topics), qrels, seen))
