"""Moments as files and JSON have them."""

from __future__ import annotations

from datetime import UTC, datetime


def utc(time: datetime) -> str:
    """A moment in UTC, to the millisecond.

    >>> from datetime import timedelta, timezone
    >>> utc(datetime(2026, 3, 1, 10, 30, tzinfo=timezone(timedelta(hours=1))))
    '2026-03-01T09:30:00.000Z'
    """
    return time.astimezone(UTC).isoformat(timespec="milliseconds")[: -len("+00:00")] + "Z"
