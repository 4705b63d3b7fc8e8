"""TREC documents: `<DOC>` with `<DOCNO>` and other fields, closed or not, many to a file, in large letters or small.

A field is what stands between a tag and its end, with the tags in it left out; one that is never closed ends where the
next begins. What stands in no field is the text. Behind `</DOCHDR>`, and from `<html>` on, a document is a page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from cranfield.data.documents import Document
from cranfield.data.strings import decode, encode
from cranfield.data.values import shown
from cranfield.errors import FormatError
from cranfield.formats.chunks import iter_chunks
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.documents.hypertext import page_fields
from cranfield.formats.documents.identifiers import brief
from cranfield.formats.documents.markup import iter_tags, separator, with_characters
from cranfield.formats.documents.pieces import Piece
from cranfield.formats.files import Source

NAME = "trec"
DESCRIPTION = "trec: <DOC> with <DOCNO> and fields between tags"
SUFFIXES = (".trec", ".sgml", ".sgm", ".xml", ".trectext", ".trecweb")

_EDGE = re.compile(rb"<(/?)doc(?=[\s>])([^<>]*)>", re.IGNORECASE)
_UNFINISHED = re.compile(rb"</?doc\s[^<>]*\Z", re.IGNORECASE)
_LONGEST_EDGE = 1 << 12
_ATTRIBUTE = re.compile(r"""(?<![\w.:-])([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_CLOSING = re.compile(r"</([A-Za-z][^\s<>/]*)")
_PAGE = re.compile(r"</dochdr\s*>|(?=<html\b|<!doctype\s+html\b)", re.IGNORECASE)
_LAYOUT = frozenset({"p", "br", "hr", "div", "li", "ul", "ol", "table", "tr", "td", "th", "pre", "blockquote", "img"})
"""Tags that begin no field."""
_NUMBERS = ("docno", "docid", "id")


def recognise(head: bytes) -> bool:
    """Nothing but tags before the first `<DOC>`."""
    for tag, before in iter_tags(_without_type(decode(head))):
        if before.strip():
            return False
        if tag == "doc":
            return True
    return False


@dataclass(slots=True)
class _Block:
    """What stands between `<DOC>` and its end."""

    line: int
    attributes: str
    parts: list[bytes] = field(default_factory=list)


def iter_pieces(source: Source) -> Iterator[Piece]:
    """The documents of about a megabyte at a time."""
    block: _Block | None = None
    closed = False
    documents, places = list[Document](), list[int]()
    for line, content, tag in _iter_stretches(source):
        if block is None:
            _refuse_text(content, source.name, line)
        else:
            block.parts.append(content)
        if tag is None:
            yield Piece(source.name, documents, places)
            documents, places = [], []
            continue
        here, opens = line + content.count(b"\n"), not tag[1]
        if block is not None:
            if closed and opens:
                raise _not_closed(block, source.name, f"before the next begins at line {here}")
            closed |= not opens
            documents.append(_document(block, source.name))
            places.append(block.line)
        block = _Block(here, decode(tag[2])) if opens else None
    if block is not None:
        if closed:
            raise _not_closed(block, source.name, "before the file ends. Is it cut short?")
        yield Piece(source.name, [_document(block, source.name)], [block.line])


def _iter_stretches(source: Source) -> Iterator[tuple[int, bytes, re.Match[bytes] | None]]:
    """The file from one `<DOC>` or `</DOC>` to the next: line, content and the tag behind it, if it is there yet."""
    line, rest = 1, b""
    for chunk in iter_chunks(source):
        content = rest + chunk
        unfinished = _UNFINISHED.search(content, max(0, len(content) - _LONGEST_EDGE))
        end = unfinished.start() if unfinished else len(content)
        begin = 0
        for tag in _EDGE.finditer(content, 0, end):
            stretch = content[begin : tag.start()]
            yield line, stretch, tag
            line += stretch.count(b"\n") + tag[0].count(b"\n")
            begin = tag.end()
        yield line, content[begin:end], None
        line += content.count(b"\n", begin, end)
        rest = content[end:]
    if rest:
        yield line, rest, None


def _not_closed(block: _Block, source: str, what: str) -> FormatError:
    return FormatError(f"this document has no </DOC> {what}", source=source, line=block.line)


def _refuse_text(content: bytes, source: str, line: int) -> None:
    """An error if there is more than tags where there is no document."""
    if content.isspace() or not content:
        return
    for _, before in iter_tags(_without_type(decode(content))):
        if before.strip():
            found = shown(encode(before.strip()[:40]))
            raise FormatError(f"expected <DOC>, found {found} between documents", source=source, line=line)


def _without_type(text: str) -> str:
    """A document type that declares things says nothing about documents, and nothing it declares is used."""
    begin = text.find("<!DOCTYPE")
    end = text.find("]>", begin) if begin >= 0 else -1
    return text[:begin] + text[end + 2 :] if end >= 0 and "<doc" not in text[begin:end].lower() else text


def _document(block: _Block, source: str) -> Document:
    text = decoded(b"".join(block.parts), source, block.line).replace("\r\n", "\n")
    attributes = {name.lower(): with_characters(a or b or c) for name, a, b, c in _ATTRIBUTE.findall(block.attributes)}
    page = _PAGE.search(text)
    try:
        fields = attributes | _fields(text[: page.end()] if page else text)
    except ValueError as error:
        raise FormatError(str(error), source=source, line=block.line) from None
    name = next((name for number in _NUMBERS if (name := fields.pop(number, ""))), None)
    if name is None:
        raise FormatError("this document has no <DOCNO>, or an empty one", source=source, line=block.line)
    return Document(name, fields | page_fields(text[page.end() :]) if page else fields)


def _fields(text: str) -> dict[str, str]:
    """The fields of a document by their tags in small letters.

    >>> _fields("<DOCNO> A1 </DOCNO><HEAD>Rain<TEXT>It <P>rains</TEXT>")
    {'docno': 'A1', 'head': 'Rain', 'text': 'It \\nrains'}
    """
    left = Counter(name.lower() for name in _CLOSING.findall(text))
    found: dict[str, list[str]] = {}
    current, is_closed = "", False
    for tag, before in iter_tags(text):
        found.setdefault(current, []).append(before)
        if tag.startswith("/"):
            left[tag[1:]] -= 1
        if tag == f"/{current}":
            current = ""
        elif not tag or tag[0] == "/" or (current and is_closed) or tag in _LAYOUT or not separator(tag):
            found[current].append(separator(tag))
        else:
            if tag == "docno" and tag in found:
                raise ValueError(f"this document has two <DOCNO>; the first is {brief(''.join(found[tag]).strip())}")
            current, is_closed = tag, left[tag] > 0
            if tag in found:
                found[tag].append("\n")
    outside = found.pop("", [])
    texts = {name: with_characters("".join(parts)).strip() for name, parts in found.items()}
    texts["text"] = "\n".join((texts.get("text", ""), with_characters("".join(outside)).strip())).strip()
    return {name: value for name, value in texts.items() if value}
