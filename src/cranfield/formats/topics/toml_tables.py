"""Topics written by hand: a `[[topic]]` for each, with its `id` and whatever else is known of it."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, BinaryIO

from cranfield.data.strings import encode
from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError, FormatError
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.files import Source
from cranfield.formats.topics import Found
from cranfield.formats.topics.field_names import ID_NAMES, refuse_identifiers, split_id

NAME = "toml"
DESCRIPTION = 'toml: [[topic]] tables with id = "..." and title = "..."'
SUFFIXES = (".toml",)

_BEGIN = re.compile(rb"^[ \t]*\[\[[ \t]*(topics?)[ \t]*\]\]", re.MULTILINE)
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def recognise(head: bytes) -> bool:
    """A table called topic."""
    return _BEGIN.search(head) is not None and head.lstrip()[:1] not in (b"<", b"{")


def iter_topics(source: Source) -> Found:
    """All topics at once: TOML is read as a whole."""
    content = source.read()
    try:
        tables = tomllib.loads(decoded(content, source.name, 1))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{source.name}: this is no TOML: {error}") from None
    begins = [content.count(b"\n", 0, begin.start()) + 1 for begin in _BEGIN.finditer(content)]
    topics = [*_tables(tables, "topic", source.name), *_tables(tables, "topics", source.name)]
    if len(begins) != len(topics):  # tables written in another way: count them instead
        begins = list(range(1, len(topics) + 1))
    for line, table in zip(begins, topics, strict=True):
        identifier, fields = split_id(table)
        if identifier is None:
            raise FormatError(f"the topic has no id ({', '.join(ID_NAMES)})", source=source.name, line=line)
        yield line, Topic(identifier, fields)


def _tables(content: dict[str, Any], name: str, source: str) -> list[dict[str, Any]]:
    found = content.get(name, [])
    if not isinstance(found, list) or not all(isinstance(table, dict) for table in found):
        raise DataError(f"{source}: expected tables [[{name}]], found {name} = {found!r:.40}")
    return found


def write(topics: Topics, out: BinaryIO) -> None:
    """A table for each topic; values are written as JSON writes them, which TOML reads."""
    for number, topic in enumerate(topics.values()):
        refuse_identifiers(topic)
        lines = ["[[topic]]", f"id = {_value(topic.id, topic.id)}"]
        lines += [f"{_key(name)} = {_value(value, topic.id)}" for name, value in topic.fields.items()]
        out.write(encode("\n" * (number > 0) + "\n".join(lines) + "\n"))


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _value(value: Any, topic: str) -> str:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise DataError(f"topic {topic} is not UTF-8 text, which TOML must be. Write jsonl instead.") from None
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (bool, int)):
        return json.dumps(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(one, topic) for one in value)}]"
    raise DataError(f"topic {topic} has a value that TOML cannot hold: {value!r:.40}. Write jsonl instead.")
