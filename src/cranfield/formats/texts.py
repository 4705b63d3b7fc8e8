"""What topics ask and what documents are called, by identifier, for people who read results.

Four kinds of files are recognised by how they begin: blocks between tags (TREC topics with their fields closed or not,
topics in XML, TREC documents), JSON objects, one to a line, and lines of an identifier, a tab and a text. Of a topic or
document with several fields the shortest is taken that says what it is about: its title, or else its query or text.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Collection, Iterator
from typing import Any

from cranfield.data.strings import decode, encode
from cranfield.data.values import shown
from cranfield.errors import DataError, FormatError
from cranfield.formats.files import Readable, Source, open_source

_BEGIN = re.compile(rb"<(topic|top|doc)\b([^>]*)>", re.IGNORECASE)
_NUMBER = re.compile(r"<(?:num|number|docno|docid|id)\b[^>]*>\s*(?:number\s*:)?\s*([^\s<]+)", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(?:number|id)\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_FIELDS = ("title", "headline", "hl", "query", "question", "description", "desc", "text", "body")
"""Where a text is looked for, in this order."""
_LABEL = re.compile(r"^(?:topic|title|description)\s*:\s*", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_IDS = ("_id", "id", "query_id", "topic_id", "qid", "doc_id", "docno", "docid", "pid", "number")

Found = Iterator[tuple[int, str, str]]
"""The line, the identifier and the text of each."""


def read_texts(what: Readable, wanted: Collection[str] | None = None) -> dict[str, str]:
    """Texts by identifier, from a path, `-` for standard input, or a file object; with `wanted` of these alone.

    >>> import io
    >>> read_texts(io.StringIO("q1\\tquick pasta\\nq2\\tvegetable  soup\\n"))
    {'q1': 'quick pasta', 'q2': 'vegetable soup'}
    >>> read_texts(io.StringIO("<top>\\n<num> Number: 301\\n<title> Crime\\n<desc> Who?\\n</top>\\n"))
    {'301': 'Crime'}
    >>> read_texts(io.StringIO('{"_id": "d1", "title": "Soup", "text": "Boil water."}'), wanted={"d1"})
    {'d1': 'Soup'}
    """
    texts: dict[str, str] = {}
    with open_source(what) as source:
        head = source.head().lstrip()
        if not head:
            raise DataError(f"{source.name}: the file is empty; expected topics or documents with their texts")
        for line, name, text in _kind(head)(source):
            if wanted is not None and name not in wanted:
                continue
            if name in texts:
                raise FormatError(f"{shown(encode(name))} has a text already", source=source.name, line=line)
            texts[name] = " ".join(text.split())
        if not texts and wanted is None:
            raise DataError(f"{source.name}: no identifier with a text is found in it")
    return texts


def _kind(head: bytes) -> Any:
    if head.startswith(b"{"):
        return _of_objects
    return _of_blocks if head.startswith(b"<") and _BEGIN.search(head) else _of_lines


def _of_lines(source: Source) -> Found:
    for number, line in enumerate(source.stream, 1):
        name, tab, text = line.rstrip(b"\r\n").partition(b"\t")
        if not name.strip() and not text.strip():
            continue
        if not tab or not name.strip():
            found = shown(line.strip()[:40])
            raise FormatError(
                f"expected an identifier, a tab and a text, found {found}", source=source.name, line=number
            )
        yield number, decode(name.strip()), decode(text)


def _of_objects(source: Source) -> Found:
    for number, line in enumerate(source.stream, 1):
        if not line.strip():
            continue
        try:
            known = json.loads(line)
        except ValueError:
            known = None
        if not isinstance(known, dict):
            raise FormatError("expected a JSON object on a line of its own", source=source.name, line=number)
        name = next((known[key] for key in _IDS if key in known), None)
        text = next((known[key] for key in _FIELDS if isinstance(known.get(key), str) and known[key].strip()), None)
        if name is None or text is None:
            lacks = f"an identifier ({', '.join(_IDS)})" if name is None else f"a text ({', '.join(_FIELDS)})"
            raise FormatError(f"the object lacks {lacks}", source=source.name, line=number)
        yield number, str(name), text


def _of_blocks(source: Source) -> Found:
    begun, attributes, content = 0, "", b""
    for number, line in enumerate(source.stream, 1):
        rest = 0
        for begin in _BEGIN.finditer(line):
            if begun:
                yield _block(begun, attributes, content + line[rest : begin.start()], source.name)
            begun, attributes, content, rest = number, decode(begin[2]), b"", begin.end()
        content += line[rest:]
    if begun:
        yield _block(begun, attributes, content, source.name)


def _block(line: int, attributes: str, between: bytes, name: str) -> tuple[int, str, str]:
    content = decode(between)
    number = _NUMBER.search(content) or _ATTRIBUTE.search(attributes)
    if number is None:
        raise FormatError("a topic or document has no number (<num>, <docno>, number=...)", source=name, line=line)
    for field in _FIELDS:
        found = re.search(rf"<{field}\b[^>]*>(.*?)(?=</?[A-Za-z][^<>]*>|\Z)", content, re.IGNORECASE | re.DOTALL)
        text = _plain(found[1]) if found else ""
        if text:
            return line, number[1], text
    return line, number[1], _plain(_TAG.sub(" ", _NUMBER.sub(" ", content)))


def _plain(text: str) -> str:
    return _LABEL.sub("", html.unescape(" ".join(text.split())))
