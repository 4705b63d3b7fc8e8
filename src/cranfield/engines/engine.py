"""What every search engine is asked to do."""

from __future__ import annotations

import abc
import inspect
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

    made_at_once: ClassVar[bool] = False
    """Whether to make it is no more than to check its parameters: nothing is loaded, opened or asked."""

    indexes: ClassVar[bool] = True
    """Whether it is given documents; others have theirs by their own means."""

    free: ClassVar[frozenset[str]] = frozenset()
    """The parameters on which its index does not depend: they may be others for every query."""

    immaterial: ClassVar[frozenset[str]] = frozenset({"concurrency"})
    """The parameters that say how patiently and by whom it is asked, and change nothing in what it answers."""

    unanswered: ClassVar[str] = "the engine returned nothing for this topic"
    """What is said of a topic that `search_topics` left out."""

    concurrency: int = 1
    """How many queries it may be asked at once."""

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All its parameters: those that are given, and the others with their usual values."""
        found = inspect.signature(cls).parameters.values()
        usual = {each.name: each.default for each in found if each.kind is each.KEYWORD_ONLY}
        return {name: value for name, value in {**usual, **settings}.items() if value is not inspect.Parameter.empty}

    @classmethod
    def settled(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Those of all its parameters that are settled once documents are indexed."""
        return {name: value for name, value in cls.complete(settings).items() if name not in cls.free}

    @classmethod
    def place(cls, settings: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """Where on a server its index is, which is what indexing replaces; None where it is in files of its own."""
        return None

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
