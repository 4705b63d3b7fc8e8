"""Intervals of correlations between systems of which nothing but one score each is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from cranfield.data.strings import Floats
from cranfield.errors import ParameterError
from cranfield.stats.arguments import one_of, whole, within
from cranfield.stats.interval import Interval

_VARIANCE: Mapping[str, Callable[[float, int], float]] = {
    "pearson": lambda r, n: 1 / (n - 3),
    "spearman": lambda r, n: (1 + r**2 / 2) / (n - 3),
    "tau": lambda r, n: 0.437 / (n - 4),
}
_MOST_TOO_FEW = {"pearson": 3, "spearman": 3, "tau": 4}


def fisher_interval(value: float, items: int, *, coefficient: str = "pearson", level: float = 0.95) -> Interval | None:
    r"""The interval of a correlation by Fisher's z, whose spread hardly depends on the value.

    .. math:: \tanh \left( z \pm z_{\alpha / 2} \, \sigma \right), \qquad z = \mathrm{artanh} \, r, \qquad
        \sigma^2 = \begin{cases} 1 / (n - 3) & \text{Pearson} \\
        (1 + r^2 / 2) / (n - 3) & \text{Spearman} \\ 0.437 / (n - 4) & \text{Kendall} \end{cases}

    `coefficient` is `pearson`, `spearman` or `tau`, and n is the number of items. It takes the items for a random
    sample, and their scores for normally distributed or close to it. None for too few items: three or fewer, four or
    fewer for tau. For Pearson's r it is the interval of `scipy.stats.pearsonr`.

    R. A. Fisher. On the probable error of a coefficient of correlation deduced from a small sample. Metron 1, 1921. E.
    C. Fieller, H. O. Hartley, E. S. Pearson. Tests for rank correlation coefficients I. Biometrika 44, 1957. D. G.
    Bonett, T. A. Wright. Sample size requirements for estimating Pearson, Kendall and Spearman correlations.
    Psychometrika 65, 2000.

    >>> found = fisher_interval(0.5, 28)  # artanh .5 = .5493; .5493 ± 1.96 / √25
    >>> round(found.lower, 3), round(found.upper, 3)
    (0.156, 0.736)
    """
    one_of("coefficient", coefficient, _VARIANCE)
    within("level", level, 0, 1)
    whole("items", items, 0)
    if not -1 <= value <= 1:
        raise ParameterError(f"value must be a correlation from -1 to 1, not {value!r}")
    if items <= _MOST_TOO_FEW[coefficient]:
        return None
    from scipy.special import ndtri

    reach = float(ndtri((1 + level) / 2)) * math.sqrt(_VARIANCE[coefficient](value, items))
    z = math.atanh(value) if abs(value) < 1 else math.copysign(math.inf, value)
    return Interval(math.tanh(z - reach), math.tanh(z + reach), level, "Fisher's z, systems as a random sample")


def why_no_fisher_interval(coefficient: str, items: int) -> str:
    return f"Fisher's z needs more than {_MOST_TOO_FEW[coefficient]} systems, and there are {items}"


def jackknife_interval(value: float, leaving_one_out: Floats, level: float) -> Interval | None:
    r"""The interval of a correlation from what it is when each item in turn is left out.

    .. math:: r \pm t_{n-1} \sqrt{\frac{n - 1}{n} \sum_i (r_{(i)} - \bar{r}_{(\cdot)})^2}

    None for fewer than three items, or where the correlation is not defined without one of them.

    R. G. Miller. The jackknife - a review. Biometrika 61, 1974.
    """
    n = len(leaving_one_out)
    if n < 3 or np.isnan(leaving_one_out).any():
        return None
    from scipy.special import stdtrit

    away = leaving_one_out - leaving_one_out.mean()
    reach = float(stdtrit(n - 1, (1 + level) / 2)) * math.sqrt((n - 1) / n * float(away @ away))
    return Interval(max(value - reach, -1.0), min(value + reach, 1.0), level, "jackknife, systems as a random sample")
