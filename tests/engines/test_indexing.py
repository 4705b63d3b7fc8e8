"""Indexes: made whole or not at all, and of which documents."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cranfield.data.collection import Collection
from cranfield.data.documents import Document
from cranfield.engines.configuration import open_configuration
from cranfield.engines.index_record import read_index_record
from cranfield.engines.indexing import build_index, collection_to_index
from cranfield.engines.replacing import replacing
from cranfield.errors import CranfieldError, DataError, UsageError

SOUP = [Document("d1", {"text": "hot soup"}), Document("d2", {"text": "cold bread"})]


def collection(documents: list[Document] = SOUP, name: str = "kitchen") -> Collection:
    return Collection(name, lambda: iter(documents))


def test_an_index_and_what_it_was_made_of(tmp_path: Path) -> None:
    made = build_index(collection(), "bm25", {"k1": 0.9}, tmp_path / "index")
    content = json.loads((tmp_path / "index" / "index.json").read_text())
    assert (content["schema"], content["version"]) == ("cranfield.index", 2)
    assert (content["engine"], content["settings"]) == ("bm25", {"k1": 0.9})
    assert content["collection"] == {"name": "kitchen", "documents": 2, "sha256": collection().sha256}
    assert content["bytes"] > 0
    assert set(content["versions"]) >= {"cranfield", "numpy"}
    assert read_index_record(tmp_path / "index") == made
    found = open_configuration(tmp_path / "index")
    with found.make() as engine:
        assert [name for name, _ in engine.search("bread", 10)] == ["d2"]
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_an_index_is_replaced_by_a_new_one(tmp_path: Path) -> None:
    build_index(collection(), "bm25", {}, tmp_path / "index")
    build_index(collection(SOUP[:1], "less"), "sqlite", {}, tmp_path / "index")
    assert read_index_record(tmp_path / "index").collection.name == "less"
    assert {path.name for path in tmp_path.rglob("*") if path.is_dir()} == {"index", "sqlite"}


def broken() -> Any:
    yield SOUP[0]
    raise DataError("the file ends early")


def test_what_fails_leaves_nothing_and_the_old_index(tmp_path: Path) -> None:
    torn = Collection("torn", broken)
    with pytest.raises(DataError, match="the file ends early"):
        build_index(torn, "bm25", {}, tmp_path / "index")
    assert list(tmp_path.iterdir()) == []
    before = build_index(collection(), "bm25", {}, tmp_path / "index")
    with pytest.raises(DataError, match="the file ends early"):
        build_index(torn, "bm25", {}, tmp_path / "index")
    assert read_index_record(tmp_path / "index") == before
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


LEFT_BEHIND = """
import os, pathlib, signal, sys
from cranfield.engines.replacing import replacing

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[2] == "between":
    rename = os.rename
    os.rename = lambda source, to: die() if str(to) == sys.argv[1] else rename(source, to)
with replacing(pathlib.Path(sys.argv[1])) as place:
    (place / "half").write_text("an index")
    if sys.argv[2] == "within":
        die()
