"""Topics between tags: TREC's `<top>`, whose fields are closed or not, `<topic number="...">` in XML, and `<DOC>`.

Neither is read by a parser for XML: most of these files are none, and nothing in them is expanded but the characters
that HTML has names for.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any, BinaryIO

from cranfield.data.strings import decode, encode
from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError, FormatError
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.files import Source
from cranfield.formats.topics import Found
from cranfield.formats.topics.field_names import FULL_NAMES

NAME = "trec"
DESCRIPTION = "trec: <top> with <num>, <title>, <desc>, <narr>, or <topic number=...>"
SUFFIXES = (".trec", ".xml", ".top", ".txt")

_BEGIN = re.compile(r"<(topic|top|doc)\b([^>]*)>", re.IGNORECASE)
_END = re.compile(r"</(?:topic|top|doc)\s*>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*)([^<>]*)>")
_ATTRIBUTE = re.compile(r"""([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_NUMBERS = ("num", "number", "docno", "docid", "id", "qid")
_LABELS = {
    "title": re.compile(r"(?:topic|title)\s*:\s*", re.IGNORECASE),
    "description": re.compile(r"desc(?:ription)?\s*:\s*", re.IGNORECASE),
    "narrative": re.compile(r"narr(?:ative)?\s*:\s*", re.IGNORECASE),
    "summary": re.compile(r"summary\s*:\s*", re.IGNORECASE),
    "domain": re.compile(r"domain\s*:\s*", re.IGNORECASE),
    "concepts": re.compile(r"concept(?:\(?s\)?)?\s*:\s*", re.IGNORECASE),
    "factors": re.compile(r"factor(?:\(?s\)?)?\s*:\s*", re.IGNORECASE),
    "definitions": re.compile(r"definition(?:\(?s\)?)?\s*:\s*", re.IGNORECASE),
}
"""The words with which fields begin in TREC's files; they are no part of the field."""
_NUMBER_LABEL = re.compile(r"(?:number|num|topic)\s*:\s*", re.IGNORECASE)


def recognise(head: bytes) -> bool:
    """A tag first, and a topic somewhere."""
    return head.lstrip().startswith(b"<") and _BEGIN.search(decode(head)) is not None


def iter_topics(source: Source) -> Found:
    """The topics one by one; each ends where it is closed, or where the next begins."""
    begun, attributes, content = 0, "", ""
    for number, line in enumerate(source.stream, 1):
        text, rest = decoded(line, source.name, number), 0
        for begin in _BEGIN.finditer(text):
            if begun:
                yield begun, _topic(attributes, content + text[rest : begin.start()], source.name, begun)
            begun, attributes, content, rest = number, begin[2], "", begin.end()
        if begun:
            content += text[rest:]
    if begun:
        yield begun, _topic(attributes, content, source.name, begun)


def _topic(attributes: str, content: str, source: str, line: int) -> Topic:
    fields: dict[str, Any] = {name.lower(): "".join(value) for name, *value in _ATTRIBUTE.findall(attributes)}
    named = next((fields.pop(name) for name in _NUMBERS if name in fields), None)
    for name, text in _parts(_COMMENT.sub(" ", _END.split(content, maxsplit=1)[0])):
        if name in _NUMBERS and named is None:
            label = _NUMBER_LABEL.match(text)
            named = text[label.end() :] if label else text
        elif text:
            _add(fields, name, text)
    if not named:
        raise FormatError("the topic has no number (<num>, <docno>, number=...)", source=source, line=line)
    if len(named.split()) > 1:
        raise FormatError(f"the topic's number is {named[:40]!r}, which is no number", source=source, line=line)
    return Topic(named, fields)


def _parts(content: str) -> Iterable[tuple[str, str]]:
    """The fields in their order, and as `text` what stands between none."""
    loose: list[str] = []
    at = 0
    while (tag := _TAG.search(content, at)) is not None:
        loose.append(content[at : tag.start()])
        at = tag.end()
        name = tag[2].lower()
        if tag[1] or name in ("top", "topic", "doc"):
            continue
        again = re.compile(rf"<(/?){re.escape(tag[2])}\b[^<>]*>", re.IGNORECASE).search(content, at)
        if again is not None and again[1]:
            text, at = _TAG.sub(" ", content[at : again.start()]), again.end()
        else:
            following = _TAG.search(content, at)
            end = following.start() if following else len(content)
            text, at = content[at:end], end
        name = FULL_NAMES.get(name, name)
        text = _plain(text)
        label = _LABELS.get(name)
        begun = label.match(text) if label else None
        yield name, text[begun.end() :] if begun else text
    loose.append(content[at:])
    yield "text", _plain(" ".join(loose))


def _add(fields: dict[str, Any], name: str, text: str) -> None:
    """A field that is there already becomes a list: the subtopics of a topic, say."""
    if name not in fields:
        fields[name] = text
    elif isinstance(fields[name], list):
        fields[name].append(text)
    else:
        fields[name] = [fields[name], text]


def _plain(text: str) -> str:
    return html.unescape(" ".join(text.split()))


_SHORT_NAMES = {full: short for short, full in FULL_NAMES.items()}


def write(topics: Topics, out: BinaryIO) -> None:
    """Write as TREC does, the fields without closing tags; white space within a field is one space."""
    for topic in topics.values():
        lines = ["<top>", "", f"<num> Number: {_escaped(topic.id, topic.id)}"]
        for name, value in topic.fields.items():
            short = _SHORT_NAMES.get(name, name)
            if not re.fullmatch(r"[A-Za-z][\w.-]*", short) or short in (*_NUMBERS, "top", "topic", "doc"):
                raise DataError(f"topic {topic.id} has a field {name!r}, which cannot be a tag. Write jsonl instead.")
            for text in value if isinstance(value, list) else [value]:
                lines.append(f"<{short}> {_labelled(name, _escaped(text, topic.id))}")
        out.write(encode("\n".join([*lines, "", "</top>", ""]) + "\n"))


def _labelled(name: str, text: str) -> str:
    """A title stands for itself unless it would be taken for its label; other fields have one where TREC has it."""
    if name == "title":
        return f"Topic: {text}" if _LABELS["title"].match(text) else text
    return f"{name.capitalize()}: {text}" if name in _LABELS else text


def _escaped(text: Any, topic: str) -> str:
    if not isinstance(text, str):
        raise DataError(f"topic {topic} has a value that is no text: {text!r:.40}. Write jsonl instead.")
    return html.escape(" ".join(text.split()), quote=False)
