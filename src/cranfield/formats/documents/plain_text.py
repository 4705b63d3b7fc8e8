"""A file of text that is one document. The name of the file names it."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.data.documents import Document
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.documents.pieces import Piece
from cranfield.formats.files import Source

NAME = "text"
DESCRIPTION = "text: a file of text, named like the file"
SUFFIXES = (".txt", ".text", ".md", ".rst")
ONE_TO_A_FILE = True


def recognise(head: bytes) -> bool:
    """Never: any file could be one."""
    return False


def iter_pieces(source: Source, name: str) -> Iterator[Piece]:
    """The document of this name."""
    text = decoded(source.read(), source.name, 1).replace("\r\n", "\n").strip()
    yield Piece(source.name, [Document(name, {"text": text} if text else {})])
