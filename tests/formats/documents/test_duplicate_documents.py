"""Documents of one name."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path

import pytest

from cranfield.data.documents import Document
from cranfield.errors import FormatError
from cranfield.formats.documents import duplicates, iter_documents
from cranfield.formats.documents.duplicates import ByHash
from cranfield.formats.documents.pieces import Piece
from tests.formats.documents.reading import message


def failure(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        list(iter_documents(path))
    return str(caught.value)


def test_both_places_are_named(tmp_path: Path) -> None:
    path = tmp_path / "f.tsv"
    path.write_text("d1\tx\n\nd2\ty\nd1\tz\n")
    assert failure(path) == f"{path}:4: document 'd1' is there twice (first at line 1). Keep one of them."
    assert message(path.read_text()) == "f:4: document 'd1' is there twice (first at line 1). Keep one of them."


def test_in_different_files(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "0"}\n{"id": "1"}\n')
    (tmp_path / "b.jsonl").write_text('{"id": "1"}\n')
    assert failure(tmp_path) == (
        f"{tmp_path}/b.jsonl:1: document '1' is there twice (first at {tmp_path}/a.jsonl:2). Keep one of them."
    )


def test_files_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/1.txt").write_text("x")
    (tmp_path / "1.html").write_text("<p>")
    assert failure(tmp_path) == (
        f"{tmp_path}/a/1.txt: document '1' is there twice (first at {tmp_path}/1.html). Keep one of them. "
        "Files are told apart by their folders and endings with --ids path (in Python ids='path')."
    )
    assert len(list(iter_documents(tmp_path, ids="path"))) == 2


@pytest.mark.parametrize(("first", "last"), [(0, 149_999), (65_535, 65_536), (70_000, 140_000), (149_998, 149_999)])
def test_far_from_each_other(tmp_path: Path, first: int, last: int) -> None:
    names = [f"d{at}" for at in range(150_000)]
    names[last] = names[first]
    path = tmp_path / "f.tsv"
    path.write_text("".join(f"{name}\tx\n" for name in names))
    assert failure(path) == (
        f"{path}:{last + 1}: document 'd{first}' is there twice (first at line {first + 1}). Keep one of them."
    )


def test_the_same_hash_is_not_the_same_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No two names with one hash can be had for asking, so all get one of seven."""
    monkeypatch.setattr(duplicates, "hash", lambda name: len(name) % 7, raising=False)
    path = tmp_path / "f.tsv"
    path.write_text("".join(f"{'d' * at}\tx\n" for at in range(1, 50)))
    assert len(list(iter_documents(path))) == 49
    path.write_text(path.read_text() + "ddd\tx\n")
    assert failure(path) == f"{path}:50: document 'ddd' is there twice (first at line 3). Keep one of them."


def test_many_names_take_eight_bytes_each() -> None:
    """Two million names: sixteen megabytes of hashes, and what waits to be sorted."""
    watch = ByHash(lambda: iter([]))
    for begin in range(0, 2_000_000, 1000):
        watch.look(Piece("f", [Document(f"d{at}", {}) for at in range(begin, begin + 1000)], range(1000)))
    watch.finish()
    held = sum(known.nbytes for known in watch._sorted)
    assert held == 16_000_000
    assert len(watch._sorted) < 20


def test_a_pipe_can_be_read_only_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_text("d1\tx\nd1\ty\n"))
    writer.start()
    try:
        assert failure(path) == f"{path}:2: document 'd1' is there twice (first at line 1). Keep one of them."
    finally:
        writer.join()


def test_the_documents_before_are_given_out() -> None:
    documents = iter_documents(io.StringIO("".join(f"d{at}\tx\n" for at in range(20_000)) + "d0\ty\n"))
    assert next(documents).id == "d0"
