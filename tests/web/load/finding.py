"""Run as a program: many people open, leave and judge the same few documents that they found, all at once."""

from __future__ import annotations

import contextlib
import json
import random
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from cranfield.web.projects.models import Project

PEOPLE, WANTED, ROUNDS = 8, 2, 12


def main(folder: Path) -> None:
    django.setup()
    from django.conf import settings
    from django.db import OperationalError, connection

    from cranfield.web.accounts.models import User
    from cranfield.web.judging.found_items import leave_found, open_found
    from cranfield.web.judging.models import Event, SearchQuery, Slot
    from cranfield.web.judging.recording import record
    from cranfield.web.projects.models import Item, Topic
    from tests.web.judging.making import answer, make_assessor
    from tests.web.judging.searchable import KITCHEN, searchable_project, write_kitchen

    settings.COLLECTION_FOLDERS = [str(folder)]
    write_kitchen(folder)
    project = searchable_project(folder, wanted=WANTED)
    people = [make_assessor(project, f"a{number}") for number in range(PEOPLE)]
    topics, names = project.topics.filter(name="q1"), [document.id for document in KITCHEN]
    for user in people:  # what one's own search has shown can be opened
        SearchQuery.objects.create(
            project=project, topic=topics.get(), assessor=user, text="all", found=len(names), new=0, documents=names
        )
    _wait_for_texts(project, names)
    errors: list[str] = []
    ready = threading.Barrier(PEOPLE)

    def work(user: User, seed: int) -> None:
        chance = random.Random(seed)
        topic = Topic.objects.select_related("project").get(project=project, name="q1")
        ready.wait()
        for _ in range(ROUNDS):
            name = chance.choice(KITCHEN).id
            try:
                _, slot = open_found(topic, user, name)
                if chance.random() < 0.5:
                    leave_found(topic, user, name)
                if slot is not None and chance.random() < 0.7:
                    record(project, user, [answer(slot)])
            except OperationalError:  # the endpoint says 503, and the browser tries again
                continue
            except Exception as error:
                errors.append(f"{type(error).__name__}: {error}")
        connection.close()

    threads = [threading.Thread(target=work, args=(user, seed)) for seed, user in enumerate(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = Item.objects.filter(project=project, origin=Item.Origin.SEARCHED)
    counting = Event.objects.filter(project=project, action="grade", slot__isnull=False)
    judges = {item.pk: set(counting.filter(item=item).values_list("assessor", flat=True)) for item in found}
    counts: dict[str, object] = {
        "errors": errors,
        "items": sorted(found.values_list("document__name", flat=True)),
        "slots": sorted({Slot.objects.filter(item=item).count() for item in found}),
        "most judges": max(map(len, judges.values()), default=0),
        "events": counting.count(),
    }
    print(json.dumps(counts))


def _wait_for_texts(project: Project, names: list[str]) -> None:
    """The collection is read once, in the background."""
    from cranfield.errors import EngineError
    from cranfield.web.judging.found_documents import documents_named

    for _ in range(300):
        with contextlib.suppress(EngineError):
            documents_named(project, names)
            return
        time.sleep(0.1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
