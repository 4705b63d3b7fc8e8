"""A document of a hundred megabytes, in every format, and many that must not be held at once."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from cranfield.formats.documents import iter_documents
from tests.formats.documents.test_folders_and_archives import tar, zipped

MEGABYTE = 1_000_000
LINE = "a sentence of text that goes on for as long as this one does, which is ninety-nine letters, then\n"


def text(size: int) -> str:
    return LINE * (size // len(LINE) + 1)


LARGE: dict[str, Callable[[str], str | bytes]] = {
    "f.jsonl": lambda long: '{"id": "d1", "text": "' + long.replace("\n", "\\n") + '"}\n{"id": "d2"}\n',
    "f.tsv": lambda long: "d1\t" + long.replace("\n", " ") + "\nd2\t\n",
    "f.csv": lambda long: 'id,text\nd1,"' + long + '"\nd2,x\n',
    "f.trec": lambda long: f"<DOC>\n<DOCNO>d1</DOCNO>\n<TEXT>\n{long}</TEXT>\n</DOC>\n<DOC><DOCNO>d2</DOCNO></DOC>\n",
    "f.all": lambda long: f".I d1\n.W\n{long}.I d2\n.W\nx\n",
    "f.tar": lambda long: tar({"d1.txt": long, "d2.html": f"<html><p>{long}"}),
    "f.zip": lambda long: zipped({"d1.txt": long, "d2.html": "<html>"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_a_hundred_megabytes(tmp_path: Path, name: str) -> None:
    content = LARGE[name](text(100 * MEGABYTE))
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    documents = iter_documents(path)
    first = next(documents)
    assert first.id == "d1"
    assert len(first.text()) > 99 * MEGABYTE
    assert [document.id for document in documents] == ["d2"]


MANY: dict[str, Callable[[int], str]] = {
    "f.jsonl": lambda at: f'{{"id": "d{at}", "text": "{LINE[:-1] * 20}"}}\n',
    "f.tsv": lambda at: f"d{at}\t{LINE[:-1] * 20}\n",
    "f.trec": lambda at: f"<DOC><DOCNO>d{at}</DOCNO><TEXT>{LINE * 20}</TEXT></DOC>\n",
    "f.all": lambda at: f".I {at}\n.W\n{LINE * 20}",
}


LONG_TO_READ = ("f.trec", "f.all")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LONG_TO_READ else []) for name in MANY]
)
def test_only_some_documents_are_held_at_a_time(tmp_path: Path, name: str) -> None:
    """Nearly forty megabytes of documents in less than sixteen: what is read at once, and its copies on the way."""
    path = tmp_path / name
    path.write_text("".join(MANY[name](at) for at in range(20_000)))
    assert path.stat().st_size > 38 * MEGABYTE
    tracemalloc.start()
    try:
        assert sum(1 for _ in iter_documents(path)) == 20_000
        assert tracemalloc.get_traced_memory()[1] < 16 * MEGABYTE
    finally:
        tracemalloc.stop()
