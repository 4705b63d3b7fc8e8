"""What is in a log: how much traffic, which sessions, which queries, how they grow and fade."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats
from cranfield.errors import DataError
from cranfield.logs.log import Log
from cranfield.stats.interval import Intervals
from cranfield.stats.proportions import wilson

if TYPE_CHECKING:
    import ibis

LONGEST = 10
"""Queries per session, and words of a query, are counted one by one up to here."""
MANY = 20
"""How many queries are named."""
ENOUGH = 10
"""How often a query must have been put for its growth to be told."""


class Traffic(NamedTuple):
    """A day, or all of them."""

    day: str
    queries: int
    sessions: int
    users: int | None
    """None where the source does not say who searched."""
    clicks: int
    without_click: int
    """Queries that nobody clicked anything for."""
    without_results: int
    known_results: int
    """For how many queries the log says whether there were results."""


class Counted(NamedTuple):
    """How many things have this size; the last size is this one and all above."""

    size: int
    number: int

    @property
    def sizes(self) -> str:
        """As it is shown: the last one with all above it."""
        return f"{self.size}+" if self.size == LONGEST else str(self.size)


class Asked(NamedTuple):
    """A query, whoever put it."""

    text: str
    times: int
    users: int | None
    clicked_share: float
    without_results: int


class Growth(NamedTuple):
    """How a query fared from the first half of the days to the second."""

    text: str
    before: int
    after: int
    ratio: float
    """Its share of the traffic afterwards over that before, half a query added to each."""
    low: float
    high: float
    """The interval of the ratio, which takes queries for independent; those of all that are compared hold at once in
    95 of 100 logs (Bonferroni)."""


@dataclass(frozen=True, eq=False)
class Overview:
    """What is in a log."""

    total: Traffic
    days: tuple[Traffic, ...]
    """None where the log does not say when it was searched; then nothing rises or fades either."""
    texts: int
    """How many different queries there are."""
    once: int
    """How many of them were put only once."""
    head: tuple[Asked, ...]
    """Those that were put most often."""
    half: int
    """How many of the most frequent queries make half of the traffic."""
    session_sizes: tuple[Counted, ...]
    """Sessions by how many queries they have."""
    session_minutes: float | None
    """Of the session in the middle, from its first query to its last thing that happened; None if times are made up."""
    words: tuple[Counted, ...]
    """Queries by how many words they have."""
    fruitless: tuple[Asked, ...]
    """Queries without results that were put most often."""
    rising: tuple[Growth, ...]
    """Those whose share certainly grew, the whole interval being above 1, …"""
    fading: tuple[Growth, ...]
    """…and those whose share certainly shrank."""
    least_people: int
    """Queries that fewer people put are not named."""
    without_results: Intervals
    """The share of queries without results, of those of which it is known."""
    notes: tuple[str, ...] = ()
    """What is not said, and why."""

    @property
    def queries_per_session(self) -> float:
        return self.total.queries / self.total.sessions


def overview(log: Log, *, named: int = MANY, enough: int = ENOUGH, least_people: int = 1) -> Overview:
    """What is in a log.

    Queries that fewer people than `least_people` put are counted, but not named. People are users, or sessions where
    users are unknown.
    """
    import ibis

    queries = log.queries
    days = log.run(queries.group_by("day").agg(**_traffic(queries)).order_by("day")).to_pylist()
    if not days:
        raise DataError(f"{log.path}: there are no queries in this part of the log")
    sizes, minutes = _sessions(log)
    whole = _whole(log, days, sum(size.number for size in sizes))
    middle = days[len(days) // 2]["day"]
    by_text = log.keep(_by_text(queries, middle, least_people))
    counts = _frequencies(log, by_text)
    by_many = by_text.filter(by_text.by_many)
    before = sum(day["queries"] for day in days if day["day"] < middle)
    often = by_many.filter(by_many.times >= enough)
    halves = (before, whole.queries - before)
    rising, fading = _growth(log, often, *halves, named) if log.dated and len(days) > 1 else ((), ())
    head, fruitless = _asked(
        log,
        _first(log, by_many, ibis.desc("times"), named),
        _first(log, by_many.filter(by_many.without_results > 0), ibis.desc("without_results"), named),
    )
    return Overview(
        total=whole,
        days=tuple(Traffic(**day) for day in days) if log.dated else (),
        texts=int(counts[:, 1].sum()),
        once=int(counts[counts[:, 0] == 1, 1].sum()),
        head=head,
        half=_most_frequent_half(counts),
        session_sizes=sizes,
        session_minutes=minutes if log.timed else None,
        words=_words(log, by_text),
        fruitless=fruitless,
        rising=rising,
        fading=fading,
        least_people=least_people,
        without_results=wilson([whole.without_results], [whole.known_results]),
        notes=() if log.dated else (f"{log.times_said}, and nothing is said of days, and of what rises or fades",),
    )


def _traffic(queries: ibis.Table) -> dict[str, Any]:
    found = queries.results.fill_null(queries.shown)
    return {
        "queries": queries.count(),
        "sessions": queries.session_number.nunique(),
        "users": queries.user_number.nunique().nullif(0),
        "clicks": queries.clicks.sum().cast("int64"),
        "without_click": (queries.clicks == 0).cast("int64").sum(),
        "without_results": (found == 0).cast("int64").sum().fill_null(0),
        "known_results": found.count(),
    }


def _whole(log: Log, days: list[dict[str, Any]], sessions: int) -> Traffic:
    """All days together; sessions and users may be there on several."""
    users = log.run(log.queries.user_number.nunique().nullif(0)).as_py()
    sums = {name: sum(day[name] for day in days) for name in days[0] if name not in ("day", "sessions", "users")}
    return Traffic("all", **sums, sessions=sessions, users=users)


def _by_text(queries: ibis.Table, middle: str, least_people: int) -> ibis.Table:
    """Each query with how often it was put, in all and before and after the day in the middle, and whether many did.

    To count people takes more time and memory than all else, so it is done only where it is asked for.
    """
    import ibis

    found = queries.results.fill_null(queries.shown)
    return queries.group_by("text_number").agg(
        times=queries.count(),
        before=(queries.day < middle).cast("int64").sum(),
        after=(queries.day >= middle).cast("int64").sum(),
        by_many=people_of(queries).nunique() >= least_people if least_people > 1 else ibis.literal(True),
        clicked=(queries.clicks > 0).cast("int64").sum(),
        without_results=(found == 0).cast("int64").sum().fill_null(0),
    )


def people_of(queries: ibis.Table) -> ibis.Value:
    """Who put a query: the user, or the session where users are unknown."""
    # Numbers of sessions are those below 0, so that none is taken for a user.
    people: ibis.Value = queries.user_number.coalesce(-1 - queries.session_number)
    return people


def named_by_many(log: Log, texts: Iterable[str], least_people: int) -> set[str]:
    """Those of some queries that so many people put, or more."""
    asked = sorted(set(texts))
    if least_people <= 1 or not asked:
        return set(asked)
    queries = log.queries.filter(lambda rows: rows.text.isin(asked))
    found = queries.group_by("text").agg(people=people_of(queries).nunique())
    return set(log.run(found.filter(found.people >= least_people).select("text"))["text"].to_pylist())


def _first(log: Log, by_text: ibis.Table, key: Any, named: int) -> list[dict[str, Any]]:
    """So many queries that are first by a key, with their words."""
    order = (key, "text_number")
    found = by_text.order_by(order).limit(named).join(log.texts, "text_number").order_by(order)
    rows: list[dict[str, Any]] = log.run(found).to_pylist()
    return rows


def _asked(log: Log, *found: list[dict[str, Any]]) -> list[tuple[Asked, ...]]:
    """Queries with how many users put them."""
    numbers = sorted({row["text_number"] for rows in found for row in rows})
    queries = log.queries.filter(lambda rows: rows.text_number.isin(numbers))
    by_text = queries.group_by("text_number").agg(users=queries.user_number.nunique().nullif(0))
    users = {row["text_number"]: row["users"] for row in log.run(by_text).to_pylist()}
    return [
        tuple(
            Asked(
                row["text"],
                row["times"],
                users[row["text_number"]],
                row["clicked"] / row["times"],
                row["without_results"],
            )
            for row in rows
        )
        for rows in found
    ]


def _frequencies(log: Log, by_text: ibis.Table) -> Floats:
    """How many queries were put so many times: rows of times and queries, the rarest first."""
    found = log.run(by_text.group_by("times").agg(texts=by_text.count()).order_by("times"))
    return np.column_stack([found["times"].to_numpy(), found["texts"].to_numpy()])


def _most_frequent_half(counts: Floats) -> int:
    """The least number of queries that together were put at least half of all times."""
    times, texts = counts[::-1, 0], counts[::-1, 1]
    done = np.cumsum(times * texts)
    place = int(np.searchsorted(done, done[-1] / 2))
    before = 0 if place == 0 else done[place - 1]
    return int(texts[:place].sum() + np.ceil((done[-1] / 2 - before) / times[place]))


def _sessions(log: Log) -> tuple[tuple[Counted, ...], float]:
    """Sessions by how many queries they have, and how long the one in the middle took."""
    import ibis

    asked = log.queries.select("session_number", "time_ms", asked_ms="time_ms")
    done = log.events.select("session_number", "time_ms", asked_ms=ibis.null("int64"))
    rows = asked.union(done)
    both = rows.group_by("session_number").agg(
        size=rows.asked_ms.count(), took=rows.time_ms.max() - rows.asked_ms.min()
    )
    both = log.keep(both.filter(both.size > 0))
    sizes = both.group_by("size").agg(count=both.count())
    middle = log.run(both.agg(middle=both.took.quantile(0.5))).to_pylist()[0]["middle"]
    return _capped(log, sizes), middle / 60_000


def _words(log: Log, by_text: ibis.Table) -> tuple[Counted, ...]:
    rows = by_text.join(log.texts, "text_number")
    sized = rows.select("times", size=rows.text.length() - rows.text.replace(" ", "").length() + 1)
    return _capped(log, sized.group_by("size").agg(count=sized.times.sum().cast("int64")))


def _capped(log: Log, sizes: ibis.Table) -> tuple[Counted, ...]:
    """Counts by size, those above the longest in one."""
    found: dict[int, int] = {}
    for row in log.run(sizes.order_by("size")).to_pylist():
        size = min(int(row["size"]), LONGEST)
        found[size] = found.get(size, 0) + row["count"]
    return tuple(Counted(size, count) for size, count in found.items())


def _growth(
    log: Log, by_text: ibis.Table, before: int, after: int, named: int
) -> tuple[tuple[Growth, ...], tuple[Growth, ...]]:
    """The queries whose share of the traffic grew, or shrank, most from the first half of the days to the second, which
    have so many queries."""
    import ibis
    from scipy.special import ndtri

    compared = int(log.run(by_text.count()).as_py())
    reach = float(ndtri(1 - 0.025 / max(compared, 1))) * (1 / (by_text.before + 0.5) + 1 / (by_text.after + 0.5)).sqrt()
    ratio = (by_text.after + 0.5) / (by_text.before + 0.5) * ((before + 0.5) / (after + 0.5))
    grown = by_text.select(
        "text_number", "before", "after", ratio=ratio, low=ratio / reach.exp(), high=ratio * reach.exp()
    )
    key = ibis._.ratio.round(9)
    grew, shrank = (
        tuple(Growth(*(row[name] for name in Growth._fields)) for row in _first(log, rows, order, named))
        for rows, order in ((grown.filter(grown.low > 1), key.desc()), (grown.filter(grown.high < 1), key.asc()))
    )
    return grew, shrank
