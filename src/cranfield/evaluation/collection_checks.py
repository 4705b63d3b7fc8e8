"""Whether the topics of a collection are germane to its documents, and whether its parts fit each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from cranfield.data.collection import Collection
from cranfield.data.qrels import Qrels
from cranfield.data.strings import encode
from cranfield.data.topics import Topics
from cranfield.data.words import words
from cranfield.errors import UsageError


@dataclass(frozen=True)
class CollectionChecks:
    """What does not fit; empty where all does."""

    unknown_words: Mapping[str, tuple[str, ...]]
    """For each topic that has any, the words of its query that occur in no document."""
    foreign: tuple[str, ...]
    """Topics of which no word occurs in any document."""
    empty: tuple[str, ...]
    """Topics without a word to search for."""
    unjudged: tuple[str, ...]
    """Topics without judgments."""
    nothing_relevant: tuple[str, ...]
    """Judged topics without a relevant document."""
    absent_topics: tuple[str, ...]
    """Topics that are judged and not there."""
    absent_documents: tuple[str, ...]
    """Documents that are judged and not there."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def check_collection(collection: Collection) -> CollectionChecks:
    """Read the documents once, and say what does not fit.

    >>> from cranfield.data.documents import Document
    >>> from cranfield.data.topics import Topic
    >>> soup = Document("d1", {"text": "Boil some water."})
    >>> topics = Topics([Topic("1", {"title": "boil water"}), Topic("2", {"title": "fry eggs"})])
    >>> checks = check_collection(Collection("kitchen", lambda: iter([soup]), topics))
    >>> checks.foreign, checks.unknown_words
    (('2',), {'2': ('fry', 'eggs')})
    """
    if collection.topics is None and collection.qrels is None:
        raise UsageError(f"{collection.name}: it has neither topics nor judgments that could be checked")
    topics = Topics([]) if collection.topics is None else collection.topics
    queries = {topic.id: list(dict.fromkeys(words(topic.query()))) for topic in topics.values()}
    missing = {word for query in queries.values() for word in query}
    judged = {document for _, _, document, _ in collection.qrels.rows()} if collection.qrels is not None else set()
    for document in collection.documents():
        judged.discard(document.id)
        if missing:
            missing.difference_update(words(document.text()))
    unknown = {name: tuple(word for word in query if word in missing) for name, query in queries.items()}
    unknown = {name: found for name, found in unknown.items() if found}
    return CollectionChecks(
        unknown,
        tuple(name for name, found in unknown.items() if len(found) == len(queries[name])),
        tuple(name for name, query in queries.items() if not query),
        *_judgments(topics, collection.qrels),
        tuple(sorted(judged)),
    )


def _judgments(topics: Topics, qrels: Qrels | None) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Topics without judgments, judged ones without anything relevant, and judged ones that are not there."""
    if qrels is None:
        return (), (), ()
    relevant = qrels.count(1).tolist()
    return (
        tuple(name for name in topics if encode(name) not in qrels.position),
        tuple(name for name, count in zip(qrels.queries, relevant, strict=True) if not count),
        tuple(name for name in qrels.queries if name not in topics) if len(topics) else (),
    )
