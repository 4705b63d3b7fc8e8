"""Everything retrieved taken as a set, whatever its order: SetP, SetR, SetF, SetAP, Utility."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Flag, Number, Rel, Weight, Whole
from cranfield.measures.registry import measure, ratio


@measure("SetP", cites=("manning-2008",))
def set_precision(r: Rankings, *, rel: Rel = None, relative: Annotated[bool, Flag()] = False) -> Floats:
    r"""The share of the retrieved documents that are relevant.

    .. math:: P = \frac{TP}{TP + FP}

    With `relative` it is a share of the best that a set of this size could reach, found / min(retrieved, R). 0 if
    nothing is retrieved.

    >>> evaluate_one("SetP", [1, 0, 1, 0], unretrieved=[1])  # 2 of 4
    0.5
    """
    most = np.minimum(r.retrieved, r.relevant(rel)) if relative else r.retrieved
    return ratio(r.count(r.at_least(rel)), most)


@measure("SetR", aliases=("SetRecall",), cites=("manning-2008",))
def set_recall(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""The share of the relevant documents that are retrieved.

    .. math:: R = \frac{TP}{TP + FN}

    A query without relevant documents scores 0.

    >>> evaluate_one("SetR", [1, 0, 1, 0], unretrieved=[1])  # 2 of 3
    0.6667
    """
    return ratio(r.count(r.at_least(rel)), r.relevant(rel))


@measure("SetF", cites=("van-rijsbergen-1979",))
def set_f(r: Rankings, *, rel: Rel = None, beta: Annotated[float, Number(0)] = 1) -> Floats:
    r"""The weighted harmonic mean of precision and recall of everything retrieved.

    .. math:: F_\beta = \frac{(\beta^2 + 1) P R}{\beta^2 P + R}

    β above 1 gives recall more weight, below 1 precision. trec_eval's `set_F.x` takes x = β². 0 where nothing relevant
    is retrieved.

    >>> evaluate_one("SetF", [1, 0, 1, 0], unretrieved=[1])  # P 2/4, R 2/3: 2·(1/3)/(7/6)
    0.5714
    """
    p, rec = set_precision(r, rel=rel), set_recall(r, rel=rel)
    x = beta**2
    return ratio((x + 1.0) * p * rec, x * p + rec)


@measure("SetAP", aliases=("set_map",), cites=("trec_eval",))
def set_average_precision(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""Precision times recall of everything retrieved: average precision if every order were alike.

    .. math:: \frac{TP^2}{(TP + FP)(TP + FN)}

    >>> evaluate_one("SetAP", [1, 0, 1, 0], unretrieved=[1])  # 4 / (4 · 3)
    0.3333
    """
    found = r.count(r.at_least(rel))
    return ratio(found * found, r.retrieved * r.relevant(rel).astype(np.float64))


@measure("Utility", bounds=(-np.inf, np.inf), cites=("lewis-1995",))
def utility(
    r: Rankings,
    *,
    rel: Rel = None,
    tp: Weight = 1,
    fp: Weight = -1,
    fn: Weight = 0,
    tn: Weight = 0,
    documents: Annotated[int, Whole(0)] = 0,
) -> Floats:
    r"""What the retrieved set is worth: so much for each document found, wrongly returned, missed and rightly left out.

    .. math:: tp \cdot TP + fp \cdot FP + fn \cdot FN + tn \cdot TN

    The last term needs the size of the collection, `documents`.

    >>> evaluate_one("Utility", [1, 0, 1, None], unretrieved=[1])  # 2 - 2
    0.0
    """
    found = r.count(r.at_least(rel))
    relevant = r.relevant(rel)
    return (
        tp * found
        + fp * (r.retrieved - found)
        + fn * (relevant - found)
        + tn * (documents + found - r.retrieved - relevant)
    )
