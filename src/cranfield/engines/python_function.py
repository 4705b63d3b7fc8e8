"""A function of the user's own as a search engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from cranfield.data.documents import Document
from cranfield.engines.callables import called, find_callable, name_of, source_hash
from cranfield.engines.engine import Engine, Hits
from cranfield.engines.parameters import whole_number
from cranfield.errors import EngineError


class PythonEngine(Engine):
    """A function that takes a query and k, and gives identifiers with scores, or identifiers best first.

    `function` is `module:function`, `file.py:function`, or the function itself. Identifiers without scores get 1/rank;
    a mapping of identifiers to scores is put in order. The function has its documents itself, so nothing is indexed.

    >>> with PythonEngine(function=lambda query, k: ["d2", "d1"][:k]) as engine:
    ...     engine.search("soup", 10)
    [('d2', 1.0), ('d1', 0.5)]
    """

    kind: ClassVar[str] = "python"
    embedded: ClassVar[bool] = False
    indexes: ClassVar[bool] = False

    def __init__(self, *, function: str | Callable[[str, int], Any], concurrency: int = 1) -> None:
        self._name = name_of(function)
        self._function = find_callable("function", function)
        self._source = source_hash(function)
        self.concurrency = whole_number("concurrency", concurrency, least=1)

    def index(self, documents: Iterable[Document]) -> None:
        """A function has its documents itself."""
        raise EngineError(f"the engine python does not index: the function {self._name} has its documents itself")

    def search(self, query: str, k: int) -> Hits:
        """What the function answers."""
        answer = called(f"the function {self._name}", self._function, query, k)
        if isinstance(answer, Mapping):
            scored = [self._hit(item) for item in answer.items()]
            return sorted(scored, key=lambda hit: (hit[1], hit[0]), reverse=True)
        if isinstance(answer, (str, bytes)) or not isinstance(answer, Iterable):
            raise self._unusable(answer)
        items = list(answer)
        if all(isinstance(item, str) for item in items):
            return [(item, 1 / rank) for rank, item in enumerate(items, start=1)]
        return [self._hit(item) for item in items]

    def count(self) -> None:
        """A function does not tell."""

    def description(self) -> Mapping[str, Any]:
        """The name of the function, and the hash of the file that it is in."""
        return {"parameters": {"function": self._name, **self._source}}

    def _hit(self, item: Any) -> tuple[str, float]:
        try:
            if not isinstance(item, str):
                name, score = item
                return str(name), float(score)
        except (TypeError, ValueError):
            pass
        raise self._unusable(item)

    def _unusable(self, answer: object) -> EngineError:
        return EngineError(
            f"the function {self._name} gave {repr(answer)[:60]}; expected pairs of identifier and score, best first, "
            "or identifiers alone"
        )
