"""What every engine has to do, whichever it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from cranfield.data.documents import Document
from cranfield.engines.engine import Engine, Hits
from cranfield.errors import CranfieldError
from tests.engines.engines_under_test import ENGINES_UNDER_TEST, EngineUnderTest

SOUP = Document("soup-1", {"title": "Soup", "text": "Boil water and carrots for a soup", "year": 1962})
BREAD = Document("bread-2", {"title": "Bread", "text": "Bake flour and yeast in an oven", "tags": ["oven", "zebra"]})
WINGS = Document("wings-3", {"title": "Wings", "text": "<p>The <b>lift</b> of a wing in a shock wave</p>"})
UMLAUT = Document("größe-4", {"title": "Größe", "text": "naïve Zürich 東京 search"})
EMPTY = Document("empty-5", {"title": "", "text": ""})
DOCUMENTS = [SOUP, BREAD, WINGS, UMLAUT, EMPTY]


@dataclass
class Place:
    """Where an engine of a test lives, and the engines that were opened there."""

    engine: EngineUnderTest
    folder: Path
    server: Any
    opened: list[Engine] = field(default_factory=list)

    def open(self) -> Engine:
        self.opened.append(self.engine.open(self.folder, self.server))
        return self.opened[-1]

    def filled(self, documents: Iterable[Document] = DOCUMENTS) -> Engine:
        if self.engine.fill is not None:
            self.opened.append(self.engine.fill(self.folder, self.server, documents))
            return self.opened[-1]
        found = self.open()
        found.index(documents)
        return found


def _place(engine: EngineUnderTest, request: pytest.FixtureRequest, folder: Path) -> Iterator[Place]:
    server = None if engine.fixture is None else request.getfixturevalue(engine.fixture)
    place = Place(engine, folder / "cranfield", server)
    yield place
    for opened in place.opened:
        opened.close()


@pytest.fixture(params=ENGINES_UNDER_TEST, ids=lambda engine: engine.name)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    yield from _place(request.param, request, tmp_path)


@pytest.fixture(params=[engine for engine in ENGINES_UNDER_TEST if engine.fill is None], ids=lambda engine: engine.name)
def indexing_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    yield from _place(request.param, request, tmp_path)


def names(hits: Hits) -> list[str]:
    return [name for name, _ in hits]


@pytest.mark.parametrize(
    ("query", "best"), [("carrots soup", SOUP), ("bake yeast", BREAD), ("shock wave", WINGS), ("zürich", UMLAUT)]
)
def test_finds_what_is_asked_for(place: Place, query: str, best: Document) -> None:
    hits = place.filled().search(query, 3)
    assert names(hits)[0] == best.id
    assert {(type(name), type(score)) for name, score in hits} == {(str, float)}
    if place.engine.only_with_words:
        assert names(hits) == [best.id]


def test_the_best_come_first_and_no_more_than_asked_for(place: Place) -> None:
    documents = [
        Document(f"d{number:02}", {"title": "", "text": "soup " * number + "bread " * (50 - number)})
        for number in range(1, 41)
    ]
    engine = place.filled(documents)
    everything = engine.search("soup", 100)
    assert len(everything) == 40
    assert [score for _, score in everything] == sorted((score for _, score in everything), reverse=True)
    for k in (1, 7, 39, 40):
        assert names(engine.search("soup", k)) == names(everything)[:k]


def test_equals_are_in_the_same_order_every_time_and_at_every_depth(place: Place) -> None:
    documents = [
        Document(f"d{(number * 37) % 100:02}", {"title": "", "text": "soup with bread"}) for number in range(100)
    ]
    engine = place.filled(documents)
    order = names(engine.search("soup", 100))
    assert sorted(order) == sorted(document.id for document in documents)
    assert order == names(engine.search("soup", 100))
    for k in (1, 10, 50):
        assert names(engine.search("soup", k)) == order[:k]


@pytest.mark.parametrize(
    "query",
    [
        'soup AND (NOT "carrots',
        "soup OR",
        "title:soup^2 soup ~ * ? [a TO b} \\",
        "+soup -carrots",
        "soup' OR '1'='1'; DROP TABLE texts; --",
        'soup " "" { } {{query}} $(ls) %s %(x)s',
        "<soup> & carrots | oven !",
        "soup\x00\x07\n\t\r carrots",
        "soup \ud800 lone surrogate",
        "soup 😀 ﷺ İ ß é",
    ],
)
def test_nothing_in_a_query_is_an_operator(place: Place, query: str) -> None:
    hits = place.filled().search(query, 10)
    if place.engine.fill is None and place.engine.only_with_words:
        assert SOUP.id in names(hits)


@pytest.mark.parametrize("query", ["", "   ", "!?.,;", "\n"])
def test_a_query_without_a_word_finds_nothing(place: Place, query: str) -> None:
    assert list(place.filled().search(query, 10)) == []


def test_words_that_are_nowhere_find_nothing(place: Place) -> None:
    hits = place.filled().search("xylophon qqqqqqq", 10)
    if place.engine.only_with_words:
        assert list(hits) == []


def test_a_very_long_query(place: Place) -> None:
    query = " ".join([*(f"word{number}" for number in range(3000)), "carrots", "soup " * 500])
    assert SOUP.id in names(place.filled().search(query, 10))


def test_fields_that_are_no_text_are_not_searched(place: Place) -> None:
    engine = place.filled()
    if place.engine.only_with_words:
        assert list(engine.search("zebra", 10)) == []
        assert list(engine.search("1962", 10)) == []


def test_counts_its_documents(indexing_place: Place) -> None:
    engine = indexing_place.filled()
    assert engine.count() == len(DOCUMENTS)
    size = engine.size_on_disk()
    assert size is None or size > 0


def test_to_index_again_replaces(indexing_place: Place) -> None:
    engine = indexing_place.filled()
    engine.index([Document("other", {"title": "Tea", "text": "carrots and green tea"}), BREAD])
    assert engine.count() == 2
    assert SOUP.id not in names(engine.search("soup carrots", 10))
    assert names(engine.search("green tea", 10))[0] == "other"


def test_comes_back_to_what_it_indexed(indexing_place: Place) -> None:
    first = indexing_place.filled()
    hits = list(first.search("carrots soup", 10))
    first.close()
    second = indexing_place.open()
    assert second.count() == len(DOCUMENTS)
    assert list(second.search("carrots soup", 10)) == hits


def test_documents_come_one_by_one(indexing_place: Place) -> None:
    assert indexing_place.filled(iter(DOCUMENTS)).count() == len(DOCUMENTS)


def test_documents_with_what_is_no_text_in_any_encoding(indexing_place: Place) -> None:
    engine = indexing_place.filled([Document("d1", {"title": "a\udcff", "text": "soup \udc80\x00 bread"}), BREAD])
    assert names(engine.search("soup", 10))[0] == "d1"


def test_a_mistake_among_the_documents_is_not_hidden(indexing_place: Place) -> None:
    def documents() -> Iterator[Document]:
        yield SOUP
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        indexing_place.filled(documents())


def test_several_queries_at_once_find_what_each_finds(place: Place) -> None:
    engine = place.filled()
    queries = {"1": "carrots soup", "2": "yeast", "3": "xylophon", "4": "wing lift"}
    found = engine.search_topics(queries, 3)
    if found is not None:
        assert {topic: list(hits) for topic, hits in found.items()} == {
            topic: list(engine.search(query, 3)) for topic, query in queries.items()
        }


def test_says_what_it_is_without_secrets(place: Place) -> None:
    import json

    engine = place.filled()
    assert json.loads(json.dumps(engine.description())) == engine.description()


def test_closes_twice(place: Place) -> None:
    engine = place.filled()
    engine.search("soup", 1)
    engine.close()
    engine.close()


def test_what_is_not_there_is_an_error_of_ours(indexing_place: Place) -> None:
    with pytest.raises(CranfieldError):
        indexing_place.open().search("soup", 10)
