"""Reading and writing documents: one file per format, recognised by content, any number of documents.

A format is a module that is registered in `FORMATS` below and has

- `NAME` and `DESCRIPTION`, and `SUFFIXES` of the file names that are expected to be in it;
- `recognise(head)`: whether a file that begins like this is in the format;
- `iter_pieces(source)`: the documents, about a megabyte at a time, with their places;
- `ONE_TO_A_FILE` if a file is one document, named like the file: then `iter_pieces(source, name)`;
- `BINARY` if it is not text, so that no encoding concerns it.

Folders, tar and zip archives hold files in any of them.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING

from cranfield.data.documents import Document
from cranfield.errors import DataError, ParameterError, UsageError, did_you_mean
from cranfield.formats.files import Readable

if TYPE_CHECKING:
    from cranfield.formats.documents.reading import Reader

FORMATS = {
    "parquet": "parquet",
    "trec": "trec",
    "smart": "smart",
    "jsonl": "json_lines",
    "beir": "beir",
    "html": "hypertext",
    "tsv": "tab_separated",
    "csv": "comma_separated",
    "text": "plain_text",
}
"""The formats and their modules, in the order in which they are tried."""

IDS = ("stem", "path")
"""What a document that is a file may be called by."""
_WRITTEN = (".jsonl", ".ndjson", "")


def iter_documents(
    what: Readable, *, format: str | None = None, encoding: str | None = None, ids: str = "stem"
) -> Iterator[Document]:
    """Documents one by one from a file, a folder, an archive, `-` for standard input, or a file object.

    The format is recognised by content unless `format` names it; gzip, zstd, tar and zip are unpacked. Text is UTF-8
    unless `encoding` names another, or the file itself does. A document that is a file is called like it, without
    folders and ending; with `ids="path"` by its path. Two documents of one name are an error, at the latest when the
    last has been read.

    >>> import io
    >>> for document in iter_documents(io.StringIO("d1\\tBoil water.\\nd2\\tBake bread.\\n")):
    ...     print(document)
    Document(id='d1', fields={'text': 'Boil water.'})
    Document(id='d2', fields={'text': 'Bake bread.'})
    """
    from cranfield.formats.documents.encodings import known_encoding
    from cranfield.formats.documents.reading import Reader

    if format is not None and format not in FORMATS:
        hint = did_you_mean(format, FORMATS)
        raise UsageError(f"unknown documents format {format!r}{hint} There are: {', '.join(FORMATS)}")
    if ids not in IDS:
        raise ParameterError(f"ids={ids!r}: expected {' or '.join(map(repr, IDS))}")
    reader = Reader(format, None if encoding is None else known_encoding(encoding), ids)
    return _watched(what, reader)


def module(format: str) -> ModuleType:
    """The module of a format."""
    return importlib.import_module(f"cranfield.formats.documents.{FORMATS[format]}")


def _watched(what: Readable, reader: Reader) -> Iterator[Document]:
    """The documents as they pass, none of them twice."""
    from cranfield.formats.documents.duplicates import ByHash, ByName, Watch

    again = isinstance(what, (str, os.PathLike)) and (os.path.isfile(what) or os.path.isdir(what))
    watch: Watch = ByHash(lambda: reader.iter_pieces(what)) if again else ByName()
    found = False
    for piece in reader.iter_pieces(what):
        watch.look(piece)
        yield from piece.documents
        found = found or bool(piece.documents)
    watch.finish()
    if not found:
        name = what if isinstance(what, (str, os.PathLike)) else getattr(what, "name", "file object")
        raise DataError(f"{name}: there is no document in it")


def write_documents(documents: Iterable[Document], path: str | os.PathLike[str]) -> None:
    """Write documents as JSON lines; a name ending in .gz or .zst is packed. The file is there when it is complete."""
    from cranfield.formats.documents import json_lines
    from cranfield.formats.documents.members import suffix
    from cranfield.formats.writing import writing

    ending = suffix(os.fspath(path))
    if ending not in _WRITTEN and os.fspath(path) != "-":
        raise UsageError(
            f"{os.fspath(path)}: documents are written as JSON lines, to a name that ends in .jsonl, .jsonl.gz or "
            f".jsonl.zst, not in {ending}"
        )
    with writing(path) as out:
        json_lines.write(documents, out)
