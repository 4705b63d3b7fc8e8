"""Features for learning to rank, as LETOR, Microsoft, Yahoo and SVMlight have them, and the judgments in them.

    2 qid:10032 1:0.056 2:0.31 5:1 #docid = GX029-35-5894638 inc = 1 prob = 0.13

A line has the grade, the query, features by number in rising order, and perhaps a comment that names the document.
What else a comment says is not kept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.features import Features
from cranfield.data.qrels import Qrels
from cranfield.data.shapes import Shape
from cranfield.data.strings import Floats, Ints, Strings
from cranfield.data.values import shown
from cranfield.errors import DataError
from cranfield.formats.files import Readable, Source, open_source
from cranfield.formats.lines import OnProblem
from cranfield.formats.numbers import parse_number, parse_numbers
from cranfield.formats.records import Records, reader, strict
from cranfield.formats.text_fields import number_texts, refuse_white_space

NAME = "letor"
DESCRIPTION = "letor: grade qid:query 1:value 2:value ... # docid = document"
SUFFIXES = (".letor", ".svmlight", ".svm")
HOLDS: frozenset[str] = frozenset()

_LINES = 1 << 13
_LONGEST_NUMBER = 9
_COMMENT = re.compile(rb"\s#")
_DOCUMENT = re.compile(rb"\bdocid\s*[=:]\s*(\S+)", re.IGNORECASE)


def recognise(head: bytes) -> bool:
    """A first line with `qid:` behind the grade."""
    lines = (line.strip() for line in head.split(b"\n"))
    first = next((line for line in lines if line and not line.startswith(b"#")), b"")
    return re.match(rb"\S+\s+qid:", first) is not None


class _Piece(NamedTuple):
    """Some lines, split into columns."""

    line: list[int]
    query: list[bytes]
    document: list[bytes]
    grade: Floats
    size: Ints
    number: Ints
    value: Floats


def read_features(what: Readable, *, name: str | None = None) -> Features:
    """Features from a path, `-` for standard input, or a file object; gzip and zstd are unpacked.

    >>> import io
    >>> features = read_features(io.StringIO("2 qid:7 1:0.5 3:1 # docid = d9\\n0 qid:7 2:0.25\\n"))
    >>> [(row.document, row.grade, row.features) for row in features.rows()]
    [('d9', 2.0, {1: 0.5, 3: 1.0}), ('7.2', 0.0, {2: 0.25})]
    """
    from cranfield.formats import run_name

    with open_source(what) as source:
        source.head()
        pieces = list(_iter_pieces(source, strict(source.name)))
        if not pieces:
            raise DataError(f"{source.name}: the file has no records")
    size = np.concatenate([piece.size for piece in pieces])
    return Features(
        Strings.from_list([query for piece in pieces for query in piece.query]),
        Strings.from_list([document for piece in pieces for document in piece.document]),
        np.concatenate([piece.grade for piece in pieces]),
        np.concatenate(([0], np.cumsum(size))),
        np.concatenate([piece.number for piece in pieces]),
        np.concatenate([piece.value for piece in pieces]),
        name=name or run_name(what),
    )


def write_features(features: Features, path: str | os.PathLike[str]) -> None:
    """Write a line for each document, its name in a comment; those without a name get none."""
    from cranfield.formats.writing import writing

    refuse_white_space({"query": features.query, "document": features.given_document}, "LETOR features")
    ends = features.offset.tolist()
    pairs = [
        b"%d:%b" % pair for pair in zip(features.number.tolist(), number_texts(features.value, whole=True), strict=True)
    ]
    with writing(path) as out:
        rows = zip(
            number_texts(features.grade, whole=True),
            features.query.tolist(),
            features.given_document.tolist(),
            strict=True,
        )
        for at, (grade, query, document) in enumerate(rows):
            out.write(_line(grade, query, document, pairs[ends[at] : ends[at + 1]]))


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The grades in pieces; a document without a name goes by its query and its place among the query's lines."""
    place: dict[bytes, int] = {}
    for piece in _iter_pieces(source, on_problem):
        documents = []
        for query, document in zip(piece.query, piece.document, strict=True):
            place[query] = place.get(query, 0) + 1
            documents.append(document or b"%b.%d" % (query, place[query]))
        ids = {"query_id": Strings.from_list(piece.query), "doc_id": Strings.from_list(documents)}
        yield Records(Columns(ids, {"relevance": piece.grade}), np.array(piece.line, dtype=np.int32))


read_qrels = reader("qrels", iter_records)


