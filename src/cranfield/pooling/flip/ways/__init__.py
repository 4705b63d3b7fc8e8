"""The largest difference there could be between two runs, over all grades that unjudged documents could have.

A document that both runs returned has one grade. So the largest difference is not that of the largest value of one run
and the smallest of the other, and how it is found depends on the measure: each module here is one way, and says why it
is right. `WAYS` says which measure goes which way. What is not listed, or has parameters for which the way is not
right, is looked at for each run by itself (`apart.py`), which never promises too much.

Documents that neither run returned count as not relevant, but for user models that read on below the end of a list:
there every document of the one run could be the best and every one of the other worth nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from cranfield.measures.registry import Measure
from cranfield.pooling.flip.ways.case import Case, Highest

APART = "apart"
WAYS: dict[str, str] = {
    **dict.fromkeys(("P", "MeanP", "SetP", "CG", "DCG", "Utility", "SetAccuracy", "SetError"), "additive"),
    **dict.fromkeys(("RBP", "SDCG", "INSQ", "TBG", "U"), "additive"),
    **dict.fromkeys(("RR", "Success"), "first_found"),
    **dict.fromkeys(("AP", "GMAP"), "precisions"),
    "nDCG": "shared_ideal",
    **dict.fromkeys(("R", "SetR", "SetFNR", "F", "SetF", "SetE", "SetG", "RelativeP", "SetTNR", "SetFPR"), "counted"),
    **dict.fromkeys(("Rprec", "BreakEven"), "at_r"),
    **dict.fromkeys(("ERR", "INST", "NERR8", "NERR9", "NERR10", "NERR11"), "branches"),
}
"""Which way measures go, if their parameters allow it."""
OUTSIDE = {
    **dict.fromkeys(("additive", "first_found", "branches"), "they change nothing"),
    **dict.fromkeys(("precisions", "shared_ideal"), "if one were relevant, the difference of its topic would shrink"),
}
"""What documents that neither run returned would do if they were relevant, by way, where that is known."""


def way_of(measure: Measure) -> str:
    """The way that a measure with its parameters goes.

    >>> from cranfield.measures import parse_one
    >>> way_of(parse_one("AP")), way_of(parse_one("AP(denominator=found)")), way_of(parse_one("Q"))
    ('precisions', 'apart', 'apart')
    """
    parameters: Mapping[str, Any] = measure.parameters
    unfit = (
        (measure.name == "RBP" and parameters["gain"] == "topic")
        or (measure.name == "AP" and parameters["denominator"] == "found")
        or (measure.name == "nDCG" and parameters["ideal"] != "judged")
        or (measure.name == "BreakEven" and parameters["curve"] != "raw")
    )
    if measure.name == "SetP" and parameters["relative"]:
        return "counted"
    return APART if unfit else WAYS.get(measure.name, APART)


def highest(case: Case) -> Highest:
    """For each topic, the largest difference there could be: first run minus second."""
    found: Highest = importlib.import_module(f"{__name__}.{way_of(case.measure)}").highest(case)
    return found
