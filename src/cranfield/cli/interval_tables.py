"""What means leave open, drawn as small bars for people and as columns for programs."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from cranfield.cli.tables import render, wrapped
from cranfield.cli.tie_tables import seen_notes
from cranfield.evaluation.bounds.intervals import MeanInterval
from cranfield.evaluation.result import RunEvaluation
from cranfield.measures import Measure

Show = Callable[[float, Measure], str]
"""How a value of a measure is written."""
Intervals = Sequence[tuple[RunEvaluation, Measure, MeanInterval]]

_WIDTH = 32
_REASONS = ("topics", "unjudged", "ties")
_WORDS = {"mean": "mean", "geometric": "geometric mean", "sum": "sum", "variance": "variance", "error": "error"}
COLUMNS = ("run", "measure", "mean", *(f"{reason}_{end}" for reason in _REASONS for end in ("low", "high")))


class _Glyphs(NamedTuple):
    """What bars are drawn with."""

    left: str
    inside: str
    right: str
    mean: str
    outside: str


_FINE, _PLAIN = _Glyphs("├", "─", "┤", "●", "·"), _Glyphs("[", "-", "]", "o", ".")


def lines(intervals: Intervals) -> Iterator[str]:
    """A line for each run and measure, for programs; empty where there is nothing to say."""
    yield "\t".join(COLUMNS)
    for run, measure, interval in intervals:
        ends = [repr(end) if end is not None else "" for reason in _REASONS for end in _ends(interval, reason)]
        yield "\t".join([run.name, str(measure), repr(interval.mean), *ends])


def tables(intervals: Intervals, show: Show) -> Iterator[str]:
    """For each mean the three intervals on one scale, one below the other, and why some are missing."""
    several = len({run.name for run, _, _ in intervals}) > 1
    rows = []
    for run, measure, interval in intervals:
        low, high = _scale([one for _, other, one in intervals if other == measure], measure)
        rows.append(
            [
                str(measure),
                *[run.name] * several,
                _WORDS[measure.definition.aggregate],
                show(interval.mean, measure),
                "",
                _label(low, high),
            ]
        )
        for reason in _REASONS:
            start, end = _ends(interval, reason)
            if start is not None and end is not None:
                bar = _bar(start, end, interval.mean, low, high)
                rows.append(["", *[""] * several, reason, show(start, measure), show(end, measure), bar])
    yield render(["measure", *["run"] * several, "", "from", "to", ""], rows, left=2 + several)
    yield ""
    yield from _legend([interval for _, _, interval in intervals])
    for note in notes([run for run, _, _ in intervals]):
        yield from wrapped(note)


def notes(runs: Iterable[RunEvaluation]) -> Iterator[str]:
    """Where ties may do more than was seen."""
    yield from seen_notes([run for run in dict.fromkeys(runs) if run.ties], "the ends of ties")


def _ends(interval: MeanInterval, reason: str) -> tuple[float | None, float | None]:
    found = getattr(interval, reason)
    return (None, None) if found is None else (found.lower, found.upper)


def _scale(intervals: Sequence[MeanInterval], measure: Measure) -> tuple[float, float]:
    """The ends of the bars: what the measure can be or, where that has no end, 0 and what there is to be drawn."""
    ends = [end for one in intervals for reason in _REASONS for end in _ends(one, reason) if end is not None]
    values = [value for value in [*ends, *(one.mean for one in intervals)] if math.isfinite(value)]
    low, high = measure.bounds
    return (low if math.isfinite(low) else min([0.0, *values])), (high if math.isfinite(high) else max([0.0, *values]))


def _label(low: float, high: float) -> str:
    left, right = f"{low:g}", f"{high:g}"
    return left + " " * (_WIDTH - len(left) - len(right)) + right


def _glyphs() -> _Glyphs:
    try:
        "".join(_FINE).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return _PLAIN
    return _FINE


def _bar(start: float, end: float, mean: float, low: float, high: float) -> str:
    """An interval as a bar, the mean as a dot in it."""
    glyphs = _glyphs()

    def place(value: float) -> int:
        share = (value - low) / (high - low) if high > low else 0.5
        return round(min(max(share, 0.0), 1.0) * (_WIDTH - 1))

    left, right = place(start), place(end)
    cells = [glyphs.outside] * _WIDTH
    cells[left : right + 1] = [glyphs.inside] * (right - left + 1)
    cells[left], cells[right] = glyphs.left, glyphs.right
    cells[place(mean)] = glyphs.mean
    return "".join(cells)


def _legend(intervals: Sequence[MeanInterval]) -> Iterator[str]:
    """What the bars are, and why some are not there."""
    sampling = next((one.topics for one in intervals if one.topics is not None), None)
    if sampling is not None:
        yield from wrapped(
            f"topics: {sampling.level:.0%} of such intervals hold the mean over all topics of the same kind "
            f"({sampling.method})".replace("%", " %")
        )
    if any(one.unjudged is not None for one in intervals):
        yield from wrapped("unjudged: the mean over these topics, whatever grades the unjudged documents have")
    if any(one.ties is not None for one in intervals):
        yield from wrapped("ties: the mean over these topics, in whatever order documents with the same score come")
    said: dict[tuple[str, str], list[str]] = {}
    for one in intervals:
        for reason, why in one.missing.items():
            measures = said.setdefault((reason, why), [])
            measures += [one.measure] if one.measure not in measures else []
    for (reason, why), measures in said.items():
        yield from wrapped(f"{', '.join(measures)}: nothing about {reason} ({why})")
