"""From a log to judgments: what clicks say about documents, as grades, by a stated rule."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.strings import Ints
from cranfield.data.topics import Topics
from cranfield.errors import DataError, UsageError
from cranfield.formats import write_qrels
from cranfield.logs.clicks import ENOUGH
from cranfield.logs.evidence import COEC, Evidence, evidence
from cranfield.logs.log import Log
from cranfield.logs.table_file import write_table
from cranfield.logs.topic_texts import Names, TopicTexts, topic_texts

INTERVAL, THRESHOLDS = "interval", "thresholds"
RULES = (INTERVAL, THRESHOLDS)
AT = (0.5, 1.0, 2.0)
WITH_INTERVALS = "tsv"
"""The format that keeps what grades were made of."""
COLUMNS = ("query_id", "doc_id", "relevance", "value", "low", "high", "shown", "clicked")


@dataclass(frozen=True, eq=False)
class InferredJudgments:
    """Grades of documents, and what they were made of."""

    topic: Names
    grade: Ints
    evidence: Evidence
    """One row for each grade."""
    matched: TopicTexts
    thin: int
    """Documents of these topics about which nothing is said, for they were shown too rarely."""

    @property
    def topics(self) -> Topics:
        return self.matched.topics

    def __len__(self) -> int:
        return len(self.grade)

    def qrels(self, name: str = "inferred") -> Qrels:
        """The grades alone."""
        rows = zip(self.topic.tolist(), self.evidence.document.tolist(), self.grade.tolist(), strict=True)
        by_topic: dict[str, dict[str, int]] = {}
        for topic, document, grade in rows:
            by_topic.setdefault(topic, {})[document] = grade
        return Qrels.from_dict(by_topic, name=name)

    def write(self, path: str | os.PathLike[str], format: str = WITH_INTERVALS) -> None:
        """To a file: a table with intervals and counts, which is read as judgments, or the grades alone."""
        if format != WITH_INTERVALS:
            write_qrels(self.qrels(), path, format=format)
            return
        found = self.evidence
        columns: Sequence[Sequence[object]] = (
            *(self.topic.tolist(), found.document.tolist(), self.grade.tolist()),
            *([f"{number:.6g}" for number in column.tolist()] for column in (found.value, found.lower, found.upper)),
            *(found.shown.tolist(), found.clicked.tolist()),
        )
        write_table(path, COLUMNS, list(zip(*columns, strict=True)))


def infer_qrels(
    log: Log,
    source: str = COEC,
    *,
    rule: str = INTERVAL,
    at: Sequence[float] = AT,
    enough: int = ENOUGH,
    topics: Topics | None = None,
) -> InferredJudgments:
    """Grades from clicks over expected clicks, or from a click model.

    By the rule `interval` a document has the grade 2 if it is wanted more than a usual one, the whole 95 % interval
    being above 1; 0 if less, the whole interval being below 1; 1 where that is not certain. By `thresholds` the grade
    is the number of thresholds in `at` that its value reaches, however uncertain. Documents that were shown less than
    `enough` times are not judged.
    """
    if rule not in RULES:
        raise UsageError(f"unknown rule {rule!r}: expected {' or '.join(RULES)}")
    steps = np.array(at, dtype=np.float64)
    if rule == THRESHOLDS and (not len(steps) or not (steps > 0).all() or (np.diff(steps) <= 0).any()):
        raise UsageError(f"thresholds {', '.join(map(str, at))}: expected numbers above 0, the lowest first")
    found = evidence(log, source, enough=enough)
    matched = topic_texts(found.text, topics)
    found, topic = found.take(matched.row), matched.topic
    known = found.known
    if not known.any():
        raise DataError(
            f"{log.folder.path}: no document was shown {enough} times for one query, so nothing can be inferred; ask "
            "for less (enough), or collect more"
        )
    thin = int(np.count_nonzero(~known))
    found, topic = found.take(known), topic[known]
    if topics is None:
        matched = matched.only(topic.tolist())
    if rule == INTERVAL:
        grade = np.where(found.lower > 1, 2, np.where(found.upper < 1, 0, 1))
    else:
        grade = np.searchsorted(steps, found.value, side="right")
    return InferredJudgments(topic, grade.astype(np.int64), found, matched, thin)
