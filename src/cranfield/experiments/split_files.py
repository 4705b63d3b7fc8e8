"""The files of a split in a workspace: topics and judgments of each part, and the record of how they were made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cranfield.errors import CranfieldError, DataError, UsageError, did_you_mean
from cranfield.experiments import materials
from cranfield.experiments.finding import PARTS
from cranfield.experiments.splits import TRAIN, VALIDATION
from cranfield.experiments.workspace import Workspace
from cranfield.formats.topics import read_topics
from cranfield.formats.writing import writing

SCHEMA = "cranfield.split/1"
RECORD = "split.json"
FEW_TOPICS = 10
"""With fewer, which of two systems has the higher mean is mostly chance; 25 and more are usual for a test."""


@dataclass(frozen=True)
class SplitRecord:
    """How topics or documents were divided, and the SHA-256 of everything that came of it."""

    by: str
    seed: int
    shares: Mapping[str, float]
    stratify: str | None
    counts: Mapping[str, int]
    """Topics or documents of each part."""
    judgments: Mapping[str, int]
    folds: tuple[tuple[str, ...], ...]
    files: Mapping[str, str]
    """Name and SHA-256 of each file."""
    topics_sha256: str
    """Of all topics that were divided."""
    qrels_sha256: str
    """Of all judgments that were divided, as `cranfield.formats.canonical` writes them."""
    ledger: str
    """The entry of the ledger that says so."""
    unjudged: tuple[str, ...] = ()
    """Topics without judgments, which belong to no part."""
    looked_at: tuple[str, ...] = ()
    """Topics of training and validation that were looked at as test topics, in a split before this one."""
    qrels_bytes: int | None = None
    """The size of the file with all judgments; None where that is not one file."""
    topics: Mapping[str, int] = field(default_factory=dict)
    """Topics of each part that have judgments in it."""

    @property
    def too_small(self) -> dict[str, int]:
        """The parts that have so few topics that their means say little, with their number."""
        return {part: count for part, count in self.topics.items() if 0 < count < FEW_TOPICS}

    def file(self, part: str, what: str) -> str:
        """The name of a file: the `topics`, `qrels` or `documents` of a part."""
        return next(name for name in self.files if name.startswith(f"{part}.{what}."))

    def share_of(self, part: str) -> str:
        """Which part of the whole a part is, in words; of what is no part, all of it."""
        what, whole = "topics" if self.by == "query" else "documents", sum(self.counts.values())
        return f"{part}: {self.counts.get(part, whole)} of {whole} {what}"

    def to_json(self) -> str:
        return json.dumps({"schema": SCHEMA, **asdict(self)}, indent=2, ensure_ascii=False) + "\n"


def is_split(workspace: Workspace) -> bool:
    """Whether the topics of a workspace are divided."""
    return bool(workspace.splits) or (workspace.splits_folder / RECORD).is_file()


def read_split(workspace: Workspace) -> SplitRecord:
    """The record of the split of a workspace."""
    path = workspace.splits_folder / RECORD
    if not path.is_file():
        raise UsageError(
            f"{workspace.root}: the topics are not divided into training, validation and test: `cranfield split` does "
            "that"
        )
    try:
        content = json.loads(path.read_bytes())
        if content.pop("schema") != SCHEMA:
            raise ValueError(f"expected the schema {SCHEMA!r}")
        folds = tuple(tuple(fold) for fold in content.pop("folds"))
        lists = {name: tuple(content.get(name, ())) for name in ("unjudged", "looked_at")}
        return SplitRecord(**{**content, "folds": folds, **lists})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path}: this is no record of a split ({error}): `cranfield split --force` makes it") from None


def part_file(workspace: Workspace, part: str, what: str = "qrels") -> Path:
    """A file of the split, made sure by its hash to be what `cranfield split` wrote."""
    if part not in PARTS:
        raise UsageError(f"there is no part {part!r}{did_you_mean(part, PARTS)} There are: {', '.join(PARTS)}")
    record = read_split(workspace)
    if what == "qrels" and not record.counts[part]:
        raise UsageError(f"{workspace.splits_folder}: the part {part} is empty")
    name = record.file(part, what)
    return _as_written(workspace.splits_folder / name, record.files[name])


def _as_written(path: Path, sha256: str) -> Path:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}. {_AGAIN}") from None
    if hashlib.sha256(content).hexdigest() != sha256:
        raise DataError(f"{path}: this is not what `cranfield split` wrote. {_AGAIN}")
    return path


def why_split_is_broken(workspace: Workspace) -> str | None:
    """What to say where a file of the split is not what was written."""
    try:
        for name, sha256 in read_split(workspace).files.items():
            _as_written(workspace.splits_folder / name, sha256)
    except DataError as error:
        return str(error)
    return None


def part_of_topic(workspace: Workspace, topic: str) -> str | None:
    """The part that a topic is in; None where it is in no part, or in each because documents were divided."""
    record = read_split(workspace)
    if record.by != "query":
        return None
    parts = (part for part in PARTS if record.counts[part])
    return next(
        (part for part in parts if topic in read_topics(part_file(workspace, part, "topics"), format="jsonl")), None
    )


def part_documents(workspace: Workspace, part: str) -> frozenset[bytes] | None:
    """The documents of a part, where documents were divided."""
    if read_split(workspace).by != "document":
        return None
    return frozenset(part_file(workspace, part, "documents").read_bytes().split(b"\n")) - {b""}


def why_split_is_stale(workspace: Workspace) -> str | None:
    """What to say where topics or judgments are not those that were divided."""
    record = read_split(workspace)
    now = {"topics": materials.topics_content(workspace), "judgments": materials.qrels_content(workspace)}
    then = {"topics": record.topics_sha256, "judgments": record.qrels_sha256}
    changed = [name for name, content in now.items() if content.sha256 != then[name]]
    if not changed:
        return None
    return _stale(" and ".join(changed))


def why_judgments_must_have_changed(workspace: Workspace) -> str | None:
    """The same as far as it shows without opening a file with test judgments: in the size of the file."""
    size = size_of_judgments(workspace)
    if size is None or read_split(workspace).qrels_bytes in (None, size):
        return None
    return _stale("judgments")


def size_of_judgments(workspace: Workspace) -> int | None:
    """How many bytes the file with all judgments has, if there is such a file."""
    with suppress(CranfieldError, OSError):
        return Path(materials.qrels(workspace)).stat().st_size
    return None


def _stale(what: str) -> str:
    return f"the {what} changed since the workspace was divided: `cranfield split --force` does it anew"


def usual_part(workspace: Workspace) -> str:
    """The part that is evaluated where none is named: validation, or training where there is no validation."""
    return VALIDATION if read_split(workspace).counts[VALIDATION] else TRAIN


_AGAIN = "`cranfield split --force` writes it again."


def write_record(workspace: Workspace, record: SplitRecord) -> None:
    """Write the record, which makes the files valid."""
    with writing(workspace.splits_folder / RECORD) as out:
        out.write(record.to_json().encode("utf-8", "backslashreplace"))


def settings_of(record: SplitRecord) -> dict[str, Any]:
    """What `cranfield.toml` says of a split."""
    stratified = {"stratify": record.stratify} if record.stratify else {}
    folds = {"folds": len(record.folds)} if record.folds else {}
    return {"by": record.by, "seed": record.seed, **record.shares, **stratified, **folds, "folder": "splits"}
