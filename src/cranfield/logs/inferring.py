"""From a log to judgments: what clicks say about documents, as grades, by a stated rule."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.strings import Ints
from cranfield.data.topics import Topics
from cranfield.errors import DataError
from cranfield.formats import write_qrels
from cranfield.logs.clicks import ENOUGH
from cranfield.logs.evidence import COEC, evidence
from cranfield.logs.evidence_rows import Evidence
from cranfield.logs.grading import AT, INTERVAL, Grading
from cranfield.logs.log import Log
from cranfield.logs.shared_names import Names
from cranfield.logs.table_file import write_table
from cranfield.logs.topic_texts import TopicTexts, topic_texts

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
    clicks: int
    """How often documents were clicked in the log, whatever the topic."""

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
    """Grades from clicks over expected clicks, or from a click model, by a rule; see `cranfield.logs.grading`.

    Documents that were shown less than `enough` times are not judged.
    """
    grading = Grading(rule, tuple(at))
    found = evidence(log, source, enough=enough)
    clicks = int(found.clicked.sum())
    matched = topic_texts(found.text, topics)
    found, topic = found.take(matched.row), matched.topic
    known = found.known
    if not known.any():
        raise nothing_known(log, enough, topics)
    thin = int(np.count_nonzero(~known))
    found, topic = found.take(known), topic[known]
    if topics is None:
        matched = matched.only(topic.tolist())
    return InferredJudgments(topic, grading.grades(found), found, matched, thin, clicks)


def nothing_known(log: Log, enough: int, topics: Topics | None) -> DataError:
    """What is wrong with a log of which nothing can be inferred."""
    query = "one query" if topics is None else f"a topic of {topics.name}"
    return DataError(
        f"{log.path}: no document was shown {enough} times for {query}, so nothing can be inferred; ask "
        "for less (--enough, enough=), or collect more"
    )
