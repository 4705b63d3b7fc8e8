"""What is searched."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection as Container
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple


class Document(NamedTuple):
    """An identifier and named fields, in the order in which they were found.

    Most fields are texts (`title`, `text`, `author`); a record or an image has numbers, lists and URLs beside them,
    which are kept as they are.

    >>> Document("d1", {"title": "Soup", "text": "Boil water.", "year": 1962}).text()
    'Soup\\nBoil water.'
    """

    id: str
    fields: Mapping[str, Any]

    def text(self, fields: Container[str] | None = None) -> str:
        """The texts of these fields, or of all, in order, one after the other."""
        return "\n".join(
            value
            for name, value in self.fields.items()
            if isinstance(value, str) and value and (fields is None or name in fields)
        )


class ContentHash:
    """A SHA-256 of documents or topics in their order, whatever file format they came in.

    >>> content = ContentHash()
    >>> content.add(Document("d1", {"title": "Soup"}))
    >>> content.hexdigest() == hashlib.sha256(b'["d1",{"title":"Soup"}]\\n').hexdigest()
    True
    """

    def __init__(self) -> None:
        self._sha256 = hashlib.sha256()
        self.count = 0

    def add(self, item: tuple[str, Mapping[str, Any]]) -> None:
        """One more; the order of its fields does not matter."""
        self._sha256.update(_ENCODER.encode([item[0], item[1]]).encode("utf-8", "surrogateescape") + b"\n")
        self.count += 1

    def hexdigest(self) -> str:
        """The hash of all so far."""
        return self._sha256.hexdigest()

    def of(self, items: Iterable[Document]) -> Iterator[Document]:
        """The documents as they pass, each added on the way."""
        for item in items:
            self.add(item)
            yield item


_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
