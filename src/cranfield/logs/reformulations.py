"""The next query of a session, where it says something else: what people ask when they go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.logs.log import Log

if TYPE_CHECKING:
    import ibis

REFORMULATION_MINUTES = 5.0
"""Another query of the same session within so many minutes says something of the one before."""


def reformulations(queries: ibis.Table, minutes: float = REFORMULATION_MINUTES) -> ibis.Table:
    """Each query with the next of its session, if that has other words and came within so many minutes; words are by
    their numbers, `text_number` and `next_number`."""
    import ibis

    order = ibis.window(group_by="session_number", order_by=["time_ms", "query_number"])
    pairs = queries.select(
        "session_number",
        "text_number",
        next_number=queries.text_number.lead().over(order),
        pause=queries.time_ms.lead().over(order) - queries.time_ms,
    )
    return pairs.filter((pairs.next_number != pairs.text_number) & (pairs.pause <= round(minutes * 60_000)))


def in_words(log: Log, changes: ibis.Table) -> ibis.Table:
    """The same with `text` and `next_text`."""
    after = log.texts.select(next_number="text_number", next_text="text")
    return changes.join(log.texts, "text_number").join(after, "next_number")
