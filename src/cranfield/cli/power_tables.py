"""What `cranfield power` found, as tables for people and as lines for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from cranfield.cli.tables import render, wrapped
from cranfield.evaluation.power import Finding, Planning
from cranfield.stats.planning.discriminative_power import DiscriminativePower
from cranfield.stats.planning.error_rates import ErrorRates
from cranfield.stats.planning.power import Power
from cranfield.stats.planning.topic_set_size import IntervalWidth

COLUMNS: dict[type, tuple[str, ...]] = {
    Power: ("test", "difference", "sd", "effect", "topics", "power"),
    IntervalWidth: ("wanted", "sd", "topics", "width"),
    ErrorRates: ("test", "difference", "topics", "type_1", "type_2", "power"),
    DiscriminativePower: ("test", "topics", "comparisons", "separated", "share", "needed"),
}
"""What is shown of each kind of answer: the names of its attributes."""


def _header(findings: Sequence[Finding]) -> list[str]:
    return ["measure"] * (findings[0].measure is not None) + list(COLUMNS[type(findings[0].answer)])


def _row(finding: Finding) -> list[Any]:
    values = [getattr(finding.answer, name) for name in COLUMNS[type(finding.answer)]]
    return [finding.measure, *values] if finding.measure else values


def tsv(findings: Sequence[Finding], *, curve: bool) -> Iterator[str]:
    """A line for each answer; with `curve` one for each pair of runs."""
    if not curve:
        yield "\t".join(_header(findings))
        for finding in findings:
            yield "\t".join("nan" if value is None else str(value) for value in _row(finding))
        return
    yield "measure\ttest\tfirst\tsecond\tdifference\tp"
    for measure, test, pairs in _curves(findings):
        yield from ("\t".join([measure, test, *map(str, pair.values())]) for pair in pairs)


def tables(planning: Planning, *, curve: bool, digits: int) -> Iterator[str]:
    """A row for each answer, and what is to be said about them."""
    findings = planning.findings
    if curve:
        for measure, test, pairs in _curves(findings):
            yield f"{measure}, {test}, largest p first"
            rows = [[_cell(value, digits) for value in pair.values()] for pair in pairs]
            yield render(["first", "second", "difference", "p"], rows, left=2)
            yield ""
    header = _header(findings)
    left = sum(name in ("measure", "test") for name in header)
    yield render(header, [[_cell(value, digits) for value in _row(finding)] for finding in findings], left=left)
    yield ""
    for said in [*(finding.sentence for finding in findings), *planning.notes]:
        yield from wrapped(said)


def _curves(findings: Sequence[Finding]) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """For each measure and test the pairs of runs, those with large p-values first."""
    for finding in findings:
        if isinstance(finding.answer, DiscriminativePower):
            yield str(finding.measure), finding.answer.test, finding.to_dict()["curve"]


def _cell(value: Any, digits: int) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return f"{value:z.{digits}f}" if isinstance(value, float) else str(value)
