"""Gain that counts less the more was spent before: TBG, U."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Floats
from cranfield.measures.parameters import Patience, Positive
from cranfield.measures.patience import steady
from cranfield.measures.readers import user_model
from cranfield.measures.user_model import Ranks, Stretch, UserModel


@user_model(
    "TBG",
    shown=("halflife",),
    perfect=False,
    costly=True,
    without_costs="halflife counts documents, not seconds",
    completion="reading",
    cites=("smucker-clarke-2012",),
)
def time_biased_gain(*, halflife: Patience = 224) -> UserModel:
    r"""The gain for each document read by someone half of whose patience is gone after each half-life.

    .. math:: \mathrm{TBG} = \sum_i W(i) \, g_i, \qquad C(i) = 2^{-c_i / h}

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. The cost c of a document is usually the seconds
    it takes to read; it is 1 unless `--costs` says otherwise. `halflife` is the h of the formula, in the same unit.
    What the paper calls TBG is the expected total utility, `value=ETU`. The `gain` g is 1 for a relevant document
    (`binary`), the grade divided by gmax (`linear`) or (2^grade − 1) / (2^gmax − 1) (`exponential`). The list goes on
    for ever, and nothing below its end has a gain. With `cutoff`, as in TBG@1000, the reader leaves after that rank at
    the latest. Where all documents cost the same it is RBP with p = 2^(−c/h). A query without relevant documents scores
    0.

    Elsewhere:
        cwl_eval: `TBGCWLMetric(halflife)` is TBG@1000 with the grades as they are as gains; costs belong to types of
            documents, which the second column of the run names.

    >>> evaluate_one("TBG(halflife=1)", [1, 0, 1])  # V = 1, 1/2, 1/4, ..., which sums to 2: (1 + 1/4) / 2
    0.625
    >>> evaluate_one("TBG(halflife=1,value=ETU)", [1, 0, 1], costs=[2, 1, 1])  # V = 1, 1/4, 1/8: 1 + 1/8
    1.125
    """

    def stretch(s: Stretch) -> tuple[Floats, Floats]:
        return steady(2.0 ** (-s.cost / halflife), s.steps)

    return UserModel(lambda at: 2.0 ** (-np.asarray(at.cost) / halflife), stretch, adaptive=False)


@user_model(
    "U",
    aliases=("U-measure",),
    shown=("L",),
    perfect=False,
    costly=True,
    without_costs="L counts documents, not characters",
    completion="reading",
    cites=("sakai-dou-2013",),
)
def u_measure(*, L: Positive = 1000) -> UserModel:
    r"""The gain for each document read by someone whose patience runs out evenly until L is spent.

    .. math:: U = \sum_i W(i) \, g_i, \qquad C(i) = \frac{\max(0,\ L - \sum_{j=1}^{i} c_j)}{L - \sum_{j=1}^{i-1} c_j}

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. That chance is 1 − (c_1 + ... + c_{i−1})/L, and
    0 once L is spent. The cost c of a document is usually its number of characters; it is 1 unless `--costs` says
    otherwise. `L` is what a reader spends at most, in the same unit. The paper has the expected total utility,
    `value=ETU`, and takes the place where a document ends for its position; here it is the place where it begins. The
    `gain` g is 1 for a relevant document (`binary`), the grade divided by gmax (`linear`) or (2^grade − 1) / (2^gmax −
    1) (`exponential`). A list that ends before L is spent is read on below its end, where nothing has a gain. With
    `cutoff`, as in U@1000, the reader leaves after that rank at the latest. A query without relevant documents scores
    0.

    Elsewhere:
        cwl_eval: `UMeasureCWLMetric(L)` is U@999 with the grades as they are as gains: the last of its 1000 ranks
            counts for nothing.

    >>> evaluate_one("U(L=4)", [1, 0, 1])  # V = 1, 3/4, 1/2, 1/4 and then nothing: (1 + 1/2) / (5/2)
    0.6
    """

    def continuation(at: Ranks) -> Floats:
        before = L - (at.costs - at.cost)
        return np.divide(np.maximum(L - at.costs, 0.0), before, out=np.zeros_like(before), where=before > 0)

    def stretch(s: Stretch) -> tuple[Floats, Floats]:
        left = np.maximum(L - s.costs, 0.0)
        some = np.where(left > 0, left, 1.0)
        falls = s.cost / some
        steps = np.minimum(s.steps, np.ceil(1.0 / falls) - 1.0)  # as far as patience lasts
        read = (steps + 1.0) * (1.0 - falls * steps / 2.0)
        return np.maximum(1.0 - falls * s.steps, 0.0), np.where(left > 0, read, 0.0)

    return UserModel(continuation, stretch, adaptive=False)
