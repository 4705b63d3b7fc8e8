"""What of a document the database holds: its title, its text, and whatever else it says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cranfield.data.documents import Document
from cranfield.data.judging import document_hash
from cranfield.data.topics import Topic
from cranfield.errors import DataError
from cranfield.web.projects.picture_hosts import host_of

BODIES = ("text", "body", "abstract", "contents", "content")
"""Fields that hold the text itself, where a document has them; the first is taken."""
IMAGES = ("image", "image_url", "thumbnail")
"""Fields that hold the address of a picture, if pages can show it; else they are fields like others."""
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LONGEST_NAME = 500
_LONGEST_TOPIC = 200


def document_columns(document: Document) -> dict[str, Any]:
    """The columns of a document, with the hash that judging in the terminal gives it too.

    >>> columns = document_columns(Document("d1", {"title": "Soup", "text": "Boil it.", "year": 1962}))
    >>> columns["title"], columns["text"], columns["fields"]
    ('Soup', 'Boil it.', {'year': 1962})
    """
    fields = {storable(name): _storable_value(value) for name, value in document.fields.items()}
    body = next((name for name in BODIES if isinstance(fields.get(name), str)), None)
    image = next((name for name in IMAGES if host_of(fields.get(name)) is not None), None)
    title = "title" if isinstance(fields.get("title"), str) else None
    return {
        "name": checked_name("document", document.id, _LONGEST_NAME),
        "title": fields[title] if title is not None else "",
        "text": fields[body] if body is not None else "",
        "fields": {
            name: value
            for name, value in fields.items()
            if name not in (body, image, title) and value not in (None, "", [], {})
        },
        "image": fields[image] if image is not None else "",
        "sha256": document_hash(document),
    }


def topic_columns(topic: Topic) -> dict[str, Any]:
    """The columns of a topic; what it is asked by, whatever the field is called, is its title.

    >>> topic_columns(Topic("301", {"query": "hot  soup", "narrative": "Cold soup is not relevant."}))["title"]
    'hot soup'
    """
    texts = {name: storable(value) for name, value in topic.fields.items() if isinstance(value, str)}
    title = storable(topic.query())
    return {
        "name": checked_name("topic", topic.id, _LONGEST_TOPIC),
        "title": title,
        "description": _beyond(title, texts.get("description", "")),
        "narrative": _beyond(title, texts.get("narrative", "")),
    }


def _beyond(title: str, text: str) -> str:
    return "" if " ".join(text.split()) == title else text


def checked_name(what: str, name: str, longest: int) -> str:
    """A name, if the database can hold it."""
    if not name or len(name) > longest or storable(name) != name:
        raise DataError(
            f"the {what} {name[:40]!r} cannot be brought in: its name has {len(name):,} characters; expected 1 to "
            f"{longest}, none of them NUL and all of them UTF-8"
        )
    return name


def storable(text: str) -> str:
    """A text as every database holds it: NUL and bytes that are no UTF-8 become the sign for what cannot be shown.

    >>> storable("so\\0up")
    'so\\ufffdup'
    """
    return _UNSTORABLE.sub("\ufffd", text)


def _storable_value(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable(str(name)): _storable_value(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_storable_value(each) for each in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)
