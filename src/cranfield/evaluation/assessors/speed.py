"""How fast an assessor judges: over the days, and as a session goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import median
from typing import NamedTuple

from cranfield.evaluation.assessors.sessions import Placed

POSITIONS = (10, 25, 50, 100)
"""Where the parts of a session end that are looked at: answers 1 to 10, 11 to 25, …, and the rest."""


HASTY_SECONDS = 2
"""Nobody reads a document in less."""


class Speed(NamedTuple):
    """How fast answers were given."""

    name: str
    answers: int
    timed: int
    """Those of which it is known how long the assessor was at work on them."""
    active_hours: float
    """The time spent on these."""
    median_seconds: float | None

    @property
    def per_hour(self) -> float | None:
        """Answers in an hour of work."""
        return self.timed / self.active_hours if self.active_hours > 0 else None

    @property
    def active_time(self) -> str:
        """The time spent, in a unit that fits it.

        >>> [Speed("ann", 1, 1, hours, None).active_time for hours in (0.004, 0.25, 26.04)]
        ['14 s', '15 min', '26.0 h']
        """
        seconds = self.active_hours * 3600
        if seconds < 60:
            return f"{seconds:.0f} s"
        return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{self.active_hours:,.1f} h"

    @property
    def is_hasty(self) -> bool:
        """Whether half of the answers took less time than it takes to read a document."""
        return self.median_seconds is not None and self.median_seconds < HASTY_SECONDS


def speed(answers: Iterable[Placed], name: str = "all") -> Speed:
    """Of all answers together."""
    counted = list(answers)
    times = [one.event.active_ms for one in counted if one.event.active_ms is not None]
    return Speed(name, len(counted), len(times), sum(times) / 3_600_000, median(times) / 1000 if times else None)


def speed_by_day(answers: Iterable[Placed]) -> list[Speed]:
    """Of each day (UTC) on which there was an answer."""
    return _by(answers, lambda one: one.event.time[:10])


def speed_by_position(answers: Iterable[Placed]) -> list[Speed]:
    """Of the first answers of all sessions, of those after them, and so on."""
    found = {one.name: one for one in _by(answers, lambda one: _part(one.position))}
    return [found[name] for name in map(_part, (*(end - 1 for end in POSITIONS), POSITIONS[-1])) if name in found]


def _by(answers: Iterable[Placed], name_of: Callable[[Placed], str]) -> list[Speed]:
    parts: dict[str, list[Placed]] = {}
    for one in answers:
        parts.setdefault(name_of(one), []).append(one)
    return [speed(part, name) for name, part in sorted(parts.items())]


def _part(position: int) -> str:
    """What the part of a session is called that an answer belongs to.

    >>> _part(9), _part(10), _part(1000)
    ('1–10', '11–25', '101 and on')
    """
    begin = 0
    for end in POSITIONS:
        if position < end:
            return f"{begin + 1}–{end}"
        begin = end
    return f"{begin + 1} and on"
