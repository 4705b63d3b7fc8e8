"""What ties leave open, as tables for people and as columns for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

import numpy as np

from cranfield.cli.tables import render, wrapped
from cranfield.data.strings import encode
from cranfield.evaluation.bounds.tie_orders import DRAWN
from cranfield.evaluation.bounds.tie_spread import METHODS, TieSpread
from cranfield.evaluation.result import RunEvaluation
from cranfield.measures import Measure

Show = Callable[[float, Measure], str]
"""How a value of a measure is written."""

COLUMNS = ("expected", "expected_error", "min", "max", "range", "method")
"""What lines for programs have beside the value."""


def cells(spread: TieSpread | None, row: int | None, show: Show) -> list[str]:
    """What ties leave open of a topic, or of the mean, and how that was found; empty where there is nothing to say."""
    if spread is None:
        return [""] * len(COLUMNS)
    if row is None:
        mean, error, how = spread.mean, spread.mean_error, spread.how
        certified = bool(spread.certified.all())
    else:
        columns = {"expected": spread.expected, "min": spread.minimum, "max": spread.maximum}
        mean = {name: float(column[row]) for name, column in columns.items()}
        error, how, certified = float(spread.error[row]), METHODS[int(spread.method[row])], bool(spread.certified[row])
    found = [show(mean["expected"], spread.measure), repr(error)]
    found += [show(mean[end], spread.measure) for end in ("min", "max")]
    return [*found, "exact" if certified else "seen", how]


def tables(results: Sequence[RunEvaluation], show: Show, *, by_query: bool, summary: bool) -> Iterator[str]:
    """Values beside those that other orders of tied documents would give, by topic and over all topics."""
    tied = [result for result in results if result.ties]
    several = len(tied) > 1
    yield from wrapped(_lead(tied))
    if by_query:
        rows = _by_topic(tied, show, several)
        if rows:
            yield render(
                ["topic", "measure", *["run"] * several, "value", "expected", "min", "max"], rows, left=2 + several
            )
        yield from _about_others(tied, {row[0] for row in rows})
        yield ""
    if summary:
        spreads = [(result, result.ties[measure]) for measure in tied[0].ties for result in tied]
        rows = [
            [str(spread.measure), *[result.name] * several, *_values(spread, None, show), *_topics(spread), spread.how]
            for result, spread in spreads
        ]
        header = ["value", "expected", "min", "max", "affected", "at cutoff", "expected by"]
        yield render(["measure", *["run"] * several, *header], rows, left=1 + several)
        yield from wrapped(
            "affected: topics whose value depends on the order; "
            "at cutoff: topics with a tie across the cutoff, or across -M"
        )
    for note in notes(tied):
        yield from wrapped(note)
    yield ""


def _lead(results: Sequence[RunEvaluation]) -> str:
    """What the values are over."""
    counts = [f"{result.coverage.tied_topics} of {result.coverage.found}" for result in results]
    if len(results) == 1:
        return f"Over all orders of the documents with tied scores ({counts[0]} topics have some):"
    by_run = ", ".join(f"{result.name} {count}" for result, count in zip(results, counts, strict=True))
    return f"Over all orders of the documents with tied scores (topics that have some: {by_run}):"


def _values(spread: TieSpread, row: int | None, show: Show) -> list[str]:
    expected, error, low, high, *_ = cells(spread, row, show)
    value = spread.mean["value"] if row is None else float(spread.value[row])
    return [show(value, spread.measure), expected + _about(float(error), spread.measure, show), low, high]


def _about(error: float, measure: Measure, show: Show) -> str:
    """The standard error of an expected value that was sampled, with one digit where values are shown with too few."""
    if not error:
        return ""
    shown = show(error, measure)
    if any(digit in shown for digit in "123456789"):
        return f" ±{shown}"
    return f" ±{100 * error:.1g}%" if shown.endswith("%") else f" ±{error:.1g}"


def _topics(spread: TieSpread) -> list[str]:
    return [str(spread.topics_affected), str(spread.topics_across)]


def _by_topic(results: Sequence[RunEvaluation], show: Show, several: bool) -> list[list[str]]:
    """A row for every value of a topic that depends on the order."""
    rows = [
        [result.queries[row], str(measure), *[result.name] * several, *_values(spread, row, show)]
        for result in results
        for measure, spread in result.ties.items()
        for row in np.flatnonzero(result.listed & spread.affected).tolist()
    ]
    order = {str(measure): place for place, measure in enumerate(results[0].measures)}
    return sorted(rows, key=lambda row: (encode(row[0]), order[row[1]]))


def _about_others(results: Sequence[RunEvaluation], shown: Set[str]) -> Iterator[str]:
    """How many topics have no value that depends on the order."""
    topics = {result.queries[row] for result in results for row in np.flatnonzero(result.listed).tolist()}
    others = len(topics - shown)
    if others:
        which = "" if not shown else "other "
        yield f"{others} {which}topic{'s' * (others > 1)}: no value depends on the order"


def notes(results: Sequence[RunEvaluation]) -> Iterator[str]:
    """How what is not known exactly was found."""
    if not results:
        return
    drawn = [m for m in _measures(results) if any(result.ties[m].error.any() for result in results)]
    if drawn:
        yield f"{', '.join(map(str, drawn))}: expected values, ± their standard error, from {_orders(results)}"
    yield from seen_notes(results, "min and max")


def seen_notes(results: Sequence[RunEvaluation], ends: str) -> Iterator[str]:
    """Of which measures the ends of the range, by whatever name they are shown, are only those seen."""
    seen = [m for m in _measures(results) if not all(result.ties[m].certified.all() for result in results)]
    if seen:
        yield f"{', '.join(map(str, seen))}: {ends} are those seen in {_orders(results)}; other orders may go beyond"


def _orders(results: Sequence[RunEvaluation]) -> str:
    return f"{DRAWN} orders drawn at random (seed {results[0].settings['seed']})"


def expected_notes(results: Sequence[RunEvaluation]) -> Iterator[str]:
    """What is to be said where expected values stand in the place of values."""
    tied = [result for result in results if result.ties]
    if not tied:
        return
    yield "values are expected over all orders of documents with tied scores"
    by_method: dict[str, list[str]] = {}
    for result in tied:
        for measure, spread in result.ties.items():
            run = f" of {result.name}" if len(tied) > 1 else ""
            error = f" ±{spread.mean_error:.2g}" if spread.mean_error else ""
            by_method.setdefault(spread.how, []).append(f"{measure}{run}{error}")
    yield from (f"{how}: {', '.join(measures)}" for how, measures in by_method.items())
    if any(spread.error.any() for result in tied for spread in result.ties.values()):
        seed = tied[0].settings["seed"]
        yield f"sampled: {DRAWN} orders drawn at random (seed {seed}), ± the standard error of the mean"


def _measures(results: Sequence[RunEvaluation]) -> list[Measure]:
    return list(results[0].ties) if results else []
