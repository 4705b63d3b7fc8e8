"""How much a disagreement between two categories counts: 0 for none, 1 for the worst."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.data.categories import Categories
from cranfield.data.strings import Floats
from cranfield.errors import DataError, ParameterError

WEIGHTS = ("linear", "quadratic")

Weights = str | npt.ArrayLike | None
"""None (every disagreement counts the same), `linear`, `quadratic`, or a table of agreement, 1 on its diagonal."""


def disagreement_weights(categories: Categories, weights: Weights) -> Floats:
    r"""A table of categories x categories.

    .. math:: v_{kl} = \frac{|x_k - x_l|}{x_{max} - x_{min}} \text{ (linear), the square of that (quadratic)}

    x are the categories where they are numbers, otherwise their places on the scale.

    >>> disagreement_weights(Categories.of([0, 1, 4]), "linear")
    array([[0.  , 0.25, 1.  ],
           [0.25, 0.  , 0.75],
           [1.  , 0.75, 0.  ]])
    """
    k = len(categories)
    if weights is None:
        return 1 - np.eye(k)
    if isinstance(weights, str):
        if weights not in WEIGHTS:
            raise ParameterError(f"weights must be one of {', '.join(WEIGHTS)}, or a table, not {weights!r}")
        distance = distances(categories, f"{weights} weights")
        share: Floats = distance / (distance.max(initial=0) or 1)
        return share if weights == "linear" else share**2
    return 1 - _table(weights, k)


def distances(categories: Categories, what: str) -> Floats:
    """How far each category is from each; an error if their order is not known."""
    if not categories.ordered:
        raise DataError(
            f"{what}: categories must have an order, and these are words: {', '.join(categories.names[:5])}. "
            f"Give all of them, lowest first (--scale, scale=)."
        )
    place = categories.positions
    return np.abs(place[:, np.newaxis] - place)


def name_of(weights: Weights) -> str:
    """What a result calls its weights."""
    return "none" if weights is None else weights if isinstance(weights, str) else "custom"


def _table(weights: Any, k: int) -> Floats:
    try:
        table = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"weights must be a table of numbers, not {weights!r:.60}") from None
    if table.shape != (k, k):
        shape = " x ".join(map(str, table.shape))
        raise ParameterError(f"weights must be a table of {k} x {k}, one row for each category, not {shape}")
    fine = (np.diagonal(table) == 1).all() and (table >= 0).all() and (table <= 1).all() and (table == table.T).all()
    if not fine:
        raise ParameterError("weights must be symmetric, from 0 (no agreement) to 1, and 1 on the diagonal")
    return table
