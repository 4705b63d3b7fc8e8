"""Capture and recapture: what was found by several searches says how much none of them found.

All of it assumes that a search finds each thing with the same chance, whatever other searches find. Systems do not:
what is easy for one is easy for the others, so that they have more in common than chance would give them, and the
estimates are too low. They are lower bounds of what there is to find, and say nothing of what no such system can find.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from cranfield.errors import DataError
from cranfield.stats.arguments import within
from cranfield.stats.population_size.estimate import PopulationEstimate, around_unseen

NONE_COMMON = "the two have nothing in common"
NOTHING_FOUND = "nothing was found"
NO_PAIR = "one search says nothing about what it misses: expected two or more"


def lincoln_petersen(first: int, second: int, both: int, *, level: float = 0.95) -> PopulationEstimate:
    r"""How many there are, if one search found `first` of them, another `second`, and `both` were found by both.

    .. math:: \hat{N} = \frac{n_1 n_2}{m}, \qquad
        \hat{\sigma}^2 = \frac{n_1 n_2 (n_1 - m) (n_2 - m)}{m^3}

    The second search finds the share m / n₁ of what the first found, and so of all. Too high on average where little is
    common, and not defined where nothing is: see `chapman`.

    C. C. Sekar, W. E. Deming. On a method of estimating birth and death rates. JASA 44, 1949.

    >>> found = lincoln_petersen(40, 30, 20)  # 40 · 30 / 20; the error is √(40 · 30 · 20 · 10 / 20³)
    >>> found.value, round(found.error, 4), found.seen
    (60.0, 5.4772, 50)
    """
    seen = _seen(first, second, both, level)
    if both == 0:
        return PopulationEstimate("Lincoln-Petersen", math.nan, math.nan, seen, undefined=NONE_COMMON)
    value = first * second / both
    error = math.sqrt(first * second * (first - both) * (second - both) / both**3)
    return PopulationEstimate("Lincoln-Petersen", value, error, seen, around_unseen(value, error, seen, level))


def chapman(first: int, second: int, both: int, *, level: float = 0.95) -> PopulationEstimate:
    r"""Lincoln and Petersen's estimate without most of its bias; defined for any numbers.

    .. math:: \hat{N} = \frac{(n_1 + 1) (n_2 + 1)}{m + 1} - 1, \qquad
        \hat{\sigma}^2 = \frac{(n_1 + 1) (n_2 + 1) (n_1 - m) (n_2 - m)}{(m + 1)^2 (m + 2)}

    Unbiased if n₁ + n₂ is at least N. Where the two have nothing in common it is defined, and far too low.

    D. G. Chapman. Some properties of the hypergeometric distribution with applications to zoological sample censuses.
    1951. G. A. F. Seber. The effects of trap response on tag recapture estimates. Biometrics 26, 1970.

    >>> found = chapman(40, 30, 20)  # 41 · 31 / 21 - 1; the error is √(41 · 31 · 20 · 10 / (21² · 22))
    >>> round(found.value, 4), round(found.error, 4)
    (59.5238, 5.1187)
    """
    seen = _seen(first, second, both, level)
    value = (first + 1) * (second + 1) / (both + 1) - 1
    error = math.sqrt((first + 1) * (second + 1) * (first - both) * (second - both) / (both + 1) ** 2 / (both + 2))
    return PopulationEstimate("Chapman", value, error, seen, around_unseen(value, error, seen, level))


def chao2(found_by: npt.ArrayLike, searches: int, *, level: float = 0.95) -> PopulationEstimate:
    r"""How many there are at least, from how many of several searches found each of those that were found.

    .. math:: \hat{N} = s + A\,\frac{Q_1 (Q_1 - 1)}{2 (Q_2 + 1)}, \qquad A = \frac{t - 1}{t}

    .. math:: \hat{\sigma}^2 = A\,\frac{Q_1 (Q_1 - 1)}{2 (Q_2 + 1)} + A^2\,\frac{Q_1 (2 Q_1 - 1)^2}{4 (Q_2 + 1)^2}
        + A^2\,\frac{Q_1^2 Q_2 (Q_1 - 1)^2}{4 (Q_2 + 1)^4}

    s were found, Q₁ by exactly one of the t searches and Q₂ by exactly two. It is a lower bound also if some are harder
    to find than others. This is the form corrected for bias: Q₁² / 2 Q₂ is too high where Q₂ is small, which a sum over
    many topics would add up. Not defined for fewer than two searches.

    A. Chao. Estimating the population size for capture-recapture data with unequal catchability. Biometrics 43, 1987.
    A. Chao. Species estimation and applications. Encyclopedia of Statistical Sciences, 2005. SpadeR's `Chao2-bc` is the
    same.

    >>> found = chao2([1] * 10 + [2] * 5 + [3] * 20, searches=4)  # 35 + 3/4 · 10 · 9 / (2 · 6)
    >>> found.value, found.seen
    (40.625, 35)
    """
    within("level", level, 0, 1)
    counts = np.asarray(found_by, dtype=np.int64)
    if len(counts) and (counts.min() < 1 or counts.max() > searches):
        raise DataError(f"found_by: expected numbers of searches, from 1 to {searches}, for each that was found")
    seen = len(counts)
    if searches < 2:
        return PopulationEstimate("Chao2", math.nan, math.nan, seen, undefined=NO_PAIR)
    once, twice = (int(np.count_nonzero(counts == times)) for times in (1, 2))
    share = (searches - 1) / searches
    unseen = share * once * (once - 1) / (2 * (twice + 1))
    of_once = share * (2 * once - 1) / (2 * (twice + 1))
    of_twice = share * once * (once - 1) / (2 * (twice + 1) ** 2)
    value, error = seen + unseen, math.sqrt(unseen + once * of_once**2 + twice * of_twice**2)
    return PopulationEstimate("Chao2", value, error, seen, around_unseen(value, error, seen, level))


def _seen(first: int, second: int, both: int, level: float) -> int:
    """How many were found by either."""
    within("level", level, 0, 1)
    if not 0 <= both <= min(first, second):
        raise DataError(f"{both} found by both, of {first} and {second}: expected no more than either found")
    return first + second - both
