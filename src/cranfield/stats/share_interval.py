"""The interval of a share: of answers that were right, of coins that fell on one side."""

from __future__ import annotations

import math

from cranfield.errors import UsageError
from cranfield.stats.arguments import within
from cranfield.stats.interval import Interval


def share_interval(hits: int, of: int, level: float = 0.95) -> Interval | None:
    """Wilson's interval of a share, which holds its level for few tries and for shares near 0 or 1; None for no tries.

    Wilson (1927), Probable inference, the law of succession, and statistical inference; as given by Brown, Cai and
    DasGupta (2001), Interval estimation for a binomial proportion, equation 4.

    >>> interval = share_interval(8, 10)
    >>> round(interval.lower, 4), round(interval.upper, 4)
    (0.4902, 0.9433)
    """
    from scipy.special import ndtri

    within("level", level, 0, 1)
    if not 0 <= hits <= of:
        raise UsageError(f"{hits} of {of} is no share")
    if of == 0:
        return None
    z = float(ndtri(0.5 + level / 2))
    share = hits / of
    middle = (hits + z * z / 2) / (of + z * z)
    half = z * math.sqrt(of) / (of + z * z) * math.sqrt(share * (1 - share) + z * z / (4 * of))
    lower = 0.0 if hits == 0 else middle - half
    upper = 1.0 if hits == of else middle + half
    return Interval(lower, upper, level, "Wilson")
