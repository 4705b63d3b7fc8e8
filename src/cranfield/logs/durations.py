"""How long searches took, by the rank of what was found: as far as people read down a list, time tells the rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.log import Log

if TYPE_CHECKING:
    import ibis

DEEPEST = 10
"""The ranks that are told one by one."""
QUARTILES = (0.25, 0.5, 0.75)
STEP_MS, LONGEST_MS = 100, 600_000
"""Where searches are compared, times are told to a tenth of a second, and none is longer than ten minutes."""


class AtRank(NamedTuple):
    """Searches whose answer stood at a rank."""

    rank: int
    searches: int
    quartiles: tuple[float, ...]
    """Of seconds, at QUARTILES."""


@dataclass(frozen=True)
class DurationsByRank:
    """Searches in which one document was clicked, the answer as far as the log knows one."""

    ranks: tuple[AtRank, ...]
    tau: float | None
    """Kendall's tau-b of rank and time: 1 if time always tells which of two answers stood deeper; None without two
    ranks and times."""


def durations(log: Log) -> ibis.Table:
    """From queries to their last click, where that has a time of its own: `took`, and of queries with one document
    clicked its `rank`."""
    queries = log.queries.filter(lambda rows: rows.last_click_ms.notnull())
    return queries.select(rank=(queries.clicked == 1).ifelse(queries.first_rank, None), took="last_click_ms")


def by_rank(log: Log, searches: ibis.Table) -> DurationsByRank:
    """What rows of `durations` say of ranks."""
    ranked = searches.filter(searches["rank"] <= DEEPEST)
    counted = ranked.group_by("rank").agg(searches=ranked.count(), quartiles=ranked.took.quantile(list(QUARTILES)))
    ranks = tuple(
        AtRank(row["rank"], row["searches"], tuple(one / 1000 for one in row["quartiles"]))
        for row in log.run(counted.order_by("rank")).to_pylist()
    )
    step = (ranked.took // STEP_MS).clip(upper=LONGEST_MS // STEP_MS).cast("int64")
    cells = ranked.select("rank", step=step)
    found = log.run(cells.group_by(["rank", "step"]).agg(number=cells.count()))
    return DurationsByRank(ranks, tau_of_counts(*(found[name].to_numpy() for name in ("rank", "step", "number"))))


def tau_of_counts(one: Any, other: Any, number: Any) -> float | None:
    """Kendall's tau-b of pairs that are there so many times; None where one of both is always the same.

    >>> round(tau_of_counts([1, 2, 2], [5, 5, 9], [3, 1, 2]), 4)  # 6 of 15 pairs agree, 6 and 7 tie: 6 / sqrt(9 x 8)
    0.7071
    """
    (rows, row), (columns, column) = (np.unique(values, return_inverse=True) for values in (one, other))
    table = np.zeros((len(rows), len(columns)))
    np.add.at(table, (row, column), number)
    pairs = _pairs(table.sum())
    free = (pairs - _pairs(table.sum(axis=1)).sum()) * (pairs - _pairs(table.sum(axis=0)).sum())
    if not free > 0:
        return None
    below: Floats = np.zeros((len(rows) + 1, len(columns) + 2))
    below[:-1, 1:-1] = table[::-1].cumsum(axis=0)[::-1]
    sums = below.cumsum(axis=1)
    lower, higher = sums[1:, : len(columns)], sums[1:, -1:] - sums[1:, 1 : len(columns) + 1]
    return float((table * (higher - lower)).sum() / np.sqrt(free))


def _pairs(number: Any) -> Any:
    return number * (number - 1) / 2
