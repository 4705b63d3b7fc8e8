"""Topics as JSON objects, one to a line; BEIR's queries.jsonl is such a file."""

from __future__ import annotations

import json
from typing import BinaryIO

from cranfield.data.topics import Topic, Topics
from cranfield.errors import FormatError
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.files import Source
from cranfield.formats.topics import Found
from cranfield.formats.topics.field_names import ID_NAMES, refuse_identifiers, split_id

NAME = "jsonl"
DESCRIPTION = 'jsonl: an object {"_id": ..., "text": ...} on each line (BEIR)'
SUFFIXES = (".jsonl", ".ndjson")


def recognise(head: bytes) -> bool:
    """An object."""
    return head.lstrip().startswith(b"{")


def iter_topics(source: Source) -> Found:
    """The topics line by line; what BEIR has under `metadata` becomes fields."""
    for number, line in enumerate(source.stream, 1):
        if not line.strip():
            continue
        text = decoded(line, source.name, number)
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise FormatError("expected a JSON object on a line of its own", source=source.name, line=number)
        identifier, fields = split_id(found)
        if identifier is None:
            raise FormatError(
                f"the object lacks an identifier ({', '.join(ID_NAMES)})", source=source.name, line=number
            )
        more = fields.get("metadata")
        if isinstance(more, dict):
            del fields["metadata"]
            fields = {**more, **fields}
        yield number, Topic(identifier, fields)


def write(topics: Topics, out: BinaryIO) -> None:
    """An object for each topic."""
    for topic in topics.values():
        refuse_identifiers(topic)
        out.write(json.dumps({"_id": topic.id, **topic.fields}).encode() + b"\n")
