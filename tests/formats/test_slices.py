"""Slices of topics."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from cranfield.errors import DataError, FormatError, UsageError
from cranfield.formats.slices import read_slices


@pytest.mark.parametrize(
    "text",
    [
        "query,slice\nq1,head\nq2,tail\nq3,head\n",
        "slice,qid\nhead,q1\ntail,q2\nhead,q3",
        "query_id\tslice\r\nq1\thead\r\nq2\ttail\r\nq3\thead\r\n",
        "topic slice\nq1 head\n\nq2 tail\nq3 head\n",
        "\ufeffquery,text,slice\nq1,a text,head\nq2,another,tail\nq3,third,head\nq3,third,head\n",
    ],
)
def test_a_column_of_slices(text: str) -> None:
    assert read_slices(io.StringIO(text)) == {"head": ["q1", "q3"], "tail": ["q2"]}


def test_several_columns_name_their_slices() -> None:
    text = 'qid,language,kind of need\nq1,en,"navigational, mostly"\nq2,,informational\n'
    assert read_slices(io.StringIO(text)) == {
        "language=en": ["q1"],
        "kind of need=navigational, mostly": ["q1"],
        "kind of need=informational": ["q2"],
    }


def test_packed_files(tmp_path: Path) -> None:
    path = tmp_path / "slices.csv.gz"
    path.write_bytes(gzip.compress(b"query,slice\nq1,caf\xe9\n"))
    assert read_slices(path) == {"caf\udce9": ["q1"]}


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", DataError, "expected a header that names a column of topics (query_id, qid, "),
        ("q1,head\nq2,tail\n", DataError, "such as 'query,slice', found 'q1,head'"),
        ("query\nq1\n", DataError, "such as 'query,slice', found 'query'"),
        ("query,slice\nq1,head\nq2\n", FormatError, ":3: expected 2 cells (query,slice), found 1"),
        ("query,slice\n,head\n", FormatError, ":2: the topic is missing"),
        ("query,slice\nq1,\n", DataError, "no topic is in a slice"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        read_slices(io.StringIO(text))
    assert message in str(caught.value)


def test_no_such_file() -> None:
    with pytest.raises(UsageError, match="there is no such file"):
        read_slices("nowhere.csv")
