"""How long the pages of a review take in a large project.

`python -m tools.review_speed [JUDGMENTS]` makes a project in an SQLite database of its own, three judgments a document
by ten assessors, and prints the seconds of work that each page takes: at first, again, and after one more judgment.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client

    from cranfield.web.projects.models import Project

ASSESSORS, EACH, TOPICS = 10, 3, 50
PAGES = ("agreement", "assessors", "adjudication", "dates")


def fill(judgments: int) -> Project:
    """A project in which assessors mostly agree."""
    from cranfield.web.judging.models import Event, Slot
    from tests.web.judging.making import make_assessor, make_project

    project = make_project(TOPICS, judgments // EACH // TOPICS, EACH)
    people = [make_assessor(project, f"a{number}") for number in range(ASSESSORS)]
    for number, group in enumerate(("expert", "user")):
        project.memberships.filter(user__in=people[number::3]).update(group=group)
    draw, scale, now = random.Random(1), project.scales.get(), datetime(2026, 3, 1, tzinfo=UTC)
    slots, events = list(Slot.objects.select_related("item__document").order_by("item", "number")), []
    for at in range(0, len(slots), EACH):
        grade = draw.choices((0, 1, 2), (6, 3, 1))[0]
        for slot, user in zip(slots[at : at + EACH], draw.sample(people, EACH), strict=True):
            now += timedelta(seconds=draw.uniform(0, 3))
            slot.assessor, slot.done_at = user, now
            events.append(
                Event(
                    project=project,
                    slot=slot,
                    item=slot.item,
                    assessor=user,
                    action="grade",
                    grade=grade if draw.random() < 0.75 else draw.choice((0, 1, 2)),
                    scale=scale,
                    document_sha256=slot.item.document.sha256,
                    time=now,
                    active_ms=int(draw.lognormvariate(9.2, 0.6)),
                )
            )
    Slot.objects.bulk_update(slots, ("assessor", "done_at"), batch_size=400)
    Event.objects.bulk_create(events, batch_size=2000)
    return project


def measure(client: Client, project: Project, when: str) -> None:
    for page in PAGES:
        start = time.process_time()
        response = client.get(f"/projects/{project.pk}/review/{page}/")
        took = time.process_time() - start
        assert response.status_code == 200, response
        print(f"{when:12} {page:13} {took:6.2f} s")


def main() -> None:
    """Fill a database, and look at its pages."""
    with tempfile.TemporaryDirectory(prefix="cranfield-review-") as folder:
        os.environ |= {"CRANFIELD_JUDGING": folder, "DJANGO_SETTINGS_MODULE": "tests.web.settings"}
        import django

        django.setup()
        from django.core.management import call_command
        from django.test import Client

        from tests.web.review.making import judged, make_manager

        call_command("migrate", verbosity=0)
        project = fill(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
        client = Client(headers={"host": "localhost"})
        client.force_login(make_manager(project))
        measure(client, project, "first")
        measure(client, project, "again")
        judged(project.items.all()[0], project.memberships.all()[0].user, 1)
        measure(client, project, "one more")


if __name__ == "__main__":
    main()
