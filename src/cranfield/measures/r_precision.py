"""Where precision and recall meet: Rprec, precision at R, the number of relevant documents, and BreakEven."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints
from cranfield.measures.parameters import Choice, NotNegative, Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES, TieForm


def depth_at(multiple: float, relevant: Ints) -> Ints:
    """The rank at a multiple of the number of relevant documents."""
    depth: Ints = np.floor(multiple * relevant + 0.9).astype(np.int64)
    return depth


@measure("Rprec", aliases=("r-precision", "RPrec"), completion="at_r", ties=SHARES, cites=("buckley-voorhees-2000",))
def r_precision(r: Rankings, *, rel: Rel = None, multiple: NotNegative = 1) -> Floats:
    r"""Precision at R, where R is the number of relevant documents.

    .. math:: \mathrm{Rprec} = P@R = R@R

    It equals recall at R, and so is the break-even point, where precision is the same as recall. Whatever R is, the
    best system can reach 1, while with R = 8 no system has a P@20 above .4. `multiple` is m in precision at mR; a
    cutoff mR that is not whole is floor(mR + 0.9). A list shorter than R is filled up with documents that are not
    relevant. A query without relevant documents scores 0.

    Elsewhere:
        trec_eval: `Rprec`; `Rprec_mult_m` at the multiples 0.20 to 2.00.
        ir_measures: `Rprec` and `RPrec`.
        ranx: `r-precision`.

    >>> evaluate_one("Rprec", [1, 0, 1, 1], unretrieved=[1])  # R = 4; 3 of the first 4
    0.75
    >>> evaluate_one("Rprec(multiple=0.5)", [1, 0, 1, 1], unretrieved=[1])  # 1 of the first 2
    0.5
    """
    cutoff = depth_at(multiple, r.relevant(rel))
    value = ratio(r.count(r.at_least(rel), cutoff, name="found"), cutoff)
    return r.step("Rprec", "found / R" if multiple == 1 else "found / k", value, R=r.relevant(rel), k=cutoff)


def _completion(parameters: Mapping[str, Any]) -> str:
    return "at_r" if parameters["curve"] == "raw" else "cells"


@measure(
    "BreakEven",
    aliases=("break-even", "break_even"),
    completion=_completion,
    ties=TieForm(lambda parameters: parameters["curve"] == "raw"),
    cites=("manning-2008", "joachims-1998"),
)
def break_even_point(
    r: Rankings, *, rel: Rel = None, curve: Annotated[str, Choice(("raw", "interpolated"))] = "raw"
) -> Floats:
    r"""The value of precision and recall where the two are the same.

    .. math:: \mathrm{BreakEven} = P@R = R@R

    .. math:: \mathrm{BreakEven}_{\mathrm{interpolated}} = \max_i \min(P@i, R@i)

    With n relevant documents in the first i, precision n/i and recall n/R are the same at i = R, or where both are 0:
    on the raw curve the break-even point is `Rprec`. With `curve=interpolated` it is where interpolated precision, the
    best at that recall or beyond, crosses the diagonal; that is never lower, and it is higher if precision still rises
    below rank R. A list shorter than R is filled up with documents that are not relevant, so that both are what recall
    is at its end. A query without relevant documents scores 0.

    Elsewhere:
        text classification: the precision/recall break-even point (PRBEP), over thresholds of a score.

    >>> evaluate_one("BreakEven", [0, 1, 1, 0])  # R = 2; 1 of the first 2
    0.5
    >>> evaluate_one("BreakEven(curve=interpolated)", [0, 1, 1, 0])  # P@3 = 2/3 where recall is 1
    0.6667
    """
    if curve == "raw":
        return r.step("BreakEven", "Rprec", r_precision(r, rel=rel))
    relevant, at_r, best = r.at_least(rel), r_precision(r.unexplained(), rel=rel), np.zeros(len(r))
    recall = r.cumulative(relevant) / np.maximum(r.relevant(rel), 1)[r.query]
    precision = r.cumulative(relevant) / r.rank
    lower = np.minimum(precision, recall)
    for column, values in (("rel", relevant), ("P@i", precision), ("R@i", recall), ("min(P@i, R@i)", lower)):
        r.show(column, values)
    r.show_highest(lower, name="best", column="highest")
    np.maximum.at(best, r.query, lower)
    return r.step("BreakEven", "max(Rprec, best)", np.maximum(at_r, best), Rprec=at_r)
