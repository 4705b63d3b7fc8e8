"""A user who puts a query again: how often, after how long, for the same document, and what their own history would
do for the ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.errors import DataError
from cranfield.logs.behaviour import Share, share_of
from cranfield.logs.log import Log
from cranfield.stats.interval import Interval

if TYPE_CHECKING:
    import ibis

PAUSES = {"minute": 60_000, "hour": 3_600_000, "day": 86_400_000, "week": 604_800_000, "longer": None}
"""After how long a query is put again: within…"""
FEW_USERS = 10
"""Of fewer users with repeated queries, no interval is given."""
DRAWS = 1000


class Pause(NamedTuple):
    """How many queries were put again after so long."""

    within: str
    number: int
    share: float


class Gain(NamedTuple):
    """What it would do to put documents first that the user clicked for the same query before."""

    queries: int
    """Queries put again that have a click on a list that is known."""
    users: int
    before: float
    """Mean reciprocal rank of the highest click, as it was, …"""
    after: float
    """…and where the same document would have been."""
    difference: float
    interval: Interval | None
    """By a bootstrap over users; None if there are too few, or no list would have changed."""
    better: int
    worse: int
    same: int


@dataclass(frozen=True)
class Personal:
    """What users do again."""

    shares: tuple[Share, ...]
    pauses: tuple[Pause, ...]
    """None where the times of the log are made up."""
    gain: Gain | None
    notes: tuple[str, ...]
    """What is not said, and why."""


def personal(log: Log, *, level: float = 0.95, seed: int = 1) -> Personal:
    """What users do again, over queries of which the log says who put them."""
    queries = _numbered(log.queries)
    counts = log.run(_counts(queries)).to_pylist()[0]
    if not counts["queries"]:
        if not log.days:
            raise log.no_queries()
        raise DataError(f"{log.path}: the log does not say who put its queries, so nobody is known to come again")
    again = log.run(_clicked_again(queries, log.events)).to_pylist()[0]
    gain = _gain(log, level, seed)
    notes = []
    if not log.timed:
        notes.append(f"{log.times_said}, and nothing is said of after how long queries were put again")
    if gain is None:
        notes.append("no gain is given: no list that was shown for a query put again is known and has a click")
    elif gain.interval is None:
        few = f"only {gain.users} users put a query again and clicked, {FEW_USERS} are needed"
        reason = few if gain.users < FEW_USERS else "nobody's history would have moved what they clicked"
        notes.append(f"no interval of the gain is given: {reason}")
    return Personal(
        shares=(
            share_of("queries put again by the same user", counts["repeats"], counts["queries"]),
            share_of("users who put a query again", counts["repeaters"], counts["users"]),
            share_of("clicked the same document again", again["same"], again["clicked"]),
        ),
        pauses=_pauses(log, queries) if log.timed else (),
        gain=gain,
        notes=tuple(notes),
    )


def _numbered(queries: ibis.Table) -> ibis.Table:
    """Queries of known users, with the pause since they put the same one; null if they did not."""
    import ibis

    known = queries.filter(queries.user_id.notnull() & (queries.text != ""))
    order = ibis.window(group_by=["user_id", "text"], order_by=["time_ms", "query_id"])
    return known.select("query_id", "user_id", "text", "time_ms", pause=known.time_ms - known.time_ms.lag().over(order))


def _counts(queries: ibis.Table) -> ibis.Table:
    by_user = queries.group_by("user_id").agg(queries=queries.count(), repeats=queries.pause.count())
    return by_user.agg(
        queries=by_user.queries.sum().fill_null(0),
        repeats=by_user.repeats.sum(),
        users=by_user.count(),
        repeaters=(by_user.repeats > 0).cast("int64").sum(),
    )


def _pauses(log: Log, queries: ibis.Table) -> tuple[Pause, ...]:
    import ibis

    repeats = queries.filter(queries.pause.notnull())
    cases = [(repeats.pause <= limit, place) for place, limit in enumerate(PAUSES.values()) if limit is not None]
    placed = repeats.select(place=ibis.cases(*cases, else_=len(PAUSES) - 1))
    rows = log.run(placed.group_by("place").agg(number=placed.count())).to_pylist()
    found = {row["place"]: row["number"] for row in rows}
    total = max(sum(found.values()), 1)
    return tuple(Pause(name, found.get(at, 0), found.get(at, 0) / total) for at, name in enumerate(PAUSES))


def _clicks(queries: ibis.Table, events: ibis.Table) -> ibis.Table:
    """Each document that was clicked for a query of a known user, with the query's place among the user's own."""
    clicks = events.filter((events.action == "click") & events.query_id.notnull() & events.document_id.notnull())
    return queries.join(clicks.select("query_id", "document_id").distinct(), "query_id")


def _clicked_again(queries: ibis.Table, events: ibis.Table) -> ibis.Table:
    """Of queries with a click whose user clicked something for the same query before: on how many it was the same."""
    import ibis

    clicks = _clicks(queries, events)
    everything = clicks.group_by(["user_id", "text"]).agg(begin=clicks.time_ms.min())
    each = clicks.group_by(["user_id", "text", "document_id"]).agg(first=clicks.time_ms.min())
    rows = clicks.join(everything, ["user_id", "text"]).join(each, ["user_id", "text", "document_id"])
    later = rows.filter(rows.begin < rows.time_ms)
    by_query = later.group_by("query_id").agg(same=(later["first"] < later.time_ms).cast("int64").max())
    return by_query.agg(clicked=by_query.count(), same=ibis.coalesce(by_query.same.sum(), 0))


def _reranked(impressions: ibis.Table) -> ibis.Table:
    """For each query put again with a click on a list: the reciprocal rank of the highest click, as it was, and with
    documents first that the user clicked for the same query on an earlier list. Others keep their order."""
    import ibis

    shown = impressions.filter(impressions.user_id.notnull() & (impressions.text != ""))
    lists = shown.group_by(["user_id", "text"]).agg(begin=shown.time_ms.min())
    clicked = shown.filter(shown.clicks > 0)
    own = clicked.group_by(["user_id", "text", "document_id"]).agg(first_ms=clicked.time_ms.min())
    rows = shown.join(lists, ["user_id", "text"])
    rows = rows.filter(rows.begin < rows.time_ms).left_join(own, ["user_id", "text", "document_id"])
    rows = rows.select(
        "user_id",
        "query_id",
        "document_id",
        "rank",
        "clicks",
        known=(rows.first_ms < rows.time_ms).fill_null(False).cast("int64"),
    )
    page = ibis.window(group_by="query_id")
    above = ibis.cumulative_window(group_by="query_id", order_by=["rank", "document_id"])
    rows = rows.mutate(
        top=rows["rank"].min().over(page), all=rows.known.sum().over(page), so_far=rows.known.sum().over(above)
    )
    new = (rows.known == 1).ifelse(rows.top + rows.so_far - 1, rows["rank"] + rows["all"] - rows.so_far)
    rows = rows.mutate(new=new).filter(rows.clicks > 0)
    return rows.group_by(["user_id", "query_id"]).agg(
        before=1 / rows["rank"].min().cast("float64"), after=1 / rows.new.min().cast("float64")
    )


def _gain(log: Log, level: float, seed: int) -> Gain | None:
    queries = _reranked(log.impressions)
    # Counts are of whole queries, in which a change of rank is never as small as this.
    change = queries.after - queries.before
    by_user = queries.group_by("user_id").agg(
        queries=queries.count(),
        before=queries.before.sum(),
        after=queries.after.sum(),
        better=(change > 1e-9).cast("int64").sum(),
        worse=(change < -1e-9).cast("int64").sum(),
    )
    found = log.run(by_user.order_by("user_id"))
    if not found.num_rows:
        return None
    number = found.column("queries").to_numpy().astype(np.int64)
    before, after = (found.column(name).to_numpy().astype(np.float64) for name in ("before", "after"))
    better, worse = (int(found.column(name).to_numpy().sum()) for name in ("better", "worse"))
    total = int(number.sum())
    thin = len(number) < FEW_USERS or not better + worse
    return Gain(
        queries=total,
        users=len(number),
        before=float(before.sum() / total),
        after=float(after.sum() / total),
        difference=float((after - before).sum() / total),
        interval=None if thin else _over_users(after - before, number, level, seed),
        better=better,
        worse=worse,
        same=total - better - worse,
    )


def _over_users(sums: Floats, numbers: Ints, level: float, seed: int) -> Interval:
    """Of a mean over queries, by drawing users with all their queries."""
    draws = np.random.default_rng(seed)
    means = np.empty(DRAWS)
    for at in range(DRAWS):
        drawn = draws.integers(0, len(sums), len(sums))
        means[at] = sums[drawn].sum() / numbers[drawn].sum()
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, "bootstrap over users")
