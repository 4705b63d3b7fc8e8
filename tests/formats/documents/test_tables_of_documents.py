"""JSON lines, BEIR, tab- and comma-separated tables, and Parquet."""

from __future__ import annotations

import io
import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield.data.documents import Document
from cranfield.errors import FormatError
from cranfield.formats.documents import iter_documents
from tests.formats.documents.reading import fields, message, read

ID_NAMES = "_id, id, docno, doc_id, docid, document_id, document, pid, passage_id, corpus_id, item_id, product_id, identifier, doc"


def test_json_fields_keep_what_they_hold() -> None:
    record = {
        "year": 1962,
        "title": "Soup",
        "image": "https://example.org/soup.png",
        "tags": ["hot", 1, None],
        "size": {"cm": 2.5},
        "text": "",
    }
    assert read(json.dumps({"id": "d1", **record})) == [Document("d1", record)]


@pytest.mark.parametrize("key", ["_id", "id", "docno", "Doc-ID", "docid", "pid"])
def test_several_names_of_identifiers(key: str) -> None:
    assert read(json.dumps({"text": "x", key: "d1"})) == [Document("d1", {"text": "x"})]


def test_the_first_object_decides_which_key_is_the_identifier() -> None:
    assert read('\n{"_id": 7, "id": "a"}\r\n  {"_id": "8", "id": "a"}  \n\n') == [
        Document("7", {"id": "a"}),
        Document("8", {"id": "a"}),
    ]


def test_beir_with_its_metadata() -> None:
    line = '{"_id": "d1", "title": "T", "text": "x", "metadata": {"url": "u"}}\n'
    expected = [Document("d1", {"title": "T", "text": "x", "metadata": {"url": "u"}})]
    assert read(line) == read(line, format="beir") == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"id": "1"', "this is not a JSON object: Expecting ',' delimiter at column 11"),
        ('{"id": "\x01"}', "this is not a JSON object: Invalid control character at column 9"),
        ('{"id": "1"} x', "this is not a JSON object: Extra data at column 13"),
        ('{"id": "1"}{"id": "2"}', "this is not a JSON object: Extra data at column 12"),
        ('{"id": "1", "x": NaN}', "this is not a JSON object: NaN is no value of JSON"),
        ('{"id": "1", "x": ' + "[" * 10**5, "this is not a JSON object: it is nested too deeply"),
        ('["id"]', "expected a JSON object, found ['id']"),
        ('"id"', "expected a JSON object, found 'id'"),
        ('{"_id": "1"}', "id is missing, by which the document is known"),
        ('{"id": ""}', "id is empty"),
        ('{"id": " "}', "id is empty"),
        ('{"id": null}', "id None is neither text nor a whole number"),
        ('{"id": true}', "id True is neither text nor a whole number"),
        ('{"id": 1.5}', "id 1.5 is neither text nor a whole number"),
        ('{"id": "1", "text": "\\ud83d"}', "a text holds half of a surrogate pair, which is no character"),
        ('{"id": "\\uDC00"}', "a text holds half of a surrogate pair, which is no character"),
    ],
)
def test_wrong_lines_of_json(line: str, expected: str) -> None:
    assert message(f'{{"id": "0"}}\n{line}\n', format="jsonl") == f"f:2: {expected}"


def test_whole_pairs_of_surrogates_are_characters() -> None:
    assert fields('{"id": "1", "text": "\\ud83c\\udf72"}') == {"text": "🍲"}


def test_an_object_without_identifier() -> None:
    assert message('{"title": "x", "text": "y"}\n') == (
        f"f:1: there is no identifier in it; it has title, text. Expected one of {ID_NAMES}."
    )
    assert message('{"id": "x"}\n', format="beir") == "f:1: _id is missing, by which the document is known"


def test_tabs_without_a_header() -> None:
    assert read('d1\tBoil "water\r\n\nd2\t\n') == [Document("d1", {"text": 'Boil "water'}), Document("d2", {})]


def test_the_four_columns_of_ms_marco() -> None:
    expected = {"url": "http://a", "title": "Soup", "text": "Boil"}
    assert fields("D1\thttp://a\tSoup\tBoil\n") == expected


def test_tabs_with_a_header() -> None:
    content = "title\tdocno\tbody\nSoup\td1\tBoil\n\td2\tBake\n"
    assert read(content) == [Document("d1", {"title": "Soup", "body": "Boil"}), Document("d2", {"body": "Bake"})]


