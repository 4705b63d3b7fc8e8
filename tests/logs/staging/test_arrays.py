"""UBI in one JSON array says what lines say; one that is broken says where."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import DataError, FormatError
from cranfield.logs.folder import LogFolder
from tests.logs.making import event, imported, query, shown, tables, write

ROWS: list[dict[str, Any]] = [
    query("q1", "Soup"),
    *shown("q1", ["d1", "d2"]),
    event("click", "q1", "d2", 2, 3),
    query("q2", "Bread [white]", 60, client_id="bob"),
]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """What the rows say as lines."""
    folder = tmp_path_factory.mktemp("lines")
    imported(write(folder / "lines.ndjson", ROWS), folder / "log")
    return tables(folder / "log")


@pytest.mark.parametrize(("indent", "batch"), [(None, 1 << 20), (1, 64)])
def test_an_array_says_what_lines_say(tmp_path: Path, indent: int | None, batch: int, lines: dict[str, Any]) -> None:
    array = tmp_path / "array.json.gz"
    array.write_bytes(gzip.compress(("\ufeff " + json.dumps(ROWS, indent=indent) + "\n").encode()))
    found = imported(array, tmp_path / "array", batch=batch)
    assert (found.read, found.rows_kept) == (len(ROWS), len(ROWS))
    assert tables(tmp_path / "array") == lines


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ('[{"user_query": "a"},\n {"user_query": "b" "c"}]', ":2: column 21", "expecting ',' delimiter"),
        ('[{"user_query": "a"}\n{"user_query": "b"}]', ":2: column 1", "expected a comma or ], found '{'"),
        ('[{"user_query": "a"}\n', ":2: column 1", "the file ends before the ]"),
        ('[{"user_query": "a"}]\n[]', ":2: column 1", "there is more after the ]"),
        ('[{"user_query": "a', ":1: column 17", "unterminated string"),
        ("[" + "[" * 99_999 + "]" * 100_000, ":1: column 2", "an element has too many brackets within brackets"),
    ],
)
@pytest.mark.parametrize("batch", [4, 1 << 20])
def test_a_broken_array_says_where(tmp_path: Path, text: str, where: str, what: str, batch: int) -> None:
    source = tmp_path / "array.json"
    source.write_text(text)
    with pytest.raises(FormatError) as raised:
        imported(source, tmp_path / "log", batch=batch)
    assert f"{where}: the JSON array is broken here: {what}" in str(raised.value)
    assert not LogFolder(tmp_path / "log").exists


def test_elements_of_an_array_that_are_no_utf8_are_rejected_alone(tmp_path: Path) -> None:
    source = tmp_path / "array.json"
    good = json.dumps(query("q1", "soup")).encode()
    source.write_bytes(b"[" + good + b', {"user_query": "caf\xe9"}, 7]')
    found = imported(source, tmp_path / "log")
    assert found.rejected == {"not UTF-8": 1, "neither action_name nor user_query": 1}
    assert found.read == found.rows_kept + 2 == 3


def test_an_empty_array_is_said_to_be_empty(tmp_path: Path) -> None:
    source = tmp_path / "array.json"
    source.write_text(" [ ] ")
    with pytest.raises(DataError, match="is empty, there is no row in it"):
        imported(source, tmp_path / "log")


def test_numbers_of_an_array_have_any_length(tmp_path: Path) -> None:
    source = tmp_path / "array.json"
    source.write_text(json.dumps([*ROWS, {"user_query": "tea", "price": "long"}]).replace('"long"', "1" * 5000))
    assert imported(source, tmp_path / "log").rows_kept == len(ROWS) + 1
