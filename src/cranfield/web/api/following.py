"""Reading events as they come: nobody who reads on from the last number they saw misses one.

Numbers are given out before events are there for others to see, so on a database with many writers a greater one may be
there first. A number that is missing below others is waited for, unless those are old: then it was never used.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from cranfield.web.judging.models import Event

WAIT = timedelta(minutes=2)


def settled_until() -> int:
    """The number up to which every event is there that ever will be."""
    old = Event.objects.filter(received_at__lt=timezone.now() - WAIT).order_by("number").last()
    settled = old.number if old is not None else None
    recent = Event.objects.filter(number__gt=settled or 0).order_by("number").values_list("number", flat=True)
    for number in recent.iterator():
        if settled is not None and number != settled + 1:
            break
        settled = number
    return settled or 0
