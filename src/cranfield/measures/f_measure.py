"""The weighted harmonic mean of precision and recall at a cutoff: F."""

from __future__ import annotations

from typing import Annotated

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Cutoff, NotNegative, Number, Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES

Beta = NotNegative
Alpha = Annotated[float | None, Number(0, 1)]
WEIGHTS = ("beta", "alpha")
"""The weight of recall against precision, or the share of precision: one of the two says it all."""


def weighted_harmonic_mean(precision: Floats, recall: Floats, beta: float, alpha: float | None) -> Floats:
    """F of precision and recall; 0 where both are 0. `alpha` counts instead of `beta` if it is given."""
    share = 1.0 / (1.0 + beta * beta) if alpha is None else alpha
    return ratio(precision * recall, share * recall + (1.0 - share) * precision)


def f_of(r: Rankings, precision: Floats, recall: Floats, beta: float, alpha: float | None) -> Floats:
    """F, the step that follows `precision` and `recall`."""
    value = weighted_harmonic_mean(precision, recall, beta, alpha)
    if alpha is not None:
        return r.step("F", "precision * recall / (alpha * recall + (1 - alpha) * precision)", value, alpha=alpha)
    return r.step("F", "(1 + beta**2) * precision * recall / (beta**2 * precision + recall)", value, beta=beta)


@measure(
    "F",
    aliases=("F1", "fbeta"),
    at="cutoff",
    alternatives=WEIGHTS,
    perfect=False,
    fills_up=True,
    completion="corners",
    ties=SHARES,
    cites=("van-rijsbergen-1979",),
)
def f_measure(r: Rankings, *, rel: Rel = None, beta: Beta = 1, alpha: Alpha = None, cutoff: Cutoff = None) -> Floats:
    r"""The weighted harmonic mean of precision and recall of the first k documents.

    .. math:: F@k = \frac{(\beta^2 + 1) \, P@k \, R@k}{\beta^2 P@k + R@k} =
        \frac{1}{\alpha / P@k + (1 - \alpha) / R@k}

    `beta` above 1 gives recall more weight, below 1 precision. `alpha` is the share of precision, β² = (1 − α)/α; one
    of the two may be given. Without a cutoff the whole list is taken as a set: `F` is `SetF`. A list shorter than k is
    filled up with documents that are not relevant, as for P. 0 where nothing relevant is found. `F@1..10` gives the
    value at every rank.

    Erratum: two of the notes say that β above 1 emphasises precision, and one of these that recall and precision are
    weighted α to 1 − α. Both are the other way round. The weight of recall is β²/(1 + β²), not β. The harmonic mean
    is 2/(1/P + 1/R), where one of the notes prints 2/(1/p + 1/p).

    Elsewhere:
        ranx: `f1@k` and `f1`, the same with β = 1.
        scikit-learn: `fbeta_score` of the two sets.
        trec_eval: only of the whole list, `set_F.x`, where x is β².
        ir_measures: only of the whole list, `SetF(beta=x)`, where x is β² though it is called beta.

    >>> evaluate_one("F@2", [1, 0, 1, 0], unretrieved=[1])  # P 1/2, R 1/3: 2·(1/6)/(5/6)
    0.4
    >>> evaluate_one("F(beta=2)@2", [1, 0, 1, 0], unretrieved=[1])  # 5·(1/6)/(4/2 + 1/3)
    0.3571
    """
    found, relevant = r.count(r.at_least(rel), cutoff, name="found"), r.relevant(rel)
    if cutoff is None:
        precision = r.step("precision", "found / n", ratio(found, r.retrieved), n=r.retrieved)
    else:
        precision = r.step("precision", "found / k", ratio(found, float(cutoff)), k=cutoff)
    recall = r.step("recall", "found / R", ratio(found, relevant), R=relevant)
    return f_of(r, precision, recall, beta, alpha)
