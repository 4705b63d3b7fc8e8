"""Readers who look for a certain amount of gain: INST, INSQ."""

from __future__ import annotations

from typing import Annotated

from cranfield.data.strings import Floats
from cranfield.measures.parameters import Number, Patience
from cranfield.measures.patience import inverse_square, quadratic, steady
from cranfield.measures.readers import user_model
from cranfield.measures.user_model import Ranks, Stretch, UserModel


@user_model("INSQ", perfect=False, shown=("T",), completion="reading", cites=("moffat-2012",))
def insq(*, T: Patience = 1) -> UserModel:
    r"""The gain for each document read by someone who came for T relevant ones and grows more patient with depth.

    .. math:: \mathrm{INSQ} = \sum_i W(i) \, g_i, \qquad C(i) = \left(\frac{i + 2T - 1}{i + 2T}\right)^2

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. Here W(i) is in proportion to 1/(i + 2T − 1)².
    `T` is the gain that is looked for; the larger it is, the further down the reader goes. The `gain` g is 1 for a
    relevant document (`binary`), the grade divided by gmax (`linear`) or (2^grade − 1) / (2^gmax − 1) (`exponential`).
    The list goes on for ever, and nothing below its end has a gain. With `cutoff`, as in INSQ@1000, the reader leaves
    after that rank at the latest. A query without relevant documents scores 0.

    Elsewhere:
        ir_measures: `INSQ(T=2,max_rel=3)` is `INSQ(T=2,gain=linear,gmax=3)@1000`.
        cwl_eval: `INSQCWLMetric(T)` is INSQ@1000 with the grades as they are as gains.

    >>> evaluate_one("INSQ(T=1)", [1, 0, 1])  # (1/2² + 1/4²) / (1/2² + 1/3² + 1/4² + ...) = .3125 / .6449
    0.4845
    """
    return quadratic(T)


@user_model("INST", perfect=False, shown=("T",), completion="reading", cites=("moffat-2015", "moffat-2017"))
def inst(*, T: Annotated[float, Number(0.5, 1e6)] = 1) -> UserModel:
    r"""The gain for each document read by someone who came for T relevant ones and counts what was found so far.

    .. math:: \mathrm{INST} = \sum_i W(i) \, g_i, \qquad C(i) = \left(\frac{i + T + T_i - 1}{i + T + T_i}\right)^2,
        \qquad T_i = T - \sum_{j=1}^{i} g_j

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. T_i is what is still missing after rank i, so
    that whoever has found much is likelier to leave. `T` is the gain that is looked for; below 0.5 it would make C more
    than a probability can be. The `gain` g is 1 for a relevant document (`binary`), the grade divided by gmax
    (`linear`) or (2^grade − 1) / (2^gmax − 1) (`exponential`). The list goes on for ever, and nothing below its end has
    a gain. With `cutoff`, as in INST@1000, the reader leaves after that rank at the latest. A query without relevant
    documents scores 0.

    Elsewhere:
        ir_measures: `INST(T=2,max_rel=3)` is `INST(T=2,gain=linear,gmax=3)@1000`.
        cwl_eval: `INSTCWLMetric(T)` is INST@1000 with the grades as they are as gains.

    >>> evaluate_one("INST(T=1)", [1])  # C = 1/4, 4/9, 9/16, ...: V = 1, 1/4, 1/9, 1/16, ..., which sums to π²/6
    0.6079
    """

    def continuation(at: Ranks) -> Floats:
        wanted = at.rank + T + (T - at.gains)
        return ((wanted - 1.0) / wanted) ** 2

    def stretch(s: Stretch) -> tuple[Floats, Floats]:
        wanted = s.first - 1.0 + T + (T - s.gains)
        if s.gain:  # each document gives what its rank takes, so that nothing changes
            return steady(((wanted - 1.0) / wanted) ** 2, s.steps)
        return inverse_square(wanted, s.steps)

    return UserModel(continuation, stretch)
