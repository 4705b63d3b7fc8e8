"""What is evaluated: in a workspace, judgments, runs and measures are those of `cranfield.toml`.

What is given wins. The name of a system stands for its run, unless there is a file of that name.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.named_runs import check_runs, is_system, run_meant
from cranfield.cli.progress import say_notes
from cranfield.cli.workspace_options import nearer
from cranfield.errors import UsageError
from cranfield.evaluation.provenance import BESIDE_A_RUN
from cranfield.experiments.finding import PARTS, find_workspace
from cranfield.formats import run_name

if TYPE_CHECKING:
    from cranfield.data.run import Run
    from cranfield.evaluation.result import Evaluation
    from cranfield.experiments.differences import Difference
    from cranfield.experiments.workspace import Workspace

EVERYTHING = "all"
"""All parts of a divided workspace."""

split_option = click.option(
    "--split",
    type=click.Choice([*PARTS, EVERYTHING]),
    help="The part of a divided workspace; a look at test topics is noted in the ledger.  [default: validation]",
)


class ToEvaluate(NamedTuple):
    """What is evaluated, and the workspace it is done in, if there is one."""

    qrels: str
    runs: list[str]
    measures: tuple[str, ...]
    workspace: Workspace | None = None
    own_qrels: bool = False
    """Whether the judgments are those of the workspace."""
    part: str | None = None
    """The part of a divided workspace that is evaluated."""
    covers: str | None = None
    """The same in words, with its size."""

    def scored(self) -> list[str | Run]:
        """The runs; where documents were divided, without those of other parts."""
        if self.workspace is None or self.part in (None, EVERYTHING):
            return list(self.runs)
        from cranfield.experiments.chosen_documents import run_among
        from cranfield.experiments.split_files import part_documents
        from cranfield.formats import read_run

        documents = part_documents(self.workspace, self.part)
        return list(self.runs) if documents is None else [run_among(read_run(run), documents) for run in self.runs]

    def comparisons(self, found: Evaluation) -> int:
        """How many values were seen on the test topics, with these; an error if these are not of test topics."""
        from cranfield.experiments.looks import looks, sha256_of, touches_test

        topics = {topic for run in found.values() for topic in run.queries}
        if self.workspace is None or not touches_test(self.workspace, topics, self.qrels):
            raise UsageError(
                "--correct-looks: this comparison does not look at test topics of a divided workspace (--split test)"
            )
        hashes = {name: sha256_of(file) for name, file in self.files(found).items()}
        seen = [(sha256, str(measure)) for sha256 in hashes.values() for measure in found.measures]
        return looks(self.workspace).comparisons(next(iter(hashes.values())), seen)

    def files(self, found: Evaluation) -> dict[str, str]:
        """The file of each run that was evaluated."""
        known = {run_name(file): file for file in self.runs}
        read = {
            name: source.name
            for name, run in found.items()
            for source in (run.origin.inputs if run.origin else ())
            if source.role == "run"
        }
        return {name: file if os.path.isfile(file) else known.get(name, file) for name, file in read.items()}

    def notes(self, found: Evaluation) -> tuple[str, ...]:
        """Tell the workspace what was evaluated; gives what goes with the provenance, and the heads of the ledger."""
        said = self._noted(found)
        if self.workspace is None:
            return said
        from cranfield.experiments.evaluating import quoted_heads

        return (*said, *quoted_heads(self.workspace))

    def doubts(self, found: Evaluation) -> tuple[str, ...]:
        """What a report says that stands in the way, beside what shows in the numbers."""
        gaps = _gaps(self.files(found))
        if self.workspace is None or self.part is None:
            return gaps
        from cranfield.experiments.splits import TEST
        from cranfield.experiments.tuned_on import why_test_is_tuned_on, why_tuned_on

        topics = {topic for run in found.values() for topic in run.queries}
        tuned = (why_test_is_tuned_on if self.part == TEST else why_tuned_on)(self.workspace, topics)
        return (*gaps, tuned) if tuned else gaps

    def check_topics(self, *topics: str) -> None:
        """An error that names the part, where a topic is in another part of a divided workspace than is evaluated."""
        if self.workspace is None or self.part in (None, EVERYTHING):
            return
        from cranfield.experiments.split_files import part_of_topic

        for topic in topics:
            if (part := part_of_topic(self.workspace, topic)) not in (None, self.part):
                raise UsageError(f"topic {topic} is in the part {part}, and this is about {self.part}: --split {part}")

    def _noted(self, found: Evaluation) -> tuple[str, ...]:
        topics = dict.fromkeys(topic for run in found.values() for topic in run.queries)
        return self._seen(self.files(found), list(map(str, found.measures)), list(topics))

    def _seen(self, files: Mapping[str, str], measures: Sequence[str], topics: Sequence[str] | None) -> tuple[str, ...]:
        if self.workspace is None:
            return ()
        from cranfield.experiments.evaluating import evaluating

        return evaluating(self.workspace, files, measures, topics, qrels=self.qrels, command=command_line())

    def done(self, found: Evaluation) -> None:
        """Tell the workspace what was evaluated, and say on standard error what belongs beside the numbers."""
        say_notes([*_gaps(self.files(found)), *self._noted(found)])

    def looked(self, by: Sequence[object], topics: Sequence[str] | None = None) -> None:
        """The same where no evaluation is the result: by which measures, and at which topics, if not at all of them."""
        files = {run_name(file): file for file in self.runs}
        say_notes([*_gaps(files), *self._seen(files, list(map(str, by)), topics)])

    def beside(self, name: str) -> ToEvaluate:
        """With one more run: a file, or that of a system."""
        if self.workspace is not None and is_system(self.workspace, name):
            check_runs(self.workspace, [name])
        return self._replace(runs=[*self.runs, self.run(name)])

    def baseline(self, name: str) -> str:
        """One of these runs by its name, or else the run of a system or a file."""
        return name if name in map(run_name, self.runs) else self.run(name)

    def run(self, name: str) -> str:
        """The run of a system by its name; anything else is what it was."""
        return run_meant(self.workspace, name) if self.workspace and is_system(self.workspace, name) else name

    def topic_texts(self) -> dict[str, str] | None:
        """What the topics of the workspace ask, where they are the ones that are judged."""
        if self.workspace is None or not self.own_qrels:
            return None
        from cranfield.experiments import materials

        return {topic.id: topic.query() for topic in materials.topics(self.workspace).values()}

    @property
    def encoding(self) -> str | None:
        """That of the files of the workspace, where it says one."""
        return None if self.workspace is None else self.workspace.reading.get("encoding")

    def documents_file(self) -> str | None:
        """The file that says what documents are called."""
        if self.workspace is None or not self.own_qrels:
            return None
        from cranfield.experiments import materials

        found = materials.documents_file(self.workspace)
        return None if found is None else str(found)

    def changes(self) -> list[str]:
        """What each run has otherwise than the first, if that is known of any; more than one thing is warned of."""
        if self.workspace is None:
            return []
        from cranfield.experiments.compared_runs import run_differences
        from cranfield.experiments.differences import things

        found = [run_differences(self.runs[0], run) for run in self.runs[1:]]
        for run, several in zip(self.runs[1:], found, strict=True):
            if several is not None and len(things(several)) > 1:
                first = run_name(self.runs[0])
                say_notes(
                    [
                        f"{first} and {run_name(run)} differ in more than one thing: {said(several)}. The comparison "
                        "cannot tell which of them makes the difference."
                    ]
                )
        if not any(several is not None for several in found):
            return []
        return ["not known" if several is None else said(several) or "nothing" for several in found]


def _gaps(files: Mapping[str, str]) -> tuple[str, ...]:
    """What to say of runs that lack topics because these had failed when they were searched for."""
    described = {name: file for name, file in files.items() if os.path.isfile(f"{file}{BESIDE_A_RUN}")}
    if not described:
        return ()
    from cranfield.evaluation.provenance.beside_run import why_incomplete

    return tuple(f"{name}: {why}" for name, file in described.items() if (why := why_incomplete(file)))


def said(several: Sequence[Difference]) -> str:
    """The differences that count, in one line."""
    return "; ".join(str(one) for one in several if not one.follows)


def to_evaluate(
    qrels: str | None,
    runs: Sequence[str],
    measures: Sequence[str],
    *,
    needed: Sequence[str] = ("QRELS", "RUN..."),
    most: int | None = None,
    split: str | None = None,
) -> ToEvaluate:
    """What is evaluated: as given, and where something is not, as the workspace has it.

    The first name is that of the judgments, unless it is the name of a system, or `split` says which judgments are
    meant: the part of a divided workspace, the usual one if it is not named. `needed` are the arguments without which
    there is nothing to do, and `most` is how many runs there may be: where none is named, the first systems are meant.
    """
    workspace = find_workspace()
    if workspace is None:
        if split is not None:
            raise UsageError("--split is for a workspace that `cranfield split` has divided, and this is none")
        if qrels is None or len(runs) < len(needed) - 1:
            what = needed[0] if qrels is None else needed[len(runs) + 1]
            raise click.UsageError(
                f"Missing argument '{what}'. Only in a workspace (`cranfield init` makes one) can it be left out."
            )
        return ToEvaluate(qrels, list(runs), tuple(measures))
    if qrels is not None and (split is not None or is_system(workspace, qrels)):
        runs, qrels = [qrels, *runs], None
    if qrels is not None:
        run_meant(workspace, qrels)
    given = list(runs) or list(workspace.systems)[:most]
    if len(given) < len(needed) - 1:
        raise UsageError(
            f"{workspace.where('systems')}: {_runs(len(needed) - 1)} needed, found {len(given)}: add a system there, "
            "or name more runs"
        )
    if most is not None and len(given) > most:
        raise UsageError(f"{_runs(most)} looked at, found {len(given)}: {', '.join(given)}")
    check_runs(workspace, [name for name in given if is_system(workspace, name)])
    place, part, covers = (qrels, None, None) if qrels is not None else _judgments(workspace, split)
    return ToEvaluate(
        place,
        [run_meant(workspace, name) for name in given],
        tuple(measures) or workspace.measures,
        workspace,
        own_qrels=qrels is None,
        part=part,
        covers=covers,
    )


def _judgments(workspace: Workspace, split: str | None) -> tuple[str, str | None, str | None]:
    """The judgments of a workspace, or of the part of it that is meant, and which that is; it is said, too."""
    from cranfield.experiments import materials
    from cranfield.experiments.split_files import is_split, part_file, read_split, usual_part

    if split is None and not is_split(workspace):
        return nearer(materials.qrels(workspace)), None, None
    record, part = read_split(workspace), split or usual_part(workspace)
    covers = record.share_of(part)
    say_notes([covers if split else f"{covers}; --split names another part"])
    return nearer(materials.qrels(workspace) if part == EVERYTHING else part_file(workspace, part)), part, covers


def _runs(count: int) -> str:
    return "one run is" if count == 1 else f"{count} runs are"
