"""What an assessor finds by searching: documents of a topic, each with what they can still do about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.utils import timezone

from cranfield.web.accounts.models import User
from cranfield.web.judging.found_documents import documents_named
from cranfield.web.judging.models import Event, SearchQuery, Slot
from cranfield.web.judging.searching import ask
from cranfield.web.judging.slots import PERSONAL, has_lapsed
from cranfield.web.judging.standing import decisions_by_slot
from cranfield.web.projects.models import Document, Item, Topic


class State(StrEnum):
    """What a document that was found is to an assessor; nothing tells one that is in the pool from one that is not."""

    OPEN = "open"
    """They can judge it."""
    JUDGED = "judged"
    """They have, and can judge it again."""
    ENOUGH = "enough"
    """As many others as are wanted judge it, or have judged it."""
    OUT = "out"
    """The manager has taken it out."""


@dataclass(frozen=True, slots=True)
class Result:
    """A document that was found."""

    document: Document
    state: State
    decision: Event | None
    """What the assessor said of it, and nobody else."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to."""

    results: Sequence[Result]
    without_text: int
    """How many more the engine found, of which nobody knows the text, so that they cannot be judged."""


def search(topic: Topic, assessor: User, query: str, count: int) -> Found:
    """Ask the engine, and keep the query."""
    names = ask(topic.project, query, count)
    documents = documents_named(topic.project, names)
    found = [documents[name] for name in names if name in documents]
    items = {item.document_id: item for item in topic.items.filter(other=None, document__name__in=names)}
    new = sum(document.pk not in items for document in found)
    SearchQuery.objects.create(
        project=topic.project,
        topic=topic,
        assessor=assessor,
        text=query,
        found=len(names),
        new=new,
        documents=[document.name for document in found],
    )
    return Found(_results(found, items, assessor), len(names) - len(found))


def state_of(item: Item, assessor: User) -> State:
    """What a document of the pool, or one that was found before, is to an assessor."""
    return _state(item, list(item.slots.all()), assessor, timezone.now())


def was_found(topic: Topic, assessor: User, name: str) -> bool:
    """Whether an assessor was shown a document when they searched: who could open others could add any to the pool."""
    kept = SearchQuery.objects.filter(topic=topic, assessor=assessor)
    return any(name in (found or ()) for found in kept.order_by("-pk").values_list("documents", flat=True).iterator())


def queries_of(topic: Topic, assessor: User) -> list[SearchQuery]:
    """What an assessor has searched for in a topic, each query once, the last first."""
    kept: dict[str, SearchQuery] = {}
    for query in SearchQuery.objects.filter(topic=topic, assessor=assessor).order_by("-at", "-pk"):
        kept.setdefault(query.text, query)
    return list(kept.values())


def _results(documents: Iterable[Document], items: dict[int, Item], assessor: User) -> list[Result]:
    slots: dict[int, list[Slot]] = {}
    for slot in Slot.objects.filter(item__in=items.values()):
        slots.setdefault(slot.item_id, []).append(slot)
    events = Event.objects.filter(item__in=items.values(), assessor=assessor, slot__repeat_of=None)
    said = decisions_by_slot(events.select_related("scale").order_by("number"))
    now = timezone.now()
    results = []
    for document in documents:
        item = items.get(document.pk)  # None if it is not even in the database
        if item is None:
            results.append(Result(document, State.OPEN, None))
            continue
        its_slots = slots.get(item.pk, [])
        decision = next((said[slot.pk] for slot in its_slots if slot.pk in said), None)
        results.append(Result(document, _state(item, its_slots, assessor, now), decision))
    return results


def _state(item: Item, slots: Iterable[Slot], assessor: User, now: datetime) -> State:
    own = [slot for slot in slots if slot.assessor_id == assessor.pk and slot.repeat_of_id is None]
    if own:
        return State.OPEN if own[0].done_at is None else State.JUDGED
    if item.withdrawn:
        # One that was found, and left without an answer, is as if it had never been found.
        return State.OPEN if item.origin == Item.Origin.SEARCHED else State.OUT
    shared = [slot for slot in slots if slot.number < PERSONAL and slot.done_at is None]
    free = any(has_lapsed(slot, now) for slot in shared)
    # Gold documents have a slot for everybody, and lacking slots are added when somebody asks for one.
    return State.OPEN if free or item.origin == Item.Origin.GOLD else State.ENOUGH
