"""`index.json`: what an index was made of, and with what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cranfield.data.collection import Collection, Content
from cranfield.errors import DataError, FormatError
from cranfield.formats.schema import Schema

FILE = "index.json"
_SCHEMA = Schema("cranfield.index", 2, "the record of an index")


@dataclass(frozen=True)
class IndexedCollection:
    """The documents that are in an index: what the collection is called, and how many they are and their hash."""

    name: str
    documents: int
    sha256: str

    @classmethod
    def of(cls, collection: Collection) -> IndexedCollection:
        content = collection.content
        return cls(collection.name, content.count, content.sha256)

    def check(self, index: str, other: str, content: Content) -> None:
        """An error if documents are not those that were indexed."""
        if content.sha256 != self.sha256:
            raise DataError(
                f"{index}: this index belongs to another collection: it was made of {self.name} ({self.documents} "
                f"documents, SHA-256 {self.sha256[:12]}...), and {other} has {content.count} documents (SHA-256 "
                f"{content.sha256[:12]}...). Index that one, or search with the topics of {self.name}."
            )


@dataclass(frozen=True)
class IndexRecord:
    """The content of `index.json`."""

    engine: str
    settings: Mapping[str, Any]
    """As the engine was told; what comes from the environment is there by the name of its variable."""
    collection: IndexedCollection
    versions: Mapping[str, str]
    created: str
    bytes: int | None
    """What the index takes on disk, where the engine tells."""
    seconds: float
    """That indexing took."""

    def to_json(self) -> str:
        return _SCHEMA.text(asdict(self))


def is_index(folder: Path) -> bool:
    """Whether a folder is an index that was made here."""
    try:
        _SCHEMA.read(folder / FILE)
    except FormatError:
        return False
    return True


def read_index_record(folder: Path) -> IndexRecord:
    """The record of an index."""
    path = folder / FILE
    content = _SCHEMA.read(path)
    try:
        known = {name: content[name] for name in IndexRecord.__dataclass_fields__}
        return IndexRecord(**{**known, "collection": IndexedCollection(**known["collection"])})
    except (KeyError, TypeError) as error:
        raise FormatError(f"the record lacks {error}, or has it wrong: index again", source=str(path)) from None
