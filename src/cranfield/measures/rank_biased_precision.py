"""Rank-biased precision and how much of it is unknown: RBP, RBPResidual."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.dcg import Gains, gain_of
from cranfield.measures.parameters import Choice, Persistence, Rel
from cranfield.measures.registry import measure


@measure("RBP", shown=("p",), cites=("moffat-zobel-2008",))
def rank_biased_precision(
    r: Rankings,
    *,
    p: Persistence = 0.8,
    rel: Rel = None,
    gain: Annotated[str, Choice(("binary", "topic"))] = "binary",
    gains: Gains = None,
) -> Floats:
    r"""The rate at which a reader gains who goes on to the next document with probability p.

    .. math:: \mathrm{RBP} = (1 - p) \sum_i g_i \, p^{i-1}

    The gain is 1 for a relevant document. With `gain=topic` it is the grade, divided by the topic's highest grade where
    that is above 1 (trec_eval's `rbp`). Tools differ in p (0.8 and 0.9 are common), so the name always shows it.

    >>> evaluate_one("RBP(p=0.5)", [1, 0, 1])  # 0.5 · (1 + 0.25)
    0.625
    """
    if gain == "binary":
        worth = r.at_least(rel).astype(np.float64)
    else:
        judged = gain_of(r.qrels.grade, "linear", gains)
        highest, lowest = np.zeros(len(r)), np.zeros(len(r))
        np.maximum.at(highest, r.qrels.query, judged)
        np.minimum.at(lowest, r.qrels.query, judged)
        for _, value in gains or ():
            highest, lowest = np.maximum(highest, value), np.minimum(lowest, value)
        scale = (highest > 1) | (lowest < 0)
        worth = gain_of(r.grade, "linear", gains)
        judged_rows = scale[r.query] & (r.grade >= 0)
        span = np.where(scale, highest - lowest, 1.0)
        worth = np.where(judged_rows, (worth - lowest[r.query]) / span[r.query], worth)
    return (1.0 - p) * r.sum(worth * p ** (r.rank - 1.0))


@measure("RBPResidual", shown=("p",), more_is_better=False, cites=("moffat-zobel-2008",))
def rank_biased_precision_residual(
    r: Rankings,
    *,
    p: Persistence = 0.8,
    tail: Annotated[str, Choice(("always", "if-unjudged"))] = "always",
) -> Floats:
    r"""How much higher RBP would be if every unjudged document, and everything below the list, were relevant.

    .. math:: p^{n} + (1 - p) \sum_{i\ \mathrm{unjudged}} p^{i-1}

    The first term is the tail below the n documents retrieved; `tail=if-unjudged` leaves it out where everything
    retrieved is judged (trec_eval's `rbp_resid`).

    >>> evaluate_one("RBPResidual(p=0.5)", [1, None])  # 0.5² + 0.5 · 0.5
    0.5
    """
    below = p ** r.retrieved.astype(np.float64)
    judged = r.grade >= 0
    known = (1.0 - p) * r.sum(np.where(judged, p ** (r.rank - 1.0), 0.0))
    residual = below + np.maximum((1.0 - below) - known, 0.0)
    all_judged = r.count(judged) == r.retrieved
    residual = np.where(all_judged, below, residual)
    return np.where(all_judged, 0.0, residual) if tail == "if-unjudged" else residual
