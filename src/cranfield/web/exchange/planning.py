"""What judgments from a file would become in a project: seen before anything is done, and the same when it is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby

from cranfield.data.judging import DECISIONS, JudgingEvent
from cranfield.errors import DataError
from cranfield.formats.given_judgments import GivenJudgments
from cranfield.web.judging.models import Event
from cranfield.web.projects.document_columns import storable
from cranfield.web.projects.models import Item, Project, ScaleVersion

TOPIC, DOCUMENT = "a topic that the project does not have", "a document that the project does not have"
POOL = "a document that is not in the pool of the topic"
GOLD = "a gold document, of which the grade is known"
GRADE = "a grade that the scale does not have"
THERE = "there already"
OTHERWISE = "the assessor has said something else of it here, which stands"
NAME = "an assessor whose name is too long, or cannot be kept"
ELSEWHERE = "-imported"
"""Behind the name of somebody in a file who is called as somebody here, and is not them as far as anybody knows."""
_LONGEST_PSEUDONYM = 40
_NAMED = 10
_NEEDED = ("project", "topic", "document__sha256", "other", "origin", "wanted")
"""Of items and their documents: a project may have a hundred thousand of them."""


@dataclass
class LeftOut:
    """What was left out for one reason, with some of it by name."""

    reason: str
    count: int = 0
    names: list[str] = field(default_factory=list)

    def add(self, name: str) -> None:
        self.count += 1
        if len(self.names) < _NAMED and name not in self.names:
            self.names.append(name)


@dataclass(frozen=True, slots=True)
class Taken:
    """One judgment that comes in."""

    event: JudgingEvent
    item: Item
    scale: ScaleVersion


@dataclass
class Plan:
    """What comes in, and what does not: `read` is what is taken and what is left out, nothing else."""

    format: str
    read: int
    taken: list[Taken] = field(default_factory=list)
    left_out: dict[str, LeftOut] = field(default_factory=dict)

    def leave_out(self, reason: str, name: str = "", count: int = 1) -> None:
        kept = self.left_out.setdefault(reason, LeftOut(reason))
        for _ in range(count):
            kept.add(name)

    @property
    def assessors(self) -> list[tuple[str, int]]:
        """Whose judgments come in, and how many."""
        names = sorted(taken.event.assessor for taken in self.taken)
        return [(name, len(list(those))) for name, those in groupby(names)]

    def reasons(self) -> list[LeftOut]:
        return sorted(self.left_out.values(), key=lambda one: -one.count)


def plan(project: Project, given: GivenJudgments, *, merge: bool = False) -> Plan:
    """Hold judgments against a project. Nothing is written.

    A file may say anything of anybody: who can log in here is spoken for by it only with `merge`. Otherwise what it
    has under their name is that of somebody who is called the same, with a word behind it.
    """
    if project.mode == Project.Mode.PAIRS:
        raise DataError("this project compares documents two by two: it has no grades, and none can be brought in")
    if project.closed_at is not None:
        raise DataError("this project is closed: open it first, in its settings")
    made = Plan(given.format, given.read)
    for reason, count in given.left_out.items():
        made.leave_out(reason, count=count)
    known = _Known(project, merge)
    for event in given.events:
        known.look_at(event, made)
    return made


class _Known:
    """What a project has, by the names that files have for it."""

    def __init__(self, project: Project, merge: bool) -> None:
        topics = dict(project.topics.values_list("name", "pk"))
        titles: dict[str, set[int]] = {}
        for pk, title in project.topics.values_list("pk", "title"):
            titles.setdefault(_folded(title), set()).add(pk)
        self.topics = {title: pks.pop() for title, pks in titles.items() if title and len(pks) == 1}
        self.names = topics
        self.documents = dict(project.documents.values_list("name", "pk"))
        self.items = {
            (item.topic_id, item.document_id): item
            for item in project.items.filter(other=None).select_related("document").only(*_NEEDED)
        }
        self.members = dict(project.memberships.values_list("pseudonym", "user"))
        people = project.memberships.filter(user__is_active=True).values_list("pseudonym", flat=True)
        self.people = set() if merge else set(people)
        self.scales = {scale.version: scale for scale in project.scales.all()}
        self.newest = project.current_scale
        self.uuids = {str(uuid) for uuid in Event.objects.filter(project=project).values_list("uuid", flat=True)}
        self.said = dict(_standing(project))

    def look_at(self, event: JudgingEvent, made: Plan) -> None:
        """Put one of the judgments where it belongs."""
        topic = self.names.get(event.topic) or self.topics.get(_folded(event.topic))
        document = self.documents.get(event.document)
        if topic is None:
            return made.leave_out(TOPIC, event.topic)
        if document is None:
            return made.leave_out(DOCUMENT, event.document)
        item = self.items.get((topic, document))
        if item is None:
            return made.leave_out(POOL, f"{event.topic} {event.document}")
        if item.origin == Item.Origin.GOLD:
            return made.leave_out(GOLD, f"{event.topic} {event.document}")
        said = (event.action, None if event.grade is None else float(event.grade))
        if self.said.get((self.members.get(event.assessor, event.assessor), item.pk)) == said:
            return made.leave_out(THERE)
        while event.assessor in self.people:
            event = replace(event, assessor=event.assessor + ELSEWHERE)
        if len(event.assessor) > _LONGEST_PSEUDONYM or storable(event.assessor) != event.assessor:
            return made.leave_out(NAME, event.assessor)
        scale = self.scales.get(event.scale or "", self.newest)
        if scale is None:
            raise DataError("this project has no scale yet")
        if event.action == "grade" and event.grade not in [grade["value"] for grade in scale.content]:
            return made.leave_out(GRADE, f"{event.grade:g}")
        place = (self.members.get(event.assessor, event.assessor), item.pk)
        if event.event in self.uuids or self.said.get(place) == said:
            return made.leave_out(THERE)
        if place in self.said:
            return made.leave_out(OTHERWISE, f"{event.assessor}: {event.topic} {event.document}")
        self.said[place] = said
        self.uuids.add(event.event)
        made.taken.append(Taken(event, item, scale))
        return None


def _standing(project: Project) -> Iterator[tuple[tuple[int | str, int], tuple[str, float | None]]]:
    """What every assessor says of every item, late answers included, but not what was shown again."""
    events = Event.objects.filter(project=project, item__other=None).exclude(slot__repeat_of__isnull=False)
    columns = ("number", "assessor", "item", "action", "grade", "supersedes")
    rows = list(events.order_by("number").values_list(*columns))
    withdrawn = {supersedes for *_, action, _, supersedes in rows if action == "withdraw"}
    for number, assessor, item, action, grade, _ in rows:
        if action in DECISIONS and number not in withdrawn:
            yield (assessor, item), (action, grade)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
