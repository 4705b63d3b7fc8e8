"""The interval of topics and unjudged documents together."""

from __future__ import annotations

import math

from cranfield.data.strings import Floats
from cranfield.pooling.flip.bounds import DifferenceBounds
from cranfield.stats.interval import Interval
from cranfield.stats.significance.t_test import one_sample_t_test


def lower_end(values: Floats, level: float) -> float:
    """The lower end of the interval of a mean over topics, by Student's t; the value itself if all are the same."""
    if len(values) < 2 or float(values.min()) == float(values.max()):
        return float(values[0]) if len(values) > 1 else -math.inf
    interval = one_sample_t_test(values, 0.0, level=level).interval
    assert interval is not None
    return interval.lower


def joint_interval(bounds: DifferenceBounds, level: float) -> Interval | None:
    """From the lower end, by Student's t, of the least differences to the upper end of the largest.

    It has room for other topics and for any grades of what is not judged. None for a single topic, or where differences
    are without bounds.
    """
    lower, upper = lower_end(bounds.low, level), -lower_end(-bounds.high, level)
    if not (math.isfinite(lower) and math.isfinite(upper)):
        return None
    return Interval(lower, upper, level, "Student's t of the bounds")
