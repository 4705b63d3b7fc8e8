"""What unjudged documents could make of measures that are best, and worst, at one of four corners.

For these it never does harm if a document above the cutoff is relevant, or never does good, whatever the others are;
and the same holds for the documents below the cutoff, which matter only to R. So the extremes are among four: none of
the holes has the best grade, those above the cutoff, those below it, or all. The measure itself is computed there.

P, Success, MeanP and the counts add up relevant documents. RR, CG and DCG rise with each gain, and so does ERR: who
stops at rank i rather than go on gets 1/i, and below there would be less. What is a share of R relevant documents rises
with one more that is found, from t/R to (t + 1)/(R + 1), and falls with one that is missed; the F-measure does the
same, as it is t / (a n + (1 - a) R), and the others go with it or, where less is better, against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cranfield.data.completions import filled, parts
from cranfield.data.holes import Holes
from cranfield.data.rankings import Rankings
from cranfield.measures.holes.case import Bounds, Case


def bounds(cases: Sequence[Case]) -> list[Bounds]:
    """Exact."""
    found = [Bounds(case.values.copy(), case.values.copy()) for case in cases]
    together: dict[tuple[int | None, float], list[int]] = {}
    for number, case in enumerate(cases):
        key = (_cutoff(case), case.stakes.best)
        together.setdefault(key, []).append(number)
    for (cutoff, grade), numbers in together.items():
        _try_corners(cases[numbers[0]].rankings, cutoff, grade, [(cases[at], found[at]) for at in numbers])
    return found


def _cutoff(case: Case) -> int | None:
    """The cutoff, if there is a list that is longer."""
    cutoff: int | None = case.measure.parameters.get("cutoff")
    return None if cutoff is None or cutoff >= int(case.rankings.retrieved.max(initial=0)) else cutoff


def _try_corners(r: Rankings, cutoff: int | None, grade: float, asked: Sequence[tuple[Case, Bounds]]) -> None:
    """Widen the bounds to what the measures are at the corners."""
    above = Holes.of(r, cutoff).count
    below = Holes.of(r).count - above
    some_below = bool(below.any())
    for queries, part in parts(r if cutoff is None else r.cut(cutoff)):
        nothing = np.zeros_like(part.retrieved)
        as_known, best = filled(part, 1, nothing, grade), filled(part, 1, part.retrieved, grade)
        corners = [replace(best, also_relevant=above[queries])]
        if some_below:
            corners += [
                replace(as_known, also_relevant=below[queries]),
                replace(best, also_relevant=(above + below)[queries]),
            ]
        for case, (low, high) in asked:
            for corner in corners:
                values = case.measure.compute(corner)
                np.minimum(low[queries], values, out=low[queries])
                np.maximum(high[queries], values, out=high[queries])
