"""The scores of systems: one for each, or one for each on every topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.errors import DataError
from cranfield.stats.significance.differences import ROUNDING


@dataclass(frozen=True, eq=False)
class SystemScores:
    """Higher is better."""

    name: str
    """What messages call it."""
    table: Floats
    """Topics x systems; one row where there are no topics."""
    by_topic: bool

    @classmethod
    def of(
        cls, name: str, given: npt.ArrayLike, systems: Sequence[str] = (), topics: Sequence[str] = ()
    ) -> SystemScores:
        """From topics x systems, or from a list with one score for each system; what has no name has its number.

        >>> SystemScores.of("first", [[0.5, float("nan")]], ["bm25", "dense"])
        Traceback (most recent call last):
            ...
        cranfield.errors.DataError: first, system 'dense', topic 1: nan is not a score. Give it one, or leave it out.
        """
        try:
            table = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise DataError(f"{name}: expected numbers, found {given!r:.60}") from None
        if table.ndim not in (1, 2):
            raise DataError(
                f"{name}: expected topics x systems, or one score for each system, found {table.ndim} dimensions"
            )
        by_topic = table.ndim == 2
        if by_topic and not len(table):
            raise DataError(f"{name}: there are no topics; expected a score of every system for each")
        table = np.atleast_2d(table)
        strange = np.argwhere(~np.isfinite(table))
        if len(strange):
            topic, system = strange[0]
            where = f"system {repr(systems[system]) if systems else system + 1}"
            where += f", topic {repr(topics[topic]) if topics else topic + 1}" if by_topic else ""
            value = table[topic, system]
            raise DataError(f"{name}, {where}: {value} is not a score. Give it one, or leave it out.")
        return cls(name, table, by_topic)

    @property
    def systems(self) -> int:
        return int(self.table.shape[1])

    @cached_property
    def means(self) -> Floats:
        """The mean score of each system. Topics are added up by size, so that their order makes no difference."""
        ordered = np.sort(self.table, axis=0)
        means: Floats = ordered.sum(axis=0) / len(ordered)
        return means

    @cached_property
    def tolerance(self) -> float:
        """How far apart two means are still the same."""
        return ROUNDING * float(np.abs(self.table).max(initial=0))


def require_same_systems(first: SystemScores, second: SystemScores) -> None:
    if first.systems != second.systems:
        raise DataError(
            f"{first.name} has {first.systems} systems and {second.name} has {second.systems}: expected the same "
            "systems in the same order"
        )
