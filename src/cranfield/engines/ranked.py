"""Hits in columns, so that nothing has to be made for each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from cranfield.data.strings import Floats, Strings, decode


class Ranked(Sequence[tuple[str, float]]):
    """Different documents and their scores, best first: `Hits` of an engine that knows its documents by number.

    >>> import numpy as np
    >>> hits = Ranked(Strings.from_list([b"d2", b"d1"]), np.array([0.75, 0.5]))
    >>> hits[0], list(hits)
    (('d2', 0.75), [('d2', 0.75), ('d1', 0.5)])
    """

    __slots__ = ("documents", "scores")

    def __init__(self, documents: Strings, scores: Floats) -> None:
        self.documents = documents
        self.scores = scores

    def __len__(self) -> int:
        return len(self.scores)

    @overload
    def __getitem__(self, place: int) -> tuple[str, float]: ...

    @overload
    def __getitem__(self, place: slice) -> Ranked: ...

    def __getitem__(self, place: int | slice) -> tuple[str, float] | Ranked:
        if isinstance(place, slice):
            return Ranked(self.documents.take(place), self.scores[place])
        return decode(self.documents[place]), float(self.scores[place])

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return zip(map(decode, self.documents.tolist()), self.scores.tolist(), strict=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return repr(list(self))
