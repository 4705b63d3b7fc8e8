"""Topics on lines of their own, as in TIME and the Million Query track: a number, white space or a colon, the text."""

from __future__ import annotations

import re

from cranfield.data.strings import decode
from cranfield.data.topics import Topic
from cranfield.data.values import shown
from cranfield.errors import FormatError
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.files import Source
from cranfield.formats.topics import Found

NAME = "numbered"
DESCRIPTION = "numbered: a number, white space or a colon, and the text on each line"
SUFFIXES = ()

_LINE = re.compile(r"\s*([A-Za-z_-]*\d[\w.-]*)(?:\s*:\s*|\s+)(\S.*)")


def recognise(head: bytes) -> bool:
    """Only such lines; the last one may be cut."""
    lines = [line for line in decode(head).split("\n") if line.strip()]
    return bool(lines) and all(_LINE.match(line) for line in (lines[:-1] or lines))


def iter_topics(source: Source) -> Found:
    """The topics line by line."""
    for number, line in enumerate(source.stream, 1):
        if not line.strip():
            continue
        found = _LINE.match(decoded(line, source.name, number))
        if found is None:
            reason = f"expected a number and a text, found {shown(line.strip()[:40])}"
            raise FormatError(reason, source=source.name, line=number)
        yield number, Topic(found[1], {"text": " ".join(found[2].split())})
