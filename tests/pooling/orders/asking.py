"""Orders in tests: made of lists of documents, and replayed by names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cranfield.data.strings import decode
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.orders import JudgingOrder
from cranfield.pooling.orders.material import Material
from cranfield.pooling.term_matrix import TermMatrix
from tests.pooling.made_runs import run_of

TOPIC = b"q"


def material(lists: Sequence[Sequence[str]], **more: Any) -> Material:
    """The material of runs with these lists, called run-0, run-1 and so on."""
    runs = [run_of({"q": each}, f"run-{number}") for number, each in enumerate(lists)]
    return Material.of(Candidates.of(runs), TOPIC, **more)


def with_texts(documents: Mapping[str, str], query: str, **more: Any) -> Material:
    """The material of documents that no run returned, with what they say."""
    names = list(documents)
    texts = TermMatrix.of(documents).of_topic(names, query)
    return Material.among(Candidates.of([]), TOPIC, names, texts=texts, **more)


class Asking:
    """An order that speaks of documents by name."""

    def __init__(self, make: Callable[[Material], JudgingOrder], of: Material) -> None:
        self.order = make(of)
        self._names = [decode(name) for name in of.documents.tolist()]

    def next(self, count: int = 1) -> list[str]:
        return [self._names[number] for number in self.order.next(count)]

    def tell(self, document: str, grade: float | None) -> None:
        self.order.tell(self._names.index(document), grade)

    def ask(self, grade: float | None) -> str:
        """The next document, which is given this grade."""
        (document,) = self.next()
        self.tell(document, grade)
        return document
