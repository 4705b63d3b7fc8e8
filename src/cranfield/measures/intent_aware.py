"""Measures taken for each subtopic alone and averaged over the subtopics: ERR_IA, nERR_IA, AP_IA, P_IA."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.data.subtopics import SubtopicRankings
from cranfield.measures.novelty import GREEDY, Alpha, gained, gained_at_most, gained_by_ideal
from cranfield.measures.parameters import Cutoff, Flag, Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES, TieForm

_TRAITS = {"at": "cutoff", "needs": "subtopics", "perfect": False}


def _discount(rank: Ints) -> Floats:
    value: Floats = 1.0 / rank
    return value


@measure("ERR_IA", aliases=("ERR-IA",), fills_up=True, ties=SHARES, cites=("chapelle-2011", "agrawal-2009"), **_TRAITS)
def intent_aware_expected_reciprocal_rank(
    r: SubtopicRankings,
    *,
    alpha: Alpha = 0.5,
    normalize: Annotated[bool, Flag()] = True,
    rel: Rel = None,
    cutoff: Cutoff = None,
) -> Floats:
    r"""The expected reciprocal rank at which a reader interested in one of the subtopics is satisfied.

    .. math:: \frac{\sum_{i=1}^{k} \frac{1}{i} \sum_{t} \mathrm{rel}_{t,i} (1 - \alpha)^{c_{t,i}}}
        {M \sum_{i=1}^{k} \frac{1}{i} (1 - \alpha)^{i-1}}

    c is the number of documents above rank i that are relevant to subtopic t, M the number of subtopics with a relevant
    document. `alpha` is the probability that a relevant document satisfies, which ERR has as 1/2 where there is but one
    grade. The denominator is what a list reaches in which every document is relevant to every subtopic (ndeval's
    collection-independent normalisation).

    `normalize=False` gives the mean of ERR over the subtopics, as Chapelle et al. define it. For relevant documents of
    one grade that is

    .. math:: \frac{1}{M} \sum_{t} \sum_{i=1}^{k} \frac{1}{i} \mathrm{rel}_{t,i} \, \alpha (1 - \alpha)^{c_{t,i}}

    Without a cutoff k is the length of the list. If probabilities of the subtopics are given (--intents), they take
    the place of 1/M. A query without relevant documents scores 0.

    Elsewhere:
        ndeval: `ERR-IA@k`, for k = 5, 10 and 20. At k = 1 (in pyndeval) the division is left out.
        ir_measures: `ERR_IA@k`, from pyndeval, for k up to 20.

    >>> evaluate_one("ERR_IA@3", ["ab", "a", "c"])  # (2 + 0.5/2 + 1/3) / (3 · (1 + 0.5/2 + 0.25/3)) = 2.5833/4
    0.6458
    >>> evaluate_one("ERR_IA(normalize=False)@3", ["ab", "a", "c"])  # (0.5 · 2 + 0.25/2 + 0.5/3) / 3
    0.4306
    """
    value = gained(r, _discount, alpha=alpha, rel=rel, cutoff=cutoff)
    if not normalize:
        subtopics = r.relevant(rel).subtopics
        return r.step("ERR_IA", "alpha * sum / M", ratio(alpha * value, subtopics), alpha=alpha, M=subtopics)
    most = gained_at_most(r, _discount, alpha=alpha, rel=rel, cutoff=cutoff)
    return r.step("ERR_IA", "sum / most", ratio(value, most))


@measure(
    "nERR_IA",
    aliases=("nERR-IA",),
    bounds=(0.0, GREEDY),
    ties=SHARES,
    cites=("chapelle-2011", "agrawal-2009", "ndeval"),
    **_TRAITS,
)
def normalised_intent_aware_expected_reciprocal_rank(
    r: SubtopicRankings, *, alpha: Alpha = 0.5, rel: Rel = None, cutoff: Cutoff = None
) -> Floats:
    r"""ERR_IA divided by the ERR_IA of an ideal ranking of the judged documents.

    .. math:: \mathrm{nERR}_{\mathrm{IA}}@k = \frac{\mathrm{ERR}_{\mathrm{IA}}@k}
        {\mathrm{ideal}\ \mathrm{ERR}_{\mathrm{IA}}@k}

    The ideal ranking is that of alpha_nDCG: at each rank the document that gains most, the one with the last
    identifier if several do. It is not always the very best, so that a value may be above 1, though never above
    e/(e−1). `alpha` is the probability that a relevant document satisfies. A query without relevant documents scores 0.

    Elsewhere:
        ndeval: `nERR-IA@k`, for k = 5, 10 and 20.
        ir_measures: `nERR_IA@k`, from pyndeval, for k up to 20.

    >>> evaluate_one("nERR_IA@3", ["ab", "a", "c"])  # (2 + 0.5/2 + 1/3) / (2 + 1/2 + 0.5/3)
    0.9688
    """
    value = gained(r, _discount, alpha=alpha, rel=rel, cutoff=cutoff)
    ideal = gained_by_ideal(r, _discount, alpha=alpha, rel=rel, cutoff=cutoff)
    return r.step("nERR_IA", "sum / ideal", ratio(value, ideal))


@measure("AP_IA", aliases=("MAP_IA", "MAP-IA", "AP-IA"), ties=SHARES, cites=("agrawal-2009",), **_TRAITS)
def intent_aware_average_precision(r: SubtopicRankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""AP for each subtopic alone, averaged over the subtopics.

    .. math:: \mathrm{AP}_{\mathrm{IA}} = \frac{1}{M} \sum_{t} \mathrm{AP}_t

    M counts the subtopics with a relevant document. If probabilities of the subtopics are given (--intents), they take
    the place of 1/M. A query without relevant documents scores 0.

    Elsewhere:
        ndeval: `MAP-IA`, the same.
        ir_measures: `AP_IA`, from pyndeval.

    >>> evaluate_one("AP_IA", ["ab", "a", "c"])  # a: (1/1 + 2/2)/2 = 1, b: 1, c: 1/3
    0.7778
    """
    c, relevant = r.covered(rel), r.relevant(rel)
    precision = (c.before + 1) / c.rank
    parts = c.weight * precision / relevant.size[c.subtopic]
    r.show("precisions", c, precision)
    total = r.sum(c, parts, cutoff, name="sum", column="P@i / R, each subtopic")
    return r.step("AP_IA", "sum / M", ratio(total, relevant.subtopics), M=relevant.subtopics)


