"""Average precision from judgments with known inclusion probabilities, and how certain it is: statAP and its error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.query_sums import totals
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES


def needs_sampling(qrels: Qrels, parameters: Mapping[str, Any]) -> str | None:
    """What judgments lack that do not say how they were sampled."""
    if qrels.probability is not None or qrels.stratum is not None:
        return None
    return (
        "needs sampling information: the inclusion probability of each judged document (lines `query document grade "
        "method probability`), or the stratum of each document of the pool (lines `query 0 document stratum grade`), "
        "or a column named probability or stratum"
    )


def relevant_weights(r: Rankings, rel: float | None) -> Floats:
    """For each judgment, how many relevant documents it stands for: 1 / probability, 0 if it is not relevant."""
    relevant = r.qrels.grade >= (r.level if rel is None else rel)
    return ratio(relevant.astype(np.float64), r.qrels.inclusion)


def estimated_relevant(r: Rankings, rel: float | None) -> Floats:
    """For each query, the number of relevant documents in the whole pool, by Horvitz and Thompson."""
    weights = relevant_weights(r, rel)
    total = totals(r.qrels.query, weights, len(r))
    if r.working is not None:
        r.working.show("stands for", range(len(weights)), weights)
        r.working.add_up("R", "stands for", total[0])
    return total


class _Estimate(NamedTuple):
    """Average precision and what it was made of."""

    weight: Floats
    """For each judgment, how many relevant documents it stands for."""
    relevant: Floats
    """For each query, R."""
    found: Rankings
    """The relevant documents that were retrieved."""
    precision: Floats
    """For each of them, the precision at its rank."""
    average: Floats


def _estimate(r: Rankings, rel: float | None) -> _Estimate:
    weight, relevant = relevant_weights(r, rel), estimated_relevant(r, rel)
    found = r.only(r.at_least(rel))
    here = weight[found.judgment]
    precision = (1.0 + found.cumulative(here) - here) / found.rank
    found.show("P@i", precision)
    total = found.sum(here * precision, name="sum", column="stands for · P@i")
    average = r.step("statAP", "sum / R", ratio(total, relevant))
    return _Estimate(weight, relevant, found, precision, average)


_STATISTICAL: dict[str, Any] = {
    "check": needs_sampling,
    "sampling": "chances",
    "bounds": (0.0, np.inf),
    "perfect": False,
    "improves": False,
    "cites": ("aslam-pavlu-2007", "carterette-pavlu-2008", "horvitz-thompson-1952"),
}


@measure("statAP", aliases=("statMAP",), ties=SHARES, **_STATISTICAL)
def statistical_average_precision(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""AP estimated where each document was judged with a known probability, every one standing for those like it.

    .. math:: \frac{1}{\hat{R}} \sum_{i:\,\mathrm{rel}_i} \frac{1}{\pi_i} \cdot \frac{1}{i}
        \left(1 + \sum_{j < i:\,\mathrm{rel}_j} \frac{1}{\pi_j}\right), \qquad
        \hat{R} = \sum_{d\ \mathrm{relevant}} \frac{1}{\pi_d}

    where π is the chance a document had of being judged: its inclusion probability, or else the share of its stratum
    that was judged. In prels a document that was not left to chance (method 0 or 2) has π = 1. Documents not judged
    count nothing. A query without relevant documents scores 0. Where everything is judged for certain it is AP; an
    estimate from few judgments may be above 1. `statAPError` says how far it may be off.

    Elsewhere:
        statAP_MQ_eval: `AP`, `statMAP`, the same; it leaves out queries without relevant documents, and those for which
            no document was sampled (method 1, 2 or 4).

    >>> # The relevant documents stand for 1, 4 and 2, so R is estimated as 7:
    >>> # (1 · 1/1 + 4 · (1 + 1)/4) / 7 = 3/7
    >>> evaluate_one("statAP", [1, 0, None, 1], unretrieved=[1], probabilities=[1, 0.5, 0.25, 0.5])
    0.4286
    """
    return _estimate(r, rel).average


