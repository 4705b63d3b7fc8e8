"""How many of a finite population there are, from a sample of each of its strata."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.errors import DataError
from cranfield.stats.arguments import within
from cranfield.stats.interval import Interval
from cranfield.stats.population_size.estimate import PopulationEstimate, around_unseen

NOT_DRAWN = "nothing was drawn of a stratum, of which the sample therefore says nothing"
ALL_CERTAIN = "none of those found was left to chance, so that nothing says how many others there are"
EFFECTIVE = "Clopper-Pearson with the effective size of the sample"


def stratified_total(
    found: npt.ArrayLike, drawn: npt.ArrayLike, size: npt.ArrayLike, *, level: float = 0.95
) -> PopulationEstimate:
    r"""How many there are, if `found` of the `drawn` of each stratum are such, and it has `size` members.

    .. math:: \hat{R} = \sum_h N_h \frac{x_h}{n_h}, \qquad
        \hat{\sigma}^2 = \sum_h N_h (N_h - n_h) \frac{p_h (1 - p_h)}{n_h - 1}, \qquad p_h = \frac{x_h}{n_h}

    x_h of the n_h that were drawn of the N_h, at random and without replacement; both are unbiased. A stratum of which
    one was drawn has no variance of its own: p (1 - p) is then that of all strata together. The interval is for the
    share among those not drawn for certain, by Korn and Graubard: Clopper and Pearson's with the size that a simple
    sample of the same variance would have. That variance is of shares with half a success and half a failure more, for
    a stratum in which none was found is not one without any; so it errs on the wide side where little was drawn. Not
    defined where nothing was drawn of a stratum that has members.

    D. G. Horvitz, D. J. Thompson. A generalization of sampling without replacement from a finite universe. JASA 47,
    1952.
    E. L. Korn, B. I. Graubard. Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data. Survey Methodology 24, 1998.

    >>> found = stratified_total(found=[8, 3], drawn=[10, 20], size=[10, 200])  # 8 + 200 · 3/20
    >>> found.value, round(found.error, 3)  # √(200 · 180 · .15 · .85 / 19)
    (38.0, 15.543)
    """
    within("level", level, 0, 1)
    x, n, N = (np.asarray(column, dtype=np.float64) for column in (found, drawn, size))
    if ((x < 0) | (x > n) | (n > N)).any():
        at = int(np.flatnonzero((x < 0) | (x > n) | (n > N))[0])
        raise DataError(
            f"stratum {at + 1}: {x[at]:g} found of {n[at]:g} drawn of {N[at]:g}: expected no more found than drawn, "
            "and no more drawn than there are"
        )
    seen = int(x.sum())
    if ((n == 0) & (N > 0)).any():
        return PopulationEstimate("sample", math.nan, math.nan, seen, undefined=NOT_DRAWN)
    x, n, N = x[N > 0], n[N > 0], N[N > 0]
    value = float((N * x / n).sum())
    variance = float(_variances(x / n, n, N).sum())
    lower, upper = _bounds(x, n, N, level)
    # Of those that were not drawn, all or none may be such.
    most = seen + float((N - n).sum())
    interval = Interval(max(lower, seen), min(upper, most), level, EFFECTIVE)
    return PopulationEstimate("sample", value, math.sqrt(variance), seen, interval)


def independent_total(probability: npt.ArrayLike, *, level: float = 0.95) -> PopulationEstimate:
    r"""How many there are, from the chances that those found had of being drawn, each independently of the others.

    .. math:: \hat{R} = \sum_i \frac{1}{\pi_i}, \qquad \hat{\sigma}^2 = \sum_i \frac{1 - \pi_i}{\pi_i^2}

    The interval takes the number of those not drawn for log-normal. It has no upper end where all that were found had
    been certain to be drawn: nothing then says how many others there are.

    >>> found = independent_total([1, 0.5, 0.25])  # 1 + 2 + 4; the variance is 0 + .5/.25 + .75/.0625
    >>> found.value, round(found.error, 4)
    (7.0, 3.7417)
    """
    chance = np.asarray(probability, dtype=np.float64)
    seen, value = len(chance), float((1 / chance).sum())
    error = math.sqrt(float(((1 - chance) / chance**2).sum()))
    if error == 0:
        return PopulationEstimate("sample", value, error, seen, None, ALL_CERTAIN)
    return PopulationEstimate("sample", value, error, seen, around_unseen(value, error, seen, level))


def _variances(p: Floats, n: Floats, N: Floats) -> Floats:
    """Of the estimate of each stratum, if the share there is p."""
    left = n < N
    whole = float(N[left].sum())
    share = float((N * p)[left].sum()) / whole if whole else 0.0
    spread = np.where(n > 1, p * (1 - p) * n / np.maximum(n - 1, 1), share * (1 - share))
    variances: Floats = N * (N - n) / n * spread
    return variances


def _bounds(x: Floats, n: Floats, N: Floats, level: float) -> tuple[float, float]:
    """The lowest and the highest number, from the strata that were not drawn whole."""
    from scipy.special import betaincinv

    left = n < N
    certain, x, n, N = float(x[~left].sum()), x[left], n[left], N[left]
    whole = float(N.sum())
    if not whole:
        return certain, certain
    share, smooth = float((N * x / n).sum()) / whole, (x + 0.5) / (n + 1)
    middle = float((N * smooth).sum()) / whole
    effective = middle * (1 - middle) * whole**2 / float(_variances(smooth, n, N).sum())
    such, others = effective * share, effective * (1 - share)
    tail = (1 - level) / 2
    lower = float(betaincinv(such, others + 1, tail)) if such else 0.0
    upper = float(betaincinv(such + 1, others, 1 - tail)) if others else 1.0
    return certain + whole * lower, certain + whole * upper
