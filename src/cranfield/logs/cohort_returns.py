"""Which share of a cohort's users came again in a later week, with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cranfield.logs.behaviour import Cohort
from cranfield.stats.proportions import share_interval


class Return(NamedTuple):
    """Of users by the week they came first: how many came again so many weeks later."""

    first_week: str
    weeks_later: int
    returned: int
    users: int
    share: float
    low: float
    high: float


def cohort_returns(cohorts: Iterable[Cohort], *, level: float = 0.95) -> Iterator[Return]:
    """A row for each week after the first of each cohort that has users; intervals are Wilson's.

    >>> [one] = cohort_returns([Cohort("2026-03-01", 10, (8,))])
    >>> one.share, round(one.low, 4), round(one.high, 4)
    (0.8, 0.4902, 0.9433)
    """
    for one in cohorts:
        for later, returned in enumerate(one.returned, 1):
            interval = share_interval(returned, one.users, level)
            if interval is not None:
                share = returned / one.users
                yield Return(one.week, later, returned, one.users, share, interval.lower, interval.upper)
