"""The numbers by which test collections are described: how much there is to search, to ask, and judged."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cranfield.data.collection import Collection
from cranfield.data.documents import Document
from cranfield.data.qrels import Qrels
from cranfield.data.strings import encode
from cranfield.data.topics import Topics
from cranfield.data.words import count_words


@dataclass(frozen=True)
class Lengths:
    """How long texts are, in words: how many have any, and the mean and the median of these."""

    count: int
    mean: float
    median: float

    @classmethod
    def of(cls, lengths: array[int]) -> Lengths:
        """Of the number of words of each text."""
        counts = np.frombuffer(lengths, dtype=np.uint32) if len(lengths) else np.zeros(0, dtype=np.uint32)
        return cls(len(counts), float(counts.mean()), float(np.median(counts))) if len(counts) else cls(0, 0.0, 0.0)


@dataclass(frozen=True)
class DocumentStatistics:
    """What there is to search. `bytes` are those of the texts in UTF-8."""

    count: int
    bytes: int
    words: Lengths
    fields: Mapping[str, Lengths]


@dataclass(frozen=True)
class TopicStatistics:
    """What is asked; `query` are the words of the queries that topics make where nobody chooses fields."""

    count: int
    query: Lengths
    fields: Mapping[str, Lengths]


@dataclass(frozen=True)
class JudgmentStatistics:
    """What was judged: `grades` has how many judgments have which grade.

    All lines count, also the `negative` ones, which say that a document was seen and not judged.
    """

    count: int
    negative: int
    topics: int
    per_topic: float
    relevant: int
    relevant_per_topic: float
    grades: Mapping[str, int]
    graded: bool


@dataclass(frozen=True)
class CollectionStatistics:
    """All of it; None for what a collection does not have."""

    name: str
    domain: str
    documents: DocumentStatistics
    topics: TopicStatistics | None
    judgments: JudgmentStatistics | None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def collection_statistics(collection: Collection) -> CollectionStatistics:
    """Read the documents once and count.

    >>> soup = Document("d1", {"title": "Soup", "text": "Boil some water."})
    >>> found = collection_statistics(Collection("kitchen", lambda: iter([soup])))
    >>> found.documents.count, found.documents.words.mean, found.documents.fields["title"].mean
    (1, 4.0, 1.0)
    """
    return CollectionStatistics(
        collection.name,
        collection.domain,
        _of_documents(collection.documents()),
        None if collection.topics is None else _of_topics(collection.topics),
        None if collection.qrels is None else _of_judgments(collection.qrels),
    )


def _of_documents(documents: Iterable[Document]) -> DocumentStatistics:
    whole, size = array("I"), 0
    fields: dict[str, array[int]] = {}
    for document in documents:
        total = 0
        for name, value in document.fields.items():
            if isinstance(value, str):
                count = count_words(value)
                size += len(encode(value))
                total += count
                fields.setdefault(name, array("I")).append(count)
        whole.append(total)
    by_field = {name: Lengths.of(lengths) for name, lengths in fields.items()}
    return DocumentStatistics(len(whole), size, Lengths.of(whole), by_field)


def _of_topics(topics: Topics) -> TopicStatistics:
    fields: dict[str, array[int]] = {}
    for topic in topics.values():
        for name, value in topic.fields.items():
            if isinstance(value, str):
                fields.setdefault(name, array("I")).append(count_words(value))
    queries = array("I", (count_words(topic.query()) for topic in topics.values()))
    return TopicStatistics(len(topics), Lengths.of(queries), {name: Lengths.of(one) for name, one in fields.items()})


def _of_judgments(qrels: Qrels) -> JudgmentStatistics:
    grades, counts = np.unique(qrels.grade, return_counts=True)
    relevant = int(qrels.count(1).sum())
    topics = len(qrels.query_ids)
    positive = grades[grades > 0]
    return JudgmentStatistics(
        len(qrels),
        int((qrels.grade < 0).sum()),
        topics,
        len(qrels) / topics if topics else 0.0,
        relevant,
        relevant / topics if topics else 0.0,
        {f"{grade:g}": int(count) for grade, count in zip(grades.tolist(), counts.tolist(), strict=True)},
        len(positive) > 1,
    )
