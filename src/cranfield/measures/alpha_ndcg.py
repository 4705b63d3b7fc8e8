"""Discounted cumulative gain for several subtopics: alpha_DCG, alpha_nDCG."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.data.subtopics import SubtopicRankings
from cranfield.measures.novelty import GREEDY, Alpha, gained, gained_at_most, gained_by_ideal
from cranfield.measures.parameters import Cutoff, Flag, Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES

_TRAITS = {"at": "cutoff", "needs": "subtopics", "cites": ("clarke-2008", "clarke-2011"), "perfect": False}


def _discount(rank: Ints) -> Floats:
    value: Floats = 1.0 / np.log2(rank + 1)
    return value


@measure(
    "alpha_DCG", aliases=("α_DCG", "alpha-DCG", "α-DCG"), bounds=(0.0, np.inf), fills_up=True, ties=SHARES, **_TRAITS
)
def alpha_discounted_cumulative_gain(
    r: SubtopicRankings,
    *,
    alpha: Alpha = 0.5,
    normalize: Annotated[bool, Flag()] = True,
    rel: Rel = None,
    cutoff: Cutoff = None,
) -> Floats:
    r"""DCG in which a document gains for every subtopic it is relevant to, and less if the subtopic was seen before.

    .. math:: \alpha\mathrm{DCG}@k = \sum_{i=1}^{k} \frac{\sum_{t} \mathrm{rel}_{t,i} (1 - \alpha)^{c_{t,i}}}
        {\log_2(i+1)}

    c is the number of documents above rank i that are relevant to subtopic t. `alpha` is how much the second document
    on a subtopic is worth less than the first. This sum is divided by what a list would reach in which every document
    is relevant to every subtopic, so that values lie between 0 and 1 (ndeval's collection-independent normalisation):

    .. math:: M \sum_{i=1}^{k} \frac{(1 - \alpha)^{i-1}}{\log_2(i+1)}

    `normalize=False` gives the sum itself, as Clarke et al. define it. M counts the subtopics with a relevant document;
    the others do not count. Without a cutoff k is the length of the list. If probabilities of the subtopics are given
    (--intents), each gain is multiplied by M times the probability. A query without relevant documents scores 0.

    Elsewhere:
        ndeval: `alpha-DCG@k`, for k = 5, 10 and 20. At k = 1 (in pyndeval) the division is left out.
        ir_measures: `alpha_DCG@k`, from pyndeval, for k up to 20.

    >>> evaluate_one("alpha_DCG(normalize=False)@3", ["ab", "a", "c"])  # 2/1 + 0.5/1.585 + 1/2
    2.8155
    >>> evaluate_one("alpha_DCG@3", ["ab", "a", "c"])  # 2.8155 / (3 · (1/1 + 0.5/1.585 + 0.25/2)) = 2.8155 / 4.3214
    0.6515
    """
    value = gained(r, _discount, alpha=alpha, rel=rel, cutoff=cutoff)
    if not normalize:
        return r.step("alpha_DCG", "sum", value)
    return r.step(
        "alpha_DCG", "sum / most", ratio(value, gained_at_most(r, _discount, alpha=alpha, rel=rel, cutoff=cutoff))
    )


@measure("alpha_nDCG", aliases=("α_nDCG", "alpha-nDCG", "α-nDCG"), bounds=(0.0, GREEDY), ties=SHARES, **_TRAITS)
def alpha_normalised_discounted_cumulative_gain(
    r: SubtopicRankings, *, alpha: Alpha = 0.5, rel: Rel = None, cutoff: Cutoff = None
) -> Floats:
    r"""nDCG in which a document gains for every subtopic it is relevant to, and less if the subtopic was seen before.

    .. math:: \alpha\mathrm{nDCG}@k = \frac{\alpha\mathrm{DCG}@k}{\mathrm{ideal}\ \alpha\mathrm{DCG}@k}, \qquad
        \alpha\mathrm{DCG}@k = \sum_{i=1}^{k} \frac{\sum_{t} \mathrm{rel}_{t,i} (1 - \alpha)^{c_{t,i}}}{\log_2(i+1)}

    c is the number of documents above rank i that are relevant to subtopic t. `alpha` is how much the second document
    on a subtopic is worth less than the first. The ideal ranking takes at each rank the judged document that gains
    most, the one with the last identifier if several do. Finding the very best ranking is NP-hard, so that a run may
    beat this one and score above 1: rarely, and never more than e/(e−1). A query without relevant documents scores 0.
    If probabilities of the subtopics are given (--intents), gains are multiplied by them.

    Elsewhere:
        ndeval: `alpha-nDCG@k`, for k = 5, 10 and 20. It ranks by the rank column unless told `-traditional`.
        ir_measures: `alpha_nDCG@k`, from pyndeval, for k up to 20; equal scores by identifier, the first first.

    >>> evaluate_one("alpha_nDCG@3", ["ab", "a", "c"])  # (2/1 + 0.5/1.585 + 1/2) / (2/1 + 1/1.585 + 0.5/2)
    0.9773
    >>> evaluate_one("alpha_nDCG@2", ["a", "ab", ""])  # (1/1 + 1.5/1.585) / (2/1 + 0.5/1.585)
    0.8406
    """
    value = gained(r, _discount, alpha=alpha, rel=rel, cutoff=cutoff)
    ideal = gained_by_ideal(r, _discount, alpha=alpha, rel=rel, cutoff=cutoff)
    return r.step("alpha_nDCG", "sum / ideal", ratio(value, ideal))
