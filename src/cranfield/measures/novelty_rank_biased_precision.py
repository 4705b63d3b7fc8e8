"""Rank-biased precision for several subtopics: NRBP, nNRBP."""

from __future__ import annotations

from functools import partial

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.data.subtopics import SubtopicRankings
from cranfield.measures.novelty import GREEDY, Alpha, gained, gained_by_ideal
from cranfield.measures.parameters import Persistence, Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES

_TRAITS = {"needs": "subtopics", "cites": ("clarke-2009",), "perfect": False}


def _discount(rank: Ints, beta: float) -> Floats:
    value: Floats = np.power(beta, rank - 1.0)
    return value


@measure("NRBP", ties=SHARES, **_TRAITS)
def novelty_and_rank_biased_precision(
    r: SubtopicRankings, *, alpha: Alpha = 0.5, beta: Persistence = 0.5, rel: Rel = None
) -> Floats:
    r"""RBP in which a document gains for every subtopic it is relevant to, and less if the subtopic was seen before.

    .. math:: \mathrm{NRBP} = \frac{1 - (1 - \alpha)\beta}{M} \sum_{i} \beta^{i-1}
        \sum_{t} \mathrm{rel}_{t,i} (1 - \alpha)^{c_{t,i}}

    c is the number of documents above rank i that are relevant to subtopic t, M the number of subtopics with a relevant
    document. `alpha` is how much the second document on a subtopic is worth less than the first. `beta` is the
    probability that a reader goes on to the next document. The first factor makes an endless list, in which every
    document is relevant to every subtopic, score 1. If probabilities of the subtopics are given (--intents), they take
    the place of 1/M. A query without relevant documents scores 0.

    Elsewhere:
        ndeval: `NRBP`, the same.
        ir_measures: `NRBP`, from pyndeval.

    >>> evaluate_one("NRBP", ["ab", "a", "c"])  # (1 - 0.25)/3 · (2 + 0.5 · 0.5 + 0.25 · 1)
    0.625
    """
    value = gained(r, partial(_discount, beta=beta), alpha=alpha, rel=rel)
    subtopics = r.relevant(rel).subtopics
    value = ratio((1.0 - (1.0 - alpha) * beta) * value, subtopics)
    return r.step("NRBP", "(1 - (1 - alpha) * beta) * sum / M", value, alpha=alpha, beta=beta, M=subtopics)


@measure("nNRBP", bounds=(0.0, GREEDY), ties=SHARES, **_TRAITS)
def normalised_novelty_and_rank_biased_precision(
    r: SubtopicRankings, *, alpha: Alpha = 0.5, beta: Persistence = 0.5, rel: Rel = None
) -> Floats:
    r"""NRBP divided by the NRBP of an ideal ranking of the judged documents.

    .. math:: \mathrm{nNRBP} = \frac{\mathrm{NRBP}}{\mathrm{ideal}\ \mathrm{NRBP}}

    The ideal ranking is that of alpha_nDCG: at each rank the document that gains most, the one with the last
    identifier if several do. It is not always the very best, so that a value may be above 1, though never above
    e/(e−1). `alpha` is how much the second document on a subtopic is worth less than the first. `beta` is the
    probability that a reader goes on to the next document. A query without relevant documents scores 0.

    Elsewhere:
        ndeval: `nNRBP`, which is not a number where nothing is relevant.
        ir_measures: `nNRBP`, from pyndeval.

    >>> evaluate_one("nNRBP", ["ab", "a", "c"])  # (2 + 0.5 · 0.5 + 0.25 · 1) / (2 + 0.5 · 1 + 0.25 · 0.5)
    0.9524
    """
    discount = partial(_discount, beta=beta)
    value = gained(r, discount, alpha=alpha, rel=rel)
    return r.step("nNRBP", "sum / ideal", ratio(value, gained_by_ideal(r, discount, alpha=alpha, rel=rel)))
