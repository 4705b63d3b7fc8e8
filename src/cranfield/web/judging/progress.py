"""How far an assessor has come."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils import timezone

from cranfield.web.accounts.models import User
from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import open_to
from cranfield.web.projects.models import Project, Topic


@dataclass(frozen=True, slots=True)
class TopicProgress:
    """Of one topic: what the assessor has judged, and what they hold or could still get."""

    topic: Topic
    done: int
    left: int


def progress(project: Project, assessor: User) -> list[TopicProgress]:
    """Topic by topic; whatever an assessor was shown is counted, and nothing tells one kind from another."""
    mine = Slot.objects.filter(item__project=project, item__withdrawn=False, assessor=assessor, leased_at__isnull=False)
    counts = mine.values_list("item__topic").annotate(
        done=Count("pk", filter=Q(done_at__isnull=False)), held=Count("pk", filter=Q(done_at=None))
    )
    done, left = Counter[int](), Counter[int]()
    for topic, its_done, its_held in counts:
        done[topic], left[topic] = its_done, its_held
    open_items = open_to(project, assessor, timezone.now()).values_list("item__topic")
    for topic, number in open_items.annotate(number=Count("item", distinct=True)):
        left[topic] += number
    return [TopicProgress(topic, done[topic.pk], left[topic.pk]) for topic in project.topics.all()]
