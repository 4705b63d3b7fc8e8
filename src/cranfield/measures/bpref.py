"""Binary preference: Bpref, GMBpref."""

from __future__ import annotations

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Rel
from cranfield.measures.registry import measure, ratio


@measure("Bpref", cites=("buckley-voorhees-2004",))
def binary_preference(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""How often a relevant document stands above the documents judged not relevant; unjudged ones are passed over.

    .. math:: \frac{1}{R} \sum_{d\ \mathrm{relevant}} \left(1 - \frac{\min(n_d, R)}{\min(N, R)}\right)

    where n_d counts the judged non-relevant documents above d and N all of them. A relevant document with none above
    it contributes 1. A query without relevant documents scores 0.

    >>> evaluate_one("Bpref", [0, 1, None, None, 1, 0])  # R = N = 2: (1/2 + 1/2) / 2
    0.5
    """
    relevant = r.at_least(rel)
    total = r.relevant(rel)[r.query]
    above = r.cumulative((r.grade >= 0) & ~relevant)
    most = np.minimum(r.nonrelevant(rel)[r.query], total)
    kept = 1.0 - ratio(np.minimum(above, total), most)
    return ratio(r.sum(np.where(relevant, kept, 0.0)), r.relevant(rel))


@measure("GMBpref", aggregate="geometric", cites=("robertson-2006", "buckley-voorhees-2004"))
def geometric_mean_binary_preference(r: Rankings, *, rel: Rel = None) -> Floats:
    """The geometric mean of Bpref over the queries, values below 0.00001 counting as that.

    >>> evaluate_one("GMBpref", [0, 1, 1, 0])  # one query: its Bpref
    0.5
    """
    return binary_preference(r, rel=rel)
