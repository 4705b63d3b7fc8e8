"""Who came again: users by the week they came first, and which share of them was there in a later one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from cranfield.logs.log import Log
from cranfield.stats.proportions import share_interval

if TYPE_CHECKING:
    import ibis

DAY = 86_400_000
WEEK = 7 * DAY
ALL = "all"
"""Cohorts together."""


class Cohort(NamedTuple):
    """Users by the week they came first, and how many of them were there so many weeks later."""

    week: str
    """Its first day; weeks are counted from the first day of the log."""
    users: int
    returned: tuple[int, ...]
    """In each week afterwards that the log has to its end."""


class Return(NamedTuple):
    """Of users by the week they came first: how many came again so many weeks later."""

    first_week: str
    """Of a cohort, or `all`: users of all cohorts of which that later week is known."""
    weeks_later: int
    returned: int
    users: int
    share: float
    low: float
    high: float


def cohort_returns(cohorts: Iterable[Cohort], *, level: float = 0.95) -> Iterator[Return]:
    """A row for each week after the first of each cohort that has users, then of all of them together; intervals are
    Wilson's.

    >>> one, two, *both = cohort_returns([Cohort("2026-03-01", 10, (8, 2)), Cohort("2026-03-08", 10, (4,))])
    >>> one.share, round(one.low, 4), round(one.high, 4)
    (0.8, 0.4902, 0.9433)
    >>> [(later.first_week, later.weeks_later, later.returned, later.users) for later in both[1:]]
    [('all', 1, 12, 20), ('all', 2, 2, 10)]
    """
    each = list(cohorts)
    for one in each:
        for later, returned in enumerate(one.returned, 1):
            yield from _share(one.week, later, returned, one.users, level)
    for later in range(1, max((len(one.returned) for one in each), default=0) + 1):
        there = [one for one in each if len(one.returned) >= later]
        returned, users = sum(one.returned[later - 1] for one in there), sum(one.users for one in there)
        yield from _share(ALL, later, returned, users, level)


def _share(first_week: str, later: int, returned: int, users: int, level: float) -> Iterator[Return]:
    """Nothing where there are no users."""
    interval = share_interval(returned, users, level)
    if interval is not None:
        yield Return(first_week, later, returned, users, returned / users, interval.lower, interval.upper)


def cohorts_of(log: Log) -> tuple[Cohort, ...]:
    """Users by the week of their first query, weeks counted from the first day of the log.

    A week that the log does not have to its end says nothing about who came again.
    """
    begin, end = _milliseconds(log.days[0]), _milliseconds(log.days[-1]) + DAY
    found: dict[int, dict[int, int]] = {}
    for row in log.run(log.summary("returns", returns_of).order_by(["came", "week"])).to_pylist():
        found.setdefault(row["came"], {})[row["week"] - row["came"]] = row["users"]
    complete = (end - begin) // WEEK
    return tuple(
        Cohort(_day(begin + came * WEEK), later[0], tuple(later.get(week, 0) for week in range(1, complete - came)))
        for came, later in found.items()
    )


def returns_of(log: Log) -> ibis.Table:
    """The rows of `cranfield.logs.tables.RETURNS`, counted."""
    begin = _milliseconds(log.days[0]) if log.days else 0
    queries = log.queries.filter(lambda rows: rows.user_number.notnull())
    weekly = queries.select("user_number", week=((queries.time_ms - begin) // WEEK).cast("int64")).distinct()
    came = weekly.group_by("user_number").agg(came=weekly.week.min())
    both = weekly.join(came, "user_number")
    return both.group_by(["came", "week"]).agg(users=both.count())


def _milliseconds(day: str) -> int:
    return round(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() * 1000)


def _day(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).date().isoformat()
