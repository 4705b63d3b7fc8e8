"""Scores as deviations from what other systems reached on the same topic (-Z)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from cranfield.data.strings import Strings, decode
from cranfield.errors import CranfieldError, FormatError
from cranfield.evaluation.provenance.origin import Input, read_input
from cranfield.evaluation.result import ByMeasure, RunEvaluation
from cranfield.formats.files import Readable, open_source
from cranfield.formats.lines import Layout, iter_blocks
from cranfield.formats.numbers import parse_numbers
from cranfield.measures import Measure, parse_one
from cranfield.measures.registry import SMALLEST_IN_GEOMETRIC_MEAN

UNKNOWN = -1_000_000.0
"""What trec_eval prints where the reference has no mean for a topic and measure."""

Means = Mapping[tuple[str, Measure], tuple[float, float]]
"""A mean and a standard deviation by topic and measure."""


@dataclass(frozen=True)
class Reference:
    """What other systems reached, and where that was read."""

    means: Means
    source: Input


def _check(fields: list[bytes]) -> str | None:
    _, bad = parse_numbers(Strings.from_list(fields[2:4]))
    return f"{decode(fields[2 + int(bad[0])])!r} is not a number" if len(bad) else None


LAYOUT = Layout(("query", "measure", "mean", "deviation"), _check)


def read_reference(what: Readable, *, hashed: bool = False) -> Reference:
    """Means and standard deviations by topic and measure: lines of `query measure mean deviation`.

    `hashed` takes the SHA-256 while it is read, for the provenance of the values.
    """
    return Reference(*read_input("reference", what, partial(_read_means, what), hashed=hashed))


def _read_means(what: Readable) -> Means:
    reference: dict[tuple[str, Measure], tuple[float, float]] = {}
    known: dict[bytes, Measure | None] = {}
    with open_source(what) as source:
        for block in iter_blocks(source, LAYOUT):
            numbers = [parse_numbers(column) for column in block.columns[2:4]]
            for _, bad in numbers:
                if len(bad):
                    line = block.line_of(int(bad[0]))
                    raise FormatError("the mean or deviation is not a number", source=source.name, line=line)
            mean, deviation = (values.tolist() for values, _ in numbers)
            names = zip(block.columns[0].tolist(), block.columns[1].tolist(), strict=True)
            for row, (query, name) in enumerate(names):
                if name not in known:
                    known[name] = _measure(decode(name))
                measure = known[name]
                if measure is not None:
                    reference[decode(query), measure] = (mean[row], deviation[row])
    return reference


def _measure(name: str) -> Measure | None:
    try:
        return parse_one(name)
    except CranfieldError:
        return None  # a reference may hold more measures than we know


def standardise(evaluation: RunEvaluation, reference: Reference) -> RunEvaluation:
    """The same evaluation with each value as (value - mean) / deviation of its topic and measure."""
    columns: dict[Measure, Any] = {}
    for measure, values in evaluation.columns.items():
        if isinstance(values, np.ndarray):
            if measure.definition.aggregate == "geometric":
                values = np.log(np.maximum(values, SMALLEST_IN_GEOMETRIC_MEAN))
            if measure.name != "NumQ":
                pairs = zip(evaluation.queries, values.tolist(), strict=True)
                values = np.array([_deviation(v, reference.means.get((query, measure))) for query, v in pairs])
        columns[measure] = values
    origin = evaluation.origin and evaluation.origin.also(reference.source)
    return replace(evaluation, columns=columns, standardised=True, origin=origin, residuals=ByMeasure())


def _deviation(value: float, reference: tuple[float, float] | None) -> float:
    if reference is None:
        return UNKNOWN
    mean, deviation = reference
    if deviation == 0:
        return 0.0 if value == mean else UNKNOWN
    return (value - mean) / deviation
