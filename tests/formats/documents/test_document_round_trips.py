"""What is written is read back; the same documents are the same in every format that can hold them."""

from __future__ import annotations

import csv
import gzip
import html
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.documents import ContentHash, Document
from cranfield.errors import DataError, UsageError
from cranfield.formats.documents import iter_documents, write_documents
from tests.formats.documents.reading import read
from tests.formats.documents.test_folders_and_archives import tar, zipped

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
NAMES = TEXTS.filter(lambda name: name.strip() and name != "_id")
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda values: st.lists(values, max_size=3) | st.dictionaries(TEXTS, values, max_size=3),
    max_leaves=5,
)
FIELDS = st.dictionaries(TEXTS.filter(lambda name: name != "_id"), VALUES, max_size=4)


@given(st.dictionaries(NAMES, FIELDS, min_size=1))
def test_anything_written_as_json_lines_is_read_back(tmp_path_factory: pytest.TempPathFactory, given: Any) -> None:
    folder = tmp_path_factory.mktemp("round")
    documents = [Document(name, fields) for name, fields in given.items()]
    for name in ("f.jsonl", "f.jsonl.gz", "f.ndjson.zst"):
        write_documents(documents, folder / name)
        again = list(iter_documents(folder / name, format="jsonl"))
        assert again == documents
        assert [list(document.fields) for document in again] == [list(document.fields) for document in documents]


def as_json(documents: list[Document]) -> bytes:
    return "\n".join(json.dumps({"id": name, **fields}) for name, fields in documents).encode()


def as_trec(documents: list[Document]) -> bytes:
    def inner(fields: Any) -> str:
        return "".join(f"<{name.upper()}>\n{html.escape(text)}\n</{name.upper()}>\n" for name, text in fields.items())

    return "".join(f"<DOC>\n<DOCNO>{name}</DOCNO>\n{inner(fields)}</DOC>\n" for name, fields in documents).encode()


def as_smart(documents: list[Document]) -> bytes:
    mark = {"title": ".T", "text": ".W", "author": ".A"}
    lines = [
        line
        for name, fields in documents
        for line in (f".I {name}", *(part for field, text in fields.items() for part in (mark[field], text)))
    ]
    return "\r\n".join(lines).encode()


def as_table(documents: list[Document], write: Callable[[list[str], list[list[str]]], bytes]) -> bytes:
    names = ["id", "title", "author", "text"]
    rows = [[document.id, *(document.fields.get(name, "") for name in names[1:])] for document in documents]
    return write(names, rows)


def as_csv(documents: list[Document]) -> bytes:
    def write(names: list[str], rows: list[list[str]]) -> bytes:
        out = io.StringIO()
        csv.writer(out).writerows([names, *rows])
        return out.getvalue().encode()

    return as_table(documents, write)


def as_tsv(documents: list[Document]) -> bytes:
    return as_table(documents, lambda names, rows: "\n".join("\t".join(row) for row in [names, *rows]).encode())


def as_parquet(documents: list[Document]) -> bytes:
    def write(names: list[str], rows: list[list[str]]) -> bytes:
        out = io.BytesIO()
        columns = {name: [row[at] or None for row in rows] for at, name in enumerate(names)}
        pq.write_table(pa.table({name: pa.array(column, pa.string()) for name, column in columns.items()}), out)
        return out.getvalue()

    return as_table(documents, write)


def as_tar_of_trec(documents: list[Document]) -> bytes:
    return gzip.compress(tar({f"{at}.trec": as_trec([document]) for at, document in enumerate(documents)}))


def as_zip_of_smart(documents: list[Document]) -> bytes:
    return zipped({f"{at}.all": as_smart([document]) for at, document in enumerate(documents)})


WORDS = st.text("abzé<&\"'.,;…\u00a0\u4e2d", min_size=1).filter(str.strip).map(str.strip)
LINES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
PLAIN = st.lists(
    st.fixed_dictionaries({}, optional={"title": LINES, "author": LINES, "text": LINES}), min_size=1, max_size=5
).map(lambda all_fields: [Document(f"d{at}", fields) for at, fields in enumerate(all_fields)])


def content_hash(documents: list[Document]) -> str:
    content = ContentHash()
    for document in documents:
        content.add(document)
    return content.hexdigest()


@pytest.mark.parametrize(
    "write", [as_json, as_trec, as_smart, as_csv, as_tsv, as_parquet, as_tar_of_trec, as_zip_of_smart]
)
@given(documents=PLAIN)
def test_the_same_documents_in_every_format(
    write: Callable[[list[Document]], bytes], documents: list[Document]
) -> None:
    assert content_hash(read(write(documents))) == content_hash(documents)


@given(documents=st.lists(LINES, min_size=1, max_size=4))
def test_the_same_texts_in_every_format(documents: list[str]) -> None:
    expected = [Document(f"d{at}", {"text": " ".join(text.split())}) for at, text in enumerate(documents)]
    lines = "".join(f"{name}\t{fields['text']}\n" for name, fields in expected)
    texts = tar({f"{name}.txt": fields["text"] for name, fields in expected})
    pages = tar({f"{name}.html": f"<html><p>{html.escape(fields['text'])}</html>" for name, fields in expected})
    hashes = {content_hash(read(content)) for content in (lines, texts, pages, as_json(expected))}
    assert hashes == {content_hash(expected)}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (Document("d1", {"_id": 1}), "document 'd1' has a field '_id', which in a file would be its identifier"),
        (
            Document("d1", {"x": float("nan")}),
            "document 'd1' cannot be written as JSON: Out of range float values are not JSON compliant",
        ),
        (
            Document("d1", {"x": {1, 2}}),
            "document 'd1' cannot be written as JSON: Object of type set is not JSON serializable",
        ),
        (
            Document("d1", {"x": "caf\udce9"}),
            "document 'd1' holds bytes that are not UTF-8, which JSON cannot hold",
        ),
        (Document(" ", {}), "document ' ' cannot be written as JSON: the identifier is empty"),
    ],
)
def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, document: Document, expected: str) -> None:
    path = tmp_path / "f.jsonl"
    write_documents([Document("d0", {})], path)
    with pytest.raises(DataError) as caught:
        write_documents([Document("d0", {"text": "new"}), document], path)
    assert str(caught.value).startswith(expected)
    assert list(iter_documents(path)) == [Document("d0", {})]
    assert [file.name for file in tmp_path.iterdir()] == ["f.jsonl"]


def test_names_that_ask_for_another_format(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        write_documents([], tmp_path / "f.csv.gz")
    assert str(caught.value) == (
        f"{tmp_path}/f.csv.gz: documents are written as JSON lines, to a name that ends in .jsonl, .jsonl.gz or "
        ".jsonl.zst, not in .csv"
    )
