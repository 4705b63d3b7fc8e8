"""How far the set of retrieved documents and the set of relevant ones are the same: SetF, SetE, SetG, SetJaccard."""

from __future__ import annotations

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.contingency import contingency
from cranfield.measures.f_measure import WEIGHTS, Alpha, Beta, f_of
from cranfield.measures.parameters import Cutoff, Rel
from cranfield.measures.registry import measure
from cranfield.measures.tie_forms import SHARES


def _precision_and_recall(r: Rankings, rel: float | None, cutoff: int | None) -> tuple[Floats, Floats]:
    counts = contingency(r, rel, cutoff)
    precision = r.step("precision", "TP / (TP + FP)", counts.precision)
    return precision, r.step("recall", "TP / (TP + FN)", counts.recall)


@measure(
    "SetF",
    aliases=("Dice",),
    at="cutoff",
    alternatives=WEIGHTS,
    perfect=False,
    completion="corners",
    ties=SHARES,
    cites=("van-rijsbergen-1979", "dice-1945"),
)
def set_f(r: Rankings, *, rel: Rel = None, beta: Beta = 1, alpha: Alpha = None, cutoff: Cutoff = None) -> Floats:
    r"""The weighted harmonic mean of precision and recall of everything retrieved.

    .. math:: F_\beta = \frac{(\beta^2 + 1) P R}{\beta^2 P + R} = \frac{1}{\alpha / P + (1 - \alpha) / R}

    `beta` above 1 gives recall more weight, below 1 precision. `alpha` says the same as the share of precision,
    β² = (1 − α)/α; one of the two may be given. With β = 1 this is F1, and also Dice's coefficient
    2TP / (2TP + FP + FN). `cutoff` takes the first k documents as the set; a list shorter than k is not filled up, as
    it is for `F`. 0 where nothing relevant is retrieved.

    Erratum: two of the notes say that β above 1 emphasises precision, and one of these that recall and precision are
    weighted α to 1 − α and that β² is the importance of precision over recall. All three are the other way round.
    Another calls β the weight of recall, which is β²/(1 + β²).

    Erratum: one of the notes prints F = 2/(1/p + 1/p). It is 2/(1/P + 1/R). The same notes call the weighted F itself
    E, which is 1 − F (see `SetE`).

    Elsewhere:
        trec_eval: `set_F.x`, where x is β².
        ir_measures: `SetF(beta=x)`, where x is β² though it is called beta, so that its `SetF(beta=2)` is not F2.
        ranx: `f1` without a cutoff.
        scikit-learn: `f1_score` and `fbeta_score` of the two sets.

    >>> evaluate_one("SetF", [1, 0, 1, 0], unretrieved=[1])  # P 2/4, R 2/3: 2·(1/3)/(7/6)
    0.5714
    >>> evaluate_one("SetF(beta=2)", [1, 0, 1, 0], unretrieved=[1])  # 5·(1/3)/(4·(1/2) + 2/3)
    0.625
    >>> evaluate_one("SetF(alpha=0.2)", [1, 0, 1, 0], unretrieved=[1])  # β² = .8/.2 = 4, the same
    0.625
    """
    return f_of(r, *_precision_and_recall(r, rel, cutoff), beta, alpha)


@measure(
    "SetE",
    at="cutoff",
    alternatives=WEIGHTS,
    more_is_better=False,
    perfect=False,
    completion="corners",
    ties=SHARES,
    cites=("van-rijsbergen-1979",),
)
def set_e(r: Rankings, *, rel: Rel = None, beta: Beta = 1, alpha: Alpha = None, cutoff: Cutoff = None) -> Floats:
    r"""Van Rijsbergen's E of everything retrieved: one minus the weighted harmonic mean of precision and recall.

    .. math:: E = 1 - \frac{1}{\alpha / P + (1 - \alpha) / R} = 1 - F_\beta

    Less is better. `beta` above 1 gives recall more weight, below 1 precision. `alpha` says the same as the share of
    precision, β² = (1 − α)/α; one of the two may be given. `cutoff` takes the first k documents as the set. 1 where
    nothing relevant is retrieved.

    Erratum: one of the notes prints the formula of F and calls it E, so that E = F for β = 1. E is 1 − F.

    >>> evaluate_one("SetE", [1, 0, 1, 0], unretrieved=[1])  # P 2/4, R 2/3: 1 - 4/7
    0.4286
    """
    return r.step("SetE", "1 - F", 1.0 - f_of(r, *_precision_and_recall(r, rel, cutoff), beta, alpha))


@measure(
    "SetG",
    aliases=("G_measure", "Fowlkes_Mallows"),
    at="cutoff",
    perfect=False,
    completion="corners",
    ties=SHARES,
    cites=("fowlkes-mallows-1983",),
)
def g_measure(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""The geometric mean of precision and recall of everything retrieved.

    .. math:: G = \sqrt{P \cdot R} = \frac{TP}{\sqrt{(TP + FP)(TP + FN)}}

    TP are the relevant documents that are retrieved, FP the others that are, FN the relevant ones that are not. It is
    never below F1 and never above the arithmetic mean. `cutoff` takes the first k documents as the set. 0 where nothing
    relevant is retrieved.

    Elsewhere:
        trec_eval: its `G` is another measure, normalised gain, which is called `G` here too.
        scikit-learn: `fowlkes_mallows_score` has this form, with pairs of items for documents.

    >>> evaluate_one("SetG", [1, 0, 1, 0], unretrieved=[1])  # sqrt(2/4 · 2/3)
    0.5774
    """
    precision, recall = _precision_and_recall(r, rel, cutoff)
    return r.step("SetG", "sqrt(precision * recall)", np.sqrt(precision * recall))


@measure("SetJaccard", aliases=("Jaccard",), at="cutoff", perfect=False, completion="corners", cites=("jaccard-1912",))
def jaccard_coefficient(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""The documents that are both retrieved and relevant, as a share of those that are either.

    .. math:: J = \frac{TP}{TP + FP + FN} = \frac{F_1}{2 - F_1}

    TP are the relevant documents that are retrieved, FP the others that are, FN the relevant ones that are not. It
    orders sets as F1 does, further apart at the top. `cutoff` takes the first k documents as the set. 0 where nothing
    relevant is retrieved.

    Elsewhere:
        scikit-learn: `jaccard_score` of the two sets.

    >>> evaluate_one("SetJaccard", [1, 0, 1, 0], unretrieved=[1])  # 2 / (2 + 2 + 1)
    0.4
    """
    return r.step("SetJaccard", "TP / (TP + FP + FN)", contingency(r, rel, cutoff).jaccard)
