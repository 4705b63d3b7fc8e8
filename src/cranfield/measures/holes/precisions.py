"""What unjudged documents could make of average precision: AP, GMAP, YAAP.

All three rise with s, the sum of the precisions at the relevant documents, and fall with R. If m of the holes are
relevant, s is highest where these are the m topmost and lowest where they are the m bottommost, for moving a relevant
document up never does harm. What is left to find is m.

Highest: the next hole, at rank p below j judged documents that are not relevant, adds its own precision 1 - j/p, as all
holes above it are relevant, and 1/i for each judged relevant document at a rank i below. From one judged document to
the next these increments never fall, so that s is convex in m there, and s / (R + m) is highest at one of the two ends.
Only the places at judged documents need to be looked at.

Lowest: the next hole, at rank p below c judged relevant documents, adds (c + 1)/p, and 1/i for all that is relevant
below. On the way up these increments never fall, all along the list, and so `lowest_ratio` finds the lowest value. The
holes below a cutoff are relevant in any case: they add to R alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.data.holes import Holes
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints
from cranfield.measures.average_precision import sum_of_precisions
from cranfield.measures.holes.case import Bounds, Case
from cranfield.measures.holes.lowest_ratio import lowest_ratio
from cranfield.measures.registry import ratio


def bounds(cases: Sequence[Case]) -> list[Bounds]:
    """Exact."""
    return [_bounds(case) for case in cases]


def _bounds(case: Case) -> Bounds:
    r, parameters = case.rankings, case.measure.parameters
    rel, cutoff, denominator = parameters["rel"], parameters.get("cutoff"), parameters.get("denominator", "R")
    holes = Holes.of(r, cutoff)
    sums = _Sums(r, holes, rel, cutoff)
    relevant, below = r.relevant(rel).astype(np.float64), Holes.of(r).count - holes.count
    if denominator == "found":
        relevant, below = r.count(r.at_least(rel), cutoff), np.zeros_like(below)
    most = cutoff if denominator == "min-k-R" and cutoff is not None else np.inf
    # YAAP, ln (1 + s) / (1 + R - s), is the logit of (1 + s) / (2 + R).
    more, less = (1.0, 2.0) if case.measure.name == "YAAP" else (0.0, 0.0)
    lowest = lowest_ratio(
        lambda m: more + sums.bottommost(m), lambda m: less + np.minimum(relevant + below + m, most), holes.count
    )
    topmost = ratio(more + sums.topmost(), less + np.minimum(relevant[holes.query] + holes.to, most))
    highest = np.maximum(holes.highest(topmost), ratio(more + sums.known, less + np.minimum(relevant, most)))
    return Bounds(_logit(lowest), _logit(highest)) if more else Bounds(lowest, highest)


def _logit(share: Floats) -> Floats:
    value: Floats = np.log(share / (1.0 - share))
    return value


class _Sums:
    """The sum of precisions where some of the holes are relevant."""

    def __init__(self, r: Rankings, holes: Holes, rel: float | None, cutoff: int | None) -> None:
        relevant = r.at_least(rel)[holes.rows]
        reciprocal = np.where(relevant, 1.0 / r.rank[holes.rows], 0.0)
        rank = np.arange(int(holes.depth.max(initial=0)) + 1)
        self.holes = holes
        self.known = sum_of_precisions(r, rel, cutoff)
        self.relevant, self.others = holes.above(relevant), holes.above(~relevant)
        self.harmonic = np.append(0.0, np.cumsum(1.0 / rank[1:]))
        self.harmonics = (rank + 1) * self.harmonic - rank  # the sum of the harmonic numbers down to a rank
        total = np.bincount(holes.row_query, weights=reciprocal, minlength=len(r))
        self.judged_below = np.maximum(total[holes.query] - holes.above(reciprocal), 0.0)
        own = holes.sums(self.harmonic)
        self.holes_below = holes.total(own)[holes.query] - holes.running(own)
        whole = self._bottom(np.arange(len(holes.size)), holes.size)
        self.in_stretches_below = holes.total(whole)[holes.query] - holes.running(whole)

    def topmost(self) -> Floats:
        """For each stretch, with all holes down to its end."""
        holes = self.holes
        added = holes.size * (1.0 + self.judged_below) - self.others * holes.sums(self.harmonic)
        return self.known[holes.query] + holes.running(added)

    def bottommost(self, m: Ints) -> Floats:
        """For each query, with its m bottommost holes."""
        edge = self.holes.edge(self.holes.count - m)
        in_stretch = self._bottom(edge.stretch, self.holes.size[edge.stretch] - edge.above)
        return self.known + self.in_stretches_below[edge.stretch] + in_stretch

    def _bottom(self, stretch: Ints, m: Ints) -> Floats:
        """What the m bottommost holes of stretches add if all holes below the stretch are relevant."""
        last = self.holes.last[stretch]
        harmonic, harmonics = self.harmonic[last], self.harmonics[last]
        below = self.judged_below[stretch] + self.holes_below[stretch]
        own = (self.relevant[stretch] + 1.0) * (harmonic - self.harmonic[last - m])
        added: Floats = own + m * (below + harmonic) - (harmonics - self.harmonics[last - m])
        return added
