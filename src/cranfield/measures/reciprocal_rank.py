"""Reciprocal rank: RR."""

from __future__ import annotations

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Cutoff, Rel
from cranfield.measures.registry import measure


@measure("RR", aliases=("MRR",), at="cutoff", cites=("voorhees-1999",))
def reciprocal_rank(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""One over the rank of the first relevant document.

    .. math:: \mathrm{RR} = 1 / \min\{i : \mathrm{rel}_i\}

    0 if none is retrieved (with a cutoff: among the first k).

    >>> evaluate_one("RR", [0, 0, 1, 1])  # 1/3
    0.3333
    """
    chosen = r.at_least(rel)
    if cutoff is not None:
        chosen = chosen & (r.rank <= cutoff)
    rows = np.flatnonzero(chosen)
    query, first = np.unique(r.query[rows], return_index=True)
    value = np.zeros(len(r))
    value[query] = 1.0 / r.rank[rows[first]]
    return value