def write_qrels(qrels: Qrels, out: BinaryIO) -> None:
    """Write lines without features."""
    qrels.refuse_judged_twice("letor cannot hold that, trec, json, jsonl, csv and parquet can")
    columns = qrels.to_columns().ids
    refuse_white_space({"document": qrels.documents, "query": columns["query_id"]}, "LETOR features")
    for row in zip(
        number_texts(qrels.grade, whole=True), columns["query_id"].tolist(), qrels.documents.tolist(), strict=True
    ):
        out.write(_line(*row, []))


def _line(grade: bytes, query: bytes, document: bytes, features: list[bytes]) -> bytes:
    named = [b"# docid = " + document] if document else []
    return b" ".join([grade, b"qid:" + query, *features, *named]) + b"\n"


def _iter_pieces(source: Source, on_problem: OnProblem) -> Iterator[_Piece]:
    lines: list[tuple[int, bytes]] = []
    for number, line in enumerate(source.stream, 1):
        if line.strip() and not line.lstrip().startswith(b"#"):
            lines.append((number, line))
        if len(lines) == _LINES:
            yield _piece(lines, on_problem)
            lines = []
    if lines:
        yield _piece(lines, on_problem)


def _piece(lines: list[tuple[int, bytes]], on_problem: OnProblem) -> _Piece:
    """Lines as columns. Only if something does not fit are they looked at one by one."""
    split = [(number, *_split(line)) for number, line in lines]
    piece = _columns(split)
    if piece is not None:
        return piece
    good = []
    for row in split:
        problem = _problem(row[1])
        if problem is None:
            good.append(row)
        else:
            on_problem("number" if "number" in problem else "fields", row[0], problem)
    piece = _columns(good)
    assert piece is not None, "what is wrong with a line was looked for"
    return piece


def _split(line: bytes) -> tuple[list[bytes], bytes]:
    """The fields of a line, and the document that its comment names; a comment of one word is a name."""
    content, *rest = _COMMENT.split(line, maxsplit=1)
    comment = rest[0] if rest else b""
    named = _DOCUMENT.search(comment)
    words = comment.split()
    return content.split(), named[1] if named else words[0] if len(words) == 1 else b""


def _columns(rows: list[tuple[int, list[bytes], bytes]]) -> _Piece | None:
    """The columns, or None if anything is wrong with a line."""
    if any(len(fields) < 2 or not fields[1].startswith(b"qid:") or len(fields[1]) == 4 for _, fields, _ in rows):
        return None
    grade, bad = parse_numbers(Strings.from_list([fields[0] for _, fields, _ in rows]))
    pairs = [field.partition(b":") for _, fields, _ in rows for field in fields[2:]]
    if len(bad) or not all(_is_number(number) for number, _, _ in pairs):
        return None
    value, bad = parse_numbers(Strings.from_list([text for _, _, text in pairs]))
    number = np.array([int(number) for number, _, _ in pairs], dtype=np.int64)
    size = np.array([len(fields) - 2 for _, fields, _ in rows], dtype=np.int64)
    rising = np.diff(number) > 0
    row_ends = np.cumsum(size)[:-1] - 1
    rising[row_ends[(row_ends >= 0) & (row_ends < len(rising))]] = True
    if len(bad) or not rising.all():
        return None
    return _Piece(
        [line for line, _, _ in rows],
        [fields[1][4:] for _, fields, _ in rows],
        [document for _, _, document in rows],
        grade,
        size,
        number,
        value,
    )


def _problem(fields: list[bytes]) -> str | None:
    """What is wrong with the fields of a line, or None."""
    if len(fields) < 2 or not fields[1].startswith(b"qid:"):
        found = shown(fields[1]) if len(fields) > 1 else "nothing"
        return f"expected a grade and qid:query, found {found} behind {shown(fields[0])}"
    if len(fields[1]) == 4:
        return "qid: names no query"
    if parse_number(fields[0]) is None:
        return f"grade {shown(fields[0])} is not a number"
    last = -1
    for field in fields[2:]:
        number, colon, value = field.partition(b":")
        if not colon or not _is_number(number):
            return f"expected feature:value, found {shown(field)}"
        if parse_number(value) is None:
            return f"the value of feature {int(number)}, {shown(value)}, is not a finite number"
        if int(number) <= last:
            return f"feature {int(number)} stands behind feature {last}; they must rise"
        last = int(number)
    return None


def _is_number(text: bytes) -> bool:
    return text.isdigit() and len(text) <= _LONGEST_NUMBER
