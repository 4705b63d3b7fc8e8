"""How much was searched: by day, and by session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.logs.log import Log

if TYPE_CHECKING:
    import ibis


def traffic(log: Log) -> ibis.Table:
    """See `cranfield.logs.tables.TRAFFIC`."""
    return log.summary("traffic", traffic_of)


def sessions(log: Log) -> ibis.Table:
    """See `cranfield.logs.tables.SESSIONS`."""
    return log.summary("sessions", sessions_of)


def traffic_of(log: Log) -> ibis.Table:
    """The rows of `traffic`, counted."""
    import ibis

    queries = log.queries
    days = queries.group_by("day").agg(**_counted(queries))
    # Sessions and users may be there on several days.
    whole = queries.agg(**_counted(queries)).mutate(day=ibis.null("string"))
    return days.union(whole.select(days.columns))


def _counted(queries: ibis.Table) -> dict[str, Any]:
    found = queries.results.fill_null(queries.shown)
    return {
        "queries": queries.count(),
        "sessions": queries.session_number.nunique(),
        "users": queries.user_number.nunique().nullif(0),
        "clicks": queries.clicks.sum().fill_null(0).cast("int64"),
        "without_click": (queries.clicks == 0).cast("int64").sum().fill_null(0),
        "without_results": (found == 0).cast("int64").sum().fill_null(0),
        "known_results": found.count(),
    }


def sessions_of(log: Log) -> ibis.Table:
    """The rows of `sessions`, counted."""
    import ibis

    asked = log.queries.select("session_number", "time_ms", asked_ms="time_ms")
    done = log.events.select("session_number", "time_ms", asked_ms=ibis.null("int64"))
    rows = asked.union(done)
    first = rows.asked_ms.min()
    found = rows.group_by("session_number").agg(
        queries=rows.asked_ms.count(), first_ms=first, took_ms=rows.time_ms.max() - first
    )
    return found.filter(found.queries > 0)
