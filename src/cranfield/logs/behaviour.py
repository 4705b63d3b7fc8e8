"""How happy people are with a search, as far as what they do tells it: clicks, dwell, conversion, return."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.logs.cohorts import Cohort, cohorts_of
from cranfield.logs.durations import DurationsByRank, by_rank, durations
from cranfield.logs.log import Log
from cranfield.logs.reformulations import REFORMULATION_MINUTES, reformulations
from cranfield.logs.traffic import sessions
from cranfield.stats.proportions import share_interval

if TYPE_CHECKING:
    import ibis

SATISFIED_SECONDS = 30.0
"""Who stays so long after a click has found something."""
SUCCESS = ("purchase", "add_to_cart")
"""Actions that end a search well, where the log has them."""
QUANTILES = (0.25, 0.5, 0.75, 0.9)
_UNTIMED: dict[str, Any] = {"timed": 0, "satisfied": 0, "quantiles": None}
"""What is known of times that are made up."""


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


@dataclass(frozen=True)
class Behaviour:
    """What people did."""

    shares: tuple[Share, ...]
    reciprocal_rank: float | None
    """The mean of 1 / rank of the highest click, 0 without a click; over queries whose documents were shown, but for
    those with clicks at ranks that are not known."""
    reciprocal_rank_interval: tuple[float, float] | None
    ranked: int
    """Over how many queries that mean is."""
    spreads: tuple[Spread, ...]
    durations: DurationsByRank
    """How long searches took by the rank of what they found; nothing if times are made up."""
    cohorts: tuple[Cohort, ...]
    satisfied_seconds: float
    notes: tuple[str, ...]
    """What numbers leave out, and what is not said, and why."""

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

    Only of queries for which documents are known to have been shown is it said whether they were clicked or abandoned.
    """
    queries = log.queries
    counts = _only(log, queries.agg(**_counts(queries)))
    if not counts["queries"]:
        raise log.no_queries()
    clicks = _clicks(log, satisfied_seconds)
    kinds, begun = _recorded(log, success), sessions(log)
    number = log.run(begun.count()).as_py() if kinds else 0  # a log without such a thing does not record them
    ended = _ended_well(log, success, begun)
    successes = _sessions(log, ended)
    each = {  # one alone is all of them
        kind: _sessions(log, ended.filter(ended.action == kind)) for kind in kinds if len(kinds) > 1
    }
    again, asked = (_reformulations(log, reformulation_minutes), counts["queries"]) if log.timed else (0, 0)
    took = log.keep(durations(log))
    searches = _only(log, took.agg(timed=took.count(), **_quantiles(took.took)))
    if not log.timed:
        counts, clicks, successes, searches = (row | _UNTIMED for row in (counts, clicks, successes, searches))
        each = {action: one | _UNTIMED for action, one in each.items()}
    return Behaviour(
        shares=(
            share_of("queries with a click", counts["clicked"], counts["shown"]),
            share_of("queries abandoned", counts["shown"] - counts["clicked"], counts["shown"]),
            share_of("clicks at rank 1", counts["top_clicked"], counts["top_shown"]),
            share_of("satisfied clicks", clicks["satisfied"], clicks["timed"]),
            share_of("queries said anew", again, asked),
            share_of("sessions that ended well", successes["good"], number),
            *(share_of(f"sessions with {action}", one["good"], number) for action, one in each.items()),
        ),
        reciprocal_rank=counts["reciprocal"],
        reciprocal_rank_interval=_around(counts["reciprocal"], counts["spread"], counts["ranked"]),
        ranked=counts["ranked"],
        spreads=(
            _spread("to the first click", counts["timed"], counts["quantiles"]),
            _spread("dwell after a click", clicks["timed"], clicks["quantiles"]),
            _spread("of the session to its first success", successes["good"], successes["quantiles"]),
            *(
                _spread(f"of the session to its first {action}", one["good"], one["quantiles"])
                for action, one in each.items()
            ),
            _spread("of a search, from the query to its last click", searches["timed"], searches["quantiles"]),
        ),
        durations=by_rank(log, took) if log.timed else DurationsByRank((), None),
        cohorts=cohorts_of(log) if log.dated else (),
        satisfied_seconds=satisfied_seconds,
        notes=(*_of_times(log), *_notes(counts, clicks, () if kinds else success, log.timed)),
    )


def _of_times(log: Log) -> Iterator[str]:
    if not log.timed:
        yield (
            f"{log.times_said}, and nothing is said of how long things took, of satisfied clicks, of needs that were "
            "said anew, and of who came again"
        )
    elif not log.dated:
        yield f"{log.times_said}, and nothing is said of who came again"


