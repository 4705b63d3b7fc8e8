"""Average precision and precision from a sample drawn from strata of the pool: xinfAP, infP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.query_sums import totals
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Bools, Floats, Ints
from cranfield.measures.parameters import Cutoff, Rel
from cranfield.measures.precision import CUTOFFS
from cranfield.measures.registry import measure, ratio

EPSILON = 0.00001


def needs_strata(qrels: Qrels, parameters: Mapping[str, Any]) -> str | None:
    """What judgments lack that say nothing of strata."""
    if qrels.stratum is not None:
        return None
    return (
        "needs strata: the stratum each document of the pool was sampled from, and grade -1 for those not judged "
        "(lines `query 0 document stratum grade`, or a column named stratum)"
    )


FROM_STRATA: dict[str, Any] = {
    "check": needs_strata,
    "sampling": "strata",
    "improves": False,
    "cites": ("yilmaz-kanoulas-aslam-2008", "sample_eval"),
}
"""Traits of every estimate from strata."""


@measure("xinfAP", at="cutoff", **FROM_STRATA)
def extended_inferred_average_precision(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""AP estimated where a random sample of each stratum of the pool was judged, some strata more densely than others.

    .. math:: \frac{1}{\hat{R}} \sum_{k:\,\mathrm{rel}_k} \frac{N_k}{n_k} \cdot \frac{1}{k} \left(1 + \sum_s
        \mathrm{pool}_{s,k-1} \cdot
        \frac{\mathrm{rel}_{s,k-1} + \varepsilon}{\mathrm{judged}_{s,k-1} + 3\varepsilon}\right), \qquad
        \hat{R} = \sum_s \mathrm{rel}_s \frac{N_s}{n_s}

    The stratum of the document at rank k has N_k documents, of which n_k were judged; pool, rel and judged count the
    documents of stratum s above rank k, and ε = 0.00001. Documents that are in the pool but were not judged have grade
    -1; all others are not relevant. A stratum without a judged document counts as one without relevant documents. With
    a cutoff only the first k ranks are summed. A query without relevant documents scores 0. Where the whole pool was
    judged it is AP, but for ε.

    Moving a relevant document up past one that was not judged can lower the estimate: what is above it is then known
    less well.

    Elsewhere:
        sample_eval: `infAP`, the same at 1000; a grade above 0 is relevant.
        trec_eval: `infAP` knows one stratum only, and has 2ε where sample_eval has 3ε.

    >>> # Stratum a: 2 of 2 judged. Stratum b: 2 of 4 judged, so each stands for 2; R is estimated as 1 + 2 = 3.
    >>> # (1 · 1/1 · 1 + 2 · 1/4 · (1 + [a] 2 · 1/2 + [b] 1 · 1/3)) / 3; of the one above it in b nothing is known: 1/3
    >>> evaluate_one("xinfAP", [1, 0, -1, 1], unretrieved=[0, -1], strata="aabbbb")
    0.7222
    """
    qrels, chance = r.qrels, r.qrels.strata.chance
    relevant = np.flatnonzero(qrels.grade >= (r.level if rel is None else rel))
    estimated = totals(qrels.query[relevant], 1.0 / chance[relevant], len(r))
    found = relevant_found(r, rel)
    above = r.cumulative(found) - found
    rows = np.flatnonzero(r.at_least(rel) & (r.rank <= (cutoff or np.inf)))
    precision = (1.0 + above[rows]) / r.rank[rows]
    r.show("rel above", above[rows], rows=rows)
    r.show("P@i", precision, rows=rows)
    r.show("chance", chance[r.judgment[rows]], rows=rows)
    total = r.sum(precision / chance[r.judgment[rows]], rows=rows, name="sum", column="P@i / chance")
    return r.step("xinfAP", "sum / R", ratio(total, estimated), R=estimated)


@measure("infP", at="cutoff", at_needed=True, defaults_at=CUTOFFS, perfect=False, **FROM_STRATA)
def inferred_precision(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""Precision at k estimated where a random sample of each stratum of the pool was judged.

    .. math:: \frac{1}{k} \sum_s \mathrm{pool}_{s,k} \cdot
        \frac{\mathrm{rel}_{s,k} + \varepsilon}{\mathrm{judged}_{s,k} + 3\varepsilon}

    where pool, rel and judged count the documents of stratum s among the first k, and ε = 0.00001. A list shorter than
    k is filled up with documents that are not relevant. Where no document of a stratum was judged among the first k, a
    third of them counts as relevant.

    Elsewhere:
        sample_eval: `iP10`, `iP50`, `iP1000`, the same.

    >>> evaluate_one("infP@4", [1, 0, -1, 1], unretrieved=[0], strata="aabbb")  # ([a] 2 · 1/2 + [b] 2 · 1/1) / 4
    0.75
    """
    assert cutoff is not None
    found = r.sum(relevant_found(r, rel), cutoff, name="found", column="rel, estimated")
    return r.step("infP", "found / k", found / cutoff, k=cutoff)


def relevant_found(r: Rankings, rel: float | None) -> Floats:
    """For each row, by how much the relevant documents estimated to have been found change with it.

    Of the documents of a stratum down to some rank the share is relevant that is so among those judged.
    """
    stratum = r.qrels.strata.of_judgment[r.judgment]
    order = np.argsort(stratum, kind="stable")  # within a stratum the order of rank stays
    stratum = stratum[order]
    head = np.flatnonzero(np.diff(stratum, prepend=-1))
    size = np.diff(head, append=len(order))

    def so_far(chosen: Bools) -> Ints:
        count = np.cumsum(chosen[order])
        return count - np.repeat(count[head] - chosen[order[head]], size)

    pool = np.arange(1, len(order) + 1) - np.repeat(head, size)
    estimated = pool * (so_far(r.at_least(rel)) + EPSILON) / (so_far(r.grade >= 0) + 3 * EPSILON)
    change = np.diff(estimated, prepend=0.0)
    change[head] = estimated[head]
    found = np.empty(len(order))
    found[order] = change
    return found
