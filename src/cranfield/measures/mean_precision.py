"""The mean of precision over the ranks: MeanP."""

from __future__ import annotations

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.long_sums import sums_to
from cranfield.measures.parameters import Cutoff, Rel
from cranfield.measures.registry import measure
from cranfield.measures.tie_forms import SHARES


@measure(
    "MeanP",
    at="cutoff",
    at_needed=True,
    defaults_at=(10,),
    fills_up=True,
    perfect=False,
    completion="corners",
    ties=SHARES,
    cites=("lavrenko-2011",),
)
def mean_precision(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""The mean of the precision at each of the first k ranks, relevant or not.

    .. math:: \mathrm{MeanP}@k = \frac{1}{k} \sum_{i=1}^{k} P@i =
        \frac{1}{k} \sum_{r=1}^{k} \mathrm{rel}_r \sum_{i=r}^{k} \frac{1}{i}

    A relevant document at rank r is worth about ln(k/r), whatever stands above it. A list shorter than k is filled up
    with documents that are not relevant; without any relevant document the value is 0. It does not depend on R and
    reaches 1 only if the first k documents are all relevant; `cranfield evaluate --best` shows what the best ranking
    reaches.

    Erratum: one of the notes writes this as MAP_k. It is not AP: AP adds up P@i at the relevant documents only and
    divides by R. For relevant documents at 1, 3, 6, 9, 10 of 5 and at 2, 5, 7 of 3 it is .5315 and .3254, where AP is
    .6222 and .4429.

    >>> evaluate_one("MeanP@3", [1, 0, 1])  # (1/1 + 1/2 + 2/3) / 3
    0.7222
    """
    assert cutoff is not None
    harmonic = sums_to(lambda rank: 1.0 / rank, np.append(cutoff, r.rank - 1))
    worth, relevant = harmonic[0] - harmonic[1:], r.at_least(rel)
    r.show("rel", relevant, cutoff)
    r.show("w = 1/i + ... + 1/k", worth, cutoff)
    total = r.sum(np.where(relevant, worth, 0.0), cutoff, name="sum", column="rel · w")
    return r.step("MeanP", "sum / k", total / cutoff, k=cutoff)
