"""What a comparison found, in the few words that fit above a chart."""

from __future__ import annotations

from cranfield.errors import UsageError
from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.measures import Measure, parse_one
from cranfield.report.captions import count
from cranfield.stats import wording

VERDICTS = ("better", "equal", "worse")
NEUTRAL_VERDICTS = ("higher", "equal", "lower")
"""Where neither more nor less is better."""


def rows_of(comparison: Comparison, measure: str | Measure | None = None) -> list[Compared]:
    """The runs against the baseline by one measure: the first, unless it is named."""
    wanted = comparison.measures[0] if measure is None else parse_one(measure)
    rows = [row for row in comparison.rows if row.measure == wanted and row.baseline == comparison.baseline]
    if not rows:
        there = ", ".join(map(str, comparison.measures))
        raise UsageError(f"{wanted} was not compared; there are values of {there}")
    return rows


def verdicts(row: Compared) -> tuple[str, str, str]:
    """What a topic is called on which the run has the higher, an equal and the lower value."""
    if row.measure.more_is_better is None:
        return NEUTRAL_VERDICTS
    return VERDICTS if row.measure.more_is_better else VERDICTS[::-1]


def topic_verdicts(row: Compared) -> list[str]:
    """The word for each topic."""
    high, same, low = verdicts(row)
    return [high if difference > 0 else low if difference < 0 else same for difference in row.by_topic.values()]


def finding(row: Compared) -> list[str]:
    """The difference of the means with its interval, and what the test says.

    >>> from cranfield.evaluation.compare import compare
    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    >>> old = {"q1": {"x": 3, "y": 2, "a": 1}, "q2": {"x": 2, "b": 1}, "q3": {"c": 1}}
    >>> new = {"q1": {"x": 2, "a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    >>> for words in finding(compare(qrels, old, {"new": new}, "RR")["RR", "new"]):
    ...     print(words)
    mean difference +.222 (grey: 95 % interval, -.410 to .855)
    p = .270 (paired t-test)
    better on 2 topics, equal on 1, worse on 0
    """
    words = [_size(row), *_test(row)]
    high, same, low = verdicts(row)
    topics = count(row.higher, "topic")
    words.append(f"{high} on {topics}, {same} on {row.equal}, {low} on {row.lower}")
    return [*words, *_left_out(row)]


def _left_out(row: Compared) -> list[str]:
    return [f"{count(len(row.left_out), 'topic')} left out that only one run has"] if row.left_out else []


def direction_notes(measure: Measure) -> list[str]:
    """What is to be said where more is not better."""
    if measure.more_is_better:
        return []
    return ["less is better" if measure.more_is_better is False else "neither more nor less is better"]


def signed(value: float) -> str:
    """
    >>> signed(0.25), signed(-0.25), signed(0.0)
    ('+.250', '-.250', '.000')
    """
    return f"+{wording.number(value)}" if value > 0 else wording.number(value)


def _size(row: Compared) -> str:
    of = "difference of geometric means" if row.is_geometric else "mean difference"
    words = f"{of} {signed(row.difference)}"
    interval = row.interval
    if interval is None:
        return words
    ratio = " of their ratio" if row.is_geometric else ""
    kind = row.first.outcome.interval_kind if row.first else ""
    name = f"{100 * interval.level:g} % {kind + ' ' if kind else ''}interval{ratio}"
    return (
        f"{words} ({'' if row.is_geometric else 'grey: '}{name}, {_bound(interval.lower)} to {_bound(interval.upper)})"
    )


def _bound(value: float) -> str:
    return wording.number(value) if abs(value) < float("inf") else "infinity" if value > 0 else "-infinity"


def _test(row: Compared) -> list[str]:
    if row.first is None:
        return [f"not tested: {row.not_tested}"]
    outcome = row.first.outcome
    if outcome.undefined:
        return [f"not tested: {outcome.undefined}"]
    words = f"{wording.p_value(outcome.p)} ({outcome.test})"
    if row.first.is_corrected:
        words += (
            f", {wording.p_value(row.first.adjusted)} after {row.first.correction} correction for "
            f"{row.first.comparisons} comparisons"
        )
    return [words]
