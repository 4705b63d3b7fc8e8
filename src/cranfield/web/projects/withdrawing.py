"""Documents that are no longer to be judged."""

from __future__ import annotations

from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Item


def withdraw(item: Item, by: User, *, withdrawn: bool = True) -> None:
    """Take a document out of the pool, or put it back. What was judged of it stays, and counts."""
    if item.withdrawn != withdrawn:
        Item.objects.filter(pk=item.pk).update(withdrawn=withdrawn)
        what = "document withdrawn" if withdrawn else "document put back"
        note(by, item.project, what, topic=item.topic.name, document=item.document.name)
