"""How happy people are with a search, as far as what they do tells it: clicks, dwell, conversion, return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.errors import DataError
from cranfield.logs.log import Log
from cranfield.stats.proportions import wilson

if TYPE_CHECKING:
    import ibis

SATISFIED_SECONDS = 30.0
"""Who stays so long after a click has found something."""
REFORMULATION_MINUTES = 5.0
"""Another query of the same session within so many minutes, with a word in common, says the same need anew."""
SUCCESS = ("purchase", "add_to_cart")
"""Actions that end a search well, where the log has them."""
QUANTILES = (0.25, 0.5, 0.75, 0.9)
WEEK = 7 * 86_400_000


class Share(NamedTuple):
    """So many of so many, with an interval that takes them for independent."""

    name: str
    part: int
    of: int
    value: float | None
    low: float | None
    high: float | None


class Spread(NamedTuple):
    """Seconds: of the one in the middle, and how they spread."""

    name: str
    number: int
    quantiles: tuple[float, ...] | None
    """At QUANTILES; None if there is nothing to take them of."""


class Cohort(NamedTuple):
    """Users by the week they came first, and how many of them were there so many weeks later."""

    week: str
    """Its first day with a query of theirs."""
    users: int
    returned: tuple[int, ...]


@dataclass(frozen=True)
class Behaviour:
    """What people did."""

    shares: tuple[Share, ...]
    reciprocal_rank: float | None
    """The mean of 1 / rank of the first click in the list, 0 where none was clicked; over queries with results."""
    reciprocal_rank_interval: tuple[float, float] | None
    spreads: tuple[Spread, ...]
    cohorts: tuple[Cohort, ...]
    satisfied_seconds: float

    def share(self, name: str) -> Share:
        return next(one for one in self.shares if one.name == name)


def behaviour(
    log: Log,
    *,
    satisfied_seconds: float = SATISFIED_SECONDS,
    reformulation_minutes: float = REFORMULATION_MINUTES,
    success: tuple[str, ...] = SUCCESS,
) -> Behaviour:
    """What people did.

    Queries whose results are not known to have been shown count neither as clicked nor as abandoned.
    """
    shown = log.queries.filter(lambda queries: queries.shown.fill_null(0) > 0)
    counts = log.run(shown.agg(**_counts(shown))).to_pylist()[0]
    if not counts["queries"]:
        raise DataError(f"{log.folder.path}: the log does not say what was shown for any query in this part of it")
    clicks = _clicks(log, satisfied_seconds)
    sessions = _sessions(log, success)
    again, asked = _reformulations(log, reformulation_minutes)
    first, searches = _at_first_rank(log), _durations(log)
    mean, error = counts["reciprocal"], (counts["spread"] or 0.0) / np.sqrt(counts["queries"])
    return Behaviour(
        shares=(
            share_of("queries with a click", counts["clicked"], counts["queries"]),
            share_of("queries abandoned", counts["queries"] - counts["clicked"], counts["queries"]),
            share_of("clicks at rank 1", first[0], first[1]),
            share_of("satisfied clicks", clicks["satisfied"], clicks["timed"]),
            share_of("queries said anew", again, asked),
            share_of("sessions that ended well", sessions["good"], sessions["sessions"]),
        ),
        reciprocal_rank=mean,
        reciprocal_rank_interval=(float(max(mean - 1.96 * error, 0.0)), float(min(mean + 1.96 * error, 1.0))),
        spreads=(
            _spread("to the first click", counts["timed"], _taken(counts)),
            _spread("dwell after a click", clicks["timed"], _taken(clicks)),
            _spread("of the session to its first success", sessions["good"], _taken(sessions)),
            _spread("of a search, from the query to its last click", searches["timed"], _taken(searches)),
        ),
        cohorts=_cohorts(log),
        satisfied_seconds=satisfied_seconds,
    )


def share_of(name: str, part: int | None, of: int | None) -> Share:
    """So many of so many, with Wilson's interval; None where there are none."""
    part, of = int(part or 0), int(of or 0)
    if not of:
        return Share(name, part, of, None, None, None)
    found = wilson([part], [of])
    return Share(name, part, of, part / of, float(found.lower[0]), float(found.upper[0]))


def _spread(name: str, number: int | None, milliseconds: list[float | None]) -> Spread:
    if not number or any(one is None for one in milliseconds):
        return Spread(name, int(number or 0), None)
    return Spread(name, int(number), tuple(float(one or 0) / 1000 for one in milliseconds))


def _quantiles(column: Any) -> dict[str, Any]:
    return {f"q{round(100 * at)}": column.quantile(at) for at in QUANTILES}


def _taken(row: dict[str, Any]) -> list[float | None]:
    return [row[f"q{round(100 * at)}"] for at in QUANTILES]


