"""Everything retrieved taken as a set, whatever its order: SetP, SetR, SetAP, Utility."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.contingency import contingency
from cranfield.measures.parameters import Cutoff, Flag, Rel, Weight, Whole
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES


@measure("SetP", at="cutoff", perfect=False, completion="corners", ties=SHARES, cites=("manning-2008",))
def set_precision(
    r: Rankings, *, rel: Rel = None, relative: Annotated[bool, Flag()] = False, cutoff: Cutoff = None
) -> Floats:
    r"""The share of the retrieved documents that are relevant.

    .. math:: P = \frac{TP}{TP + FP}

    TP are the relevant documents that are retrieved, FP the others that are retrieved (Type I errors), unjudged ones
    among them. `relative` makes it a share of the best that a set of this size could reach, TP / min(TP + FP, R).
    `cutoff` takes the first k documents as the set; a list shorter than k is not filled up, as it is for `P`. 0 if
    nothing is retrieved. Precision alone says little: returning one document that is surely relevant has precision 1.
    Look at `SetR` beside it.

    Erratum: one of the notes prints TP/(TP + FN) for precision and TP/(TP + FP) for recall. They are swapped.

    Elsewhere:
        trec_eval: `set_P`, and `set_relative_P` for `SetP(relative=True)`.
        ir_measures: `SetP` and `SetP(relative=True)`.
        ranx: `precision` without a cutoff.
        scikit-learn: `precision_score` of the two sets.
        Elasticsearch: `precision` with `k` is `SetP@k`: a short list is not filled up.

    >>> evaluate_one("SetP", [1, 0, 1, 0], unretrieved=[1])  # 2 of 4
    0.5
    >>> evaluate_one("SetP(relative=True)", [1, 0, 1, 0], unretrieved=[1])  # 2 of the 3 that 4 documents could hold
    0.6667
    """
    counts = contingency(r, rel, cutoff)
    if relative:
        relevant = r.relevant(rel)
        value = ratio(counts.tp, np.minimum(counts.tp + counts.fp, relevant))
        return r.step("SetP", "TP / min(TP + FP, R)", value, R=relevant)
    return r.step("SetP", "TP / (TP + FP)", counts.precision)


@measure(
    "SetR",
    aliases=("SetRecall", "sensitivity", "TPR", "true_positive_rate"),
    at="cutoff",
    completion="corners",
    ties=SHARES,
    cites=("manning-2008",),
)
def set_recall(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""The share of the relevant documents that are retrieved: sensitivity, or the true positive rate.

    .. math:: R = \frac{TP}{TP + FN}

    TP are the relevant documents that are retrieved, FN those that are not (Type II errors). `cutoff` takes the first k
    documents as the set. A query without relevant documents scores 0. Recall alone says little: returning the whole
    collection has recall 1. Look at `SetP` beside it.

    Erratum: one of the notes prints TP/(TP + FN) for precision and TP/(TP + FP) for recall. They are swapped.

    Elsewhere:
        trec_eval: `set_recall`.
        ir_measures: `SetR`.
        ranx: `recall` without a cutoff.
        scikit-learn: `recall_score` of the two sets.

    >>> evaluate_one("SetR", [1, 0, 1, 0], unretrieved=[1])  # 2 of 3
    0.6667
    """
    return r.step("SetR", "TP / (TP + FN)", contingency(r, rel, cutoff).recall)


@measure("SetAP", aliases=("set_map",), at="cutoff", perfect=False, completion="corners", cites=("trec_eval",))
def set_average_precision(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""Precision times recall of everything retrieved: average precision if every order were alike.

    .. math:: \frac{TP^2}{(TP + FP)(TP + FN)}

    TP are the relevant documents that are retrieved, FP the others that are, FN the relevant ones that are not.
    `cutoff` takes the first k documents as the set. 0 if nothing is retrieved or nothing is relevant.

    Elsewhere:
        trec_eval: `set_map`.
        ir_measures: `SetAP`.

    >>> evaluate_one("SetAP", [1, 0, 1, 0], unretrieved=[1])  # 4 / (4 · 3)
    0.3333
    """
    tp, fp, fn, _ = contingency(r, rel, cutoff)
    return r.step("SetAP", "TP * TP / ((TP + FP) * (TP + FN))", ratio(tp * tp, (tp + fp) * (tp + fn)))


@measure("Utility", at="cutoff", bounds=(-np.inf, np.inf), completion="corners", ties=SHARES, cites=("lewis-1995",))
def utility(
    r: Rankings,
    *,
    rel: Rel = None,
    tp: Weight = 1,
    fp: Weight = -1,
    fn: Weight = 0,
    tn: Weight = 0,
    documents: Annotated[int, Whole(0)] = 0,
    cutoff: Cutoff = None,
) -> Floats:
    r"""What the retrieved set is worth: so much for each document found, wrongly returned, missed and rightly left out.

    .. math:: tp \cdot TP + fp \cdot FP + fn \cdot FN + tn \cdot TN

    `tp`, `fp`, `fn` and `tn` are the worth of a document that is retrieved and relevant, retrieved and not, relevant
    and not retrieved, and neither. The last term needs `documents`, the size of the collection. `cutoff` takes the
    first k documents as the set. Unjudged documents are not relevant.

    Elsewhere:
        trec_eval: `utility.1,-1,0,0`, the four weights; the size of the collection is `-N`.

    >>> evaluate_one("Utility", [1, 0, 1, None], unretrieved=[1])  # 2 - 2
    0.0
    """
    found, wrong, missed, _ = contingency(r, rel, cutoff)
    value = tp * found + fp * wrong + fn * missed + tn * (documents - found - wrong - missed)
    formula = "tp * TP + fp * FP + fn * FN" + (" + tn * (documents - TP - FP - FN)" if tn else "")
    return r.step("Utility", formula, value, tp=tp, fp=fp, fn=fn, tn=tn, documents=documents)
