"""Documents in the format of SMART: `.I` and a number, then `.T`, `.A`, `.B`, `.W` and others, each above its lines.

So are Cranfield, CISI and CACM. The lines of `.X` are numbers (which other document, how it is related, this document)
and are kept as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cranfield.data.documents import Document
from cranfield.data.strings import decode, encode
from cranfield.data.values import shown
from cranfield.errors import FormatError
from cranfield.formats.chunks import iter_chunks
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.documents.pieces import Piece
from cranfield.formats.files import Source

NAME = "smart"
DESCRIPTION = "smart: .I and a number on a line, then .T, .A, .B, .W (Cranfield, CISI, CACM)"
SUFFIXES = (".all",)

_FIELDS = {
    "T": "title",
    "A": "author",
    "B": "source",
    "W": "text",
    "X": "references",
    "K": "keywords",
    "C": "categories",
    "N": "note",
}
_MARK = re.compile(r"^\.(?:I[ \t]+(\S[^\n]*)|([A-Z])[ \t]*\r?)(?:\n|\Z)", re.MULTILINE)
_NUMBERS = re.compile(r"-?\d{1,18}(?:\s+-?\d{1,18})*")


def recognise(head: bytes) -> bool:
    """A mark, and before the first `.I` nothing but marks."""
    text = decode(head)
    first = _MARK.match(text, len(text) - len(text.lstrip()))
    while first and not first[1]:
        first = _MARK.match(text, first.end())
    return first is not None


def iter_pieces(source: Source) -> Iterator[Piece]:
    """The documents of about a megabyte at a time."""
    line, begun, name = 1, 0, ""
    fields, field = dict[str, list[str]](), ""
    documents, places = list[Document](), list[int]()
    for chunk in iter_chunks(source):
        text = decoded(chunk, source.name, line)
        begin = 0
        for mark in _MARK.finditer(text):
            fields.setdefault(field, []).append(text[begin : mark.start()])
            line += text.count("\n", begin, mark.start())
            begin = mark.start()
            field = _FIELDS.get(mark[2] or "", (mark[2] or "").lower())
            if field == "i":
                raise FormatError(".I has no number behind it", source=source.name, line=line)
            if not field:
                _refuse_text(fields, source.name, begun)
                if begun:
                    documents.append(Document(name, _joined(fields)))
                    places.append(begun)
                begun, name, fields = line, mark[1].strip(), {}
            begin = mark.end()
            line += 1
        fields.setdefault(field, []).append(text[begin:])
        line += text.count("\n", begin)
        yield Piece(source.name, documents, places)
        documents, places = [], []
    _refuse_text(fields, source.name, begun)
    if begun:
        yield Piece(source.name, [Document(name, _joined(fields))], [begun])


def _refuse_text(fields: dict[str, list[str]], source: str, begun: int) -> None:
    """An error if there is text that belongs to no field: below `.I`, or before the first."""
    stray = "".join(fields.get("", [])) if begun else "".join("".join(parts) for parts in fields.values())
    if stray.strip():
        found, where = shown(encode(stray.strip()[:40])), "below .I" if begun else "before the first .I"
        raise FormatError(f"expected a mark such as .T or .W, found {found} {where}", source=source, line=begun or 1)


def _joined(fields: dict[str, list[str]]) -> dict[str, Any]:
    texts = {name: "".join(parts).replace("\r\n", "\n").strip() for name, parts in fields.items()}
    values: dict[str, Any] = {name: text for name, text in texts.items() if text}
    rows = texts.get("references", "").split("\n")
    if all(_NUMBERS.fullmatch(row.strip()) for row in rows):
        values["references"] = [[int(number) for number in row.split()] for row in rows]
    return values
