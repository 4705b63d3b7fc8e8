"""Records in JSON that say what they are: the name of a schema, and its version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cranfield.errors import FormatError
from cranfield.formats.json_values import load


@dataclass(frozen=True)
class Schema:
    """What a record says of itself, and what it is called in messages.

    >>> entry = Schema("cranfield.entry", 1, "an entry")
    >>> entry.parse(entry.text({"topics": 3}).encode(), "entry.json")
    {'topics': 3}
    >>> entry.parse(b'{"schema": "cranfield.entry", "version": 2}', "entry.json")
    Traceback (most recent call last):
    ...
    cranfield.errors.FormatError: entry.json: this is an entry in version 2; this cranfield reads version 1
    """

    name: str
    version: int
    what: str

    def text(self, content: Mapping[str, Any]) -> str:
        """A record with this content."""
        return (
            json.dumps({"schema": self.name, "version": self.version, **content}, indent=2, ensure_ascii=False) + "\n"
        )

    def read(self, path: Path) -> dict[str, Any]:
        """The content of a record in a file."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror or error}", source=str(path)) from None
        return self.parse(content, str(path))

    def parse(self, content: bytes, source: str) -> dict[str, Any]:
        """The content of a record; an error that names the source if it is none of this schema and version."""
        try:
            found = load(content)
        except ValueError as error:
            raise FormatError(f"this is no JSON: {error}", source=source) from None
        if not isinstance(found, dict) or found.pop("schema", None) != self.name:
            raise FormatError(f"expected {self.what}, with the schema {self.name!r}", source=source)
        if (version := found.pop("version", None)) != self.version:
            raise FormatError(
                f"this is {self.what} in version {version!r}; this cranfield reads version {self.version}",
                source=source,
            )
        return found