"""


def killed(target: Path, when: str) -> None:
    done = subprocess.run([sys.executable, "-c", LEFT_BEHIND, str(target), when], check=False)
    assert done.returncode == -signal.SIGKILL


def test_what_a_killed_process_left_behind_is_removed_by_the_next(tmp_path: Path) -> None:
    killed(tmp_path / "index", "within")
    build_index(collection(), "bm25", {}, tmp_path / "index")
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    killed(tmp_path / "index", "within")
    killed(tmp_path / "other", "within")
    assert len(list(tmp_path.iterdir())) == 3
    assert read_index_record(tmp_path / "index").engine == "bm25"
    build_index(collection(), "bm25", {}, tmp_path / "index")
    # What was left of another index is not touched.
    assert {path.name.split(".")[1] for path in tmp_path.iterdir() if path.name != "index"} == {"other"}


def test_a_process_that_is_killed_between_the_old_index_and_the_new(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "old").write_text("")
    killed(tmp_path / "index", "between")
    assert not (tmp_path / "index").exists()
    with pytest.raises(ZeroDivisionError), replacing(tmp_path / "index"):
        raise ZeroDivisionError
    assert [path.name for path in (tmp_path / "index").iterdir()] == ["half"]
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_what_another_process_is_working_on_is_left_alone(tmp_path: Path) -> None:
    with replacing(tmp_path / "index") as first:
        (first / "index.json").write_text("first")
        with replacing(tmp_path / "index") as second:
            (second / "index.json").write_text("second")
        assert (tmp_path / "index" / "index.json").read_text() == "second"
    assert (tmp_path / "index" / "index.json").read_text() == "first"


def test_a_folder_that_is_no_index_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("years of work")
    with pytest.raises(UsageError, match="this folder is no index, and would be replaced with all that is in it"):
        build_index(collection(), "bm25", {}, tmp_path / "thesis")
    assert (tmp_path / "thesis" / "chapter.tex").exists()
    build_index(collection(), "bm25", {}, tmp_path / "thesis", force=True)
    assert not (tmp_path / "thesis" / "chapter.tex").exists()


def test_an_empty_folder_and_a_link_will_do(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("empty")
    build_index(collection(), "bm25", {}, tmp_path / "link")
    build_index(collection(), "bm25", {}, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert read_index_record(tmp_path / "empty").engine == "bm25"


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        ("bm52", {}, "unknown engine 'bm52'. Did you mean bm25?"),
        ("bm25", {"k": 1}, "the engine bm25 has no parameter 'k'. Did you mean k1"),
        ("python", {"function": "math:sqrt"}, "the engine python does not index"),
    ],
)
def test_what_cannot_be_indexed(kind: str, settings: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(CranfieldError, match=re.escape(message)):
        build_index(collection(), kind, settings, tmp_path / "index")
    assert list(tmp_path.iterdir()) == []


def test_where_an_index_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="this is a file"):
        build_index(collection(), "bm25", {}, tmp_path / "file")
    with pytest.raises(UsageError, match="there is no folder"):
        build_index(collection(), "bm25", {}, tmp_path / "no" / "index")


def test_documents_that_are_there_twice(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="document d1 is there twice"):
        build_index(collection([*SOUP, SOUP[0]]), "bm25", {}, tmp_path / "index")


def test_the_documents_of_another_collection_are_noticed(tmp_path: Path) -> None:
    made = build_index(collection(), "bm25", {}, tmp_path / "index").collection
    made.check("index", "kitchen", collection().content)
    other = collection([Document("d1", {"text": "hot soup!"}), SOUP[1]])
    with pytest.raises(DataError, match="index: this index belongs to another collection: it was made of kitchen"):
        made.check("index", "other", other.content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "this is no JSON"),
        ("{}", "expected the record of an index"),
        ('{"schema": "cranfield.index", "version": 1}', "in version 1; this cranfield reads version 2"),
        ('{"schema": "cranfield.index", "version": 2}', "the record lacks"),
    ],
)
def test_records_that_cannot_be_read(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text(content)
    with pytest.raises(DataError, match=re.escape(message)):
        open_configuration(tmp_path)


def test_an_index_has_no_documents_to_index(tmp_path: Path) -> None:
    build_index(collection(), "bm25", {}, tmp_path / "index")
    with pytest.raises(UsageError, match="index: this is an index already, which the engine bm25 made of kitchen"):
        collection_to_index(tmp_path / "index")


def test_a_folder_without_an_index(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no index here"):
        open_configuration(tmp_path)
    with pytest.raises(UsageError, match="there is no such file or folder"):
        open_configuration(tmp_path / "missing")
    with pytest.raises(UsageError, match="tantivy is an engine; an index of it is made with"):
        open_configuration("tantivy")
