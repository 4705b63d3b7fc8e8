"""What an event was an answer to: a document of the pool, one found by searching, a gold one, or one shown again."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.data.judging import JudgingEvent
from cranfield.data.judging_record import JudgingRecord

COUNTED = frozenset({"pool", "searched"})
"""The kinds that judgments come from."""


def kind_of(event: JudgingEvent) -> str:
    """The first word of its assignment; an event without one, as terminals make them, is of the pool.

    >>> event = JudgingEvent("8e4659b3-be80-467d-bafe-df5f210d809b", "2026-03-01T09:30:00Z", "ann", "1", "d", "skip")
    >>> kind_of(event)
    'pool'
    """
    return (event.assignment or "pool").partition(" ")[0]


def record_of_kind(events: Iterable[JudgingEvent], *kinds: str) -> JudgingRecord:
    """What stands after the events of some kinds."""
    return JudgingRecord(event for event in events if kind_of(event) in kinds)
