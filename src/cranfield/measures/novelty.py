"""What alpha-nDCG, ERR-IA and NRBP share: gains that fall with every document already seen on a subtopic."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from cranfield.data.query_sums import totals
from cranfield.data.strings import Floats
from cranfield.data.subtopics import SubtopicRankings
from cranfield.measures.long_sums import sums_to
from cranfield.measures.parameters import Number

Alpha = Annotated[float, Number(0, 1)]
"""How far a second document on a subtopic is worth less than the first."""
Discount = Callable[[Any], Any]
"""What a rank is worth."""

GREEDY = 1 / (1 - 1 / math.e)
"""How much better than the greedy ideal ranking a ranking can be at most."""


def gained(
    r: SubtopicRankings, discount: Discount, *, alpha: float, rel: float | None, cutoff: int | None = None
) -> Floats:
    """For each query, the gain of each document for each of its subtopics, discounted by rank and added up."""
    c = r.covered(rel)
    gain = c.weight * r.novel(c, alpha)
    r.show("subtopics", c, np.broadcast_to(1.0, len(gain)))
    r.show("gain", c, gain)
    return r.sum(c, gain * discount(c.rank), cutoff, name="sum", column="gain · discount")


def gained_by_ideal(
    r: SubtopicRankings, discount: Discount, *, alpha: float, rel: float | None, cutoff: int | None = None
) -> Floats:
    """The same of the greedy ideal ranking of all judged documents."""
    ideal = r.ideal(rel, alpha, cutoff)
    gain = ideal.gain * discount(ideal.rank)
    total = totals(ideal.query, gain, len(r))
    columns = {"gain": ideal.gain, "gain · discount": gain}
    r.rankings.show_ideal(columns, name="ideal", total=total, rows=ideal.document)
    return total


def gained_at_most(
    r: SubtopicRankings, discount: Discount, *, alpha: float, rel: float | None, cutoff: int | None = None
) -> Floats:
    """The same of a list in which every document is relevant to every subtopic, whether there are such or not.

    It is as long as the cutoff says, or else as the list that was retrieved.
    """
    depth = r.rankings.retrieved if cutoff is None else np.full(len(r), cutoff)
    subtopics = r.relevant(rel).subtopics
    each = sums_to(lambda rank: (1.0 - alpha) ** (rank - 1.0) * discount(rank), depth)
    return r.step("most", "M * most_of_each", subtopics * each, M=subtopics, most_of_each=each)
