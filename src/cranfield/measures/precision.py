"""Precision at a cutoff and its relatives: P, RelativeP, Success."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Choice, Cutoff, Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES, TieForm, worth_to_reader

if TYPE_CHECKING:
    from cranfield.data.shared_ranks import SharedRankings
    from cranfield.measures.user_model import Reader

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


Denominator = Annotated[str, Choice(("k", "retrieved"))]


def _reader(r: Rankings, *, rel: float | None, denominator: str, cutoff: int | None) -> Reader:
    from cranfield.measures.patience import tireless
    from cranfield.measures.user_model import Reader

    return Reader(tireless(), r, r.at_least(rel).astype(np.float64), cutoff)


def _worth(r: Rankings, *, rel: float | None, value: str, **_: Any) -> Floats:
    return worth_to_reader(r, r.at_least(rel).astype(np.float64), value)


def _expected_success(r: SharedRankings, *, rel: float | None, cutoff: int | None) -> Floats:
    """The chance that a reader who stops at the first relevant document stops among the first k."""
    relevant = r.at_least(rel).astype(np.float64)
    return r.sum(relevant * r.reached(relevant), cutoff)


@measure(
    "P",
    aliases=("precision",),
    at="cutoff",
    at_needed=True,
    defaults_at=CUTOFFS,
    fills_up=True,
    perfect=False,
    reader=_reader,
    only_with={"denominator": {"value": ("EU",)}},
    completion="corners",
    ties=TieForm(shares=True, worth=_worth),
    cites=("manning-2008",),
)
def precision(r: Rankings, *, rel: Rel = None, denominator: Denominator = "k", cutoff: Cutoff = None) -> Floats:
    r"""The share of the first k documents that are relevant.

    .. math:: P@k = \frac{1}{k} \sum_{i=1}^{k} \mathrm{rel}_i

    A list shorter than k is filled up with documents that are not relevant. `denominator=retrieved` divides by the
    documents there are, k at most, which rewards a system for returning few; 0 where there are none. Unjudged documents
    are not relevant. With R relevant documents no system reaches more than min(k, R)/k: with R = 8 the best P@20 is .4.
    `RelativeP` is the share of that best value, and `cranfield evaluate --best` shows it beside the systems. `P@1..10`
    gives the precision at every rank. As a user model it is a reader who goes on for certain, C(i) = 1, and leaves
    after k.

    Erratum: one of the notes prints TP/(TP + FN) for precision and TP/(TP + FP) for recall. They are swapped.

    Elsewhere:
        trec_eval: `P_k`.
        ir_measures: `P@k`.
        ranx: `precision@k`; without a cutoff it divides by the documents retrieved, as SetP does.
        Elasticsearch: `precision` is `P(denominator=retrieved)@10`.

    >>> evaluate_one("P@5", [1, 0, 1])  # 2 / 5
    0.4
    >>> evaluate_one("P(denominator=retrieved)@5", [1, 0, 1])  # 2 / 3
    0.6667
    """
    assert cutoff is not None
    if denominator == "retrieved":
        found = r.count(r.at_least(rel), cutoff, name="found")
        return r.step("P", "found / min(k, n)", ratio(found, np.minimum(cutoff, r.retrieved)), k=cutoff, n=r.retrieved)
    return r.step("P", "found / k", r.count(r.at_least(rel), cutoff, name="found") / cutoff, k=cutoff)


@measure(
    "RelativeP",
    at="cutoff",
    at_needed=True,
    defaults_at=CUTOFFS,
    completion="corners",
    ties=SHARES,
    cites=("trec_eval",),
)
def relative_precision(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""Precision at k as a share of the best precision at k that any ranking could have.

    .. math:: \frac{P@k}{\min(k, R)/k} = \frac{\mathrm{found}@k}{\min(k, R)}

    A query without relevant documents scores 0.

    Elsewhere:
        trec_eval: `relative_P_k`.

    >>> evaluate_one("RelativeP@5", [1, 0, 1, 0, 0], unretrieved=[1])  # 2 found; at most 3 can be: 2/3
    0.6667
    """
    assert cutoff is not None
    relevant = r.relevant(rel)
    value = ratio(r.count(r.at_least(rel), cutoff, name="found"), np.minimum(cutoff, relevant))
    return r.step("RelativeP", "found / min(k, R)", value, k=cutoff, R=relevant)


@measure(
    "Success",
    aliases=("hit_rate",),
    at="cutoff",
    at_needed=True,
    defaults_at=(1, 5, 10),
    completion="corners",
    ties=TieForm(shares=True, expected=_expected_success),
    cites=("trec_eval",),
)
def success(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""1 if one of the first k documents is relevant, otherwise 0.

    .. math:: \mathrm{Success}@k = \max_{i \le k} \mathrm{rel}_i

    Its mean over the queries is the share of the queries that were answered in the first k documents. A query without
    relevant documents scores 0.

    Elsewhere:
        trec_eval: `success_k`.
        ir_measures: `Success@k`.
        ranx: `hit_rate@k`; its `hits@k` counts the relevant documents instead.

    >>> evaluate_one("Success@1", [0, 1]), evaluate_one("Success@2", [0, 1])
    (0.0, 1.0)
    """
    found = r.count(r.at_least(rel), cutoff, name="found")
    return r.step("Success", "min(1, found)", (found > 0).astype(np.float64))
