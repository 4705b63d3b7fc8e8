"""A test collection: what is searched, what is asked, and what is relevant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cranfield.data.documents import ContentHash, Document
from cranfield.data.qrels import Qrels
from cranfield.data.topics import Topics
from cranfield.errors import DataError


@dataclass(frozen=True)
class Content:
    """How many documents there are, and the hash of all of them in their order."""

    count: int
    sha256: str


@dataclass(frozen=True, eq=False)
class Collection:
    """Documents, and topics and judgments where it has them.

    Documents are streamed anew by every call of `documents()`, and hashed as they pass. Where their number and hash
    are on record, reading them to the end is an error if they have changed since.

    >>> soup = Document("d1", {"text": "Boil water."})
    >>> collection = Collection("kitchen", lambda: iter([soup]))
    >>> [document.id for document in collection.documents()], collection.count
    (['d1'], 1)
    """

    name: str
    iterate: Callable[[], Iterator[Document]] = field(repr=False)
    """Begins to read the documents, as often as it is called."""
    topics: Topics | None = None
    qrels: Qrels | None = None
    recorded: Content | None = None
    """What the documents were when the collection was made."""
    domain: str = ""
    """What it is about."""
    notes: tuple[str, ...] = ()
    """What one should know about it."""
    _seen: list[Content] = field(default_factory=list, repr=False)

    def documents(self) -> Iterator[Document]:
        """The documents, one by one; an error at their end if they are not those on record."""
        content = ContentHash()
        yield from content.of(self.iterate())
        found = Content(content.count, content.hexdigest())
        if self.recorded is not None and found != self.recorded:
            raise DataError(f"{self.name}: {changed('documents', self.recorded, found)}")
        self._seen[:] = [found]

    @property
    def content(self) -> Content:
        """Number and hash of the documents: on record, or from reading them, once."""
        if self.recorded is not None:
            return self.recorded
        if not self._seen:
            for _ in self.documents():
                pass
        return self._seen[0]

    @property
    def sha256(self) -> str:
        """The hash of the documents in their order, whatever format they came in."""
        return self.content.sha256

    @property
    def count(self) -> int:
        """How many documents there are."""
        return self.content.count


def changed(part: str, recorded: Content, found: Content) -> str:
    """What to say of a part of a collection that is not what it was.

    >>> changed("topics", Content(3, "0" * 64), Content(2, "1" * 64))
    'the topics changed since the collection was made: there were 3, there are 2'
    """
    since = f"the {part} changed since the collection was made"
    if recorded.count != found.count:
        return f"{since}: there were {recorded.count}, there are {found.count}"
    return f"{since}: their SHA-256 was {recorded.sha256[:12]}..., it is {found.sha256[:12]}..."
