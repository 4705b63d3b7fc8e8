"""How the judged documents were drawn from the pool: its strata, and the chance a document had of being judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.data.strings import Bools, Codes, Floats, Ints

CERTAIN_METHODS = frozenset({b"0", b"2"})
"""Methods of prels by which a document is judged for certain: chosen outright (0), or so chosen and sampled too (2)."""


def impossible_chances(probability: Floats) -> Bools:
    """Which of them no judged document can have had."""
    return ~((probability > 0) & (probability <= 1))


def impossible_chance(probability: float) -> str:
    """What is wrong with such a probability."""
    return f"inclusion probability {probability:g} is not above 0 and at most 1"


@dataclass(eq=False, repr=False)
class Strata:
    """The strata of every query's pool, numbered from 0 query by query.

    >>> query, stratum = np.array([0, 0, 0, 1]), np.array([5, 5, 8, 5])
    >>> strata = Strata.of(query, stratum, grade=np.array([1.0, -1.0, 0.0, 2.0]))
    >>> strata.of_judgment.tolist(), strata.size.tolist(), strata.judged.tolist()
    ([0, 0, 1, 2], [2, 1, 1], [1, 1, 1])
    """

    of_judgment: Ints
    """For each judgment, the number of its stratum."""
    size: Ints
    """How many documents of the pool a stratum has."""
    judged: Ints
    """How many of them were judged: have a grade that is not negative."""

    @classmethod
    def of(cls, query: Codes, stratum: Codes, grade: Floats) -> Strata:
        """From the query, the stratum and the grade of each document of the pool."""
        among = int(stratum.max(initial=0)) + 1
        key, which = np.unique(query.astype(np.int64) * among + stratum, return_inverse=True)
        size = np.bincount(which, minlength=len(key))
        return cls(which, size, np.bincount(which[grade >= 0], minlength=len(key)))

    def __len__(self) -> int:
        return len(self.size)

    @cached_property
    def chance(self) -> Floats:
        """For each judgment, the share of its stratum that was judged."""
        return (self.judged / self.size)[self.of_judgment]
