"""Rank-biased precision and how much of it is unknown: RBP, RBPResidual."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.gains import (
    GAINS_ONLY_WITH,
    Gains,
    HighestGrade,
    gain_of,
    grades_up_to_gmax,
    highest_gain,
)
from cranfield.measures.parameters import Choice, Cutoff, Persistence, Rel
from cranfield.measures.patience import persistent
from cranfield.measures.registry import measure
from cranfield.measures.tie_forms import TieForm, worth_to_reader
from cranfield.measures.user_model import Reader


def _scaled_by_topic(r: Rankings, gains: tuple[tuple[float, float], ...] | None) -> Floats:
    """The gain of each row, divided by the highest of its topic where that is above 1, as trec_eval does it."""
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
    return np.where(judged_rows, (worth - lowest[r.query]) / span[r.query], worth)


def _worth(
    r: Rankings, rel: float | None, gain: str, gmax: float, gains: tuple[tuple[float, float], ...] | None
) -> Floats:
    """What each row is worth, from 0 to 1."""
    if gain == "binary":
        return r.at_least(rel).astype(np.float64)
    if gain == "topic":
        return _scaled_by_topic(r, gains)
    return gain_of(r.grade, gain, gains) / highest_gain(gmax, gain, gains)


def _worth_to_reader(
    r: Rankings,
    *,
    rel: float | None,
    gain: str,
    gmax: float,
    gains: tuple[tuple[float, float], ...] | None,
    value: str,
    **_: Any,
) -> Floats:
    return worth_to_reader(r, _worth(r, rel, gain, gmax, gains), value)


def _judged(r: Rankings, **_: Any) -> Floats:
    return (r.grade >= 0).astype(np.float64)


def _reader(
    r: Rankings,
    *,
    p: float,
    rel: float | None,
    gain: str,
    gmax: float,
    gains: tuple[tuple[float, float], ...] | None,
    cutoff: int | None,
) -> Reader:
    top = r if cutoff is None else r.cut(cutoff)
    return Reader(persistent(p), top, _worth(top, rel, gain, gmax, gains))


def _completion(parameters: Mapping[str, Any]) -> str:
    return "topic_gains" if parameters["gain"] == "topic" else "reading"


@measure(
    "RBP",
    at="cutoff",
    shown=("p",),
    only_with=GAINS_ONLY_WITH | {"gains": {"gain": ("linear", "exponential", "topic")}},
    check=grades_up_to_gmax,
    perfect=False,
    reader=_reader,
    completion=_completion,
    ties=TieForm(shares=True, worth=_worth_to_reader),
    cites=("moffat-zobel-2008",),
)
def rank_biased_precision(
    r: Rankings,
    *,
    p: Persistence = 0.8,
    rel: Rel = None,
    gain: Annotated[str, Choice(("binary", "linear", "exponential", "topic"))] = "binary",
    gmax: HighestGrade = 1,
    gains: Gains = None,
    cutoff: Cutoff = None,
) -> Floats:
    r"""The rate at which a reader gains who goes on to the next document with probability p.

    .. math:: \mathrm{RBP} = (1 - p) \sum_i g_i \, p^{i-1}

    `p` is the persistence of the reader; tools differ in it (0.8, 0.9 and 0.95 are common), so the name always shows
    it.

    The `gain` g is 1 for a relevant document (`binary`), the grade divided by gmax (`linear`),
    (2^grade − 1) / (2^gmax − 1) (`exponential`), or the grade divided by the highest of the topic where that is above 1
    (`topic`). With binary gains a document is relevant from the grade `rel` on. `gmax` is the highest grade there can
    be, for linear and exponential gains; a grade above it is an error. For all but binary gains, `gains=1:1;2:4;3:9`
    names what single grades are worth.

    An unjudged document gains nothing, and neither does what is below the end of the list: RBPResidual says how much
    that may be. Even the best ranking stays below 1. As a user model it is C(i) = p.

    Elsewhere:
        trec_eval: `rbp` (since 10) is `RBP(p=0.9,gain=topic)`.
        ir_measures: `RBP(p=0.8)`, binary, computed by cwl_eval to depth 1000.
        ranx: `rbp.80`, with the grades as they are as gains, so that it may be above 1.
        cwl_eval: `RBPCWLMetric`, with the grades as they are as gains and p 0.9.
        rbp_eval: grades from 0 to 1 are `gain=linear`, `-b x` is `rel=x`, `-f x` multiplies grades by x (`gmax` is
            1/x), `-d` is the cutoff; tied documents share their gains.
        NTCIREVAL: `RBP` is `RBP(p=0.95,gain=linear)`, with gmax and gains as its `-g` says.

    >>> evaluate_one("RBP(p=0.5)", [1, 0, 1])  # 0.5 · (1 + 0.25)
    0.625
    >>> evaluate_one("RBP(p=0.5,gain=linear,gmax=2)@2", [1, 2, 2])  # 0.5 · (1/2 + 0.5 · 2/2)
    0.5
    """
    worth, weight = _worth(r, rel, gain, gmax, gains), p ** (r.rank - 1.0)
    r.show("gain", worth)
    r.show("p^(i-1)", weight)
    total = r.sum(worth * weight, cutoff, name="sum", column="gain · p^(i-1)")
    return r.step("RBP", "(1 - p) * sum", (1.0 - p) * total, p=p)


@measure(
    "RBPResidual",
    at="cutoff",
    shown=("p",),
    more_is_better=None,
    ties=TieForm(lambda parameters: parameters["tail"] == "always", worth=_judged),
    cites=("moffat-zobel-2008",),
)
def rank_biased_precision_residual(
    r: Rankings,
    *,
    p: Persistence = 0.8,
    tail: Annotated[str, Choice(("always", "if-unjudged"))] = "always",
    cutoff: Cutoff = None,
) -> Floats:
    r"""How much higher RBP would be if every unjudged document, and everything below the list, were relevant.

    .. math:: p^{n} + (1 - p) \sum_{i\ \mathrm{unjudged}} p^{i-1}

    `p` is the persistence of the reader. The first term is the tail below the n documents retrieved, or below the
    cutoff if that is sooner; `tail=if-unjudged` leaves it out where everything retrieved is judged.

    Elsewhere:
        trec_eval: `rbp_resid` (since 10) is `RBPResidual(p=0.9,tail=if-unjudged)`.
        rbp_eval: the second number it prints, the same; tied documents share what is unknown.
        cwl_eval: the residual of `RBPCWLMetric`, to depth 1000.

    >>> evaluate_one("RBPResidual(p=0.5)", [1, None])  # 0.5² + 0.5 · 0.5
    0.5
    >>> evaluate_one("RBPResidual(p=0.5)@1", [1, None])  # 0.5¹
    0.5
    """
    top = r if cutoff is None else r.cut(cutoff)
    below = p ** top.retrieved.astype(np.float64)
    judged = top.grade >= 0
    weight = top.sum(np.where(judged, p ** (top.rank - 1.0), 0.0), name="judged", column="p^(i-1), judged")
    known = top.step("known", "(1 - p) * judged", (1.0 - p) * weight, p=p)
    residual = below + np.maximum((1.0 - below) - known, 0.0)
    all_judged = top.count(judged) == top.retrieved
    residual = np.where(all_judged, below, residual)
    top.step("tail", "p ** n", below, n=top.retrieved, p=p)
    if tail == "if-unjudged":
        some = ~all_judged
        formula = "some_unjudged * (tail + max(1 - tail - known, 0))"
        return top.step("RBPResidual", formula, np.where(some, residual, 0.0), some_unjudged=some)
    return top.step("RBPResidual", "tail + max(1 - tail - known, 0)", residual)
