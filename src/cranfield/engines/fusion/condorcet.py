"""Candidates against each other, two by two, each run having a vote."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.engines.fusion.lists import Lists

_LINES_AT_ONCE = 64
"""So many candidates meet all others at once: what that takes stays in the cache."""


def duel_points(lists: Lists, weights: Floats | None) -> Floats:
    """One point to begin with, one for each candidate of the topic that loses to it, half of one for each that is even.

    A run votes for the candidate that it ranks higher; one that it did not return is below all that it did, and
    between two of those it has no vote. Where majorities make an order (nobody is even and there is no circle in which
    everybody loses to the one before), this is it: the last has one point, the next two. A circle stands together, and
    is ordered by how many each of it beats (Copeland 1951).
    """
    ends = np.cumsum(lists.candidates_of_topic)
    begins = ends - lists.candidates_of_topic
    limit = int(lists.length.max(initial=0)) + 1
    place = np.full((lists.runs, len(lists.topic)), limit, dtype=np.int16 if limit < 2**15 else np.int32)
    place[lists.run, lists.candidate] = lists.rank
    spans = zip(begins.tolist(), ends.tolist(), strict=True)
    return np.concatenate([_points_of_topic(place[:, begin:end], weights) for begin, end in spans])


def _points_of_topic(place: npt.NDArray[np.integer], weights: Floats | None) -> Floats:
    """The points of the candidates of a topic, given their places in each run."""
    count = place.shape[1]
    points = np.empty(count)
    ballots = [np.ascontiguousarray(line) for line in place]
    for begin in range(0, count, _LINES_AT_ONCE):
        lines = slice(begin, min(begin + _LINES_AT_ONCE, count))
        margin = _votes_for(ballots, lines, weights)
        won = np.count_nonzero(margin > 0, axis=1)
        even = np.count_nonzero(margin == 0, axis=1) - 1  # itself
        points[lines] = 1 + won + even / 2
    return points


def _votes_for(ballots: list[npt.NDArray[np.integer]], lines: slice, weights: Floats | None) -> npt.NDArray[np.number]:
    """How many more votes each of some candidates has than it has against it, beside each of all."""
    shape = (lines.stop - lines.start, len(ballots[0]))
    few = weights is None and len(ballots) < 2**7
    margin: npt.NDArray[np.number] = np.zeros(shape, dtype=np.int8 if few else np.float64)
    higher, lower = np.empty(shape, dtype=np.bool_), np.empty(shape, dtype=np.bool_)
    for number, ballot in enumerate(ballots):
        np.less(ballot[lines, None], ballot, out=higher)
        np.greater(ballot[lines, None], ballot, out=lower)
        if few:
            margin += higher.view(np.int8)
            margin -= lower.view(np.int8)
        else:
            margin += (higher.astype(np.float64) - lower) * (1.0 if weights is None else weights[number])
    return margin
