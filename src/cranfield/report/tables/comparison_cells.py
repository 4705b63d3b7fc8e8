"""What tables of comparisons have in their columns, whatever the tables are drawn with."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.measures import Measure
from cranfield.stats.interval import Interval


class Column(NamedTuple):
    """A column of a table: what it is, what stands above it, and what a comparison has in it."""

    kind: str
    header: str
    cell: Callable[[Compared], str]


NOTHING = "-"

_EFFECTS = {"share_of_wins": "share of wins", "rank_biserial": "rank-biserial"}


def columns(comparison: Comparison, digits: int) -> list[Column]:
    """Difference, interval, effect size, wins, and p for each test; what no row has is left out."""
    tested = [row for row in comparison.rows if row.first is not None]
    found = [Column("difference", "difference", lambda row: signed(row.difference, digits))]
    if tested:
        effect = next((_EFFECTS.get(row.effect[0], row.effect[0]) for row in tested if row.effect), "effect")
        found += [
            Column("interval", comparison.interval_name, lambda row: shown_interval(row, digits - 1)),
            Column("effect", effect, lambda row: f"{row.effect[1]:.2f}" if row.effect else NOTHING),
            Column("topics", "+/=/-", wins),
        ]
    for name in comparison.adjusted if tested else ():
        found += _of_test(name, comparison, digits)
    return found


def _of_test(name: str, comparison: Comparison, digits: int) -> Iterator[Column]:
    alone = len(comparison.adjusted) == 1

    def p(row: Compared) -> str:
        return probability(row.tests[name].outcome.p, digits) if row.tests else NOTHING

    def adjusted(row: Compared) -> str:
        return probability(row.tests[name].adjusted, digits) if row.tests else NOTHING

    yield Column("p", "p" if alone else f"p {name}", p)
    if comparison.significance.correction != "none" and comparison.comparisons > 1:
        correction = comparison.significance.correction.replace("benjamini-hochberg", "bh")
        yield Column("adjusted", f"p {correction}" if alone else f"{name} {correction}", adjusted)


def best_means(comparison: Comparison, digits: int) -> dict[Measure, str]:
    """By measure the best of all means, as it is shown: what is shown alike is best alike.

    A measure of which neither more nor less is better has none, nor has one by which all means are shown alike.
    """
    best = {}
    for measure in comparison.measures:
        rows = [row for row in comparison.rows if row.measure == measure]
        means = [mean for row in rows for mean in (row.mean, row.baseline_mean)]
        shown = {f"{mean:.{digits}f}" for mean in means}
        if measure.more_is_better is not None and not measure.definition.without_run and len(shown) > 1:
            best[measure] = f"{max(means) if measure.more_is_better else min(means):.{digits}f}"
    return best


def signed(value: float, digits: int) -> str:
    """With its sign, unless it is 0 as shown.

    >>> signed(0.25, 3), signed(-0.0001, 3), signed(-0.5, 1)
    ('+0.250', '0.000', '-0.5')
    """
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def wins(row: Compared) -> str:
    return NOTHING if row.wins is None else f"{row.wins}/{row.equal}/{row.losses}"


def shown_interval(row: Compared, digits: int) -> str:
    """Of the difference; of the ratio where means are geometric."""
    return bounds(row.interval, digits, times="×" if row.is_geometric else "")


def bounds(interval: Interval | None, digits: int, *, times: str = "") -> str:
    """The two ends of an interval, or the one it has.

    >>> bounds(Interval(-0.0124, 0.5, 0.95, ""), 3), bounds(Interval(0.1, math.inf, 0.95, ""), 2), bounds(None, 3)
    ('-0.012 to 0.500', 'at least 0.10', '-')
    """
    if interval is None or (math.isinf(interval.lower) and math.isinf(interval.upper)):
        return NOTHING
    lower, upper = (f"{times}{bound:.{max(digits, 0)}f}" for bound in (interval.lower, interval.upper))
    if math.isinf(interval.upper):
        return f"at least {lower}"
    return f"at most {upper}" if math.isinf(interval.lower) else f"{lower} to {upper}"


def probability(p: float, digits: int) -> str:
    """With at least three decimal places.

    >>> probability(0.04321, 3), probability(0.00001, 3), probability(math.nan, 3)
    ('0.043', '<0.001', '-')
    """
    digits = max(digits, 3)
    if math.isnan(p):
        return NOTHING
    return f"<{10.0**-digits:.{digits}f}" if p < 10.0**-digits else f"{p:.{digits}f}"


def topics_line(row: Compared, digits: int) -> str:
    """The topics that gained and lost most: by differences, or by ratios where means are geometric."""

    def shown(change: float) -> str:
        return f"×{change:.3g}" if row.is_geometric else signed(change, digits)

    parts = []
    for word, topics in (("gained most", row.gained()), ("lost most", row.lost())):
        if topics:
            parts.append(f"{word}: {', '.join(f'{topic} {shown(change)}' for topic, change in topics)}")
    return "; ".join(parts)
