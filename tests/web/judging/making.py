"""Projects to judge in, and what browsers send."""

from __future__ import annotations

import hashlib
import uuid
from datetime import UTC, datetime
from typing import Any

from cranfield.web.accounts.models import User
from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import add_slots
from cranfield.web.projects.models import Document, Item, Membership, Project, ScaleVersion, Topic

SCALE = "0123456789ab"
GRADES = [
    {"value": value, "name": name, "definition": f"It is {name}.", "key": str(value)}
    for value, name in ((2, "highly relevant"), (1, "relevant"), (0, "not relevant"))
]


def make_project(topics: int = 2, documents: int = 5, wanted: int = 1, **settings: Any) -> Project:
    """So many topics with so many documents each, for so many judgments each, on a scale from 0 to 2."""
    project = Project.objects.create(name="Soups", overlap=wanted, **settings)
    ScaleVersion.objects.create(project=project, number=1, version=SCALE, content=GRADES)
    for number in range(1, topics + 1):
        topic = Topic.objects.create(
            project=project, name=f"q{number}", title=f"Soup number {number}", description="Which soup?", place=number
        )
        add_items(project, topic, documents, wanted=wanted)
    add_slots(project.items.all())
    return project


def add_items(project: Project, topic: Topic, count: int, **settings: Any) -> list[Item]:
    """More documents of a topic, without slots."""
    places = range(topic.items.count() + 1, topic.items.count() + count + 1)
    documents = Document.objects.bulk_create(new_document(project, f"{topic.name}-d{place:05}") for place in places)
    return Item.objects.bulk_create(
        Item(project=project, topic=topic, document=document, place=place, **settings)
        for place, document in zip(places, documents, strict=True)
    )


def new_document(project: Project, name: str, text: str = "Boil it.") -> Document:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Document(project=project, name=name, title=f"About {name}", text=text, sha256=sha256)


def make_assessor(project: Project, name: str, role: str = Membership.Role.ASSESSOR) -> User:
    user = User.objects.create_user(name, password=f"{name}, as good as any")
    Membership.objects.create(project=project, user=user, role=role, pseudonym=f"p-{name}")
    return user


def answer(slot: Slot, action: str = "grade", **content: Any) -> dict[str, Any]:
    """What a browser sends of an answer to a slot."""
    if action == "grade" and "preferred" not in content:
        content.setdefault("grade", 1)
    if action in {"skip", "note"}:
        content.setdefault("reason", "in Norwegian")
    return {
        "uuid": str(uuid.uuid4()),
        "slot": str(slot.handle),
        "action": action,
        "scale": SCALE,
        "time": datetime.now(UTC).isoformat(),
        "shown_at": datetime.now(UTC).isoformat(),
        "active_ms": 1200,
        **content,
    }


def names(slots: list[Slot]) -> list[str]:
    return [slot.item.document.name for slot in slots]
