"""Which queries were put, how often, and by how many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cranfield.logs.log import Log

if TYPE_CHECKING:
    import ibis


def asked(log: Log) -> ibis.Table:
    """See `cranfield.logs.tables.ASKED`."""
    return log.summary("asked", asked_of)


def asked_of(log: Log) -> ibis.Table:
    """The rows of `asked`, counted."""
    queries, middle = log.queries, log.days[len(log.days) // 2] if log.days else ""
    found = queries.results.fill_null(queries.shown)
    # By people first, so that each is counted once without a set for each query.
    each = queries.group_by(["text_number", people_of(queries).name("person")]).agg(
        times=queries.count(),
        first_half=(queries.day < middle).cast("int64").sum(),
        clicked=(queries.clicks > 0).cast("int64").sum(),
        without_results=(found == 0).cast("int64").sum().fill_null(0),
    )
    summed = {name: each[name].sum().cast("int64") for name in ("times", "first_half", "clicked", "without_results")}
    users = (each.person >= 0).cast("int64").sum().cast("int64").nullif(0)
    return each.group_by("text_number").agg(people=each.count(), users=users, **summed)


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
