"""nDCG from a sample drawn from strata of the pool: infNDCG."""

from __future__ import annotations

import numpy as np

from cranfield.data.query_sums import cumulative, totals
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.extended_inferred_ap import FROM_STRATA
from cranfield.measures.gains import Gain, Gains, discount_of, gain_of
from cranfield.measures.parameters import Cutoff
from cranfield.measures.registry import measure, ratio


@measure("infNDCG", aliases=("infnDCG",), at="cutoff", bounds=(-np.inf, np.inf), perfect=False, **FROM_STRATA)
def inferred_ndcg(r: Rankings, *, gain: Gain = "linear", gains: Gains = None, cutoff: Cutoff = None) -> Floats:
    r"""nDCG estimated where a random sample of each stratum of the pool was judged.

    .. math:: \frac{1}{\hat{I}} \sum_s \frac{\mathrm{pool}_{s,k}}{\mathrm{judged}_{s,k}} \sum_{i \le k,\ i \in s}
        \frac{g_i}{\log_2(i+1)}

    where pool and judged count the documents of stratum s among the first k: those judged stand for all. The ideal Î is
    the DCG at k of a ranking that has as many documents of each gain as there should be,

    .. math:: \hat{R}_g = \sum_s \mathrm{judged}_{s,g} \frac{N_s}{n_s}

    rounded to a whole number, the highest gains first; stratum s has N_s documents, of which n_s were judged. The gain
    g is the grade; `gain=exponential` makes it 2^grade − 1, and `gains=1:3;2:9` names gains one by one. Documents that
    are in the pool but were not judged have grade -1. A query without relevant documents scores 0. Where the whole pool
    was judged it is nDCG; an estimate from few judgments may be above 1.

    Elsewhere:
        sample_eval: `infNDCG`, the same at 1000, with the grade as gain (`-G` names others). Where it estimates more
            than 1000 relevant documents its ideal has one document of each further grade below rank 1000.

    >>> # Among the first 3: stratum a 1 · 2/1 (one of one judged), stratum b 2/1 · 1/log2(4) (one of two judged).
    >>> # Ideal: 1 of gain 2, and 1 · 3/2 = 1.5 of gain 1, rounded to 2: 2/1 + 1/1.585 + 1/2 = 3.1309
    >>> evaluate_one("infNDCG@3", [2, -1, 1], unretrieved=[0], strata="abbb")
    0.9582
    """
    strata = r.qrels.strata
    rows = np.ones(len(r.rank), dtype=np.bool_) if cutoff is None else r.rank <= cutoff
    stratum = strata.of_judgment[r.judgment]
    judged = r.grade >= 0
    pooled = np.bincount(stratum[rows], minlength=len(strata))
    share = ratio(pooled.astype(np.float64), np.bincount(stratum[rows & judged], minlength=len(strata)))
    worth = np.where(judged, gain_of(r.grade, gain, gains), 0.0)
    stands_for, discounted = share[stratum], discount_of(r.rank)
    r.show("gain", worth)
    r.show("stands for", stands_for)
    r.show("discount", discounted)
    found = r.sum(worth * stands_for / discounted, cutoff, name="DCG", column="gain · stands for / discount")
    ideal = _estimated_ideal(r, gain, gains, cutoff)
    return r.step("infNDCG", "DCG / ideal", ratio(found, ideal), ideal=ideal)


def _estimated_ideal(
    r: Rankings, gain: str, gains: tuple[tuple[float, float], ...] | None, cutoff: int | None
) -> Floats:
    """For each query, the DCG of the estimated numbers of documents of each gain, best first."""
    qrels, strata = r.qrels, r.qrels.strata
    worth = np.where(qrels.grade >= 0, gain_of(qrels.grade, gain, gains), 0.0)
    rows = np.flatnonzero(worth > 0)
    rows = rows[np.lexsort((strata.of_judgment[rows], -worth[rows], qrels.query[rows]))]
    query, worth, stratum = qrels.query[rows], worth[rows], strata.of_judgment[rows]
    # One level for each gain of a query, which has a part in each stratum.
    level = _groups(query, worth)
    part = _groups(level, stratum)
    heads = np.flatnonzero(np.diff(part, prepend=-1))
    number = np.diff(heads, append=len(rows)) * strata.size[stratum[heads]] / strata.judged[stratum[heads]]
    number = np.floor(np.bincount(level[heads], weights=number) + 0.5)
    heads = np.flatnonzero(np.diff(level, prepend=-1))
    query, worth = query[heads], worth[heads]
    last = cumulative(query, number, len(r))
    first = last - number
    if cutoff is not None:
        first, last = np.minimum(first, cutoff), np.minimum(last, cutoff)
    discounts = 1.0 / discount_of(np.arange(1, int(last.max(initial=0)) + 1))
    upto = np.concatenate(([0.0], np.cumsum(discounts)))
    return totals(query, worth * (upto[last.astype(np.int64)] - upto[first.astype(np.int64)]), len(r))


def _groups(*columns: np.typing.NDArray[np.generic]) -> np.typing.NDArray[np.int64]:
    """For each row of sorted columns, how many different rows stand above it."""
    new = np.zeros(len(columns[0]), dtype=np.bool_)
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return np.cumsum(new)
