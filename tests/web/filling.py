"""Run as a program: fills an installation with accounts, a project and judgments.

`python -m tests.web.filling` brings the tables to this version first; with `first`, to those that the first version
had, and fills them as it knew them.
"""

from __future__ import annotations

import sys
import uuid
from datetime import UTC, datetime
from typing import Any

JUDGMENTS = 30
TIME = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
FIRST = (
    ("accounts", "0002_initial"),
    ("judging", "0001_initial"),
    ("projects", "0001_initial"),
    ("tasks", "0001_initial"),
)


def fill(apps: Any) -> None:
    """Two people and their judgments, some taken back and given again, one of them adjudicated."""
    model = apps.get_model
    users = [model("accounts", "User").objects.create(username=name, password="!") for name in ("anna", "Ørjan")]
    project = model("projects", "Project").objects.create(name="Soups & stews", recipe=[{"depth": 3}])
    for number, user in enumerate(users, 1):
        model("projects", "Membership").objects.create(
            project=project, user=user, role="assessor", pseudonym=f"assessor{number}"
        )
    scale = model("projects", "ScaleVersion").objects.create(
        project=project, number=1, version="0" * 12, content=[{"value": 1, "name": "relevant"}], guideline="# Judge\n"
    )
    topic = model("projects", "Topic").objects.create(project=project, name="q1", title="soup", place=1)
    events: list[Any] = []
    for place in range(JUDGMENTS):
        document = model("projects", "Document").objects.create(
            project=project, name=f"d{place}", text="Boil it.\nSüß.", sha256="a" * 64, fields={"n": place}
        )
        item = model("projects", "Item").objects.create(project=project, topic=topic, document=document, place=place)
        slot = model("judging", "Slot").objects.create(item=item, number=1, assessor=users[place % 2], done_at=TIME)
        events.append(
            model("judging", "Event").objects.create(
                uuid=uuid.uuid5(uuid.NAMESPACE_OID, str(place)),
                project=project,
                slot=slot,
                item=item,
                assessor=users[place % 2],
                action="grade",
                grade=place % 3 / 2,
                reason='said "so"\n',
                scale=scale,
                document_sha256="a" * 64,
                shown_at=TIME,
                time=TIME,
                active_ms=1200,
                supersedes=events[-1] if place % 5 == 4 else None,
            )
        )
    model("judging", "Decision").objects.create(
        item=events[0].item,
        decided_by=users[0],
        at=TIME,
        grade=1,
        reason="clear",
        events=[event.number for event in events[:2]],
    )
    model("accounts", "AuditEntry").objects.create(user=users[0], project=project, what="made", details={"a": [1, "ü"]})
    model("tasks", "Submission").objects.create(
        project=project,
        participant=users[1],
        name="bm25",
        run=bytes(range(256)),
        sha256="b" * 64,
        topics=1,
        documents=2,
    )
    model("sessions", "Session").objects.create(session_key="k" * 32, session_data="x", expire_date=TIME)


def main(arguments: list[str]) -> None:
    from cranfield.web.loading import load

    load()
    from django.apps import apps
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    if arguments == ["first"]:
        executor = MigrationExecutor(connection)
        nodes = [*FIRST, ("sessions", "0001_initial")]
        executor.migrate(nodes)
        apps = executor.loader.project_state(nodes).apps
    else:
        call_command("migrate", verbosity=0)
    fill(apps)


if __name__ == "__main__":
    main(sys.argv[1:])
