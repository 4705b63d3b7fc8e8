"""Linear correlation: how closely two scores follow a straight line."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.errors import DataError
from cranfield.stats.correlation.rank_correlation import FEWER_THAN_TWO, Correlation
from cranfield.stats.correlation.ties import paired_scores

ALL_THE_SAME = "all items have the same score in one of the two"

_ROUNDING = 1e-12


def pearson_r(x: npt.ArrayLike, y: npt.ArrayLike) -> Correlation:
    r"""Pearson's r: how closely the scores follow a rising (1) or a falling (-1) straight line.

    .. math:: r = \frac{\sum_i (x_i - \bar{x}) (y_i - \bar{y})}
        {\sqrt{\sum_i (x_i - \bar{x})^2} \sqrt{\sum_i (y_i - \bar{y})^2}}

    It looks at the scores themselves, where rank correlation looks at their order: one item that lies far from all
    others can make it high or low by itself. Not defined for fewer than two items, nor where all have the same x or
    the same y. `scipy.stats.pearsonr` gives the same; `fisher_interval` has the interval.

    K. Pearson. Note on regression and inheritance in the case of two parents. Proceedings of the Royal Society 58,
    1895.

    >>> round(pearson_r([1, 2, 3], [1, 3, 2]).value, 4)  # deviations -1 0 1 and -1 1 0: 1 / (√2 √2)
    0.5
    >>> pearson_r([1, 2, 3], [4, 4, 4])
    Correlation(value=nan, items=3, undefined='all items have the same score in one of the two')
    """
    first, second = paired_scores(x, y)
    for name, column in (("x", first), ("y", second)):
        infinite = np.flatnonzero(np.isinf(column))
        if len(infinite):
            raise DataError(
                f"{name}, item {infinite[0] + 1}: {column[infinite[0]]} lies on no line. Give it a finite score."
            )
    value = float(pearson_of_rows(first[np.newaxis], second[np.newaxis])[0])
    if not np.isnan(value):
        return Correlation(value, len(first))
    return Correlation(value, len(first), FEWER_THAN_TWO if len(first) < 2 else ALL_THE_SAME)


def pearson_of_rows(x: Floats, y: Floats) -> Floats:
    """Pearson's r of each row of x with the same row of y; nan where it is not defined.

    >>> pearson_of_rows(np.array([[1.0, 2.0], [1.0, 1.0]]), np.array([[5.0, 4.0], [5.0, 4.0]]))
    array([-1., nan])
    """
    (away_x, size_x), (away_y, size_y) = _deviations(x), _deviations(y)
    r = np.full(len(x), np.nan)
    np.divide((away_x * away_y).sum(axis=1), size_x * size_y, out=r, where=(size_x > 0) & (size_y > 0))
    within: Floats = np.clip(r, -1, 1)
    return within


def _deviations(scores: Floats) -> tuple[Floats, Floats]:
    """How far each score is from the mean of its row, and the length of that; 0 where rounding alone makes it."""
    if not scores.shape[1]:
        return scores, np.zeros(len(scores))
    highest = np.abs(scores).max(axis=1, keepdims=True)
    away = (scores - scores.mean(axis=1, keepdims=True)) / np.where(highest > 0, highest, 1)
    same = np.ptp(scores, axis=1) <= _ROUNDING * highest[:, 0]
    return away, np.where(same, 0.0, np.sqrt((away**2).sum(axis=1)))
