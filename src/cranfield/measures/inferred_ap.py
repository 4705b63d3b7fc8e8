"""Average precision from a sample of the pool: infAP."""

from __future__ import annotations

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Bools, Floats, Ints
from cranfield.measures.parameters import Rel
from cranfield.measures.registry import measure, ratio

EPSILON = 0.00001


@measure("infAP", sampling="pool", improves=False, cites=("yilmaz-aslam-2006",))
def inferred_average_precision(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""AP estimated where only a random sample of the pool was judged; a negative grade marks a document not sampled.

    .. math:: \frac{1}{R} \sum_{k:\,\mathrm{rel}_k} \left(\frac{1}{k} + \frac{k-1}{k} \cdot
        \frac{\mathrm{pool}_{k-1}}{k-1} \cdot
        \frac{\mathrm{rel}_{k-1} + \varepsilon}{\mathrm{judged}_{k-1} + 2\varepsilon}\right)

    where pool, rel and judged count the documents above rank k, and ε = 0.00001: of the pooled documents above k the
    share is relevant that is so among those judged, a document outside the pool is not relevant. R counts the sampled
    relevant documents. A query without relevant documents scores 0.

    Where no grade is negative the whole pool was judged, and it is AP, but for ε: judgments say that they are a sample
    only by listing the documents that were not sampled. If some parts of the pool were sampled more densely than others
    the estimate is biased, and `xinfAP` is to be used. Moving a relevant document up past one that was not judged can
    lower the estimate.

    Elsewhere:
        trec_eval: `infAP`, the same.
        pytrec_eval: `infAP`, the same.
        ir_measures: `infAP`, the same.
        sample_eval: what it calls `infAP` is xinfAP.

    >>> evaluate_one("infAP", [0, 1])  # 1/2 + 1/2 · 1/1 · (0 + ε)/(1 + 2ε)
    0.5
    >>> evaluate_one("infAP", [1, -1, 1])  # (1 + 1/3 + 2/3 · 2/2 · (1 + ε)/(1 + 2ε)) / 2
    1.0
    """
    relevant = r.at_least(rel)
    rows = np.flatnonzero(relevant)
    rank, first = r.rank[rows], r.offset[r.query[rows]]

    def above(chosen: Bools) -> Ints:
        count = np.concatenate(([0], np.cumsum(chosen)))
        return count[rows] - count[first]

    pool, found, judged = (rows - first).astype(np.float64), above(relevant), above(r.grade >= 0)
    share = (found + EPSILON) / (judged + 2 * EPSILON)
    expected = ((rank - 1) / rank) * ratio(pool, rank - 1) * share
    r.show("pool above", pool, rows=rows)
    r.show("rel above", found, rows=rows)
    r.show("judged above", judged, rows=rows)
    total = r.sum(1.0 / rank + expected, rows=rows, name="sum", column="expected P@i")
    return r.step("infAP", "sum / R", ratio(total, r.relevant(rel)), R=r.relevant(rel))