def _notes(counts: dict[str, Any], clicks: dict[str, Any], not_recorded: tuple[str, ...], timed: bool) -> Iterator[str]:
    if counts["unknown"]:
        yield (
            f"of {counts['unknown']:,} of {counts['queries']:,} queries the log does not say what was shown: they "
            "count neither as clicked nor as abandoned"
        )
    if counts["nothing"]:
        yield f"{counts['nothing']:,} queries had nothing to click: they count neither as clicked nor as abandoned"
    if timed and clicks["clicks"] > clicks["timed"]:
        yield (
            f"how long people stayed is known of {clicks['timed']:,} of {clicks['clicks']:,} clicks; where the source "
            "does not say, never of the last of a session"
        )
    if not_recorded:
        yield f"nothing in the log is called {' or '.join(not_recorded)}: it does not say which sessions ended well"


def _around(mean: float | None, spread: float | None, number: int) -> tuple[float, float] | None:
    """The 95 % interval of a mean of values from 0 to 1, by their standard error; None of fewer than two."""
    if mean is None or spread is None or number < 2:
        return None
    reach = 1.96 * spread / np.sqrt(number)
    return float(max(mean - reach, 0.0)), float(min(mean + reach, 1.0))


def share_of(name: str, part: int | None, of: int | None) -> Share:
    """So many of so many, with Wilson's interval; None where there are none."""
    part, of = int(part or 0), int(of or 0)
    found = share_interval(part, of)
    if found is None:
        return Share(name, part, of, None, None, None)
    return Share(name, part, of, part / of, found.lower, found.upper)


def _spread(name: str, number: int | None, milliseconds: list[float] | None) -> Spread:
    if not number or milliseconds is None:
        return Spread(name, int(number or 0), None)
    return Spread(name, int(number), tuple(one / 1000 for one in milliseconds))


def _quantiles(column: Any) -> dict[str, Any]:
    return {"quantiles": column.quantile(list(QUANTILES))}


def _counts(queries: ibis.Table) -> dict[str, Any]:
    import ibis

    shown, clicked = queries.shown.fill_null(0) > 0, queries.clicks > 0
    rank = clicked.ifelse(1 / queries.first_rank.cast("float64"), 0.0)
    reciprocal = shown.ifelse(rank, ibis.null("float64"))
    first = shown.ifelse(queries.first_click_ms, ibis.null("int64"))
    return {
        "queries": queries.count(),
        "shown": _number(shown),
        "unknown": _number(queries.shown.isnull()),
        "nothing": _number(queries.shown == 0),
        "clicked": _number(shown & clicked),
        "top_shown": queries.top_clicked.count(),
        "top_clicked": _number(queries.top_clicked),
        "reciprocal": reciprocal.mean(),
        "spread": reciprocal.std(how="sample"),
        "ranked": reciprocal.count(),
        "timed": first.count(),
        **_quantiles(first),
    }


def _number(condition: Any) -> Any:
    """Of how many rows it is true."""
    return condition.cast("int64").sum().fill_null(0)


def _clicks(log: Log, satisfied_seconds: float) -> dict[str, Any]:
    """How many clicks there are, and how long people stayed after those of which that is known."""
    clicks = log.events.filter(lambda events: events.action == "click")
    return _only(
        log,
        clicks.agg(
            clicks=clicks.count(),
            timed=clicks.dwell_ms.count(),
            satisfied=_number(clicks.dwell_ms >= round(1000 * satisfied_seconds)),
            **_quantiles(clicks.dwell_ms),
        ),
    )


def _recorded(log: Log, success: tuple[str, ...]) -> list[str]:
    """Which of these the log has at all."""
    events = log.events
    found = log.run(events.filter(events.action.isin(success)).select("action").distinct())["action"].to_pylist()
    return [action for action in dict.fromkeys(success) if action in found]


def _ended_well(log: Log, success: tuple[str, ...], sessions: ibis.Table) -> ibis.Table:
    """Sessions that have, after their first query, something one would call a success: what it is, and how long the
    first of its kind took to come."""
    good = log.events.filter(lambda events: events.action.isin(success)).select("session_number", "action", "time_ms")
    both = good.join(sessions.select("session_number", "first_ms"), "session_number")
    after = both.filter(both.time_ms >= both.first_ms)
    return log.keep(after.group_by(["session_number", "action"]).agg(took=(after.time_ms - after.first_ms).min()))


def _sessions(log: Log, ended: ibis.Table) -> dict[str, Any]:
    """How many sessions ended so, and how long the first such end took to come."""
    first = ended.group_by("session_number").agg(took=ended.took.min())
    return _only(log, first.agg(good=first.count(), **_quantiles(first.took)))


def _reformulations(log: Log, minutes: float) -> int:
    """How many queries were said anew."""
    changes = reformulations(log, minutes)
    return int(log.run(changes.in_common.sum().fill_null(0)).as_py())


def _only(log: Log, expression: ibis.Table) -> dict[str, Any]:
    found: dict[str, Any] = log.run(expression).to_pylist()[0]
    return found
