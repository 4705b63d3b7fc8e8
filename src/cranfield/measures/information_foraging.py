"""Readers as foragers for information, with a goal, a rate of gain or both: IFT_C1, IFT_C2, IFT_C1_C2."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.data.strings import Floats
from cranfield.measures.parameters import NotNegative, Positive
from cranfield.measures.readers import user_model
from cranfield.measures.user_model import Ranks, Stretch, UserModel

_HIGHEST_EXPONENT = 700.0
"""e to the power of more than that is too large for a floating-point number."""
_FOR_NOTHING = 1e100
"""The rate at which a reader gains who has spent nothing yet."""
_FORAGING: dict[str, Any] = {
    "leaves_after": 1000,
    "perfect": False,
    "completion": "beginnings",
    "cites": ("azzopardi-2018",),
}
_BY_RATE: dict[str, Any] = {
    "costly": True,
    "without_costs": "A is the gain expected of a document, not of a unit of time",
}


@user_model("IFT_C1", aliases=("IFT-C1",), shown=("T",), improves=False, **_FORAGING)
def information_foraging_with_a_goal(*, T: Positive = 2, b1: Positive = 0.9, R1: NotNegative = 10) -> UserModel:
    r"""The gain for each document read by someone who goes on as long as less than T was found.

    .. math:: \mathrm{IFT_{C1}} = \sum_i W(i) \, g_i, \qquad C(i) = 1 - \frac{1}{1 + b_1 e^{(T - G_i) R_1}}, \qquad
        G_i = \sum_{j=1}^{i} g_j

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. `T` is the gain that is looked for. `R1` is how
    strictly the reader keeps to it: with 0 not at all, and if it is large the reader stops as soon as T is found. `b1`
    decides alone where R1 is 0, as the p of RBP does. Whoever does not find T would go on for ever. `cutoff` is the
    rank after which the reader leaves at the latest. The `gain` g is 1 for a relevant document (`binary`), the grade
    divided by gmax (`linear`) or (2^grade − 1) / (2^gmax − 1) (`exponential`). A query without relevant documents
    scores 0.

    Elsewhere:
        cwl_eval: `IFTGoalCWLMetric(T, b1, R1)`, with the grades as they are as gains. It has no defaults; those here
            are the values of its examples.

    >>> evaluate_one("IFT_C1(T=1,b1=1,R1=0)@2", [1, 0])  # C(1) = 1/2: 1 / (1 + 1/2)
    0.6667
    """

    def stretch(s: Stretch) -> tuple[Floats, Floats]:
        drawn = np.clip(_drawn_by_goal(s.gains, T, b1, R1), -_HIGHEST_EXPONENT, _HIGHEST_EXPONENT)
        logarithm = -np.log1p(np.exp(-drawn))  # of C, exact even where C is 1 but for what rounding leaves
        return np.exp(s.steps * logarithm), -np.expm1((s.steps + 1.0) * logarithm) * (1.0 + np.exp(drawn))

    return UserModel(lambda at: _chance(_drawn_by_goal(at.gains, T, b1, R1)), stretch, closed=(0.0,))


@user_model("IFT_C2", aliases=("IFT-C2",), shown=("A",), improves=False, **_BY_RATE, **_FORAGING)
def information_foraging_with_a_rate(*, A: Positive = 0.2, b2: Positive = 0.9, R2: NotNegative = 10) -> UserModel:
    r"""The gain for each document read by someone who goes on as long as it pays.

    .. math:: \mathrm{IFT_{C2}} = \sum_i W(i) \, g_i, \qquad C(i) = \frac{1}{1 + b_2 e^{(A - G_i / K_i) R_2}}, \qquad
        G_i = \sum_{j=1}^{i} g_j, \quad K_i = \sum_{j=1}^{i} c_j

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. `A` is the gain that is expected for each unit
    of cost. The cost c of a document is 1 unless `--costs` says otherwise. `R2` is how strictly the reader keeps to
    that rate: with 0 not at all. `b2` decides alone where R2 is 0. `cutoff` is the rank after which the reader leaves
    at the latest. The `gain` g is 1 for a relevant document (`binary`), the grade divided by gmax (`linear`) or
    (2^grade − 1) / (2^gmax − 1) (`exponential`). A query without relevant documents scores 0.

    Elsewhere:
        cwl_eval: `IFTRateCWLMetric(A, b2, R2)`, with the grades as they are as gains. It has no defaults; those here
            are the values of its examples.

    >>> evaluate_one("IFT_C2(A=1,b2=1,R2=0)@2", [1, 0])  # C(1) = 1/2: 1 / (1 + 1/2)
    0.6667
    """
    return UserModel(lambda at: _chance(_drawn_by_rate(at, A, b2, R2)))


@user_model("IFT_C1_C2", aliases=("IFT-C1-C2",), shown=("T", "A"), improves=False, **_BY_RATE, **_FORAGING)
def information_foraging_with_a_goal_and_a_rate(
    *,
    T: Positive = 2,
    b1: Positive = 0.9,
    R1: NotNegative = 10,
    A: Positive = 0.2,
    b2: Positive = 0.9,
    R2: NotNegative = 10,
) -> UserModel:
    r"""The gain for each document read by someone who goes on as long as less than T was found and it pays.

    .. math:: \mathrm{IFT_{C1C2}} = \sum_i W(i) \, g_i, \qquad C(i) = C_1(i) \, C_2(i)

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. C(i) is the product of the chances of IFT_C1
    and of IFT_C2. `T` is the gain that is looked for. `R1` is how strictly the reader keeps to it. `b1` decides alone
    where R1 is 0. `A` is the gain that is expected for each unit of cost, which is 1 for a document unless `--costs`
    says otherwise. `R2` is how strictly the reader keeps to that rate. `b2` decides alone where R2 is 0. `cutoff` is
    the rank after which the reader leaves at the latest. The `gain` g is 1 for a relevant document (`binary`), the
    grade divided by gmax (`linear`) or (2^grade − 1) / (2^gmax − 1) (`exponential`). A query without relevant documents
    scores 0.

    Elsewhere:
        cwl_eval: `IFTGoalRateCWLMetric(T, b1, R1, A, b2, R2)`, with the grades as they are as gains. It has no
            defaults; those here are the values of its examples.

    >>> evaluate_one("IFT_C1_C2(b1=1,R1=0,b2=1,R2=0)@2", [1, 0])  # C(1) = 1/2 · 1/2: 1 / (1 + 1/4)
    0.8
    """

    def continuation(at: Ranks) -> Floats:
        return _chance(_drawn_by_goal(at.gains, T, b1, R1)) * _chance(_drawn_by_rate(at, A, b2, R2))

    return UserModel(continuation)


def _chance(drawn: Floats) -> Floats:
    """The logistic function: how likely one goes on who is drawn on so much."""
    return 1.0 / (1.0 + np.exp(np.minimum(-drawn, _HIGHEST_EXPONENT)))


def _drawn_by_goal(gains: Floats, T: float, b1: float, R1: float) -> Floats:
    drawn: Floats = (T * R1 + np.log(b1)) - gains * R1
    return drawn


def _drawn_by_rate(at: Ranks, A: float, b2: float, R2: float) -> Floats:
    if isinstance(at.cost, float):
        rate = at.gains / at.costs
    else:
        for_nothing = np.where(at.gains > 0, _FOR_NOTHING, 0.0)
        rate = np.divide(at.gains, at.costs, out=for_nothing, where=at.costs > 0)
    drawn: Floats = rate * R2 - (A * R2 + np.log(b2))
    return drawn
