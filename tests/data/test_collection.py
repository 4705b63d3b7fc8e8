"""A collection streams its documents, hashes them as they pass, and notices a change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cranfield.data.collection import Collection, Content
from cranfield.data.documents import ContentHash, Document
from cranfield.errors import DataError

SOUP, BREAD = Document("d1", {"text": "Boil water."}), Document("d2", {"text": "Bake."})


def content(*documents: Document) -> Content:
    hashed = ContentHash()
    for document in documents:
        hashed.add(document)
    return Content(hashed.count, hashed.hexdigest())


def test_documents_are_read_as_often_as_they_are_asked_for() -> None:
    begun = []

    def iterate() -> Iterator[Document]:
        begun.append(True)
        return iter([SOUP, BREAD])

    collection = Collection("kitchen", iterate)
    assert list(collection.documents()) == list(collection.documents()) == [SOUP, BREAD]
    assert len(begun) == 2
    assert collection.content == content(SOUP, BREAD)
    assert (collection.count, collection.sha256) == (2, content(SOUP, BREAD).sha256)
    assert len(begun) == 2  # known from reading


def test_the_hash_is_found_where_nobody_has_read_yet() -> None:
    assert Collection("kitchen", lambda: iter([BREAD])).content == content(BREAD)


def test_what_is_on_record_is_not_computed() -> None:
    def iterate() -> Iterator[Document]:
        raise AssertionError

    assert Collection("kitchen", iterate, recorded=Content(7, "abc")).count == 7


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ([SOUP], "kitchen: the documents changed since the collection was made: there were 2, there are 1"),
        ([BREAD, SOUP], "kitchen: the documents changed since the collection was made: their SHA-256 was "),
        ([SOUP, Document("d2", {"text": "Bake!"})], "their SHA-256 was "),
        ([SOUP, Document("d3", {"text": "Bake."})], "their SHA-256 was "),
    ],
)
def test_a_change_is_noticed_at_the_end(now: list[Document], words: str) -> None:
    collection = Collection("kitchen", lambda: iter(now), recorded=content(SOUP, BREAD))
    documents = collection.documents()
    assert [next(documents) for _ in now] == now
    with pytest.raises(DataError, match=words):
        next(documents)
