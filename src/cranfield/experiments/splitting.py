"""Dividing the topics or the documents of a workspace, and writing each part to files of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import Any

from cranfield.data.documents import Document
from cranfield.data.qrels import Qrels
from cranfield.data.strings import encode
from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.evaluation.provenance.fingerprints import of_content, of_file
from cranfield.experiments import materials
from cranfield.experiments.chosen_documents import judgments_among
from cranfield.experiments.finding import PARTS
from cranfield.experiments.ledger import Entry, TopicsSeen, add_entry, read_ledger
from cranfield.experiments.looks import looked_at_before
from cranfield.experiments.split_files import SplitRecord, is_split, settings_of, size_of_judgments, write_record
from cranfield.experiments.splits import KINDS, TEST, TRAIN, VALIDATION, Shares, Split, split
from cranfield.experiments.toml_sections import write_table
from cranfield.experiments.workspace import Workspace
from cranfield.formats import read_qrels, write_qrels
from cranfield.formats.topics import write_topics
from cranfield.formats.writing import writing


@dataclass(frozen=True)
class SplitRequest:
    """How to divide."""

    by: str = "query"
    shares: Shares = field(default_factory=Shares)
    seed: int = 0
    stratify: str | None = None
    """The field of topics (or documents) by whose values they are grouped."""
    folds: int = 0

    def __post_init__(self) -> None:
        if self.by not in KINDS:
            raise UsageError(f"what is divided is {' or '.join(KINDS)}, not {self.by!r}{did_you_mean(self.by, KINDS)}")


def usual_request(workspace: Workspace) -> SplitRequest:
    """How a workspace is divided where nothing else is said: as `[splits]` has it, if it was divided before."""
    usual = SplitRequest()
    shares = {
        part: float(_setting(workspace, part, share, int | float)) for part, share in usual.shares.by_part.items()
    }
    return SplitRequest(
        by=_setting(workspace, "by", usual.by, str),
        shares=Shares(**shares),
        seed=_setting(workspace, "seed", usual.seed, int),
        stratify=_setting(workspace, "stratify", usual.stratify, str),
        folds=_setting(workspace, "folds", usual.folds, int),
    )


def _setting(workspace: Workspace, key: str, usual: Any, kind: type | UnionType) -> Any:
    found = workspace.splits.get(key, usual)
    if key in workspace.splits and (isinstance(found, bool) or not isinstance(found, kind)):
        expected = "a text" if kind is str else "a whole number" if kind is int else "a number"
        raise DataError(f"{workspace.where('splits', key)} is {found!r}; expected {expected}")
    return found


def split_workspace(workspace: Workspace, request: SplitRequest, *, what: str, force: bool = False) -> SplitRecord:
    """Divide a workspace: files in `splits/`, `[splits]` in `cranfield.toml`, and an entry in the ledger.

    Topics without judgments belong to no part. `what` is the command, for the ledger. A workspace that is divided
    already is divided anew only with `force`: what was seen of its test topics stays seen.
    """
    if is_split(workspace) and not force:
        raise UsageError(f"{workspace.root}: this workspace is divided already{_seen(workspace)}. --force does it anew")
    topics, qrels = materials.topics(workspace), read_qrels(materials.qrels(workspace))
    made = _divided(workspace, request, topics, qrels)
    parts = {part: _part(part, made, request.by, topics, qrels) for part in PARTS}
    for part, (_, judgments) in parts.items():
        if made.parts[part] and not len(judgments):
            raise DataError(f"the part {part} has {len(made.parts[part])} of the {request.by} names and no judgment")
    files = _write_files(workspace.splits_folder, made, parts, documents=request.by == "document")
    test_qrels = next(sha256 for name, sha256 in files.items() if name.startswith(f"{TEST}.qrels."))
    # Where documents are divided, every topic is in every part, and none has moved from one to another.
    moved = () if request.by == "document" else (TRAIN, VALIDATION)
    others = {name for part in moved for name in parts[part][1].queries}
    looked_at = looked_at_before(read_ledger(workspace.ledger), others, test_qrels)
    entry = add_entry(
        workspace.ledger, Entry("split", what, TopicsSeen.of(TEST, parts[TEST][1].queries), qrels=test_qrels)
    )
    judged = set(qrels.queries)
    record = SplitRecord(
        by=request.by,
        seed=request.seed,
        shares=request.shares.by_part,
        stratify=request.stratify,
        counts={part: len(made.parts[part]) for part in PARTS},
        judgments={part: len(judgments) for part, (_, judgments) in parts.items()},
        folds=made.folds,
        files=files,
        topics_sha256=topics.sha256,
        qrels_sha256=of_content(qrels).sha256,
        qrels_bytes=size_of_judgments(workspace),
        ledger=entry.sha256,
        unjudged=tuple(name for name in topics if name not in judged),
        looked_at=looked_at,
        topics={part: len(judgments.queries) for part, (_, judgments) in parts.items()},
    )
    write_record(workspace, record)
    write_table(workspace, ("splits",), settings_of(record), "written by `cranfield split`")
    return record


def _seen(workspace: Workspace) -> str:
    looks = len(read_ledger(workspace.ledger).looks)
    times = "once" if looks == 1 else f"{looks} times"
    return f", and test topics were looked at {times}: what was seen stays seen" if looks else ""


def _divided(workspace: Workspace, request: SplitRequest, topics: Topics, qrels: Qrels) -> Split:
    things: list[Topic] | list[Document]
    if request.by == "query":
        judged = set(qrels.queries)
        things = [topic for topic in topics.values() if topic.id in judged]
        if not things:
            raise DataError(f"{topics.name}: none of the {len(topics)} topics has judgments in {qrels.name}")
    else:
        things = list(materials.collection(workspace).documents())
    groups = None if request.stratify is None else _groups(request.stratify, things, request.by)
    names = [thing.id for thing in things]
    return split(names, request.shares, seed=request.seed, strata=groups, folds=request.folds)


def _groups(field: str, things: Iterable[Topic | Document], what: str) -> Mapping[str, str]:
    """The group of each topic or document: the value of a field."""
    fields = {thing.id: thing.fields for thing in things}
    known = tuple(dict.fromkeys(name for one in fields.values() for name in one))
    if field not in known:
        there = f"{did_you_mean(field, known)} There are: {', '.join(known)}"
        raise UsageError(f"--stratify {field}: no {what} has such a field{there}")
    groups = {name: str(one.get(field, "")) for name, one in fields.items()}
    if len(set(groups.values())) == len(groups):
        raise UsageError(f"--stratify {field}: every {what} has another value, so there are no groups")
    return groups


def _part(part: str, made: Split, by: str, topics: Topics, qrels: Qrels) -> tuple[Topics, Qrels]:
    """The topics and judgments of a part."""
    if by == "document":
        judgments = judgments_among(qrels, [encode(name) for name in made.parts[part]])
        judged = set(judgments.queries)
        return Topics((topic for topic in topics.values() if topic.id in judged), name=part), judgments
    mine = set(made.parts[part])
    chosen = Topics((topic for topic in topics.values() if topic.id in mine), name=part)
    return chosen, qrels.only(map(encode, made.parts[part]))


def _write_files(
    folder: Path, made: Split, parts: Mapping[str, tuple[Topics, Qrels]], *, documents: bool
) -> dict[str, str]:
    """Write topics and judgments of each part; the name and the SHA-256 of every file."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror or error}") from None
    written = []
    for part, (topics, judgments) in parts.items():
        sampled = judgments.stratum is not None or judgments.probability is not None
        written += [folder / f"{part}.topics.jsonl", folder / f"{part}.qrels.{'jsonl' if sampled else 'txt'}"]
        write_topics(topics, written[-2])
        write_qrels(judgments, written[-1])
        if documents:
            written.append(folder / f"{part}.documents.txt")
            with writing(written[-1]) as out:
                out.writelines(encode(name) + b"\n" for name in made.parts[part])
    return {path.name: of_file(str(path))[0].sha256 for path in written}
