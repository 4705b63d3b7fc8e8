"""How close a ranking comes to an ideal one: Compat."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import numpy as np

from cranfield.data.query_sums import totals
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Flag, Persistence
from cranfield.measures.registry import measure, ratio

_NEVER = np.iinfo(np.int64).max


@measure(
    "Compat", aliases=("Compatibility",), completion="whole_range", cites=("clarke-2021", "clarke-2020", "webber-2010")
)
def compatibility(r: Rankings, *, p: Persistence = 0.95, normalize: Annotated[bool, Flag()] = True) -> Floats:
    r"""The rank-biased overlap of the ranking with the ideal ranking that is most like it.

    .. math:: \mathrm{RBO}(A, B) = \frac{\sum_{i=1}^{n} p^{i-1} \frac{|A_i \cap B_i|}{i}}{\sum_{i=1}^{n} p^{i-1}},
        \qquad \mathrm{Compat} = \frac{\mathrm{RBO}(\mathrm{ranking}, \mathrm{ideal})}
        {\mathrm{RBO}(\mathrm{ideal}, \mathrm{ideal})}

    A ranking is ideal if it has all documents of a grade above 0, higher grades first. Documents of the same grade may
    stand in any order: they stand as in the ranking, those it lacks behind. So grades need not be more than an order of
    preference, and fractions are fine. A_i are the first i documents of A, n is the length of the longer of the two.
    `p` is the probability that a reader goes on to the next document. `normalize=False` leaves out the division by what
    the ideal reaches with itself, which is below 1 where it is the shorter one. A query without a document of a grade
    above 0 scores 0.

    Elsewhere:
        compatibility.py: by the authors of the measure; n is always 1000.
        ir_measures: `Compat`; a document that is not retrieved counts as one with a score of 0, so that where scores
            are negative the ideal is not the most similar one. The profile `ir_measures` does the same.

    >>> evaluate_one("Compat(p=0.5)", [0, 1, 1])  # (0.5 · 1/2 + 0.25 · 2/3) / (1 + 0.5 · 2/2 + 0.25 · 2/3)
    0.25
    >>> evaluate_one("Compat(p=0.5)", [1, 2])  # (0.5 · 2/2) / (1 + 0.5 · 2/2)
    0.3333
    """
    qrels = r.qrels
    rank = np.full(len(qrels), _NEVER)
    rank[r.judgment] = r.rank
    above = r.unretrieved_below
    place = rank if above is None else np.where(rank == _NEVER, above[qrels.query] + 0.5, rank)
    order = np.lexsort((place, -qrels.grade, qrels.query))
    order = order[qrels.grade[order] > 0]
    query, rank = qrels.query[order], rank[order]
    size = np.bincount(query, minlength=len(r))
    ideal_rank = np.arange(len(order)) - (np.cumsum(size) - size)[query] + 1
    depth = np.maximum(r.retrieved, size)
    i = np.arange(1, int(depth.max(initial=0)) + 1)
    weight = np.append(0.0, np.cumsum(p ** (i - 1.0) / i))
    last = depth[query]
    # Both rankings have a document from the rank on at which the second of them has it.
    both = np.minimum(np.maximum(rank, ideal_rank), last + 1)
    ideal = replace(r, query=query, rank=rank, judgment=order)
    ideal.show("ideal rank", ideal_rank)
    ideal.show("both from", both)
    overlap = ideal.sum(weight[last] - weight[both - 1], name="overlap", column="p^(j-1)/j from there on")
    if normalize:
        own = weight[last] - weight[ideal_rank - 1]
        most = totals(query, own, len(r))
        r.show_ideal({"p^(j-1)/j from here on": own}, name="most", total=most, rows=order)
        return r.step("Compat", "overlap / most", ratio(overlap, most))
    value = ratio((1.0 - p) * overlap, 1.0 - p ** depth.astype(np.float64))
    return r.step("Compat", "(1 - p) * overlap / (1 - p**n)", value, p=p, n=depth)
