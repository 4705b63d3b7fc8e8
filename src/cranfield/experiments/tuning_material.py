"""All that tuning gets to see: topics and judgments for training and validation, and no way to those of the test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cranfield.data.qrels import Qrels
from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError
from cranfield.experiments.split_files import part_documents, part_file, read_split
from cranfield.experiments.splits import TRAIN, VALIDATION
from cranfield.experiments.workspace import Workspace
from cranfield.formats import read_qrels
from cranfield.formats.topics import read_topics

SEEN = (TRAIN, VALIDATION)


@dataclass(frozen=True)
class Portion:
    """Judgments by which trials are scored."""

    qrels: Qrels
    documents: frozenset[bytes] | None = None
    """The documents to which they belong, where documents were divided; a run loses all others before it is scored."""


@dataclass(frozen=True)
class TuningMaterial:
    """Topics, and the portions of their judgments. It holds no path, and nothing of the test."""

    topics: Topics
    portions: Mapping[str, Portion]
    """`train`, and `validation` where there is such a part."""

    def __post_init__(self) -> None:
        if unknown := sorted(self.portions.keys() - set(SEEN)):
            raise DataError(f"tuning looks at {' and '.join(SEEN)} only, not at {unknown[0]}")

    @property
    def judged(self) -> tuple[str, ...]:
        """The topics that have judgments."""
        return tuple(sorted({name for portion in self.portions.values() for name in portion.qrels.queries}))


def tuning_material(workspace: Workspace) -> TuningMaterial:
    """The training and validation files of a workspace that `cranfield split` has divided.

    No other file of topics or judgments is opened. Each has to have the hash that it had when it was written, so that
    nothing else can stand in its place.
    """
    record = read_split(workspace)
    portions: dict[str, Portion] = {}
    topics: dict[str, Topic] = {}
    for part in SEEN:
        if not record.counts[part]:
            continue
        qrels = read_qrels(part_file(workspace, part), name=part)
        portions[part] = Portion(qrels, part_documents(workspace, part))
        topics |= dict(read_topics(part_file(workspace, part, "topics"), format="jsonl"))
    return TuningMaterial(Topics(topics.values(), name="training and validation topics"), portions)
