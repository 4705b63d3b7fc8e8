"""How far a project is: by topic, by assessor, by day, and what is held by whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import Count, F, Max, Min, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import PERSONAL
from cranfield.web.projects.models import Item, Membership, Project, Topic

DAYS = 60
"""So many days back the chart goes."""


@dataclass(frozen=True, slots=True)
class TopicProgress:
    topic: Topic
    wanted: int
    done: int
    held: int


@dataclass(frozen=True, slots=True)
class AssessorProgress:
    """What somebody did and has; `since` is when they got the oldest of what they hold."""

    membership: Membership
    done: int
    held: int
    since: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts are of judgments: a document may want several."""

    topics: list[TopicProgress]
    assessors: list[AssessorProgress]
    days: list[tuple[date, int]]
    changed: int

    @property
    def wanted(self) -> int:
        return sum(topic.wanted for topic in self.topics)

    @property
    def done(self) -> int:
        return sum(topic.done for topic in self.topics)

    @property
    def held(self) -> int:
        return sum(topic.held for topic in self.topics)


def overview(project: Project) -> Overview:
    """As things stand now."""
    return Overview(_topics(project), _assessors(project), _days(project), _changed(project))


def wanted_slots(project: Project) -> QuerySet[Slot]:
    """What the project wants: slots of the pool, without those in whose place another came after a skip."""
    slots = Slot.objects.filter(item__project=project, item__withdrawn=False, number__lt=PERSONAL, replacement=None)
    return slots.exclude(item__origin=Item.Origin.GOLD)


def _topics(project: Project) -> list[TopicProgress]:
    now = timezone.now()
    counts = (
        wanted_slots(project)
        .values_list("item__topic")
        .annotate(
            wanted=Count("pk"),
            done=Count("pk", filter=Q(done_at__isnull=False)),
            held=Count("pk", filter=_held(now)),
        )
    )
    found = {topic: (wanted, done, held) for topic, wanted, done, held in counts}
    return [TopicProgress(topic, *found.get(topic.pk, (0, 0, 0))) for topic in project.topics.all()]


def _held(now: datetime) -> Q:
    """The condition on a slot that somebody has it and has not answered."""
    in_time = Q(leased_until=None) | Q(leased_until__gte=now)
    return Q(in_time, done_at=None, assessor__isnull=False, leased_at__isnull=False)


def _assessors(project: Project) -> list[AssessorProgress]:
    now = timezone.now()
    slots = Slot.objects.filter(item__project=project, assessor__isnull=False).values_list("assessor")
    counts = {
        assessor: (done, held, since)
        for assessor, done, held, since in slots.annotate(
            done=Count("pk", filter=Q(done_at__isnull=False)),
            held=Count("pk", filter=_held(now)),
            since=Min("leased_at", filter=_held(now)),
        )
    }
    last = dict(project.events.values_list("assessor").annotate(Max("received_at")).order_by())
    judges = project.memberships.exclude(role=Membership.Role.PARTICIPANT).select_related("user")
    return [
        AssessorProgress(member, *counts.get(member.user_id, (0, 0, None)), last.get(member.user_id))
        for member in judges.order_by("left_at", "pseudonym")
        if member.role == Membership.Role.ASSESSOR or member.user_id in counts
    ]


def _days(project: Project) -> list[tuple[date, int]]:
    """Judgments by the day they came in, UTC; days without any are there too."""
    today = timezone.now().astimezone(UTC).date()
    since = datetime.combine(today - timedelta(days=DAYS - 1), datetime.min.time(), UTC)
    done = wanted_slots(project).filter(done_at__gte=since)
    by_day = done.annotate(day=TruncDate("done_at", tzinfo=UTC)).values_list("day").annotate(Count("pk"))
    counts = Counter(dict(by_day.order_by()))
    if not counts:
        return []
    first = min(counts)
    return [
        (day, counts[day]) for day in (first + timedelta(days=number) for number in range((today - first).days + 1))
    ]


def _changed(project: Project) -> int:
    return project.documents.exclude(changed_sha256="").exclude(changed_sha256=F("sha256")).count()
