"""Measures averaged over assessors, where several judged the same documents: AP_avgjg, P_avgjg, Rprec_avgjg.

They are computed for each assessor's judgments alone and then averaged over the assessors of each query
(`-R qrels_jg`, where the second column of the qrels names the assessor).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints
from cranfield.measures.average_precision import average_precision
from cranfield.measures.parameters import Cutoff, Number, Rel
from cranfield.measures.precision import CUTOFFS, precision
from cranfield.measures.r_precision import r_precision
from cranfield.measures.registry import measure, ratio


@dataclass(eq=False)
class GroupedRankings:
    """One `Rankings` for each assessor, and for each of its queries the number it has among all queries."""

    queries: int
    groups: tuple[tuple[Ints, Rankings], ...]

    def __len__(self) -> int:
        return self.queries

    def average(self, function: Callable[[Rankings], Floats]) -> Floats:
        """For each query, the mean over its assessors."""
        total, assessors = np.zeros(self.queries), np.zeros(self.queries)
        for where, rankings in self.groups:
            total[where] += function(rankings)
            assessors[where] += 1
        return ratio(total, assessors)


_TRAITS = {"needs": "groups", "cites": ("trec_eval",)}


@measure("AP_avgjg", aliases=("map_avgjg",), **_TRAITS)
def average_precision_over_assessors(g: GroupedRankings, *, rel: Rel = None) -> Floats:
    """AP by each assessor's judgments, averaged over the assessors of the query."""
    return g.average(lambda r: average_precision(r, rel=rel))


@measure("P_avgjg", at="cutoff", at_needed=True, defaults_at=CUTOFFS, **_TRAITS)
def precision_over_assessors(g: GroupedRankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    """P@k by each assessor's judgments, averaged over the assessors of the query."""
    return g.average(lambda r: precision(r, rel=rel, cutoff=cutoff))


@measure("Rprec_avgjg", **_TRAITS)
def r_precision_over_assessors(
    g: GroupedRankings, *, rel: Rel = None, multiple: Annotated[float, Number(0)] = 1
) -> Floats:
    """Rprec by each assessor's judgments, averaged over the assessors of the query."""
    return g.average(lambda r: r_precision(r, rel=rel, multiple=multiple))
