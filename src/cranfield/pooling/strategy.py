"""What all ways to choose documents have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from cranfield.data.strings import Bools, Codes, Ints
from cranfield.pooling.candidates import Candidates


@dataclass(frozen=True, eq=False)
class Choice:
    """What is to be judged of the candidates."""

    chosen: Bools
    place: Ints
    """Where each would be judged if the order of the strategy were kept: the lowest of a topic first."""
    stratum: Codes | None = None
    """Where lots were drawn, the stratum that each candidate was in, from 1; 0: it was in none."""


@dataclass(frozen=True)
class Strategy(ABC):
    """A way to choose documents; its parameters are the fields of the class."""

    name: ClassVar[str]
    draws: ClassVar[bool] = False
    """Whether lots are drawn. What is in a pool already, drawn or not, is then left alone."""

    @abstractmethod
    def choose(self, candidates: Candidates, new: Bools, seed: int) -> Choice:
        """What is to be judged. `new` says which candidates are not in the pool yet: not to be judged, or, where lots
        are drawn, not in it at all.

        What is chosen may be in the pool already, because it was walked past to find something new. It has to be named:
        a document of which it is settled that it is judged no longer stands for others.
        """

    @property
    @abstractmethod
    def reading_depth(self) -> int | None:
        """How many documents of each list are looked at; None: all."""

    def parameters(self) -> dict[str, Any]:
        """For the recipe: those that are not None."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def places(order: Ints) -> Ints:
    """The place of each in an order.

    >>> places(np.array([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place
