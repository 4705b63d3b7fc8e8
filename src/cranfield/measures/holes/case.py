"""What is asked about holes, and what the answer is."""

from __future__ import annotations

from typing import NamedTuple

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.holes.scale import Stakes
from cranfield.measures.registry import Measure


class Case(NamedTuple):
    """A measure of rankings, its values as things are known, and what is at stake in a hole."""

    measure: Measure
    values: Floats
    rankings: Rankings
    stakes: Stakes


class Bounds(NamedTuple):
    """For each query, the least and the most that the value could be."""

    low: Floats
    high: Floats
