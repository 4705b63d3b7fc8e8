"""Discounted cumulative gain: DCG, IdealDCG, nDCG, and trec_eval's averages nDCGrel and Rndcg."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from cranfield.data.rankings import Rankings, cumulative, totals
from cranfield.data.strings import Codes, Floats, Ints
from cranfield.measures.parameters import Choice, Cutoff, GainMap
from cranfield.measures.registry import measure, ratio

Gain = Annotated[str, Choice(("linear", "exponential"))]
Gains = Annotated[tuple[tuple[float, float], ...] | None, GainMap()]


def gain_of(grade: Floats, gain: str, gains: tuple[tuple[float, float], ...] | None) -> Floats:
    """What each grade is worth. Unjudged documents (negative grades) are worth nothing."""
    worth = np.maximum(grade, 0.0)
    if gain == "exponential":
        worth = np.exp2(worth) - 1.0
    for level, value in gains or ():
        worth = np.where(grade == level, value, worth)
    return worth


class Ideal(NamedTuple):
    """The documents worth something, best first: query, rank and gain, and where each query begins and ends."""

    query: Codes
    rank: Ints
    gain: Floats
    offset: Ints

    @classmethod
    def of(cls, r: Rankings, gain: str, gains: tuple[tuple[float, float], ...] | None) -> Ideal:
        query, _, grade = r.ideal()
        worth = gain_of(grade, gain, gains)
        if gains:
            order = np.lexsort((-worth, query))
            query, worth = query[order], worth[order]
        keep = worth > 0
        query, worth = query[keep], worth[keep]
        offset = np.searchsorted(query, np.arange(len(r) + 1))
        return cls(query, np.arange(len(query)) - offset[query] + 1, worth, offset)

    def size(self) -> Ints:
        """For each query, how many documents are worth something."""
        return np.diff(self.offset)

    def discounted(self) -> Floats:
        return self.gain / np.log2(self.rank + 1)

    def dcg(self, cutoff: int | None = None) -> Floats:
        """For each query, the DCG of the ideal ranking."""
        value = self.discounted()
        if cutoff is not None:
            value = np.where(self.rank <= cutoff, value, 0.0)
        return totals(self.query, value, len(self.offset) - 1)

    def running(self, values: Floats, query: Codes, depth: Ints) -> Floats:
        """For some queries, `values` added up to a depth (at least 1) or to the end of the query, if that is sooner."""
        totals = cumulative(self.query, values, len(self.offset) - 1)
        last = np.minimum(depth, self.size()[query])
        out = np.zeros(len(query))
        some = last > 0
        out[some] = totals[(self.offset[query] + last - 1)[some]]
        return out


@measure("DCG", at="cutoff", bounds=(-np.inf, np.inf), cites=("jarvelin-kekalainen-2002",))
def discounted_cumulative_gain(
    r: Rankings, *, gain: Gain = "linear", gains: Gains = None, cutoff: Cutoff = None
) -> Floats:
    r"""The gain of the documents, each divided by the logarithm of its rank.

    .. math:: \mathrm{DCG}@k = \sum_{i=1}^{k} \frac{g_i}{\log_2(i+1)}

    The gain g is the grade; `gain=exponential` makes it 2^grade − 1, and `gains=1:3;2:9` names gains one by one.

    >>> evaluate_one("DCG@3", [3, 2, 3])  # 3/1 + 2/1.585 + 3/2
    5.7619
    """
    worth = gain_of(r.grade, gain, gains)
    return r.sum(worth / np.log2(r.rank + 1), cutoff)


@measure("IdealDCG", aliases=("IDCG",), at="cutoff", bounds=(0.0, np.inf), cites=("jarvelin-kekalainen-2002",))
def ideal_discounted_cumulative_gain(
    r: Rankings, *, gain: Gain = "linear", gains: Gains = None, cutoff: Cutoff = None
) -> Floats:
    """The DCG of the best possible ranking: all judged documents, best first.

    >>> evaluate_one("IdealDCG@2", [0, 2], unretrieved=[3])  # 3/1 + 2/1.585
    4.2619
    """
    return Ideal.of(r, gain, gains).dcg(cutoff)


@measure("nDCG", at="cutoff", bounds=(-np.inf, 1.0), cites=("jarvelin-kekalainen-2002",))
def normalised_discounted_cumulative_gain(
    r: Rankings, *, gain: Gain = "linear", gains: Gains = None, cutoff: Cutoff = None
) -> Floats:
    r"""DCG divided by the DCG of the best possible ranking of all judged documents.

    .. math:: \mathrm{nDCG}@k = \frac{\mathrm{DCG}@k}{\mathrm{IdealDCG}@k}

    A query without relevant documents scores 0. Below 0 only if some gain is negative.

    >>> evaluate_one("nDCG@10", [0, 2], unretrieved=[3])  # (2/1.585) / (3/1 + 2/1.585) = 1.2619/4.2619
    0.2961
    """
    worth = gain_of(r.grade, gain, gains)
    return ratio(r.sum(worth / np.log2(r.rank + 1), cutoff), Ideal.of(r, gain, gains).dcg(cutoff))


@measure("nDCGrel", aliases=("ndcg_rel",), cites=("trec_eval",))
def ndcg_at_relevant(r: Rankings, *, gains: Gains = None) -> Floats:
    r"""nDCG averaged over the ranks of the relevant documents; a missed one counts with the nDCG of the whole list.

    .. math:: \frac{1}{R} \Big( \sum_{i : g_i > 0} \mathrm{nDCG}@i +
        (R - \mathrm{found}) \frac{\mathrm{DCG}}{\mathrm{IdealDCG}} \Big)

    R counts the documents with a gain above 0. A query without any scores 0.

    >>> evaluate_one("nDCGrel", [0, 1], unretrieved=[1])  # nDCG@2 = .6309/1.6309 = .3869 at both
    0.3869
    """
    ideal = Ideal.of(r, "linear", gains)
    worth = gain_of(r.grade, "linear", gains)
    reached = r.cumulative(worth / np.log2(r.rank + 1))
    possible = ideal.running(ideal.discounted(), r.query, r.rank)
    at_relevant = r.sum(np.where(worth > 0, ratio(reached, possible), 0.0))
    total, found = ideal.size(), r.count(worth > 0)
    missed = (total - found) * ratio(discounted_cumulative_gain(r, gains=gains), ideal.dcg())
    return ratio(at_relevant + missed, total)


@measure("Rndcg", cites=("trec_eval",))
def ndcg_at_grade_boundaries(r: Rankings, *, gains: Gains = None) -> Floats:
    r"""nDCG averaged over the ranks at which the ideal ranking passes from one gain to the next, and at the end.

    With 5 documents of gain 3, 3 of gain 2 and 10 of gain 1: nDCG@5, nDCG@8 and nDCG@18, and nDCG of the whole list if
    that is more than one document longer. A query without relevant documents scores 0.

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
    possible = ideal.running(ideal.discounted(), query, boundary)
    total = totals(query, ratio(reached, possible), queries)
    points = np.bincount(query, minlength=queries)
    whole = ratio(discounted_cumulative_gain(r, gains=gains), ideal.dcg())
    longer = (r.retrieved > ideal.size() + 1) & (points > 0)
    return ratio(total + np.where(longer, whole, 0.0), points + longer)


def _dcg_at(r: Rankings, worth: Floats, query: Codes, depth: Ints) -> Floats:
    """For some (query, depth) pairs, the DCG of the ranking down to that depth."""
    running = np.append(r.cumulative(worth / np.log2(r.rank + 1)), 0.0)
    stride = int(r.rank.max(initial=0)) + int(depth.max(initial=0)) + 1
    row = np.searchsorted(r.query.astype(np.int64) * stride + r.rank, query.astype(np.int64) * stride + depth, "right")
    return np.where(row > r.offset[query], running[row - 1], 0.0)
