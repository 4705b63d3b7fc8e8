"""JSON lines: one object per line, such as `{"id": "d7", "title": "Soup", "text": "Boil water.", "year": 1962}`.

Fields keep what they hold: texts, numbers, lists, objects.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from cranfield.data.documents import Document
from cranfield.data.strings import decode, encode
from cranfield.data.values import shown
from cranfield.errors import DataError, FormatError
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.documents.identifiers import ID_NAMES, as_id, brief, id_name, lacks_id
from cranfield.formats.documents.pieces import Piece
from cranfield.formats.files import Source
from cranfield.formats.json_errors import json_reason

NAME = "jsonl"
DESCRIPTION = "jsonl: one JSON object per line, with an id"
SUFFIXES = (".jsonl", ".ndjson", ".jl")
WRITTEN_ID = ID_NAMES[0]

_KEY = re.compile(rb'\{\s*"((?:[^"\\]|\\.){0,100}+)"\s*:')


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no value of JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
_decode = _DECODER.raw_decode
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_new = tuple.__new__


def recognise(head: bytes) -> bool:
    """A first line that is an object, or the beginning of one that is longer than can be seen."""
    first, end, _ = head.lstrip().partition(b"\n")
    if not first.startswith(b"{"):
        return False
    if not end and _KEY.match(first):
        return True
    try:
        return isinstance(json.loads(decode(first)), dict)  # what is not UTF-8 is said when it is read
    except (ValueError, RecursionError):
        return False


def iter_pieces(source: Source, key: str | None = None) -> Iterator[Piece]:
    """The documents, some at a time. The first decides which key is the identifier's, if none is named."""
    line = 1
    while lines := source.readlines():
        piece = Piece(source.name, [], places := list[int]())
        documents = piece.documents
        for at, content in enumerate(lines, line):
            try:
                text = content.decode()
                record, end = _decode(text)
                name = record.pop(key)
            except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
                if not content.strip():
                    continue
                text = decoded(content, source.name, at)
                record, end = _object(text, source.name, at), len(text)
                key = key or id_name(record)
                if key is None or key not in record:
                    raise _without_id(record, key, source.name, at) from None
                name = record.pop(key)
            if type(name) is not str or not name or name.isspace():
                name = _id(name, str(key), source.name, at)
            if text[end:] != "\n" and text[end:].strip():
                _object(text, source.name, at)
            if b"\\u" in content:
                _refuse_halves(content, name, record, source.name, at)
            documents.append(_new(Document, (name, record)))
            places.append(at)
        yield piece
        line += len(lines)


def _object(content: str, source: str, line: int) -> dict[str, Any]:
    """The object on a line, or the error that says why there is none."""
    try:
        record = _DECODER.decode(content.rstrip())
    except json.JSONDecodeError as error:
        reason = f"this is not a JSON object: {json_reason(error)}"
        raise FormatError(reason, source=source, line=line) from None
    except ValueError as error:
        raise FormatError(f"this is not a JSON object: {error}", source=source, line=line) from None
    except RecursionError:
        raise FormatError("this is not a JSON object: it is nested too deeply", source=source, line=line) from None
    if not isinstance(record, dict):
        raise FormatError(f"expected a JSON object, found {brief(record)}", source=source, line=line)
    return record


def _without_id(record: dict[str, Any], key: str | None, source: str, line: int) -> FormatError:
    reason = f"{key} is missing, by which the document is known" if key else lacks_id(record)
    return FormatError(reason, source=source, line=line)


def _id(value: Any, key: str, source: str, line: int) -> str:
    try:
        return as_id(value, key)
    except ValueError as error:
        raise FormatError(str(error), source=source, line=line) from None


def _refuse_halves(content: bytes, name: str, record: dict[str, Any], source: str, line: int) -> None:
    """An error if a text holds what no file can: JSON can spell half of a pair of surrogates."""
    if b"\\ud" in content or b"\\uD" in content:
        try:
            _ENCODER.encode([name, record]).encode()
        except UnicodeEncodeError:
            reason = "a text holds half of a surrogate pair, which is no character"
            raise FormatError(reason, source=source, line=line) from None


def write(documents: Iterable[Document], out: BinaryIO) -> None:
    """An object per line, under the names they came with; the identifier is `_id`."""
    lines = map(_line, documents)
    while batch := b"".join(itertools.islice(lines, 64)):
        out.write(batch)


def _line(document: Document) -> bytes:
    name = shown(encode(document.id))
    if WRITTEN_ID in document.fields:
        raise DataError(f"document {name} has a field {WRITTEN_ID!r}, which in a file would be its identifier")
    try:
        return (_ENCODER.encode({WRITTEN_ID: as_id(document.id, "the identifier"), **document.fields}) + "\n").encode()
    except UnicodeEncodeError:
        raise DataError(f"document {name} holds bytes that are not UTF-8, which JSON cannot hold") from None
    except (TypeError, ValueError) as error:
        raise DataError(f"document {name} cannot be written as JSON: {error}") from None
