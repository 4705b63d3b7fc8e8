"""Measures of the first relevant document: RR, Success.

The value is the highest weight of a rank with a relevant document. Take the grades for which the difference is largest:
if the first run has its value from a document that was open, this one alone would do as well, for the others do nothing
for the first run and can only raise the second; if not, none is needed. So it is enough to try one document at a time.
"""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Floats
from cranfield.pooling.flip.ways.alone import alone
from cranfield.pooling.flip.ways.case import Case, Highest


def highest(case: Case) -> Highest:
    """Exact."""
    value = case.difference
    np.maximum.at(value, case.both.topic[case.both.open], with_one(case))
    return Highest.all_exact(value)


def with_one(case: Case) -> Floats:
    """For each open document, the difference of its topic if it is the only one of them that is relevant."""
    rows = case.both.open
    topic = case.both.topic[rows]
    first, second = (np.maximum(case.values[side][topic], alone(case, side, rows)) for side in range(2))
    return first - second
