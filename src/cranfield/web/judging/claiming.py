"""The next slot of a topic in the order of the pool, found and leased by one statement.

This is what every answer is followed by, and Django would take longer to write the statement than the database to run
it. Where it finds nothing, nothing need be said of whether there is something: others may just be at it.
"""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, connection
from django.utils import timezone

from cranfield.web.accounts.models import User
from cranfield.web.judging.slots import PERSONAL
from cranfield.web.judging.writing import writing

_SQL = """
UPDATE judging_slot SET assessor_id = %s, leased_at = %s, leased_until = %s
WHERE id = (
    SELECT slot.id FROM judging_slot slot JOIN projects_item item ON item.id = slot.item_id
    WHERE item.topic_id = %s AND NOT item.withdrawn AND slot.number < %s AND slot.done_at IS NULL
        AND (slot.assessor_id IS NULL OR slot.leased_until < %s)
        AND NOT EXISTS (SELECT 1 FROM judging_slot own WHERE own.item_id = slot.item_id AND own.assessor_id = %s)
    ORDER BY item.place, slot.number LIMIT 1 {locked}
)
AND done_at IS NULL AND (assessor_id IS NULL OR leased_until < %s)
RETURNING id
"""
_SKIP_LOCKED = "FOR UPDATE OF slot SKIP LOCKED"
"""PostgreSQL: what others are about to lease or to answer is passed over, so that nobody waits for anybody."""


def claim_first(topic: int, assessor: User, now: datetime, until: datetime) -> int | None:
    """The slot that an assessor has got; None if none could be had at once."""
    if not connection.features.can_return_columns_from_insert:  # a SQLite older than 3.35 knows no RETURNING
        return None
    statement = _SQL.format(locked=_SKIP_LOCKED if connection.vendor == "postgresql" else "")
    at, until_then, leased = map(connection.ops.adapt_datetimefield_value, (now, until, timezone.now()))
    lease, wanted = (assessor.pk, leased, until_then), (topic, PERSONAL, at, assessor.pk)
    try:
        with writing(), connection.cursor() as cursor:
            cursor.execute(statement, (*lease, *wanted, at))
            row = cursor.fetchone()
    except IntegrityError:  # in another window the assessor has just got another slot of this item
        return None
    return None if row is None else int(row[0])