@measure(
    "statAPVar",
    aggregate="variance",
    **_STATISTICAL | {"more_is_better": None, "cites": (*_STATISTICAL["cites"], "sarndal-1992")},
)
def variance_of_statistical_average_precision(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""The variance of statAP: how much it would vary if other documents had been sampled, estimated from the sample.

    .. math:: \sum_i \frac{1 - \pi_i}{\pi_i^2} z_i^2, \qquad z_i = \frac{1}{\hat{R}} \left(\frac{1}{i}
        \Big(1 + \sum_{j < i:\,\mathrm{rel}_j} \frac{1}{\pi_j}\Big) + \sum_{k > i:\,\mathrm{rel}_k}
        \frac{1}{k \pi_k} - \mathrm{statAP}\right)

    where z is what one more relevant document like i would change (-statAP/R̂ for one that was not retrieved, 0 for one
    that is not relevant): the first-order approximation of a ratio. It assumes that documents were drawn independently
    of each other, each with its π, as the joint inclusion probabilities are not known.

    Where strata say how the documents were drawn they are known, and it is the variance of drawing n of the N documents
    of each stratum without replacement,

    .. math:: \sum_s N_s \frac{N_s - n_s}{n_s} \cdot \frac{1}{n_s - 1} \sum_{i \in s} (z_i - \bar{z}_s)^2

    over all judged documents of the stratum; one with a single judged document counts as drawn independently. Over all
    queries it is the variance of the mean: the sum divided by the square of the number of queries. It is 0 where
    everything is judged for certain, and where no relevant document was found. With few judgments it is too small: in
    simulations by 10 to 20 % with a tenth of the pool judged, by less than 10 % with a quarter.

    Elsewhere:
        statAP_MQ_eval: `varAP`, `VAR_MAP` differ: they add the squares of the first and the second part of z instead of
            squaring the sum, take the chance of two documents as π_i π_j (n - 1)/n, and version 4 multiplies by the
            judged documents over 0.1 more than those retrieved, to at most 1.

    >>> # R is estimated as 2 + 1 = 3 and statAP as (2 · 1 + 1 · (1 + 2)/2) / 3 = 7/6. The second document is certain,
    >>> # the first has z = (1 + 1/2 - 7/6) / 3 = 1/9, so the variance is (1 - 1/2) / (1/2)² · (1/9)²
    >>> evaluate_one("statAPVar", [1, 1], probabilities=[0.5, 1])
    0.0247
    """
    qrels, strata, estimate = r.qrels, r.qrels.strata, _estimate(r, rel)
    found, weight, total = estimate.found, estimate.weight, estimate.relevant
    share = weight[found.judgment] / found.rank
    below = found.sum(share)[found.query] - found.cumulative(share)
    value = np.zeros(len(qrels))
    value[found.judgment] = estimate.precision + below
    rows = np.flatnonzero(weight)  # of documents that are not relevant z is 0
    query, stratum, weight = qrels.query[rows], strata.of_judgment[rows], weight[rows]
    z = (value[rows] - estimate.average[query]) / total[query]
    by_chance = weight * (weight - 1.0) * z**2
    if qrels.probability is None:
        # A document's part in the variance of its stratum, unless it is alone: N (N - n) / n / (n - 1) z (z - mean)
        size, judged = strata.size[stratum], strata.judged[stratum]
        mean = np.bincount(stratum, weights=z, minlength=len(strata))[stratum] / judged
        by_stratum = ratio(size * (size - judged) * z * (z - mean), judged * (judged - 1))
        by_chance = np.where(judged > 1, by_stratum, by_chance)
    total = totals(query, by_chance, len(r))
    if r.working is not None:
        r.working.show("z", rows.tolist(), z)
        r.working.show("variance", rows.tolist(), by_chance)
        r.working.add_up("variance", "variance", total[0])
    return r.step("statAPVar", "max(variance, 0)", np.maximum(total, 0.0))


@measure(
    "statAPError",
    aggregate="error",
    **_STATISTICAL | {"more_is_better": None, "cites": (*_STATISTICAL["cites"], "sarndal-1992")},
)
def error_of_statistical_average_precision(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""The standard error of statAP: the square root of statAPVar.

    .. math:: \sqrt{\mathrm{statAPVar}}

    Over all queries it is the standard error of the mean, the root of the sum of squares divided by the number of
    queries: how far the mean may be off because not everything was judged, the queries being what they are. About 95 %
    of estimates lie within 2 standard errors. It is 0 for a query without relevant documents.

    Elsewhere:
        statAP_MQ_eval: the square root of `varAP` or `VAR_MAP`, which differ (see statAPVar).

    >>> evaluate_one("statAPError", [1, 1], probabilities=[0.5, 1])  # the root of 2/81 (see statAPVar)
    0.1571
    """
    variance = variance_of_statistical_average_precision(r, rel=rel)
    return r.step("statAPError", "sqrt(statAPVar)", np.sqrt(variance))
