"""The bejeweled player model, a reader with a goal and a budget: BPM, BPMD."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from cranfield.data.strings import Floats
from cranfield.measures.parameters import NotNegative, Number, Positive
from cranfield.measures.patience import until
from cranfield.measures.readers import user_model
from cranfield.measures.user_model import Ranks, Stretch, UserModel

_Share = Annotated[float, Number(0, 1)]
_ROUNDING = 1e-12
"""What is less than this away from enough is enough: sums of the same numbers in another order differ by less."""


@user_model("BPM", at="K", shown=("T",), costly=True, improves=False, completion="beginnings", cites=("zhang-2017",))
def bejeweled_player_model(*, T: Positive = 1, K: Positive = 10) -> UserModel:
    r"""The gain for each document read by someone who stops when enough is found or enough is spent.

    .. math:: C(i) = 1 \ \mathrm{if}\ \sum_{j=1}^{i} g_j < T \ \mathrm{and}\ \sum_{j=1}^{i} c_j < K,\
        \mathrm{otherwise}\ 0

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. `T` is the gain that is enough. `K` is the cost
    that is enough, which `@` sets too. A document costs 1 unless `--costs` says otherwise, so that K is a number of
    documents. The `gain` g is 1 for a relevant document (`binary`), the grade divided by gmax (`linear`) or (2^grade −
    1) / (2^gmax − 1) (`exponential`). A list that ends early is read on below its end, where nothing has a gain. A
    query without relevant documents scores 0. With T = 1 and gains of 0 and 1 it is RR@K. With graded gains a better
    document that moves up can lower the value: it may end the reading before a gain that came with it.

    Elsewhere:
        ir_measures: `BPM(T=1,max_rel=3)@10` is `BPM(T=1,gain=linear,gmax=3)@10`.
        cwl_eval: `BPMCWLMetric(T, K)`, with the grades as they are as gains, to depth 1000.

    >>> evaluate_one("BPM(T=2)@10", [1, 0, 1, 1])  # stops at rank 3: 2 / 3
    0.6667
    >>> evaluate_one("BPM(T=2)@10", [1, 0, 0, 1], costs=[5, 4, 2, 1])  # 5 + 4 + 2 is over 10: 1 / 3
    0.3333
    """
    return _player(T, K, 0.0, 0.0, 0.0)


@user_model("BPMD", at="K", shown=("T",), costly=True, improves=False, completion="beginnings", cites=("zhang-2017",))
def dynamic_bejeweled_player_model(
    *, T: Positive = 1, K: Positive = 10, hb: NotNegative = 1, hc: NotNegative = 1, gain_med: _Share = 0.5
) -> UserModel:
    r"""BPM with a reader whose goal and budget grow with good documents and shrink with bad ones.

    .. math:: C(i) = 1 \ \mathrm{if}\ \sum_{j=1}^{i} g_j < T_i \ \mathrm{and}\ \sum_{j=1}^{i} c_j < K_i,\
        \mathrm{otherwise}\ 0

    .. math:: T_{i+1} = T_i + h_b \, (g_i - g_\mathrm{med}), \qquad K_{i+1} = K_i + h_c \, (g_i - g_\mathrm{med}),
        \qquad T_1 = T, \ K_1 = K

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. `T` is the gain that is enough at first. `K` is
    the cost that is enough at first, which `@` sets too. A document costs 1 unless `--costs` says otherwise. `gain_med`
    is the gain of a middling document. `hb` is how much the goal changes with each document. `hc` is how much the
    budget changes with each document. The `gain` g is 1 for a relevant document (`binary`), the grade divided by gmax
    (`linear`) or (2^grade − 1) / (2^gmax − 1) (`exponential`). A list that ends early is read on below its end, where
    nothing has a gain. A query without relevant documents scores 0.

    Elsewhere:
        cwl_eval: `BPMDCWLMetric(T, K, hb, hc, gain_med)` leaves the budget as it is, whatever hc says: that is
            `BPMD(hc=0)`. To depth 1000, with the grades as they are as gains.

    >>> evaluate_one("BPMD(T=2)@10", [0, 1, 1, 1])  # T = 2, 1.5, 2, which is found at rank 3: 2 / 3
    0.6667
    """
    return _player(T, K, hb, hc, gain_med)


def _player(T: float, K: float, hb: float, hc: float, middling: float) -> UserModel:
    def continuation(at: Ranks) -> Floats:
        change = at.gains - at.gain - (at.rank - 1.0) * middling
        goal, budget = T + hb * change - at.gains, K + hc * change - at.costs
        return ((goal > _ROUNDING) & (budget > _ROUNDING)).astype(np.float64)

    def stretch(s: Stretch) -> tuple[Floats, Floats]:
        change = s.gains - (s.first - 1.0) * middling
        goal = _steps_until(T + hb * change - s.gains - s.gain, s.gain - hb * (s.gain - middling))
        budget = _steps_until(K + hc * change - s.costs - s.cost, s.cost - hc * (s.gain - middling))
        return until(np.minimum(goal, budget), s.steps)

    return UserModel(continuation, stretch)


def _steps_until(left: Floats, falls: float) -> Floats:
    """After how many steps nothing is left of what falls by the same amount with each step."""
    if falls <= 0:
        return np.where(left <= _ROUNDING, 0.0, np.inf)
    with np.errstate(over="ignore"):  # too many steps to be a number are as good as infinitely many
        return np.where(left <= _ROUNDING, 0.0, np.ceil((left - _ROUNDING) / falls))
