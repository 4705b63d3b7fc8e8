"""How long to wait before something that failed is tried again."""

from __future__ import annotations

import random

_FIRST, LONGEST = 0.25, 60.0


def pause(attempt: int, asked: float = 0.0) -> float:
    """Seconds to wait after so many attempts: each time twice as long, drawn between half of that and all so that
    those who failed together do not come back together, and no less than was asked for, within a minute.

    >>> 0.5 <= pause(3) <= 1.0, pause(1, asked=7), pause(1, asked=3600)
    (True, 7, 60.0)
    """
    drawn = min(_FIRST * 2.0 ** (attempt - 1), LONGEST) * random.uniform(0.5, 1.0)
    return max(drawn, min(asked, LONGEST))