def _worth(r: SubtopicRankings, *, rel: float | None, **_: Any) -> Floats:
    c = r.covered(rel)
    return np.bincount(c.row, weights=c.weight, minlength=len(r.rankings.rank)).astype(np.float64, copy=False)


@measure(
    "P_IA",
    aliases=("P-IA",),
    at_needed=True,
    defaults_at=(5, 10, 20),
    fills_up=True,
    ties=TieForm(shares=True, worth=_worth),
    cites=("agrawal-2009",),
    **_TRAITS,
)
def intent_aware_precision(r: SubtopicRankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""P@k for each subtopic alone, averaged over the subtopics.

    .. math:: P_{\mathrm{IA}}@k = \frac{1}{M k} \sum_{t} \sum_{i=1}^{k} \mathrm{rel}_{t,i}

    M counts the subtopics with a relevant document. If probabilities of the subtopics are given (--intents), they take
    the place of 1/M. A query without relevant documents scores 0.

    Elsewhere:
        ndeval: `P-IA@k`, for k = 5, 10 and 20.
        ir_measures: `P_IA@k`, from pyndeval, for k up to 20.

    >>> evaluate_one("P_IA@3", ["ab", "a", "c"])  # a: 2/3, b: 1/3, c: 1/3
    0.4444
    """
    assert cutoff is not None
    c, subtopics = r.covered(rel), r.relevant(rel).subtopics
    total = r.sum(c, c.weight, cutoff, name="sum", column="subtopics")
    return r.step("P_IA", "sum / (M * k)", ratio(total, subtopics * np.float64(cutoff)), M=subtopics, k=cutoff)
