"""Documents that someone names: lists, runs, judgments and pools."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from cranfield.data.pool import Pool
from cranfield.errors import DataError
from cranfield.formats.document_lists import read_document_list, write_document_list
from cranfield.formats.pools import write_pool


@pytest.mark.parametrize(
    "text",
    [
        "# found by hand\nq2 d3\nq1  d2\n\nq1\td1\n",
        "q1 Q0 d2 1 9.0 by-hand\nq1 Q0 d1 2 8.0 by-hand\nq2 Q0 d3 1 7 by-hand\n",
        "q1 0 d2 1\nq1 0 d1 0\nq2 0 d3 2\n",
    ],
    ids=["list", "run", "judgments"],
)
def test_what_documents_are_named_in(text: str, tmp_path: Path) -> None:
    (tmp_path / "named.txt").write_text(text)
    for what in (str(tmp_path / "named.txt"), io.BytesIO(text.encode())):
        found = read_document_list(what)
        assert found.pool.to_judge() == {"q1": ["d2", "d1"], "q2": ["d3"]}
        assert found.repeated == 0


def test_of_a_pool_what_is_to_be_judged(tmp_path: Path) -> None:
    write_pool(Pool.from_dict({"q1": ["d2", "d1"]}), tmp_path / "pool.tsv")
    assert read_document_list(tmp_path / "pool.tsv").pool.to_judge() == {"q1": ["d2", "d1"]}


def test_a_document_named_twice_is_counted() -> None:
    found = read_document_list(io.StringIO("q1 b\nq1 a\nq2 b\nq1 b\nq1 b\n"))
    assert found.pool.to_judge() == {"q1": ["b", "a"], "q2": ["b"]}
    assert found.repeated == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file has no records; expected lines of topic document"),
        ("# nothing\n", "the file has no records; expected lines of topic document"),
        ("q1 d1\nq1\n", r":2: expected 2 fields \(topic document\), found 1"),
        ("q1 d1\nq1 d2 d3\n", r":2: expected 2 fields \(topic document\), found 3"),
    ],
)
def test_what_is_no_list(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_document_list(io.StringIO(text))


def test_a_list_is_written_in_the_order_of_judging(tmp_path: Path) -> None:
    write_document_list(Pool.from_dict({"q1": ["d2", "d1"], "q0": ["d9"]}), tmp_path / "list.txt")
    assert (tmp_path / "list.txt").read_text() == "q0 d9\nq1 d2\nq1 d1\n"
    with pytest.raises(DataError, match="holds white space"):
        write_document_list(Pool.from_dict({"q1": ["d 2"]}), tmp_path / "list.txt")
