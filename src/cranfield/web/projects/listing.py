"""Every project, and how far it is."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.db.models import Count, Q

from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import PERSONAL
from cranfield.web.projects.models import Item, Membership, Project


@dataclass(frozen=True)
class Listed:
    """A project in a list. `wanted` and `judged` count judgments, of which a document may have several."""

    id: str
    name: str
    open: bool
    topics: int
    wanted: int
    judged: int
    assessors: int

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def list_projects() -> list[Listed]:
    """By name."""
    topics = dict(Project.objects.values_list("pk").annotate(Count("topics")))
    assessors = Membership.objects.filter(role=Membership.Role.ASSESSOR, left_at=None)
    people = dict(assessors.values_list("project").annotate(Count("pk")))
    slots = Slot.objects.filter(number__lt=PERSONAL, replacement=None, item__withdrawn=False).exclude(
        item__origin=Item.Origin.GOLD
    )
    counts = slots.values_list("item__project").annotate(
        wanted=Count("pk"), judged=Count("pk", filter=Q(done_at__isnull=False))
    )
    judged = {project: (wanted, done) for project, wanted, done in counts}
    return [
        Listed(
            id=str(project.pk),
            name=project.name,
            open=project.closed_at is None,
            topics=topics.get(project.pk, 0),
            wanted=judged.get(project.pk, (0, 0))[0],
            judged=judged.get(project.pk, (0, 0))[1],
            assessors=people.get(project.pk, 0),
        )
        for project in Project.objects.order_by("name", "created_at")
    ]
