"""Average precision from a sample of the pool: infAP."""

from __future__ import annotations

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Rel
from cranfield.measures.registry import measure, ratio

EPSILON = 0.00001


@measure("infAP", cites=("yilmaz-aslam-2006",))
def inferred_average_precision(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""AP estimated where only a random sample of the pool was judged; a negative grade marks a document not sampled.

    .. math:: \frac{1}{R} \sum_{k:\,\mathrm{rel}_k} \left(\frac{1}{k} + \frac{k-1}{k} \cdot
        \frac{\mathrm{pool}_{k-1}}{k-1} \cdot
        \frac{\mathrm{rel}_{k-1} + \varepsilon}{\mathrm{judged}_{k-1} + 2\varepsilon}\right)

    where pool, rel and judged count the documents above rank k, and ε = 0.00001. A query without relevant documents
    scores 0.

    >>> evaluate_one("infAP", [0, 1])  # 1/2 + 1/2 · 1/1 · (0 + ε)/(1 + 2ε)
    0.5
    >>> evaluate_one("infAP", [1, -1, 1])  # (1 + 1/3 + 2/3 · 2/2 · (1 + ε)/(1 + 2ε)) / 2
    1.0
    """
    relevant = r.at_least(rel)
    above = r.rank - 1
    pooled = r.cumulative(np.ones(len(r.rank))) - 1
    relevant_above = r.cumulative(relevant) - relevant
    judged_above = r.cumulative(r.grade >= 0) - (r.grade >= 0)
    expected = (above / r.rank) * ratio(pooled, above) * ((relevant_above + EPSILON) / (judged_above + 2 * EPSILON))
    return ratio(r.sum(np.where(relevant, 1.0 / r.rank + expected, 0.0)), r.relevant(rel))
