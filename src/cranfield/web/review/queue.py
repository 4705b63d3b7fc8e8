"""The adjudication queue: documents of which somebody has to say what holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.web.judging.judgments import Place
from cranfield.web.judging.models import Decision
from cranfield.web.projects.models import Document, Item, Project
from cranfield.web.review.material import material

if TYPE_CHECKING:
    from cranfield.data.judging import JudgingEvent

KINDS = {
    "differ": "Assessors differ",
    "unsure": "Somebody is unsure",
    "skipped": "All who saw it skipped it",
    "changed": "The document changed after it was judged",
    "decided": "Decided already",
}
ORDERS = {"difference": "the largest difference first", "topic": "by topic"}


@dataclass(frozen=True)
class Open:
    """A document that somebody should look at, with what stands of it."""

    place: Place
    grades: tuple[float, ...]
    """Those that stand, the lowest first."""
    unsure: int
    skipped: int
    events: frozenset[str]
    """What stands, as the identifiers of events."""

    @property
    def difference(self) -> float:
        return self.grades[-1] - self.grades[0] if self.grades else 0.0


@dataclass(frozen=True)
class Wanted:
    """Which documents are looked for, and in which order."""

    kind: str = "differ"
    distance: float = 0.0
    """Grades differ by more than this."""
    topic: str = ""
    order: str = "difference"


@dataclass(frozen=True)
class Queue:
    """Documents in the order in which they are to be decided."""

    places: tuple[Open, ...]
    numbers: Mapping[Place, int]
    """The items, by topic and document."""
    counts: Mapping[str, int]
    """How many documents there are of each kind."""

    def around(self, place: Place) -> tuple[int | None, int | None]:
        """The items before and behind a document, in the round; the document itself is no neighbour of its own."""
        others = [one.place for one in self.places]
        at = others.index(place) if place in others else None
        others = [one for one in others if one != place]
        if not others:
            return None, None
        behind = 0 if at is None else at
        return self.numbers.get(others[behind - 1]), self.numbers.get(others[behind % len(others)])


def queue(project: Project, wanted: Wanted, keep: Place | None = None) -> Queue:
    """Documents of the project that are to be decided, or were; `keep` stays in its place though it was decided."""
    found = material(project)
    judged = found.once("places", lambda: _places(found.record.decisions()))
    decided = {
        (topic, name): frozenset(events)
        for topic, name, events in Decision.objects.filter(item__project=project, item__other=None)
        .order_by("at", "pk")
        .values_list("item__topic__name", "item__document__name", "events")
    }
    documents = Document.objects.filter(project=project).exclude(changed_sha256="")
    changed = frozenset(documents.values_list("name", flat=True))
    counts = dict.fromkeys(KINDS, 0)
    fitting = []
    for one in judged.values():
        if wanted.topic and one.place[0] != wanted.topic:
            continue
        kinds = _kinds(one, wanted.distance, decided.get(one.place), changed)
        for kind in kinds:
            counts[kind] += 1
        if wanted.kind in kinds or one.place == keep:
            fitting.append(one)
    topics = {name: at for at, name in enumerate(project.topics.values_list("name", flat=True))}
    if wanted.order == "difference":
        fitting.sort(key=lambda one: (-one.difference, topics.get(one.place[0], 0), one.place))
    else:
        fitting.sort(key=lambda one: (topics.get(one.place[0], 0), -one.difference, one.place))
    return Queue(tuple(fitting), _numbers(project, fitting), counts)


def _kinds(one: Open, distance: float, decided_by: frozenset[str] | None, changed: frozenset[str]) -> list[str]:
    """What there is to say of a document. A decision holds as long as nobody judges the document again."""
    kinds = [] if decided_by is None else ["decided"]
    if decided_by is not None and one.events <= decided_by:
        return kinds
    if one.difference > distance:
        kinds.append("differ")
    if one.unsure:
        kinds.append("unsure")
    if one.skipped and not one.grades and not one.unsure:
        kinds.append("skipped")
    if one.place[1] in changed:
        kinds.append("changed")
    return kinds


def _places(events: Iterable[JudgingEvent]) -> dict[Place, Open]:
    standing: dict[Place, list[JudgingEvent]] = {}
    for event in events:
        standing.setdefault((event.topic, event.document), []).append(event)
    return {
        place: Open(
            place,
            tuple(sorted(one.grade for one in several if one.grade is not None)),
            sum(one.action == "unsure" for one in several),
            sum(one.action == "skip" for one in several),
            frozenset(one.event for one in several),
        )
        for place, several in standing.items()
    }


def _numbers(project: Project, places: list[Open]) -> dict[Place, int]:
    names = {one.place[1] for one in places}
    rows = Item.objects.filter(project=project, other=None).exclude(origin=Item.Origin.GOLD)
    if len(names) <= 500:
        rows = rows.filter(document__name__in=names)
    return {(topic, name): pk for pk, topic, name in rows.values_list("pk", "topic__name", "document__name")}
