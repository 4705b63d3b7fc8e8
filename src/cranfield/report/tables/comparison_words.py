"""What stands beside tables of comparisons, in words."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison

MOST_SENTENCES = 6
"""With more comparisons than this the table speaks for itself."""


def readings(row: Compared) -> Iterator[str]:
    """What was asked for beside the tests, in sentences."""
    if row.posterior:
        yield row.posterior.describe(row.run, row.baseline)
    if row.assumptions:
        yield from row.assumptions.sentences


def outcome(comparison: Comparison) -> str:
    """How many checks of requirements there were, and whether all succeeded."""
    checked = [verdict.met for verdict in comparison.verdicts if verdict.met is not None]
    failed, skipped = checked.count(False), len(comparison.verdicts) - len(checked)
    words = f"{failed} of {len(checked)} checks failed" if failed else f"passed all {len(checked)} checks"
    if len(checked) == 1:
        words = f"{'failed' if failed else 'passed'} the one check"
    return f"requirements: {words}" + (f", {skipped} not possible" if skipped else "")
