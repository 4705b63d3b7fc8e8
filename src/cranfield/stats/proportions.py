"""Intervals of shares and of rates, many at once; of a share also alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.errors import UsageError
from cranfield.stats.arguments import within
from cranfield.stats.interval import Interval, Intervals

_Counts = npt.ArrayLike


def wilson(successes: _Counts, trials: _Counts, level: float = 0.95) -> Intervals:
    """Wilson's score intervals of shares, which hold their level for few trials and for shares near 0 or 1; nan where
    there was no trial.

    Wilson (1927), Probable inference, the law of succession, and statistical inference; as given by Brown, Cai and
    DasGupta (2001), Interval estimation for a binomial proportion, equation 4.

    >>> found = wilson([8], [10])
    >>> found.lower.round(4).tolist(), found.upper.round(4).tolist()
    ([0.4902], [0.9433])
    """
    from scipy.special import ndtri

    within("level", level, 0, 1)
    k, n = np.asarray(successes, float), np.asarray(trials, float)
    z = float(ndtri((1 + level) / 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = k / n
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    lower: Floats = np.where(k == 0, np.where(n > 0, 0.0, np.nan), middle - half)
    upper: Floats = np.where(k == n, np.where(n > 0, 1.0, np.nan), middle + half)
    return Intervals(lower, upper, level, "Wilson")


def share_interval(hits: int, of: int, level: float = 0.95) -> Interval | None:
    """Wilson's interval of one share; None for no tries.

    >>> interval = share_interval(8, 10)
    >>> round(interval.lower, 4), round(interval.upper, 4)
    (0.4902, 0.9433)
    """
    if not 0 <= hits <= of:
        raise UsageError(f"{hits} of {of} is no share")
    found = wilson([hits], [of], level)
    return Interval(float(found.lower[0]), float(found.upper[0]), level, found.method) if of else None


def newcombe(first: tuple[_Counts, _Counts], second: tuple[_Counts, _Counts], level: float = 0.95) -> Intervals:
    """Intervals of the difference of two shares, each of successes and trials, by Newcombe's hybrid score method
    (1998, method 10); nan where there was no trial.

    >>> found = newcombe(([56], [70]), ([48], [80]))  # Newcombe 1998, table II, column (a)
    >>> found.lower.round(4).tolist(), found.upper.round(4).tolist()
    ([0.0524], [0.3339])
    """
    one, other = wilson(*first, level), wilson(*second, level)
    with np.errstate(divide="ignore", invalid="ignore"):
        p, q = (np.asarray(k, float) / np.asarray(n, float) for k, n in (first, second))
    lower: Floats = p - q - np.hypot(p - one.lower, other.upper - q)
    upper: Floats = p - q + np.hypot(one.upper - p, q - other.lower)
    return Intervals(lower, upper, level, "Newcombe")


def poisson_rate(events: _Counts, exposure: _Counts, level: float = 0.95) -> Intervals:
    """Exact intervals of a rate, events over what was expected, as Garwood has them (1936); nan without exposure.

    >>> found = poisson_rate([10], [5.0])
    >>> found.lower.round(4).tolist(), found.upper.round(4).tolist()
    ([0.9591], [3.6781])
    """
    from scipy.special import chdtri

    within("level", level, 0, 1)
    k, exposed = np.asarray(events, float), np.asarray(exposure, float)
    tail = (1 - level) / 2
    each, place = np.unique(k, return_inverse=True)  # of many counts few differ
    least, most = np.where(each > 0, chdtri(2 * np.maximum(each, 1), 1 - tail) / 2, 0.0), chdtri(2 * each + 2, tail) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        lower, upper = least[place] / exposed, most[place] / exposed
    nothing = ~(exposed > 0)
    return Intervals(np.where(nothing, np.nan, lower), np.where(nothing, np.nan, upper), level, "Garwood")
