"""What identifiers and fields are called in files that name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.data.topics import Topic
from cranfield.errors import DataError
from cranfield.formats.documents.identifiers import ID_NAMES as _OF_DOCUMENTS

ID_NAMES = ("_id", "id", "query_id", "topic_id", "qid", "number", "num", "topic", *_OF_DOCUMENTS[2:])
"""The first of these that there is, is the identifier: a document can be read as a topic too."""
_WRITTEN = ("_id", "id")

FULL_NAMES = {
    "desc": "description",
    "narr": "narrative",
    "smry": "summary",
    "dom": "domain",
    "con": "concepts",
    "fac": "factors",
    "def": "definitions",
}
"""The short names of TREC's fields and what they stand for."""


def split_id(found: Mapping[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """The identifier, None where there is none that can be one, and the other fields; what is empty is left out.

    >>> split_id({"qid": 7, "query": "soup", "title": ""})
    ('7', {'query': 'soup'})
    """
    name = next((name for name in ID_NAMES if name in found), None)
    value = found[name] if name is not None else None
    usable = isinstance(value, (str, int)) and not isinstance(value, bool)
    fields = {key: content for key, content in found.items() if key != name and content not in ("", None, [], {})}
    return str(value).strip() or None if usable else None, fields


def refuse_identifiers(topic: Topic) -> None:
    """An error if a field could not be told from the identifier in a file that names both."""
    for name in _WRITTEN:
        if name in topic.fields:
            raise DataError(f"topic {topic.id} has a field {name!r}, which in a file would be its identifier")
