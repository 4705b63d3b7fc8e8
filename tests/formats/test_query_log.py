"""Queries of a log."""

from __future__ import annotations

import io

import pytest

from cranfield.errors import DataError
from cranfield.formats.query_log import read_query_counts


@pytest.mark.parametrize(
    "content",
    [
        "hot soup\nHot  Soup \n\nbread\n",
        "query\r\nhot soup\r\nhot soup\r\nbread\r\n",
        "AnonID\tQuery\tTime\n1\thot soup\t1\n1\thot soup\t\n2\tbread\t3\n2\t\t3\n",
    ],
)
def test_queries_are_counted(content: str) -> None:
    assert read_query_counts(io.StringIO(content)) == {"hot soup": 2, "bread": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "f: there is no query in it"),
        ("query\n\n", "f: there is no query in it"),
        ("1\tsoup\n", "f:1: expected a header with a column called query, "),
        ("id\tquery\n1\tsoup\n2\n", "f:3: expected 2 cells, found 1"),
    ],
)
def test_what_cannot_be_read(content: str, message: str) -> None:
    file = io.StringIO(content)
    file.name = "f"
    with pytest.raises(DataError) as error:
        read_query_counts(file)
    assert str(error.value).startswith(message)