UNQUOTED = "Quotes do not hold a cell together here; where they should, name the format csv."


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("d1\tx\nd2\ty\tz\n", f"f:2: expected 2 cells between tabs (id, text), found 3. {UNQUOTED}"),
        ('id\ttext\nd1\t"x\ny"\n', f"f:3: expected 2 cells between tabs (id, text), found 1. {UNQUOTED}"),
        ("id\ttext\n \tx\n", "f:2: id is empty"),
        ("id\ttext\ttext\n", "f:1: the header has two columns named 'text'. Rename it."),
        ("id\ttext\t\n", "f:1: the header has a column without a name. Rename it."),
        (
            "a\tb\tc\n",
            "f:1: expected a header with an identifier such as 'id', or lines of 2 (id, text) or 4 (id, url, title, text) "
            "cells between tabs, found 3: 'a'",
        ),
    ],
)
def test_wrong_lines_between_tabs(content: str, expected: str) -> None:
    assert message(content, format="tsv") == expected


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_commas_and_quotes(delimiter: str) -> None:
    content = 'id,title,text\r\nd1,"So, ""soup""","Boil\r\nwater"\r\n\r\nd2,,Bake\r\n'.replace(",", delimiter)
    title = f'So{delimiter} "soup"'
    assert read(content) == [
        Document("d1", {"title": title, "text": "Boil\r\nwater"}),
        Document("d2", {"text": "Bake"}),
    ]


def test_quotes_between_tabs_where_they_are_asked_for() -> None:
    assert fields('id\ttext\nd1\t"x\ny"\n', format="csv") == {"text": "x\ny"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("\n\nid,text\nd1\n", "f:4: expected 2 cells (id, text), found 1, the first 'd1'"),
        ('id,text\n"a\nb",x\n,y\n', "f:4: id is empty"),
        ('id,text\nd1,x\nd2,"y\nd3,z\n', "f:3: unexpected end of data; the row begins here"),
        ("id,text,id\n", "f:1: the header has two columns named 'id'. Rename it."),
        ("title,text\n", f"f:1: there is no identifier in it; it has title, text. Expected one of {ID_NAMES}."),
        ("id,text\n", "f: there is no document in it"),
    ],
)
def test_wrong_tables(content: str, expected: str) -> None:
    assert message(content, format="csv") == expected


def parquet(columns: dict[str, Any], **options: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream, **options)
    return stream.getvalue()


def test_parquet_keeps_values_and_drops_missing_ones(tmp_path: Path) -> None:
    columns = {
        "docno": ["d1", "d2"],
        "text": ["Boil", None],
        "year": [1962, 1963],
        "score": [0.5, float("nan")],
        "tags": [["a", "b"], None],
        "made": [{"by": "Ann", "when": date(2020, 1, 2)}, None],
        "price": [Decimal("1.50"), None],
        "raw": [b"caf\xc3\xa9", None],
    }
    content = parquet(columns, row_group_size=1)
    expected = [
        Document(
            "d1",
            {
                "text": "Boil",
                "year": 1962,
                "score": 0.5,
                "tags": ["a", "b"],
                "made": {"by": "Ann", "when": "2020-01-02"},
                "price": "1.50",
                "raw": "café",
            },
        ),
        Document("d2", {"year": 1963}),
    ]
    (tmp_path / "f").write_bytes(content)
    assert list(iter_documents(tmp_path / "f")) == read(content) == expected


def test_whole_numbers_are_identifiers_in_parquet() -> None:
    assert [document.id for document in read(parquet({"id": [1, 2]}))] == ["1", "2"]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"id": ["a", None]}, "f: row 2: id is empty"),
        ({"id": [0.5]}, "f: row 1: id 0.5 is neither text nor a whole number"),
        ({"text": ["a"]}, f"f: there is no identifier in it; it has text. Expected one of {ID_NAMES}."),
        ({"id": ["a", "b", "a"]}, "f: row 3: document 'a' is there twice (first at row 1). Keep one of them."),
        (
            {"id": ["a"], "image": [b"\xff\xd8"]},
            "f: row 1: a field holds bytes that are not UTF-8 text. Leave it out, or put in a URL.",
        ),
    ],
)
def test_wrong_rows_of_parquet(columns: dict[str, Any], expected: str) -> None:
    assert message(parquet(columns)) == expected


def test_a_parquet_file_that_is_cut_short(tmp_path: Path) -> None:
    content = parquet({"id": [str(at) for at in range(1000)]})
    (tmp_path / "f.parquet").write_bytes(content[:-20])
    with pytest.raises(
        FormatError, match=r"f\.parquet: this Parquet file is damaged or cut short \(.+\)\. Fetch it again\.$"
    ):
        list(iter_documents(tmp_path / "f.parquet"))
