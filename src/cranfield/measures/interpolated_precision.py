"""Precision at recall levels: IPrec, IPrecAvg."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints
from cranfield.measures.parameters import Levels, Number, Rel
from cranfield.measures.registry import measure

DECILES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@measure(
    "IPrec",
    aliases=("iprec_at_recall",),
    at="recall",
    at_needed=True,
    defaults_at=DECILES,
    cites=("manning-2008",),
)
def interpolated_precision(
    r: Rankings, *, rel: Rel = None, recall: Annotated[float | None, Number(0, 1)] = None
) -> Floats:
    r"""The best precision at any rank where recall has reached a level.

    .. math:: p(\rho) = \max_{i : R@i \ge \rho} P@i

    0 if that recall is never reached. How many documents a level such as 0.1 of 25 asks for is a matter of rounding:
    here 3, the fewest that reach it; trec_eval 9 takes floor(ρR + 0.9), trec_eval 10 the nearest whole number.

    >>> [evaluate_one(f"IPrec@{level}", [0, 1, 1], unretrieved=[1]) for level in (0, 0.5, 1)]  # 2/3, 2/3, never
    [0.6667, 0.6667, 0.0]
    """
    assert recall is not None
    return _at_level(r, rel, recall)


@measure("IPrecAvg", aliases=("11pt_avg",), cites=("manning-2008",))
def average_interpolated_precision(
    r: Rankings, *, rel: Rel = None, levels: Annotated[tuple[float, ...], Levels()] = DECILES
) -> Floats:
    r"""The mean of interpolated precision over recall levels: the 11 points 0, 0.1, ..., 1 unless told otherwise.

    .. math:: \frac{1}{|L|} \sum_{\rho \in L} p(\rho)

    >>> evaluate_one("IPrecAvg(levels=0;0.5;1)", [0, 1, 1], unretrieved=[1])  # (2/3 + 2/3 + 0) / 3
    0.4444
    """
    total = np.zeros(len(r))
    for level in reversed(levels):
        total += _at_level(r, rel, level)
    return total / len(levels)


def _at_level(r: Rankings, rel: float | None, level: float) -> Floats:
    rows = np.flatnonzero(r.at_least(rel))
    query = r.query[rows]
    found = np.bincount(query, minlength=len(r))
    begin = np.cumsum(found) - found
    precision = (np.arange(len(rows)) - begin[query] + 1) / r.rank[rows]
    needed = np.maximum(_documents_needed(level * r.relevant(rel).astype(np.float64), r.recall_rounding), 1)
    reached = np.flatnonzero(found >= needed)
    value = np.zeros(len(r))
    if len(reached):
        # Each query's stretch runs from the document that reaches the level to its last relevant one; the odd
        # stretches in between are not wanted.
        edges = np.stack([begin + needed - 1, begin + found], axis=1)[reached].ravel()
        value[reached] = np.maximum.reduceat(np.append(precision, 0.0), edges)[::2]
    return value


def _documents_needed(wanted: Floats, rounding: str) -> Ints:
    if rounding == "add-0.9":
        wanted = np.floor(wanted + 0.9)
    elif rounding == "nearest":
        wanted = np.floor(wanted + 0.5)
    else:
        wanted = np.ceil(wanted - 1e-9)
    return wanted.astype(np.int64)
