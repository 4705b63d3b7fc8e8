"""trec_eval's averages of nDCG over chosen ranks: nDCGrel, Rndcg."""

from __future__ import annotations

import numpy as np

from cranfield.data.query_sums import totals
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Codes, Floats, Ints
from cranfield.measures.dcg import normalised_discounted_cumulative_gain
from cranfield.measures.gains import Gains, Ideal, discount_of, gain_of
from cranfield.measures.parameters import Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES_WHOLE_LISTS


@measure("nDCGrel", aliases=("ndcg_rel",), completion="whole_range", ties=SHARES_WHOLE_LISTS, cites=("trec_eval",))
def ndcg_at_relevant_documents(r: Rankings, *, gains: Gains = None) -> Floats:
    r"""nDCG averaged over the ranks of the relevant documents; a missed one counts with the nDCG of the whole list.

    .. math:: \frac{1}{R} \Big( \sum_{i : g_i > 0} \mathrm{nDCG}@i +
        (R - \mathrm{found}) \frac{\mathrm{DCG}}{\mathrm{IdealDCG}} \Big)

    The `gains` of single grades are named as in `gains=1:3;2:9`; the others are their own gain. R counts the documents
    with a gain above 0. A query without any scores 0.

    Elsewhere:
        trec_eval: `ndcg_rel`, the same.

    >>> evaluate_one("nDCGrel", [0, 1], unretrieved=[1])  # nDCG@2 = .6309/1.6309 = .3869 at both
    0.3869
    """
    ideal = Ideal.of(r, "linear", gains)
    whole = normalised_discounted_cumulative_gain(r, gains=gains)
    worth = gain_of(r.grade, "linear", gains)
    reached = r.cumulative(worth / discount_of(r.rank))
    possible = ideal.at(ideal.cumulative(ideal.gain / discount_of(ideal.rank)), r.query, r.rank)
    r.show("DCG@i", reached)
    r.show("IdealDCG@i", possible)
    total, found = ideal.size(), r.count(worth > 0, name="found")
    at_relevant = r.sum(np.where(worth > 0, ratio(reached, possible), 0.0), name="sum", column="rel · nDCG@i")
    missed = (total - found) * whole
    return r.step("nDCGrel", "(sum + (R - found) * nDCG) / R", ratio(at_relevant + missed, total), R=total)


@measure("Rndcg", completion="whole_range", cites=("trec_eval",))
def ndcg_at_grade_boundaries(r: Rankings, *, rel: Rel = None, gains: Gains = None) -> Floats:
    r"""nDCG averaged over the ranks at which the ideal ranking passes from one gain to the next, and at the end.

    .. math:: \frac{1}{|B|} \sum_{b \in B} \mathrm{nDCG}@b

    B has the ranks of the boundaries. With 5 documents of gain 3, 3 of gain 2 and 10 of gain 1: nDCG@5, nDCG@8 and
    nDCG@18, and nDCG of the whole list if that is more than one document longer. The `gains` of single grades are named
    as in `gains=1:3;2:9`; the others are their own gain. A query without a document of grade `rel` or higher scores 0;
    beyond that `rel` changes nothing.

    Elsewhere:
        trec_eval: `Rndcg`, the same; `rel` is its `-l`.

    >>> evaluate_one("Rndcg", [1, 2])  # @1: 1/2; @2: (1 + 2/1.585) / (2 + 1/1.585) = .8597; mean
    0.6799
    """
    ideal = Ideal.of(r, "linear", gains)
    queries = len(r)
    last_of_level = np.flatnonzero(
        np.append((ideal.query[1:] != ideal.query[:-1]) | (ideal.gain[1:] != ideal.gain[:-1]), True)
        if len(ideal.query)
        else np.zeros(0, dtype=np.bool_)
    )
    query, boundary = ideal.query[last_of_level], ideal.rank[last_of_level]
    reached = _dcg_at(r, gain_of(r.grade, "linear", gains), query, boundary)
    possible = ideal.cumulative(ideal.gain / discount_of(ideal.rank))[last_of_level]
    at_boundary = ratio(reached, possible)
    total = totals(query, at_boundary, queries)
    points = np.bincount(query, minlength=queries)
    whole = normalised_discounted_cumulative_gain(r, gains=gains)
    if r.working is not None:
        column = np.zeros(len(ideal.query))
        column[last_of_level] = at_boundary
        r.show_ideal({"nDCG@b": column}, name="sum", total=total)
    longer = (r.retrieved > ideal.size() + 1) & (points > 0)
    value = ratio(total + np.where(longer, whole, 0.0), points + longer)
    counts = r.relevant(rel) > 0
    return r.step(
        "Rndcg",
        "counts * (sum + longer * nDCG) / (boundaries + longer)",
        np.where(counts, value, 0.0),
        counts=counts,
        boundaries=points,
        longer=longer,
    )


def _dcg_at(r: Rankings, worth: Floats, query: Codes, depth: Ints) -> Floats:
    """For some (query, depth) pairs, the DCG of the ranking down to that depth."""
    running = np.append(r.cumulative(worth / discount_of(r.rank)), 0.0)
    stride = int(r.rank.max(initial=0)) + int(depth.max(initial=0)) + 1
    row = np.searchsorted(r.query.astype(np.int64) * stride + r.rank, query.astype(np.int64) * stride + depth, "right")
    return np.where(row > r.offset[query], running[row - 1], 0.0)
