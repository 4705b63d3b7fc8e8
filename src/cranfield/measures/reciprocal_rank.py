"""Reciprocal rank: RR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Cutoff, Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import TieForm

if TYPE_CHECKING:
    from cranfield.data.shared_ranks import SharedRankings
    from cranfield.measures.user_model import Reader


def _reader(r: Rankings, *, rel: float | None, cutoff: int | None) -> Reader:
    from cranfield.measures.patience import satisfied, tireless
    from cranfield.measures.user_model import Reader

    return Reader(satisfied(tireless()), r, r.at_least(rel).astype(np.float64), cutoff)


def _expected(r: SharedRankings, *, rel: float | None, cutoff: int | None, **_: Any) -> Floats:
    relevant = r.at_least(rel).astype(np.float64)
    return r.sum(relevant * r.reached(relevant) / r.rank, cutoff)


@measure(
    "RR",
    aliases=("MRR",),
    at="cutoff",
    reader=_reader,
    endless=("ED", "ETC"),
    completion="corners",
    ties=TieForm(lambda parameters: parameters["value"] == "EU", _expected),
    cites=("voorhees-1999",),
)
def reciprocal_rank(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""One over the rank of the first relevant document.

    .. math:: \mathrm{RR} = 1 / \min\{i : \mathrm{rel}_i\}

    0 if none is retrieved (with a cutoff: among the first k). The mean over the queries is MRR. As a user model it is a
    reader who goes on, C(i) = 1 − rel_i, until a document is relevant. If none is, that is for ever: `value=ED` and
    `value=ETC` need a cutoff.

    Elsewhere:
        trec_eval: `recip_rank`.
        ir_measures: `RR`, also called `MRR`; `RR@10` breaks ties in another way than `RR`.
        ranx: `mrr`, `mrr@k`.
        cwl_eval: `RR`, the same.
        Elasticsearch: `mean_reciprocal_rank`, among the first k = 10 unless told otherwise.

    >>> evaluate_one("RR", [0, 0, 1, 1])  # 1/3
    0.3333
    """
    chosen = r.at_least(rel)
    if cutoff is not None:
        chosen = chosen & (r.rank <= cutoff)
    r.show("rel", chosen, cutoff)
    rows = np.flatnonzero(chosen)
    first = rows[np.unique(r.query[rows], return_index=True)[1]]
    rank = r.sum(r.rank[first], rows=first, name="rank", column="first relevant")
    return r.step("RR", "1 / rank", ratio(np.ones(len(r)), rank))
