"""BEIR's corpus.jsonl: an object per line with `_id`, `title`, `text` and perhaps `metadata`."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.formats.documents import json_lines
from cranfield.formats.documents.pieces import Piece
from cranfield.formats.files import Source

NAME = "beir"
DESCRIPTION = "beir: one JSON object per line, with _id, title and text"
SUFFIXES = ()


def recognise(head: bytes) -> bool:
    """Never: these are JSON lines, which know its names."""
    return False


def iter_pieces(source: Source) -> Iterator[Piece]:
    """The documents of about a megabyte at a time."""
    return json_lines.iter_pieces(source, "_id")
