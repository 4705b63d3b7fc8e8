"""An estimated number of things, some of which have been seen."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from cranfield.stats.arguments import within
from cranfield.stats.interval import Interval
from cranfield.stats.significance.outcome import as_json


@dataclass(frozen=True)
class PopulationEstimate:
    """How many there are."""

    method: str
    value: float
    """nan where there is none."""
    error: float
    """The standard error; nan where there is none."""
    seen: int
    """How many have been seen: there are no fewer."""
    interval: Interval | None = None
    undefined: str | None = None
    """Why there is no value, or no interval."""

    @property
    def unseen(self) -> float:
        """How many have not been seen."""
        return self.value - self.seen

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it; what is not defined is None."""
        plain: dict[str, Any] = as_json(asdict(self))
        return plain


def around_unseen(value: float, error: float, seen: int, level: float) -> Interval:
    r"""An interval for a number of which some have been seen: it does not go below these.

    .. math:: s + \frac{\hat{N} - s}{C} \ \text{to}\ s + (\hat{N} - s) C, \qquad
        C = \exp\left(z \sqrt{\ln\left(1 + \frac{\hat{\sigma}^2}{(\hat{N} - s)^2}\right)}\right)

    The number of those unseen is taken for log-normal. Nothing is open where nothing is unseen, or the error is 0.

    A. Chao. Estimating the population size for capture-recapture data with unequal catchability. Biometrics 43, 1987.

    >>> found = around_unseen(150, 20, 100, level=0.95)  # C = exp(1.96 √ln(1 + .16)) = 2.128
    >>> round(found.lower, 1), round(found.upper, 1)  # 100 + 50 / 2.128, 100 + 50 · 2.128
    (123.5, 206.4)
    """
    from scipy.special import ndtri

    within("level", level, 0, 1)
    unseen = value - seen
    if unseen <= 0 or error == 0:
        return Interval(value, value, level, LOG_NORMAL)
    z = float(ndtri((1 + level) / 2))
    factor = math.exp(z * math.sqrt(math.log1p((error / unseen) ** 2)))
    return Interval(seen + unseen / factor, seen + unseen * factor, level, LOG_NORMAL)


LOG_NORMAL = "log-normal number of those unseen"
