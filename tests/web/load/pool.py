"""Run inside an installation: makes a project with assessors who are logged in, and counts what is in the database.

python -m tests.web.load.pool make ASSESSORS TOPICS DOCUMENTS WANTED LEASE_MINUTES
python -m tests.web.load.pool count
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402

from cranfield.web.accounts.models import User  # noqa: E402
from cranfield.web.judging.models import Event, Slot  # noqa: E402
from cranfield.web.judging.standing import decisions_by_slot  # noqa: E402
from cranfield.web.projects.models import Document, Project  # noqa: E402
from tests.web.judging.making import make_assessor, make_project  # noqa: E402
from tests.web.load.assessors import TOKEN  # noqa: E402

TEXT = "\n\n".join("A document of about three hundred words in paragraphs, as abstracts are. " * 5 for _ in range(5))


def make(assessors: int, topics: int, documents: int, wanted: int, lease_minutes: int) -> dict[str, Any]:
    """A project, and the cookies of its assessors."""
    project = make_project(topics, documents, wanted, lease_minutes=lease_minutes, repeat_share=0.05)
    Document.objects.update(text=TEXT)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    people = [make_assessor(project, f"assessor{number}") for number in range(assessors)]
    scale = project.scales.get()
    return {"project": str(project.pk), "scale": scale.version, "cookies": [_log_in(person) for person in people]}


def count() -> dict[str, Any]:
    """What came in, and what of it counts."""
    project = Project.objects.get()
    events = Event.objects.select_related("slot", "item")
    decisions = decisions_by_slot(events)
    counted = Counter(
        event.item_id
        for event in decisions.values()
        if event.action != "skip" and event.slot is not None and event.slot.repeat_of_id is None
    )
    wanted = dict(project.items.values_list("pk", "wanted"))
    done = set(Slot.objects.filter(done_at__isnull=False).values_list("pk", flat=True))
    return {
        "events": [str(event.uuid) for event in events],
        "late": [str(event.uuid) for event in events if event.slot is None],
        "wanted": sum(wanted.values()),
        "judged": counted.total(),
        "items with too many": [item for item, number in counted.items() if number > wanted[item]],
        "judged by another": [slot for slot, event in decisions.items() if event.slot.assessor_id != event.assessor_id],  # type: ignore[union-attr]
        "done without an answer": sorted(done ^ set(decisions)),
        "twice by one": [key for key, times in Counter(_who_judged_what(decisions)).items() if times > 1],
    }


def _who_judged_what(decisions: dict[int, Event]) -> list[tuple[int, int, bool]]:
    return [
        (event.item_id, event.assessor_id, event.slot.repeat_of_id is not None)  # type: ignore[union-attr]
        for event in decisions.values()
    ]


def _log_in(person: User) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}; {settings.CSRF_COOKIE_NAME}={TOKEN}"


if __name__ == "__main__":
    command, *numbers = sys.argv[1:]
    print(json.dumps(make(*map(int, numbers)) if command == "make" else count()))
