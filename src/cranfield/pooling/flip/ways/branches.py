"""User models that stop at what is good: ERR, INST, NERR8 to NERR11.

R means nothing to them, and a better grade never lowers a value. So for the largest difference documents that only the
first list has are best, and those that only the second has are worth nothing. What remains are documents that both
have: those that stand highest are tried with every grade, and the others are taken as best for the first list and worth
nothing to the second, which cannot be too little. Where there are none of these others the bound is reached.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.pooling.flip.ways.case import Case, Highest

_TRIES = 16
"""How many combinations of grades are tried at most."""


def highest(case: Case) -> Highest:
    """Exact where both lists have few unjudged documents in common, else outer."""
    case, shared = _parted(case)
    grades = _grades(case)
    most = int(np.log(_TRIES) / np.log(len(grades)))
    place = _place_among(case, shared)
    tried = place < most
    left = np.bincount(case.both.topic[shared[~tried]], minlength=len(case.both))
    rows, place = shared[tried], place[tried]
    value = np.full(len(case.both), -np.inf)
    for chosen in product(grades, repeat=int(place.max(initial=-1)) + 1):
        grade = np.array(chosen)[place] if chosen else np.zeros(0)
        value = np.maximum(value, _relaxed(case.of(case.both.with_grades(rows, grade))))
    return Highest(value, left == 0)


def _parted(case: Case) -> tuple[Case, Ints]:
    """The case without documents that only one list has, or that neither looks at, and the rows both have."""
    both, cutoff = case.both, case.measure.parameters.get("cutoff")
    depth = np.inf if cutoff is None else cutoff
    first, second = ((rank > 0) & (rank <= depth) for rank in (both.first, both.second))
    open_ = both.grade < 0
    settled = both.with_grades(open_ & ~(first & second), 0.0).with_grades(open_ & first & ~second, case.stakes.best)
    # Judged not relevant is as good as not judged, but where what is not judged could be anything.
    kept = (first | second) & ((settled.grade != 0) | case.reads_on)
    return case.of(settled.take(kept)), np.flatnonzero((settled.grade < 0)[kept])


def _grades(case: Case) -> list[float]:
    """The grades to try: ERR is linear in each chance to stop, so that one of the two ends is best."""
    return [0.0, case.stakes.best] if case.measure.name == "ERR" else [0.0, *case.stakes.grades.tolist()]


def _place_among(case: Case, rows: Ints) -> Ints:
    """The place of documents among those of their topic, those first that stand highest in one of the lists."""
    both = case.both
    topic = both.topic[rows]
    order = np.lexsort((np.minimum(both.first[rows], both.second[rows]), topic))
    place = np.empty(len(rows), dtype=np.int64)
    size = np.bincount(topic, minlength=len(both))
    place[order] = np.arange(len(rows)) - (np.cumsum(size) - size)[topic[order]]
    return place


def _relaxed(case: Case) -> Floats:
    """The difference if what is still open is best for the first list, and worth nothing to the second."""
    best = case.completed(case.both.open, case.stakes.best)
    worst = case.completed(np.zeros(0, dtype=np.int64), 0.0)
    return _first(best) - worst.values[1]


def _first(case: Case) -> Floats:
    """What the first list is worth at most, of which everything is judged but what is below its end."""
    return case.bounds(0).high if case.reads_on else case.values[0]
