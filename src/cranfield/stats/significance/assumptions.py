"""What tests for two systems assume of the differences, looked at: reported, and never acted on."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.stats.significance.differences import ALL_EQUAL, Differences
from cranfield.stats.significance.outcome import as_json
from cranfield.stats.wording import number, p_value

LEAST = 8
"""Fewer topics than this say nothing about the shape of a distribution."""


@dataclass(frozen=True)
class Assumptions:
    """The shape of the differences, and what it means for the tests."""

    n: int
    skewness: float
    """Zero if symmetric; nan where not defined."""
    kurtosis: float
    """Above that of the normal distribution: zero for normal differences, positive for heavy tails."""
    normality_p: float
    """D'Agostino and Pearson's test; a small p speaks against normal differences."""
    symmetry_p: float
    """Miao, Gel and Gastwirth's test; a small p speaks against differences symmetric about their median."""
    outliers: tuple[int, ...]
    """Which topics, counted from 0, lie more than three interquartile ranges outside the quartiles."""
    undefined: str | None
    """Why the shape is not known, if it is not."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was seen, in plain words."""
        words = []
        if self.undefined:
            words.append(f"The shape of the differences is not known: {self.undefined}.")
        else:
            normal, even = ("speaks" if p < 0.05 else "does not speak" for p in (self.normality_p, self.symmetry_p))
            words.append(
                f"The shape of the differences {normal} against a normal distribution (D'Agostino-Pearson, "
                f"{p_value(self.normality_p)}; skewness {number(self.skewness)}, kurtosis {number(self.kurtosis)}). "
                f"The t-test assumes one of their mean, and with many topics the mean has one whatever their shape."
            )
            words.append(
                f"It {even} against symmetry, which the Wilcoxon test assumes (Miao-Gel-Gastwirth, "
                f"{p_value(self.symmetry_p)})."
            )
        if self.outliers:
            words.append(
                f"Topics that lie more than three interquartile ranges outside the quartiles, and can decide a mean: "
                f"{len(self.outliers)} of {self.n}."
            )
        return tuple(words)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it: what is not defined is None."""
        return {**as_json(asdict(self)), "sentences": list(self.sentences)}


def check_assumptions(new: npt.ArrayLike, baseline: npt.ArrayLike) -> Assumptions:
    r"""Looks at what the tests assume of the differences. No test is chosen or changed by it.

    Normality: D'Agostino and Pearson's K², from the skewness and the kurtosis, as in `scipy.stats.normaltest`.
    Symmetry, with m the median and T compared with the normal distribution:

    .. math:: T = \frac{\sqrt{n} \, (\bar{d} - m)}{J \sqrt{\pi / 2 - 1}}, \qquad
        J = \sqrt{\frac{\pi}{2}} \, \frac{1}{n} \sum_i |d_i - m|

    Outliers are Tukey's values far out: more than three interquartile ranges below the first or above the third
    quartile; none are named where that range is zero.

    Not defined for fewer than eight topics, nor where all differences are equal. With few topics such tests see little,
    and with many they see what does not matter: that they find nothing does not prove the assumption.

    R. D'Agostino, E. S. Pearson. Tests for departure from normality. Biometrika 60, 1973. W. Miao, Y. R. Gel, J. L.
    Gastwirth. A new test of symmetry about an unknown median. 2006. J. W. Tukey. Exploratory data analysis. 1977.

    >>> seen = check_assumptions([1, 2, 3, 4, 5, 6, 7, 8, 90], [0] * 9)  # quartiles 3 and 7: 90 > 7 + 3 · 4
    >>> seen.outliers
    (8,)
    >>> (
    ...     seen.normality_p < 0.001,
    ...     round(seen.symmetry_p, 3),
    ... )  # mean 14, m 5: J = 1.2533 · 101 / 9, T = 27 / (14.07 · .7555)
    (True, 0.011)
    """
    differences = Differences.of_pair(new, baseline)
    n, values = differences.topics, differences.values[:, 0]
    outliers = _far_out(np.subtract(new, baseline, dtype=np.float64).ravel())
    undefined = f"there are fewer than {LEAST} topics" if n < LEAST else ALL_EQUAL if differences.all_equal[0] else None
    if undefined:
        return Assumptions(n, math.nan, math.nan, math.nan, math.nan, outliers, undefined)
    away = values - values.mean()
    spread = np.mean(away**2)
    skewness, kurtosis = float(np.mean(away**3) / spread**1.5), float(np.mean(away**4) / spread**2) - 3
    squared = _skewness_z(skewness, n) ** 2 + _kurtosis_z(kurtosis, n) ** 2
    return Assumptions(n, skewness, kurtosis, math.exp(-squared / 2), _symmetry_p(values), outliers, None)


def _far_out(values: Floats) -> tuple[int, ...]:
    if not len(values):
        return ()
    first, third = np.quantile(values, (0.25, 0.75))
    reach = 3 * (third - first)
    if not reach:
        return ()
    return tuple(np.flatnonzero((values < first - reach) | (values > third + reach)).tolist())


def _symmetry_p(values: Floats) -> float:
    median = np.median(values)
    J = math.sqrt(math.pi / 2) * float(np.mean(np.abs(values - median)))
    T = math.sqrt(len(values)) * float(values.mean() - median) / (J * math.sqrt(math.pi / 2 - 1))
    return math.erfc(abs(T) / math.sqrt(2))


def _skewness_z(skewness: float, n: int) -> float:
    """D'Agostino's transformation of the skewness to a standard normal variable."""
    y = skewness * math.sqrt((n + 1) * (n + 3) / (6 * (n - 2)))
    spread = 3 * (n**2 + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    W2 = math.sqrt(2 * (spread - 1)) - 1
    return math.asinh(y * math.sqrt((W2 - 1) / 2)) / math.sqrt(math.log(W2) / 2)


def _kurtosis_z(kurtosis: float, n: int) -> float:
    """Anscombe and Glynn's transformation of the kurtosis to a standard normal variable."""
    expected = -6 / (n + 1)
    variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (kurtosis - expected) / math.sqrt(variance)
    skewness = 6 * (n**2 - 5 * n + 2) / ((n + 7) * (n + 9)) * math.sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    A = 6 + 8 / skewness * (2 / skewness + math.sqrt(1 + 4 / skewness**2))
    ratio = (1 - 2 / A) / (1 + x * math.sqrt(2 / (A - 4)))
    return (1 - 2 / (9 * A) - math.cbrt(ratio)) / math.sqrt(2 / (9 * A))
