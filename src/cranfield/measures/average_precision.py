"""Average precision and what is made of it: AP, GMAP, YAAP."""

from __future__ import annotations

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Cutoff, Rel
from cranfield.measures.registry import measure, ratio


def sum_of_precisions(r: Rankings, rel: float | None, cutoff: int | None = None) -> Floats:
    """For each query, the precision at each relevant document, added up."""
    relevant = r.at_least(rel)
    return r.sum(np.where(relevant, r.cumulative(relevant) / r.rank, 0.0), cutoff)


@measure("AP", aliases=("MAP",), at="cutoff", cites=("buckley-voorhees-2005",))
def average_precision(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""The mean of the precision at each relevant document, missed ones counting zero.

    .. math:: \mathrm{AP} = \frac{1}{R} \sum_{i=1}^{n} \mathrm{rel}_i \, P@i

    With a cutoff only the first k ranks are summed; the divisor is still R. A query without relevant documents
    scores 0.

    >>> evaluate_one("AP", [1, 0, 1, 0, 0])  # (1/1 + 2/3) / 2
    0.8333
    >>> evaluate_one("AP@2", [1, 0, 1, 0, 0])  # (1/1) / 2
    0.5
    """
    return ratio(sum_of_precisions(r, rel, cutoff), r.relevant(rel))


@measure("GMAP", aggregate="geometric", cites=("robertson-2006",))
def geometric_mean_average_precision(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""The geometric mean of AP over the queries, which gives weight to the queries that fail.

    .. math:: \mathrm{GMAP} = \exp\Big(\frac{1}{|Q|} \sum_q \ln \max(\mathrm{AP}_q, 10^{-5})\Big)

    A single query's value is its AP.

    >>> evaluate_one("GMAP", [1, 0, 1, 0, 0])  # one query: its AP, (1/1 + 2/3) / 2
    0.8333
    """
    return average_precision(r, rel=rel)


@measure("YAAP", bounds=(-np.inf, np.inf), cites=("robertson-2012",))
def yet_another_average_precision(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""Average precision on a logit-like scale, on which differences between very good or very bad systems count more.

    .. math:: \ln \frac{1 + s}{1 + R - s}, \qquad s = \sum_i \mathrm{rel}_i \, P@i

    A query without relevant documents scores 0.

    >>> evaluate_one("YAAP", [1, 0, 1])  # s = 1 + 2/3, R = 2: ln(2.6667 / 1.3333) = ln 2
    0.6931
    """
    total = sum_of_precisions(r, rel)
    value: Floats = np.log((1.0 + total) / (1.0 + r.relevant(rel) - total))
    return value