def _counts(shown: ibis.Table) -> dict[str, Any]:
    reciprocal = (1 / shown.first_rank.cast("float64")).fill_null(0.0)
    return {
        "queries": shown.count(),
        "clicked": (shown.clicks > 0).cast("int64").sum(),
        "reciprocal": reciprocal.mean(),
        "spread": reciprocal.std(),
        "timed": shown.first_click_ms.count(),
        **_quantiles(shown.first_click_ms),
    }


def _clicks(log: Log, satisfied_seconds: float) -> dict[str, Any]:
    """How long people stayed after clicks, of those of which that is known."""
    clicks = log.events.filter(lambda events: (events.action == "click") & (events.dwell_ms >= 0))
    stayed = (clicks.dwell_ms >= round(1000 * satisfied_seconds)).cast("int64").sum()
    return _only(log, clicks.agg(timed=clicks.count(), satisfied=stayed, **_quantiles(clicks.dwell_ms)))


def _at_first_rank(log: Log) -> tuple[int, int]:
    """How often the first document of a list was clicked, of how often one was shown."""
    first = log.impressions.filter(lambda impressions: impressions["rank"] == 1)
    found = _only(log, first.agg(shown=first.count(), clicked=(first.clicks > 0).cast("int64").sum()))
    return found["clicked"], found["shown"]


def _durations(log: Log) -> dict[str, Any]:
    """From queries to their last click."""
    clicks = log.events.filter(lambda events: (events.action == "click") & events.query_id.notnull())
    last = clicks.group_by("query_id").agg(last=clicks.time_ms.max())
    queries = log.queries.select("query_id", "time_ms")
    both = last.join(queries, "query_id")
    both = both.select(took=both["last"] - both.time_ms).filter(lambda rows: rows.took >= 0)
    return _only(log, both.agg(timed=both.count(), **_quantiles(both.took)))


def _sessions(log: Log, success: tuple[str, ...]) -> dict[str, Any]:
    """Sessions that have something one would call a success, and how long it took to come."""
    queries = log.queries
    begun = queries.group_by("session_id").agg(first=queries.time_ms.min())
    good = log.events.filter(lambda events: events.action.isin(success))
    ended = good.group_by("session_id").agg(well=good.time_ms.min())
    both = begun.left_join(ended, "session_id")
    took = both.select(took=both.well - both["first"]).filter(lambda rows: rows.took.notnull())
    found = _only(log, took.agg(good=took.count(), **_quantiles(took.took)))
    return {**found, "sessions": _only(log, begun.agg(number=begun.count()))["number"]}


def _reformulations(log: Log, minutes: float) -> tuple[int, int]:
    """How many queries were said anew, of how many."""
    pairs = reformulations(log.queries, minutes)
    found = _only(log, pairs.agg(again=pairs.again.cast("int64").sum(), queries=pairs.count()))
    return found["again"], found["queries"]


def reformulations(queries: ibis.Table, minutes: float = REFORMULATION_MINUTES) -> ibis.Table:
    """Each query with the next of its session: `text`, `next_text`, and whether the next says the same need `again`."""
    import ibis

    order = ibis.window(group_by="session_id", order_by=["time_ms", "query_id"])
    pairs = queries.select(
        "session_id",
        "query_id",
        "text",
        "clicks",
        next_text=queries.text.lead().over(order),
        pause=queries.time_ms.lead().over(order) - queries.time_ms,
    )
    words, next_words = pairs.text.split(" "), pairs.next_text.split(" ")
    again = (
        (pairs.next_text != pairs.text)
        & (pairs.pause <= round(minutes * 60_000))
        & (words.intersect(next_words).length() > 0)
    )
    return pairs.mutate(again=again.fill_null(False))


def _cohorts(log: Log) -> tuple[Cohort, ...]:
    """Users by the week of their first query, weeks counted from the first day of the log."""
    queries = log.queries.filter(lambda rows: rows.user_id.notnull())
    begin = _only(log, queries.agg(first=queries.time_ms.min()))["first"]
    if begin is None:
        return ()
    weekly = queries.select("user_id", "day", week=(queries.time_ms - begin) // WEEK).distinct()
    came = weekly.group_by("user_id").agg(came=weekly.week.min())
    both = weekly.select("user_id", "week").distinct().join(came, "user_id")
    counted = both.group_by(["came", "week"]).agg(users=both.user_id.nunique()).order_by(["came", "week"])
    first_days = weekly.group_by("week").agg(day=weekly.day.min())
    names = {row["week"]: row["day"] for row in log.run(first_days).to_pylist()}
    found: dict[int, dict[int, int]] = {}
    for row in log.run(counted).to_pylist():
        found.setdefault(row["came"], {})[row["week"] - row["came"]] = row["users"]
    last = max(names)
    return tuple(
        Cohort(names[came], later[0], tuple(later.get(week, 0) for week in range(1, last - came + 1)))
        for came, later in found.items()
    )


def _only(log: Log, expression: ibis.Table) -> dict[str, Any]:
    found: dict[str, Any] = log.run(expression).to_pylist()[0]
    return found
