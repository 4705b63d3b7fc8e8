"""What every search engine is asked to do."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

from cranfield.data.documents import Document

Hits = Sequence[tuple[str, float]]
"""Documents and their scores, best first."""


class Engine(abc.ABC):
    """A search engine: index, search, count, size on disk, close.

    An engine is made with its parameters (`**settings` of the configuration file), and raises `EngineError` when it is
    asked for what it cannot do now. `search` may be called from several threads at once if `concurrency` is above 1.
    """

    kind: ClassVar[str]
    """The name under which it is asked for."""

    embedded: ClassVar[bool] = False
    """Whether it keeps its index in files of its own, and is made with their folder."""

    unanswered: ClassVar[str] = "the engine returned nothing for this topic"
    """What is said of a topic that `search_topics` left out."""

    concurrency: int = 1
    """How many queries it may be asked at once."""

    @abc.abstractmethod
    def index(self, documents: Iterable[Document]) -> None:
        """Take in these documents, in the place of what was there."""

    @abc.abstractmethod
    def search(self, query: str, k: int) -> Hits:
        """The best k documents for a query, or all that match where there are fewer."""

    def search_topics(self, queries: Mapping[str, str], k: int) -> Mapping[str, Hits] | None:
        """The hits of all topics at once, where that is how the engine works; None: they are asked one by one."""
        return None

    @abc.abstractmethod
    def count(self) -> int | None:
        """How many documents are indexed; None where the engine does not tell."""

    def size_on_disk(self) -> int | None:
        """How many bytes the index takes; None where the engine does not tell."""
        return None

    def description(self) -> Mapping[str, Any]:
        """Parameters and versions, for the provenance of a run; nothing secret."""
        return {}

    def close(self) -> None:  # noqa: B027
        """Let go of files and connections."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
