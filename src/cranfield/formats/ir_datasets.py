"""Datasets of the package `ir_datasets`, by name: `ir_datasets:vaswani`. It fetches what it does not have yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cranfield.data.collection import Collection
from cranfield.data.documents import Document
from cranfield.data.qrels import Qrels
from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError, MissingExtraError, UsageError, did_you_mean

PREFIX = "ir_datasets:"


def open_dataset(name: str) -> Collection:
    """The documents, topics and judgments of a dataset, those that it has."""
    dataset = _load(name)
    if not dataset.has_docs():
        raise DataError(f"{name}: this dataset has no documents")
    return Collection(
        name.removeprefix(PREFIX).replace("/", "-"),
        lambda: (Document(*item) for item in _items(dataset.docs_iter, name)),
        topics=_topics(dataset, name) if dataset.has_queries() else None,
        qrels=_qrels(dataset, name) if dataset.has_qrels() else None,
    )


def read_topics(name: str) -> Topics:
    """The topics of a dataset."""
    dataset = _load(name)
    if not dataset.has_queries():
        raise DataError(f"{name}: this dataset has no topics")
    return _topics(dataset, name)


def _load(name: str) -> Any:
    try:
        import ir_datasets
    except ImportError:
        raise MissingExtraError(f"{name}: a dataset of ir_datasets", "datasets") from None
    bare = name.removeprefix(PREFIX)
    try:
        return ir_datasets.load(bare)
    except KeyError:
        hint = did_you_mean(bare, list(ir_datasets.registry))
        raise UsageError(f"{name}: ir_datasets has no dataset of this name{hint}") from None


def _topics(dataset: Any, name: str) -> Topics:
    return Topics((Topic(*item) for item in _items(dataset.queries_iter, name)), name=name)


def _qrels(dataset: Any, name: str) -> Qrels:
    rows = _fetched(dataset.qrels_iter, name)
    return Qrels.from_tuples(
        ((row.query_id, getattr(row, "iteration", "0"), row.doc_id, row.relevance) for row in rows), name=name
    )


def _items(begin: Callable[[], Iterable[Any]], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Identifier and fields of each; the first of the names of a record is that of its identifier."""
    for row in _fetched(begin, name):
        identifier, *names = row._fields
        fields = {field: _plain(getattr(row, field)) for field in names}
        yield getattr(row, identifier), {field: value for field, value in fields.items() if value not in ("", None, [])}


def _plain(value: Any) -> Any:
    """Values that a JSON file can hold."""
    if hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _fetched(begin: Callable[[], Iterable[Any]], name: str) -> Iterator[Any]:
    """Its records. What goes wrong while it fetches files is told in one line."""
    try:
        yield from begin()
    except (RuntimeError, OSError) as error:
        reason = " ".join(str(error).split())[:200]
        raise DataError(f"{name}: ir_datasets could not give it: {reason}") from None
