"""Measures averaged over assessors, where several judged the same documents: AP_avgjg, P_avgjg, Rprec_avgjg.

They are computed for each assessor's judgments alone and then averaged over the assessors of each query
(`-R qrels_jg`, where the second column of the qrels names the assessor).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints
from cranfield.measures.average_precision import average_precision
from cranfield.measures.parameters import Cutoff, NotNegative, Rel
from cranfield.measures.precision import CUTOFFS, precision
from cranfield.measures.r_precision import r_precision
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES

if TYPE_CHECKING:
    from cranfield.data.working import Working


@dataclass(eq=False)
class GroupedRankings:
    """One `Rankings` for each assessor, and for each of its queries the number it has among all queries."""

    queries: int
    groups: tuple[tuple[Ints, Rankings], ...]
    working: Working | None = None
    """What measures write their arithmetic on, where the value of a single query is to be explained."""

    def __len__(self) -> int:
        return self.queries

    def average(self, name: str, function: Callable[[Rankings], Floats]) -> Floats:
        """For each query, the mean over its assessors: the measure of this name."""
        total, assessors = np.zeros(self.queries), np.zeros(self.queries)
        values = [function(rankings) for _, rankings in self.groups]
        for (where, _), value in zip(self.groups, values, strict=True):
            total[where] += value
            assessors[where] += 1
        mean = ratio(total, assessors)
        if self.working is not None:
            each = {f"assessor_{number}": float(value[0]) for number, value in enumerate(values, 1)}
            self.working.step(name, f"({' + '.join(each)}) / {len(each)}", mean[0], each)
        return mean


_TRAITS = {"needs": "groups", "perfect": False, "cites": ("trec_eval",)}


@measure("AP_avgjg", aliases=("map_avgjg",), ties=SHARES, **_TRAITS)
def average_precision_over_assessors(g: GroupedRankings, *, rel: Rel = None) -> Floats:
    r"""AP by each assessor's judgments, averaged over the assessors of the query.

    .. math:: \frac{1}{|J|} \sum_{j \in J} \mathrm{AP}_j

    where J holds the assessors who judged for the query and AP_j is AP with the judgments of j alone. 0 for an assessor
    who found nothing relevant.

    Elsewhere:
        trec_eval: `map_avgjg`.

    >>> judged = [("q", "ann", "a", 1), ("q", "ann", "b", 0), ("q", "ann", "c", 1)]
    >>> judged += [("q", "bob", "a", 0), ("q", "bob", "b", 1)]
    >>> run = {"q": {"a": 3, "b": 2, "c": 1}}
    >>> evaluate(judged, run, "AP_avgjg", relevance="qrels_jg").mean  # ann (1/1 + 2/3) / 2, bob 1/2; mean
    {'AP_avgjg': 0.6666...}
    """
    return g.average("AP_avgjg", lambda r: average_precision(r, rel=rel))


@measure("P_avgjg", at="cutoff", at_needed=True, defaults_at=CUTOFFS, fills_up=True, ties=SHARES, **_TRAITS)
def precision_over_assessors(g: GroupedRankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""P@k by each assessor's judgments, averaged over the assessors of the query.

    .. math:: \frac{1}{|J|} \sum_{j \in J} P_j@k

    where J holds the assessors who judged for the query and P_j@k is P@k with the judgments of j alone: a list shorter
    than k is filled up with documents that are not relevant, and what j did not judge is not relevant.

    Elsewhere:
        trec_eval: `P_avgjg_k`.

    >>> judged = [("q", "ann", "a", 1), ("q", "ann", "b", 0), ("q", "ann", "c", 1)]
    >>> judged += [("q", "bob", "a", 0), ("q", "bob", "b", 1)]
    >>> run = {"q": {"a": 3, "b": 2, "c": 1}}
    >>> evaluate(judged, run, "P_avgjg@3", relevance="qrels_jg").mean  # ann 2/3, bob 1/3; mean
    {'P_avgjg@3': 0.5}
    """
    return g.average("P_avgjg", lambda r: precision(r, rel=rel, cutoff=cutoff))


@measure("Rprec_avgjg", ties=SHARES, **_TRAITS)
def r_precision_over_assessors(g: GroupedRankings, *, rel: Rel = None, multiple: NotNegative = 1) -> Floats:
    r"""Rprec by each assessor's judgments, averaged over the assessors of the query.

    .. math:: \frac{1}{|J|} \sum_{j \in J} P_j@R_j

    where J holds the assessors who judged for the query and R_j counts the documents that j found relevant. With
    `multiple` m the cutoff is m times R_j. 0 for an assessor who found nothing relevant.

    Elsewhere:
        trec_eval: `Rprec_mult_avgjg_m`, at multiples m from 0.2 to 2.

    >>> judged = [("q", "ann", "a", 1), ("q", "ann", "b", 0), ("q", "ann", "c", 1)]
    >>> judged += [("q", "bob", "a", 0), ("q", "bob", "b", 1)]
    >>> run = {"q": {"a": 3, "b": 2, "c": 1}}
    >>> evaluate(judged, run, "Rprec_avgjg", relevance="qrels_jg").mean  # ann P@2 = 1/2, bob P@1 = 0; mean
    {'Rprec_avgjg': 0.25}
    """
    return g.average("Rprec_avgjg", lambda r: r_precision(r, rel=rel, multiple=multiple))
