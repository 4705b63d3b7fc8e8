"""What topics ask and what documents are called, by identifier, for people who read results.

A file of topics or of documents will do, in any format that is read here, and so will the folder of a
collection. Of several fields the shortest is taken that says what it is about: the title, or else the query or text.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any, Literal, cast

from cranfield.data.strings import encode
from cranfield.data.values import shown
from cranfield.errors import DataError
from cranfield.formats.collections import open_collection
from cranfield.formats.documents import iter_documents
from cranfield.formats.documents import trec as trec_documents
from cranfield.formats.files import Readable, open_source
from cranfield.formats.topics import FORMATS, iter_topics, module

_FIELDS = ("title", "headline", "hl", "query", "question", "description", "text", "body")
"""Where a text is looked for, in this order."""


def read_texts(
    what: Readable,
    wanted: Collection[str] | None = None,
    *,
    part: Literal["topics", "documents"] = "topics",
    encoding: str | None = None,
) -> dict[str, str]:
    """Texts by identifier, from a path, `-` for standard input, or a file object; with `wanted` of these alone.

    A folder is taken for a collection, of which `part` says what to read. Text is UTF-8 unless `encoding` names
    another, or the file itself does.

    >>> import io
    >>> read_texts(io.StringIO("q1\\tquick pasta\\nq2\\tvegetable  soup\\n"))
    {'q1': 'quick pasta', 'q2': 'vegetable soup'}
    >>> read_texts(io.StringIO("<top>\\n<num> Number: 301\\n<title> Crime\\n<desc> Who?\\n</top>\\n"))
    {'301': 'Crime'}
    >>> read_texts(io.StringIO('{"_id": "d1", "title": "Soup", "text": "Boil water."}'), wanted={"d1"})
    {'d1': 'Soup'}
    """
    texts: dict[str, str] = {}
    for name, fields in _found(what, part, encoding):
        if wanted is not None and name not in wanted:
            continue
        if name in texts:
            raise DataError(f"{_called(what)}: {shown(encode(name))} is there twice. Keep one of them.")
        text = title(fields)
        if text:
            texts[name] = text
    if not texts and wanted is None:
        raise DataError(f"{_called(what)}: no identifier with a text is found in it")
    return texts


def title(fields: Mapping[str, Any]) -> str:
    """The shortest of these fields that says what a topic or document is about, on one line; empty if none does.

    >>> title({"text": "Boil  water.", "title": "Soup", "year": 1962})
    'Soup'
    """
    usual = (fields.get(name) for name in _FIELDS)
    texts = [" ".join(text.split()) for text in (*usual, *fields.values()) if isinstance(text, str)]
    return next(filter(None, texts), "")


def _found(
    what: Readable, part: Literal["topics", "documents"], encoding: str | None
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Identifiers and fields. Topics and documents share most formats; what only documents have is read as such."""
    if isinstance(what, (str, os.PathLike)) and os.path.isdir(what):
        collection = open_collection(what, encoding=encoding)
        if part == "documents":
            yield from collection.documents()
        elif collection.topics is not None:
            yield from collection.topics.values()
        else:
            raise DataError(f"{os.fspath(what)}: there are no topics in this folder. Name the file that has them.")
        return
    with open_source(what) as source:
        head = source.head()
        if not head.strip():
            raise DataError(f"{source.name}: the file is empty; expected topics or documents with their texts")
        if not trec_documents.recognise(head) and any(module(name).recognise(head) for name in FORMATS):
            yield from (topic for _, topic in iter_topics(source, encoding=encoding))
        else:
            place = cast(IO[bytes], source.stream) if source.path is None else source.path
            yield from iter_documents(place, encoding=encoding)


def _called(what: Readable) -> str:
    path = what if isinstance(what, (str, os.PathLike)) else getattr(what, "name", "file object")
    return os.fspath(path) if isinstance(path, (str, os.PathLike)) else "file object"
