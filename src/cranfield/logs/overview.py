"""What is in a log: how much traffic, which sessions, which queries, how they grow and fade."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.asked import asked
from cranfield.logs.log import Log
from cranfield.logs.traffic import sessions, traffic
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

    *days, whole = _traffic(log)
    if not days:
        raise log.no_queries()
    by_text = asked(log)
    frequencies = _frequencies(log, by_text)
    by_many = by_text.filter(by_text.people >= least_people) if least_people > 1 else by_text
    often = by_many.filter(by_many.times >= enough)
    before = sum(day.queries for day in days[: len(days) // 2])
    trends = _trends(log, often, before, whole.queries - before, named) if log.dated and len(days) > 1 else ([], [])
    head = _first(log, by_many, ibis.desc("times"), named)
    fruitless = _first(log, by_many.filter(by_many.without_results > 0), ibis.desc("without_results"), named)
    names = _names(log, (row["text_number"] for rows in (*trends, head, fruitless) for row in rows))
    rising, fading = (tuple(_growth(row, names) for row in rows) for rows in trends)
    sizes, minutes = _sessions(log)
    return Overview(
        total=whole,
        days=tuple(days) if log.dated else (),
        texts=int(frequencies[:, 1].sum()),
        once=int(frequencies[frequencies[:, 0] == 1, 1].sum()),
        head=tuple(_asked(row, names) for row in head),
        half=_most_frequent_half(frequencies),
        session_sizes=sizes,
        session_minutes=minutes if log.timed else None,
        words=_words(log, by_text),
        fruitless=tuple(_asked(row, names) for row in fruitless),
        rising=rising,
        fading=fading,
        least_people=least_people,
        without_results=wilson([whole.without_results], [whole.known_results]),
        notes=() if log.dated else (f"{log.times_said}, and nothing is said of days, and of what rises or fades",),
    )


def _traffic(log: Log) -> list[Traffic]:
    """Each day, and all of them last."""
    rows = log.run(traffic(log)).to_pylist()
    days = sorted((row for row in rows if row["day"] is not None), key=lambda row: str(row["day"]))
    return [Traffic(**row) for row in (*days, *(row | {"day": "all"} for row in rows if row["day"] is None))]


def _first(log: Log, by_text: ibis.Table, key: Any, named: int) -> list[dict[str, Any]]:
    """So many queries that are first by a key."""
    rows: list[dict[str, Any]] = log.run(by_text.order_by([key, "text_number"]).limit(named)).to_pylist()
    return rows


def _names(log: Log, numbers: Iterable[int]) -> dict[int, str]:
    """The words of queries by their numbers."""
    wanted, texts = sorted(set(numbers)), log.texts
    found = log.run(texts.filter(texts.text_number.isin(wanted)))
    return dict(zip(found["text_number"].to_pylist(), found["text"].to_pylist(), strict=True))


def _asked(row: dict[str, Any], names: dict[int, str]) -> Asked:
    share = row["clicked"] / row["times"]
    return Asked(names[row["text_number"]], row["times"], row["users"], share, row["without_results"])


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
    each = sessions(log)
    sizes = each.group_by(size=each.queries).agg(count=each.count())
    middle = log.run(each.took_ms.quantile(0.5)).as_py()
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


def _trends(
    log: Log, by_text: ibis.Table, before: int, after: int, named: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The queries whose share of the traffic grew, or shrank, most from the first half of the days to the second, which
    have so many queries."""
    from scipy.special import ndtri

    compared = int(log.run(by_text.count()).as_py())
    halves = {"before": by_text.first_half, "after": by_text.times - by_text.first_half}
    first, second = (half.cast("float64") + 0.5 for half in halves.values())
    reach = float(ndtri(1 - 0.025 / max(compared, 1))) * (1 / first + 1 / second).sqrt()
    ratio = second / first * ((before + 0.5) / (after + 0.5))
    bounds = {"low": ratio / reach.exp(), "high": ratio * reach.exp()}
    grown = log.keep(by_text.select("text_number", **halves, ratio=ratio, **bounds))
    key = grown.ratio.round(9)
    rising = _first(log, grown.filter(grown.low > 1), key.desc(), named)
    return rising, _first(log, grown.filter(grown.high < 1), key.asc(), named)


def _growth(row: dict[str, Any], names: dict[int, str]) -> Growth:
    return Growth(names[row["text_number"]], *(row[name] for name in Growth._fields[1:]))
