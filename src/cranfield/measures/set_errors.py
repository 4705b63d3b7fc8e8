"""Right and wrong decisions about whole collections: SetTNR, SetFPR, SetFNR, SetAccuracy, SetError."""

from __future__ import annotations

from typing import Annotated

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.contingency import contingency
from cranfield.measures.parameters import Cutoff, Rel, Whole
from cranfield.measures.registry import measure
from cranfield.measures.tie_forms import SHARES

Documents = Annotated[int | None, Whole(1)]
"""The size of the collection, without which nobody knows how many documents were rightly left out."""

_SKEW = (
    "nearly every document is rightly left out by any system, so the value says little. With 1 relevant document in "
    "1000, returning nothing is 99.9 % accurate. Look at precision and recall."
)


@measure(
    "SetTNR",
    aliases=("specificity", "TNR", "true_negative_rate"),
    at="cutoff",
    required=("documents",),
    perfect=False,
    completion="corners",
    ties=SHARES,
    cites=("manning-2008",),
)
def specificity(r: Rankings, *, rel: Rel = None, documents: Documents = None, cutoff: Cutoff = None) -> Floats:
    r"""The share of the documents that are not relevant that are not retrieved: specificity, or the true negative rate.

    .. math:: \mathrm{TNR} = \frac{TN}{TN + FP} = 1 - \mathrm{FPR}

    FP are the retrieved documents that are not relevant, TN the others that are not relevant, which are known only
    if `documents`, the size of the collection, is. Unjudged documents are not relevant. `cutoff` takes the first k
    documents as the set. 0 if every document is relevant.

    Elsewhere:
        scikit-learn: `recall_score(pos_label=0)`.

    >>> evaluate_one("SetTNR(documents=8)", [1, 0, 1, 0], unretrieved=[1])  # 8 documents, 5 not relevant: 3/5
    0.6
    """
    return r.step("SetTNR", "TN / (TN + FP)", contingency(r, rel, cutoff, documents).specificity)


@measure(
    "SetFPR",
    aliases=("FPR", "fallout", "false_positive_rate"),
    at="cutoff",
    required=("documents",),
    more_is_better=False,
    perfect=False,
    completion="corners",
    ties=SHARES,
    cites=("manning-2008",),
)
def false_positive_rate(r: Rankings, *, rel: Rel = None, documents: Documents = None, cutoff: Cutoff = None) -> Floats:
    r"""The share of the documents that are not relevant that are retrieved: fallout.

    .. math:: \mathrm{FPR} = \frac{FP}{TN + FP}

    FP are the retrieved documents that are not relevant (Type I errors), TN the others that are not relevant, which
    are known only if `documents`, the size of the collection, is. Less is better. Unjudged documents are not relevant.
    `cutoff` takes the first k documents as the set. 0 if every document is relevant.

    Elsewhere:
        scikit-learn: the first array of `roc_curve`.

    >>> evaluate_one("SetFPR(documents=8)", [1, 0, 1, 0], unretrieved=[1])  # 8 documents, 5 not relevant: 2/5
    0.4
    """
    return r.step("SetFPR", "FP / (TN + FP)", contingency(r, rel, cutoff, documents).false_positive_rate)


@measure(
    "SetFNR",
    aliases=("FNR", "miss_rate", "false_negative_rate"),
    at="cutoff",
    more_is_better=False,
    completion="corners",
    ties=SHARES,
    cites=("manning-2008",),
)
def false_negative_rate(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""The share of the relevant documents that are not retrieved: the miss rate.

    .. math:: \mathrm{FNR} = \frac{FN}{TP + FN} = 1 - R

    TP are the relevant documents that are retrieved, FN those that are not (Type II errors). Less is better. `cutoff`
    takes the first k documents as the set. A query without relevant documents, for which nothing can be missed,
    scores 0, as it does in `SetR`: there the two do not add up to 1.

    >>> evaluate_one("SetFNR", [1, 0, 1, 0], unretrieved=[1])  # 1 of 3
    0.3333
    """
    return r.step("SetFNR", "FN / (TP + FN)", contingency(r, rel, cutoff).false_negative_rate)


@measure(
    "SetAccuracy",
    aliases=("Accuracy",),
    at="cutoff",
    required=("documents",),
    perfect=False,
    warning=_SKEW,
    completion="corners",
    ties=SHARES,
    cites=("manning-2008",),
)
def accuracy(r: Rankings, *, rel: Rel = None, documents: Documents = None, cutoff: Cutoff = None) -> Floats:
    r"""The share of all documents of the collection about which the decision to retrieve or not was right.

    .. math:: \mathrm{accuracy} = \frac{TP + TN}{TP + FP + FN + TN}

    TP are the relevant documents that are retrieved, FP the others that are, FN the relevant ones that are not, TN the
    rest. The sum of the four is `documents`, the size of the collection. Unjudged documents are not relevant. `cutoff`
    takes the first k documents as the set.

    Do not judge a search system by it: nearly all documents of a collection are relevant to no query at hand, so
    whatever is retrieved, TN swamps the rest. With 1 relevant document in 1000, returning nothing is 99.9 % accurate,
    and finding that document among ten others is less so. Look at `SetP` and `SetR`.

    Elsewhere:
        scikit-learn: `accuracy_score`.
        ir_measures: its `Accuracy` is another measure, how often a relevant document stands above another one.

    >>> evaluate_one("SetAccuracy(documents=8)", [1, 0, 1, 0], unretrieved=[1])  # (2 + 3) / 8
    0.625
    >>> evaluate_one("SetAccuracy(documents=1000)", [], unretrieved=[1])  # nothing is returned: 999 / 1000
    0.999
    >>> evaluate_one("SetAccuracy(documents=1000)", [1] + [0] * 10)  # found, among 10 others: (1 + 989) / 1000
    0.99
    """
    counts = contingency(r, rel, cutoff, documents)
    return r.step("SetAccuracy", "(TP + TN) / (TP + FP + FN + TN)", counts.accuracy)


@measure(
    "SetError",
    aliases=("error_rate",),
    at="cutoff",
    required=("documents",),
    more_is_better=False,
    perfect=False,
    warning=_SKEW,
    completion="corners",
    ties=SHARES,
    cites=("manning-2008",),
)
def error_rate(r: Rankings, *, rel: Rel = None, documents: Documents = None, cutoff: Cutoff = None) -> Floats:
    r"""The share of all documents of the collection about which the decision to retrieve or not was wrong.

    .. math:: \mathrm{error} = \frac{FP + FN}{TP + FP + FN + TN} = 1 - \mathrm{accuracy}

    FP are the retrieved documents that are not relevant (Type I errors), FN the relevant ones that are not retrieved
    (Type II errors). The sum of the four is `documents`, the size of the collection. Less is better. Unjudged documents
    are not relevant. `cutoff` takes the first k documents as the set.

    It misleads as `SetAccuracy` does: with 1 relevant document in 1000, returning nothing is wrong about 0.1 %.

    Elsewhere:
        scikit-learn: `zero_one_loss`.

    >>> evaluate_one("SetError(documents=8)", [1, 0, 1, 0], unretrieved=[1])  # (2 + 1) / 8
    0.375
    """
    counts = contingency(r, rel, cutoff, documents)
    return r.step("SetError", "(FP + FN) / (TP + FP + FN + TN)", counts.error_rate)
