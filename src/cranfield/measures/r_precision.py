"""Precision at R, the number of relevant documents, and at multiples of it: Rprec."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Number, Rel
from cranfield.measures.registry import measure, ratio


@measure("Rprec", aliases=("r-precision", "RPrec"), cites=("buckley-voorhees-2000",))
def r_precision(r: Rankings, *, rel: Rel = None, multiple: Annotated[float, Number(0)] = 1) -> Floats:
    r"""Precision at R, where R is the number of relevant documents; with `multiple` m, precision at mR.

    .. math:: \mathrm{Rprec} = P@R = R@R

    A cutoff mR that is not whole is floor(mR + 0.9). A query without relevant documents scores 0.

    >>> evaluate_one("Rprec", [1, 0, 1, 1], unretrieved=[1])  # R = 4; 3 of the first 4
    0.75
    >>> evaluate_one("Rprec(multiple=0.5)", [1, 0, 1, 1], unretrieved=[1])  # 1 of the first 2
    0.5
    """
    cutoff = np.floor(multiple * r.relevant(rel) + 0.9).astype(np.int64)
    return ratio(r.count(r.at_least(rel), cutoff), cutoff)
