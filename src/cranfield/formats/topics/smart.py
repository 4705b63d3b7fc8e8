"""Topics in the format of SMART: `.I` and a number, then `.W` and the text, and perhaps `.T` and `.A`."""

from __future__ import annotations

from cranfield.data.topics import Topic
from cranfield.formats.documents import smart
from cranfield.formats.files import Source
from cranfield.formats.topics import Found

NAME = "smart"
DESCRIPTION = "smart: .I and a number on a line, then .W and the text (Cranfield, CISI)"
SUFFIXES = ()

recognise = smart.recognise


def iter_topics(source: Source) -> Found:
    """The topics one by one, read as documents are; where lines end is no part of a question."""
    for piece in smart.iter_pieces(source):
        for line, (name, fields) in zip(piece.places, piece.documents, strict=True):
            plain = {key: " ".join(text.split()) if isinstance(text, str) else text for key, text in fields.items()}
            yield line, Topic(name, plain)
