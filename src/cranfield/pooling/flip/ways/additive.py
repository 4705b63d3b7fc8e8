"""Measures in which each document counts by itself: P, MeanP, CG, DCG, RBP, SDCG, INSQ, TBG, U, and others.

The value is a sum over documents of gain times weight, the weight that of the rank, whatever the others are. So is the
difference of two runs, in which a document has the difference of its two weights: it is largest where every document
that counts for more in the first run has the best grade, and no other is relevant.
"""

from __future__ import annotations

from cranfield.data.strings import Floats
from cranfield.pooling.flip.ways.alone import alone
from cranfield.pooling.flip.ways.case import Case, Highest


def highest(case: Case) -> Highest:
    """Exact."""
    best = case.both.open[weights(case) > 0]
    return Highest.all_exact(case.completed(best, case.stakes.best).largest_now())


def weights(case: Case) -> Floats:
    """For each open document, what the best grade would add to the difference."""
    rows = case.both.open
    return alone(case, 0, rows) - alone(case, 1, rows)
