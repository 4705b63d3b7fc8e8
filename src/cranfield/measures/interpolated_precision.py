"""Precision at recall levels: IPrec, IPrecAvg."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints
from cranfield.measures.parameters import Levels, Number, Rel
from cranfield.measures.registry import measure, ratio

DECILES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@measure(
    "IPrec",
    aliases=("iprec_at_recall",),
    at="recall",
    at_needed=True,
    defaults_at=DECILES,
    completion="cells",
    cites=("manning-2008",),
)
def interpolated_precision(
    r: Rankings, *, rel: Rel = None, recall: Annotated[float | None, Number(0, 1)] = None
) -> Floats:
    r"""The best precision at any rank where recall has reached a level.

    .. math:: p(\rho) = \max_{i : R@i \ge \rho} P@i

    `recall` is the level ρ, written behind the @: `IPrec@0,0.5,1` gives three. 0 if that recall is never reached. How
    many documents a level such as 0.1 of 25 asks for is a matter of rounding: here 3, the fewest that reach it. A query
    without relevant documents scores 0.

    Elsewhere:
        trec_eval: `iprec_at_recall_0.10`; version 9 asks for floor(ρR + 0.9) documents, version 10 for the whole number
            nearest to ρR, and so do the profiles of these versions.
        ir_measures: `IPrec@0.1`, rounded as in version 9.
        ranx: `interpolated_precision_at_recall` at the 11 levels, rounded as in version 9.

    >>> [evaluate_one(f"IPrec@{level}", [0, 1, 1], unretrieved=[1]) for level in (0, 0.5, 1)]  # 2/3, 2/3, never
    [0.6667, 0.6667, 0.0]
    """
    assert recall is not None
    (value,) = _at_levels(r, rel, (recall,))
    _write_down(r, rel, (recall,), "IPrec")
    return value


@measure("IPrecAvg", aliases=("11pt_avg",), completion="cells", cites=("manning-2008",))
def average_interpolated_precision(
    r: Rankings, *, rel: Rel = None, levels: Annotated[tuple[float, ...], Levels()] = DECILES
) -> Floats:
    r"""The mean of interpolated precision over recall levels: the 11 points 0, 0.1, ..., 1 unless told otherwise.

    .. math:: \frac{1}{|L|} \sum_{\rho \in L} p(\rho)

    `levels` are the recall levels L; p(ρ) is IPrec@ρ. A query without relevant documents scores 0.

    Elsewhere:
        trec_eval: `11pt_avg`; other levels as in `11pt_avg..25,.5,.75`. Rounding as for IPrec.

    >>> evaluate_one("IPrecAvg(levels=0;0.5;1)", [0, 1, 1], unretrieved=[1])  # (2/3 + 2/3 + 0) / 3
    0.4444
    """
    total = np.zeros(len(r))
    for value in _at_levels(r, rel, levels[::-1]):
        total += value
    _write_down(r, rel, levels, "sum")
    return r.step("IPrecAvg", "sum / levels", total / len(levels), levels=len(levels))


def _at_levels(r: Rankings, rel: float | None, levels: tuple[float, ...]) -> Iterator[Floats]:
    """For each level, the interpolated precision of each query."""
    rows = np.flatnonzero(r.at_least(rel))
    query = r.query[rows]
    found = np.bincount(query, minlength=len(r))
    begin = np.cumsum(found) - found
    precision = np.append((np.arange(len(rows)) - begin[query] + 1) / r.rank[rows], 0.0)
    for level in levels:
        needed = _documents_needed(r, rel, level)
        reached = np.flatnonzero(found >= needed)
        value = np.zeros(len(r))
        if len(reached):
            # Each query's stretch runs from the document that reaches the level to its last relevant one; the odd
            # stretches in between are not wanted.
            edges = np.stack([begin + needed - 1, begin + found], axis=1)[reached].ravel()
            value[reached] = np.maximum.reduceat(precision, edges)[::2]
        yield value


def _documents_needed(r: Rankings, rel: float | None, level: float) -> Ints:
    """How many relevant documents of each query reach the level: at least one."""
    wanted = level * r.relevant(rel).astype(np.float64)
    if r.recall_rounding == "add-0.9":
        wanted = np.floor(wanted + 0.9)
    elif r.recall_rounding == "nearest":
        wanted = np.floor(wanted + 0.5)
    else:
        wanted = np.ceil(wanted - 1e-9)
    return np.maximum(wanted.astype(np.int64), 1)


def _write_down(r: Rankings, rel: float | None, levels: tuple[float, ...], name: str) -> None:
    """The interpolated precision at each relevant document, added up over the levels that are first reached there."""
    if r.working is None:
        return
    relevant = r.at_least(rel)
    rows = np.flatnonzero(relevant)
    found = np.arange(1.0, len(rows) + 1.0)
    precision = found / r.rank[rows]
    best = np.maximum.accumulate(precision[::-1])[::-1]
    reached = sum((found == _documents_needed(r, rel, level) for level in levels), np.zeros(len(rows)))
    r.show("rel", relevant)
    r.show("R@i", ratio(found, r.relevant(rel)), rows=rows)
    r.show("P@i", precision, rows=rows)
    r.show("highest P from i on", best, rows=rows)
    r.show("levels reached", reached, rows=rows)
    r.sum(reached * best, rows=rows, name=name, column="levels · highest P")
