"""What the pages of a review are made of, kept in memory as long as nothing new has come in.

A project has up to some hundred thousand events, and to read them takes seconds: those that are known are kept, and
only what came later is read. Whatever is computed of them is kept with them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from uuid import UUID

from django.db.models import Count, Max, Sum

from cranfield.web.judging.events import events_of, no_longer_counted
from cranfield.web.judging.models import Event
from cranfield.web.projects.models import Item, Project

if TYPE_CHECKING:
    from cranfield.data.judge_labels import JudgeLabels
    from cranfield.data.judging import JudgingEvent
    from cranfield.data.judging_record import JudgingRecord

Computed = TypeVar("Computed")
PROJECTS = 4
"""Of how many projects the events are kept."""


class Base(NamedTuple):
    """What may change of events that are there."""

    names: tuple[tuple[int, str], ...]
    """How assessors are called."""
    gold: tuple[int, int]
    """How many documents are gold, and the sum of their numbers: which of them are."""
    gone: frozenset[str]
    """Events that no longer count, for somebody else was asked, and has judged."""


@dataclass(frozen=True, eq=False)
class Material:
    """All events of a project at some moment."""

    events: tuple[JudgingEvent, ...]
    last: int
    """The number of the last one."""
    base: Base
    _computed: dict[Hashable, Any] = field(default_factory=dict)

    @cached_property
    def record(self) -> JudgingRecord:
        """The events that judgments come from, as `record_of` has them."""
        from cranfield.evaluation.assessors.kinds import COUNTED, record_of_kind

        return record_of_kind((one for one in self.events if one.event not in self.base.gone), *COUNTED)

    @cached_property
    def labels(self) -> JudgeLabels:
        """The grades that stand, assessor by assessor."""
        from cranfield.data.judging_record import current

        return current(self.record)

    def once(self, name: Hashable, compute: Callable[[], Computed]) -> Computed:
        """What was computed under this name, or is now."""
        if name not in self._computed:
            self._computed[name] = compute()
        found: Computed = self._computed[name]
        return found


_kept: OrderedDict[UUID, Material] = OrderedDict()
_lock = Lock()


def material(project: Project) -> Material:
    """The events of a project as they are now."""
    base, (last, count) = _base(project), _newest(project)
    with _lock:
        known = _kept.get(project.pk)
    if known is not None and known.base == base and (known.last, len(known.events)) == (last, count):
        return known
    events: tuple[JudgingEvent, ...] = ()
    if known is not None and known.base == base:
        events = (*known.events, *events_of(project, everything=True, after=known.last))
    if len(events) < count:  # nothing was known, or an event with a lower number was committed after a higher one
        events = tuple(events_of(project, everything=True))
    made = Material(events, last, base)
    with _lock:
        _kept[project.pk] = made
        _kept.move_to_end(project.pk)
        while len(_kept) > PROJECTS:
            _kept.popitem(last=False)
    return made


def _newest(project: Project) -> tuple[int, int]:
    found = Event.objects.filter(project=project, item__other=None).aggregate(last=Max("number"), count=Count("number"))
    return found["last"] or 0, found["count"]


def _base(project: Project) -> Base:
    gold = Item.objects.filter(project=project, origin=Item.Origin.GOLD).aggregate(number=Count("pk"), sum=Sum("pk"))
    return Base(
        tuple(project.memberships.order_by("user").values_list("user", "pseudonym")),
        (gold["number"], gold["sum"] or 0),
        frozenset(map(str, no_longer_counted(project).values_list("uuid", flat=True))),
    )
