"""Logistic regression: the chance of something, from numbers it depends on."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Floats

_STEPS = 50
_CLOSE = 1e-10


def fit_logistic(features: Floats, successes: Floats, trials: Floats | float = 1.0, *, ridge: float = 0.0) -> Floats:
    r"""The weights of a logistic model, the first that of no feature, by Newton's method.

    .. math:: \Pr = \frac{1}{1 + e^{-(w_0 + w_1 x_1 + \dots)}}

    A row stands for so many trials, of which so many were successes. The ridge keeps the weights of features small,
    which they would not be where features tell successes and failures apart completely.

    >>> weights = fit_logistic(np.array([[0.0], [1.0]]), np.array([5.0, 8.0]), np.array([10.0, 10.0]))
    >>> weights.round(4).tolist()  # ln(5/5), ln(8/2) - ln(5/5)
    [0.0, 1.3863]
    """
    columns = np.column_stack((np.ones(len(features)), features))
    penalty = np.diag([0.0] + [ridge] * features.shape[1])
    weights = np.zeros(columns.shape[1])
    for _ in range(_STEPS):
        chance = logistic(columns @ weights)
        slope = columns.T @ (successes - trials * chance) - penalty @ weights
        curvature = (columns * (trials * chance * (1.0 - chance))[:, np.newaxis]).T @ columns + penalty
        step = np.linalg.solve(curvature, slope)
        weights = weights + step
        if np.abs(step).max() < _CLOSE:
            break
    return weights


def logistic(x: Floats) -> Floats:
    """1 / (1 + exp(-x))."""
    chance: Floats = 1.0 / (1.0 + np.exp(-np.clip(x, -500.0, 500.0)))
    return chance
