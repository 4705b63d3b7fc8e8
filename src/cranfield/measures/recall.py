"""Recall at a cutoff: R."""

from __future__ import annotations

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Cutoff, Rel
from cranfield.measures.precision import CUTOFFS
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES


@measure(
    "R",
    aliases=("recall",),
    at="cutoff",
    at_needed=True,
    defaults_at=CUTOFFS,
    perfect=False,
    completion="corners",
    ties=SHARES,
    cites=("manning-2008",),
)
def recall(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""The share of the relevant documents that are among the first k.

    .. math:: R@k = \frac{1}{R} \sum_{i=1}^{k} \mathrm{rel}_i

    A query without relevant documents scores 0. With R above k no system reaches more than k/R. `R@1..10` gives the
    recall at every rank.

    Erratum: one of the notes prints TP/(TP + FP) for recall and TP/(TP + FN) for precision. They are swapped.

    Elsewhere:
        trec_eval: `recall_k`.
        ir_measures: `R@k`, also called `Recall@k`.
        ranx: `recall@k`.
        Elasticsearch: `recall`.

    >>> evaluate_one("R@3", [1, 0, 1, 1], unretrieved=[1])  # 2 of 4
    0.5
    """
    relevant = r.relevant(rel)
    return r.step("recall", "found / R", ratio(r.count(r.at_least(rel), cutoff, name="found"), relevant), R=relevant)
