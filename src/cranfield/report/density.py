"""How scores are distributed: quartiles, and a smooth density."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Floats

WHISKER = 1.5
"""How far whiskers may reach beyond the box, in lengths of the box (Tukey, 1977)."""


class Box(NamedTuple):
    """The numbers of a box plot."""

    low: float
    """The lowest value that is not farther below the box than whiskers reach."""
    first: float
    median: float
    third: float
    high: float
    mean: float

    @classmethod
    def of(cls, values: Floats) -> Box:
        """
        >>> Box.of(np.array([0.0, 0.25, 0.5, 0.75, 5.0]))
        Box(low=0.0, first=0.25, median=0.5, third=0.75, high=0.75, mean=1.3)
        """
        first, median, third = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
        reach = WHISKER * (third - first)
        inside = values[(values >= first - reach) & (values <= third + reach)]
        return cls(float(inside.min()), first, median, third, float(inside.max()), float(values.mean()))


def density(values: Floats, grid: Floats, bounds: tuple[float, float]) -> Floats | None:
    r"""A kernel density estimate at the points of a grid; None where all values are the same, or there is but one.

    .. math:: f(x) = \frac{1}{n h} \sum_i \varphi\Big(\frac{x - x_i}{h}\Big), \qquad
        h = 0.9 \min(s, \mathrm{IQR} / 1.34)\, n^{-1/5}

    The bandwidth is Silverman's rule of thumb. What the kernels put beyond the bounds of the measure is reflected
    there, so that no density is lost and none is shown where no value can be.

    >>> grid = np.linspace(0, 1, 1001)
    >>> found = density(np.array([0.0, 0.1, 0.2, 0.4]), grid, (0.0, 1.0))
    >>> round(float(np.trapezoid(found, grid)), 3)  # all of it is inside
    1.0
    """
    if len(values) < 2 or np.ptp(values) == 0:
        return None
    deviation = float(values.std(ddof=1))
    quartiles = np.quantile(values, [0.25, 0.75])
    width = min(deviation, float(quartiles[1] - quartiles[0]) / 1.34) or deviation
    bandwidth = 0.9 * width * len(values) ** -0.2
    points = [values, *(2.0 * bound - values for bound in bounds if np.isfinite(bound))]
    distance = (grid[:, np.newaxis] - np.concatenate(points)) / bandwidth
    total: Floats = np.exp(-0.5 * distance**2).sum(axis=1) / (len(values) * bandwidth * np.sqrt(2.0 * np.pi))
    return total
