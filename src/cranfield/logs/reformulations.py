"""The next query of a session, where it says something else: what people ask when they go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.logs.log import Log

if TYPE_CHECKING:
    import ibis

REFORMULATION_MINUTES = 5.0
"""Another query of the same session within so many minutes says something of the one before."""


def reformulations(log: Log, minutes: float = REFORMULATION_MINUTES) -> ibis.Table:
    """Each query with the next of its session, if that has other words and came within so many minutes; see
    `cranfield.logs.tables.CHANGES`."""
    changes = log.summary("changes", changes_of)
    return changes.filter(changes.pause_ms <= round(minutes * 60_000))


def changes_of(log: Log) -> ibis.Table:
    """Each query with the next of its session, if both have words, and not the same."""
    import ibis

    queries = log.queries
    order = ibis.window(group_by="session_number", order_by=["time_ms", "query_number"])
    pairs = queries.select(
        "session_number",
        "text_number",
        said=queries.text != "",
        next_said=(queries.text != "").lead().over(order),
        next_number=queries.text_number.lead().over(order),
        pause_ms=queries.time_ms.lead().over(order) - queries.time_ms,
    )
    changed = pairs.filter(pairs.said & pairs.next_said & (pairs.next_number != pairs.text_number))
    again = ibis.window(group_by=["session_number", "text_number", "next_number"], order_by="pause_ms")
    after = log.texts.select(next_number="text_number", next_text="text")
    said = changed.mutate(soonest=ibis.row_number().over(again) == 0).join(log.texts, "text_number")
    said = said.join(after, "next_number")
    in_common = said.text.split(" ").intersect(said.next_text.split(" ")).length() > 0
    return said.select("text", "next_text", "pause_ms", "soonest", in_common=in_common)
