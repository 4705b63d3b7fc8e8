"""Comparisons as lines for programs: every number in full, nothing for what is not defined."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from cranfield.evaluation.comparison import Comparison


def records(comparison: Comparison, *, by_query: bool) -> Iterator[list[str]]:
    """A header, and a line for each measure, run and test; by topic a line for each measure, run and topic."""
    if by_query:
        yield ["measure", "run", "baseline", "query", "baseline_value", "value", "difference"]
        for row in comparison.rows:
            values = zip(
                row.topics, row.baseline_scores.tolist(), row.scores.tolist(), row.by_topic.values(), strict=True
            )
            for topic, *numbers in values:
                yield [str(row.measure), row.run, row.baseline, topic, *map(repr, numbers)]
        return
    found = comparison.records()
    yield list(found[0])
    for record in found:
        yield [_text(value) for value in record.values()]


def _text(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def comma_separated(rows: Iterator[list[str]]) -> Iterator[str]:
    """Lines of CSV (RFC 4180), without their ends.

    >>> list(comma_separated(iter([["run", "AP"], ["a,b", "0.5"]])))
    ['run,AP', '"a,b",0.5']
    """
    for row in rows:
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow(row)
        yield line.getvalue()
