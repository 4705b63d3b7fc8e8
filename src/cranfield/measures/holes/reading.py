"""What unjudged documents could make of user models; here those below the end of the list count as unjudged too.

The reading of a reader who does not look at what is read (RBP, SDCG, INSQ, TBG, U) stays the same, and each gain adds
to the value. One who leaves with a chance that is the gain (NERR8 to NERR11) is the likelier to be satisfied the higher
a gain is, and reads less. The reader of INST reads less too: what is still to be gained after rank i is at most (y -
1)² / (2 y - 1), where y is i + 2 T less what was found, and falls with y by less than y does, so that it never eats up
a further gain. For all of these no gain at all is worst, and the highest in every hole is best: the value as it is
known, and with its residual.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.measures.holes.case import Bounds, Case
from cranfield.measures.user_model import Reader


def bounds(cases: Sequence[Case]) -> list[Bounds]:
    """Exact."""
    return [Bounds(case.values, case.values + np.maximum(reader_of(case).value("residual"), 0.0)) for case in cases]


def reader_of(case: Case) -> Reader:
    """The reader behind a measure."""
    parameters = case.measure.parameters
    for name in ("judged_only", "value"):
        del parameters[name]
    reader: Reader = case.measure.definition.ask(case.rankings, parameters)
    return reader
