"""What grades for the documents that nobody judged could make of a measure.

For each query, the smallest and the largest value over all grades that the documents retrieved and not judged could
have; see `Scale` for the grades. Documents that are not retrieved count as irrelevant, but for user models, which read
on below the end of a list.

How the two are found depends on the measure. Each module here is one way, which the trait `completion` of a measure
names, and says why it is right. `WAYS` in `measures/completion.py` says which of them are exact; the others give bounds
that hold but need not be reached.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.completion import knowledge
from cranfield.measures.holes.case import Bounds, Case
from cranfield.measures.holes.scale import Scale, Stakes
from cranfield.measures.registry import Measure


def bounds(values: Mapping[Measure, Floats], r: Rankings, scale: Scale) -> dict[Measure, Bounds]:
    """The bounds of measures with these values; measures without a `completion` are left out.

    >>> from cranfield.measures import parse_one
    >>> r, AP = Rankings.from_grades([1, None, 0, None]), parse_one("AP")
    >>> bounds({AP: AP.compute(r)}, r, Scale((1.0,)))  # worst: only the last one is relevant, (1/1 + 2/4) / 2
    {AP: Bounds(low=array([0.75]), high=array([1.]))}
    """
    found: dict[Measure, Bounds] = {}
    ways: dict[str, list[Case]] = {}
    for measure, known in values.items():
        way, stakes = knowledge(measure).way, Stakes.of(measure, scale, r.level)
        if way and not stakes.any:
            found[measure] = Bounds(known, known)
        elif way:
            ways.setdefault(way, []).append(Case(measure, known, r, stakes))
    for way, cases in ways.items():
        module = importlib.import_module(f"{__name__}.{way}")
        found.update(zip((case.measure for case in cases), module.bounds(cases), strict=True))
    return {measure: found[measure] for measure in values if measure in found}
