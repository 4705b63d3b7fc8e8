from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.data.documents import Document
from cranfield.errors import DataError
from cranfield.formats.documents.store import DocumentStore

SOUP = Document("d1", {"title": "Soup", "text": "Boil water.", "year": 1962, "tags": ["hot", "wet"]})
BREAD = Document("d\udcff2", {"text": "Bake \ud83d it."})


def test_documents_come_back_whole_in_the_order_asked_for(tmp_path: Path) -> None:
    store = DocumentStore.build(iter([SOUP, BREAD]), tmp_path / "s.sqlite", made_of="kitchen 1")
    assert list(store.get([BREAD.id, "d9", SOUP.id]).values()) == [BREAD, SOUP]
    assert (len(store), store.made_of) == (2, "kitchen 1")
    assert store.get([]) == {}


@given(st.dictionaries(st.text(min_size=1), st.dictionaries(st.text(), st.text() | st.integers() | st.none())))
@settings(max_examples=20, deadline=None)
def test_any_names_and_fields(tmp_path_factory: pytest.TempPathFactory, content: dict[str, dict[str, object]]) -> None:
    given = {name: Document(name, fields) for name, fields in content.items()}
    store = DocumentStore.build(given.values(), tmp_path_factory.mktemp("store") / "s.sqlite")
    assert store.get(list(given)) == given


def test_more_than_are_asked_for_at_once(tmp_path: Path) -> None:
    told: list[int] = []
    documents = [Document(f"d{number}", {"text": str(number)}) for number in range(1234)]
    store = DocumentStore.build(documents, tmp_path / "s.sqlite", tell=told.append)
    assert list(store.get([document.id for document in documents]).values()) == documents
    assert told == [1000]


def test_a_document_that_is_there_twice_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    DocumentStore.build([SOUP], path)
    with pytest.raises(DataError, match="twice"):
        DocumentStore.build([BREAD, BREAD], path)
    assert DocumentStore(path).get(["d1"]) == {"d1": SOUP}
    assert [file.name for file in tmp_path.iterdir()] == ["s.sqlite"]


def test_what_is_no_store_is_made_of_nothing(tmp_path: Path) -> None:
    assert DocumentStore(tmp_path / "none").made_of is None
    (tmp_path / "text").write_text("no database, but a text of some length")
    assert DocumentStore(tmp_path / "text").made_of is None
    with pytest.raises(DataError, match=r"text: documents cannot be read from it"):
        DocumentStore(tmp_path / "text").get(["d1"])
    sqlite3.connect(tmp_path / "other").execute("CREATE TABLE about (made_of)").connection.close()
    assert DocumentStore(tmp_path / "other").made_of is None
