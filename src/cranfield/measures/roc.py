"""Relevant against non-relevant documents along a ranking, the ROC curve in one number: AUC, EER."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints
from cranfield.measures.contingency import contingency
from cranfield.measures.parameters import Choice, Rel, Whole
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES_WHOLE_LISTS, TieForm

Over = Annotated[str, Choice(("judged", "retrieved"))]
Documents = Annotated[int | None, Whole(1)]


class RelevantAmongOthers(NamedTuple):
    """What the curve of each query is made of: how many documents there are, and where the relevant ones stand."""

    relevant: Floats | Ints
    nonrelevant: Floats | Ints
    found: Floats
    """How many of the relevant documents are retrieved."""
    returned: Floats
    """How many of the non-relevant documents are retrieved."""
    above: Floats
    """For each row of the rankings, how many non-relevant documents stand above it."""

    @classmethod
    def of(cls, r: Rankings, rel: float | None, over: str, documents: int | None) -> RelevantAmongOthers:
        """Over the judged documents, over those retrieved, or over a collection of so many documents."""
        relevant = r.at_least(rel)
        if over == "judged" and documents is None:
            nonrelevant = (r.grade >= 0) & ~relevant
            returned, above = r.count(nonrelevant), r.cumulative(nonrelevant)
            return cls(r.relevant(rel), r.nonrelevant(rel), r.count(relevant), returned, above)
        tp, fp, fn, tn = contingency(r.unexplained(), rel, documents=documents)
        above = r.rank - r.cumulative(relevant)
        if over == "retrieved":
            return cls(tp, fp, tp, fp, above)
        return cls(tp + fn, fp + tn, tp, fp, above)

    @classmethod
    def shown(cls, r: Rankings, rel: float | None, over: str, documents: int | None) -> RelevantAmongOthers:
        """The same for a measure, which has a value for every query and shows what it counts.

        Where there is no non-relevant document, the curve is as if there were one that is not retrieved.
        """
        r.show("rel", r.at_least(rel))
        counts = cls.of(r, rel, over, documents)
        return counts._replace(nonrelevant=np.maximum(counts.nonrelevant, 1))


def _completion(parameters: Mapping[str, Any]) -> str:
    """Judged documents alone, or others too: then unjudged ones count as not relevant."""
    return "whole_range" if parameters["over"] == "retrieved" or parameters["documents"] is not None else ""


_TRAITS: dict[str, Any] = {
    "alternatives": ("over", "documents"),
    "completion": _completion,
    "cites": ("manning-2008", "fawcett-2006"),
}


@measure("AUC", aliases=("AUROC",), ties=SHARES_WHOLE_LISTS, **_TRAITS)
def area_under_the_curve(r: Rankings, *, rel: Rel = None, over: Over = "judged", documents: Documents = None) -> Floats:
    r"""The probability that a relevant document stands above a non-relevant one: the area under the ROC curve.

    .. math:: \mathrm{AUC} = \frac{1}{R N} \sum_{d\ \mathrm{relevant}} \Big(b_d + \frac{t_d}{2}\Big)

    N counts the non-relevant documents, b_d those below the relevant document d, and t_d those tied with it. All
    documents that are not retrieved are tied at the end; equal scores in the run are not ties here, as the ranking has
    put them in order. 0.5 is chance, the diagonal of the ROC curve; the lecture notes call 0.9 and more excellent, 0.8
    good, 0.7 fair, 0.6 poor, and less than that a failure.

    Which documents there are: by default those judged. `documents` is the size of the collection, all of which then
    counts, unjudged documents as not relevant. `over=retrieved` counts only the documents retrieved, unjudged ones as
    not relevant.

    A query without relevant documents scores 0. Where nothing is non-relevant, a relevant document counts 1 if it is
    retrieved and 1/2 if not.

    Elsewhere:
        scikit-learn: `roc_auc_score`, given one score lower than all others for what is not retrieved.
        ir_measures: `Accuracy` is over=retrieved; queries where no relevant document is retrieved are left out.

    >>> evaluate_one("AUC", [1, 0, 1, None, 0], unretrieved=[1])  # (2 + 1 + 0) / (3 · 2)
    0.5
    >>> evaluate_one("AUC(documents=10)", [1, 0, 1, None, 0], unretrieved=[1])  # (7 + 6 + 4/2) / (3 · 7)
    0.7143
    >>> evaluate_one("AUC(over=retrieved)", [1, 0, 1, None, 0], unretrieved=[1])  # (3 + 2) / (2 · 3)
    0.8333
    """
    roc = RelevantAmongOthers.shown(r, rel, over, documents)
    r.show("non-rel so far", roc.above)
    below = r.sum(
        np.where(r.at_least(rel), roc.nonrelevant[r.query] - roc.above, 0.0), name="below", column="rel · non-rel below"
    )
    tied = (roc.relevant - roc.found) * (roc.nonrelevant - roc.returned) / 2.0
    counts = {"R": roc.relevant, "N": roc.nonrelevant}
    r.step("tied", "(R - found) * (N - returned) / 2", tied, **counts, found=roc.found, returned=roc.returned)
    value = ratio(below + tied, roc.relevant * roc.nonrelevant)
    return r.step("AUC", "(below + tied) / (R * N)", value, **counts)


@measure("EER", more_is_better=False, ties=TieForm(across_depth=False), **_TRAITS)
def equal_error_rate(r: Rankings, *, rel: Rel = None, over: Over = "judged", documents: Documents = None) -> Floats:
    r"""The error rate where the share of non-relevant documents returned equals the share of relevant ones missed.

    .. math:: \mathrm{EER} = \mathrm{FPR} = \mathrm{FNR} \quad \mathrm{where\ the\ two\ are\ equal}

    Along the ranking FPR, the share of the non-relevant documents so far, rises from 0, and FNR, the share of the
    relevant documents still to come, falls from 1. The ROC curve joins its points by straight lines, from the last
    document retrieved straight to the end, where all that is not retrieved is tied; EER is where it crosses the
    diagonal FPR = 1 − TPR. 0 is perfect, 0.5 chance.

    Which documents there are is as for AUC: `documents` is the size of the collection, all of which then counts,
    unjudged documents as not relevant. `over=retrieved` counts only the documents retrieved.

    A query without relevant documents scores 1, the worst. Where nothing is non-relevant, it is as if there were one
    such document that is not retrieved.

    Elsewhere:
        scikit-learn: no function; interpolation of what `roc_curve` gives.

    >>> evaluate_one("EER", [1, 0, 1, 0])  # after two documents FPR = FNR = 1/2
    0.5
    >>> evaluate_one("EER", [1, 1, 0, 1, 0, 0])  # FPR 1/3 at rank 3, where FNR is 1/3
    0.3333
    """
    roc = RelevantAmongOthers.shown(r, rel, over, documents)
    relevant = np.maximum(roc.relevant, 1.0)
    # The curve turns right before each relevant document and at the end of the list: there the lower of the two rates
    # is highest where they cross, if they cross before the straight line to the end.
    rate = roc.above / roc.nonrelevant[r.query]
    chosen = r.at_least(rel)
    missed = 1.0 - (r.cumulative(chosen) - chosen) / relevant[r.query]
    lower = np.where(chosen, np.minimum(rate, missed), 0.0)
    r.show("FPR", rate)
    r.show("FNR before", missed)
    r.show("rel · min(FPR, FNR)", lower)
    r.show_highest(lower, name="before", column="highest")
    counts = {"N": roc.nonrelevant, "R": roc.relevant, "returned": roc.returned, "found": roc.found}
    last_rate = r.step("FPR", "returned / N", roc.returned / roc.nonrelevant, **counts)
    last_missed = r.step("FNR", "1 - found / max(R, 1)", 1.0 - roc.found / relevant, **counts)
    share = ratio(np.maximum(last_missed - last_rate, 0.0), 1.0 - last_rate + last_missed)
    value = np.minimum(last_rate, last_missed) + share * (1.0 - last_rate)
    r.step("behind", "min(FPR, FNR) + (1 - FPR) * max(FNR - FPR, 0) / (1 - FPR + FNR)", value)
    np.maximum.at(value, r.query, lower)
    formula = "max(before, behind)" if roc.relevant.any() else "1"
    return r.step("EER", formula, np.where(roc.relevant > 0, value, 1.0))
