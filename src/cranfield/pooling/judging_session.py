"""One assessor's way through a pool: which document is next, what has been said of it, and how far it has come.

Nothing here reads a file or a key: it is the same session in a terminal and in a browser. What an assessor does gives
an event; whoever has the session writes that down, and applies it when it is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cranfield.data.judging import DECISIONS, JudgingEvent, new_event_id, utc_now
from cranfield.data.judging_record import JudgingRecord
from cranfield.data.scale import Scale
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.pooling.orders import JudgingOrder

    OrderOf = Callable[[str, Sequence[str]], JudgingOrder]
    """Makes the order of a topic's documents, of which it gets the topic and the documents by number."""


class Item(NamedTuple):
    """A document to be judged for a topic."""

    topic: str
    document: str


@dataclass(frozen=True)
class Seen:
    """How a document was seen when something was said of it."""

    document_sha256: str | None = None
    shown_at: str | None = None
    active_ms: int | None = None


@dataclass(frozen=True)
class Progress:
    """How far a topic, or the whole, has come.

    >>> Progress(10, graded=3, unsure=1).left
    6
    """

    total: int
    graded: int = 0
    unsure: int = 0
    skipped: int = 0
    absent: int = 0
    """Documents that cannot be shown, and of which nothing was said when they could."""

    @property
    def done(self) -> int:
        """How many have been answered, by a grade or otherwise."""
        return self.graded + self.unsure + self.skipped

    @property
    def left(self) -> int:
        return self.total - self.done - self.absent

    def __add__(self, other: Progress) -> Progress:
        return Progress(
            self.total + other.total,
            self.graded + other.graded,
            self.unsure + other.unsure,
            self.skipped + other.skipped,
            self.absent + other.absent,
        )


class JudgingSession:
    """What one assessor has before them.

    >>> from cranfield.data.scale import BINARY
    >>> session = JudgingSession({"q1": ["d1", "d2"]}, JudgingRecord(), assessor="ann", scale=BINARY)
    >>> session.item
    Item(topic='q1', document='d1')
    >>> session.apply(session.grade(1))
    >>> session.item, session.progress()
    (Item(topic='q1', document='d2'), Progress(total=2, graded=1, unsure=0, skipped=0, absent=0))
    >>> session.apply(session.undo())
    >>> session.item, session.progress().graded
    (Item(topic='q1', document='d1'), 0)
    """

    def __init__(
        self,
        work: Mapping[str, Sequence[str]],
        record: JudgingRecord,
        *,
        assessor: str,
        scale: Scale,
        order_of: OrderOf | None = None,
        again: Sequence[str] = (),
        absent: Callable[[Item], str | None] = lambda item: None,
        input: str = "terminal",
        assignment: str | None = None,
        identify: Callable[[], str] = new_event_id,
        now: Callable[[], str] = utc_now,
    ) -> None:
        """`work` has the documents of each topic in the order of judging; with `order_of`, that order listens.

        What stands in the record is not asked for again, but for the actions in `again` (`unsure`, `skip`). `absent`
        says why a document cannot be shown, if it cannot: it is not asked for, and stays open for a later session.
        """
        self.work = {topic: tuple(documents) for topic, documents in work.items()}
        self.record = record
        self.assessor, self.scale = assessor, scale
        self._input, self._assignment = input, assignment
        self._identify, self._now = identify, now
        self._order_of = order_of
        self._orders: dict[str, JudgingOrder] = {}
        self._places = {topic: {name: at for at, name in enumerate(names)} for topic, names in self.work.items()}
        items = [Item(topic, document) for topic, documents in self.work.items() for document in documents]
        self.absent = {item: reason for item in items if (reason := absent(item)) is not None}
        """The documents that cannot be shown, and why."""
        standing = {item: found for item in items if (found := record.standing(assessor, *item))}
        shown = {item: event for item, event in standing.items() if item not in self.absent}
        self._once_more = {item for item, event in shown.items() if event.action in again}
        said = {event.event: number for number, event in enumerate(record.events)}
        settled = [item for item in shown if item not in self._once_more]
        self._trail = sorted(settled, key=lambda item: said[shown[item].event])
        self._progress: dict[str, Progress] = {}
        self._focus: Item | None = None
        self._next: Item | None = None
        self._find_next()

    @property
    def item(self) -> Item | None:
        """The document to be shown; None when all is done."""
        return self._focus or self._next

    @property
    def standing(self) -> JudgingEvent | None:
        """What the assessor has said of the document that is shown."""
        return None if self.item is None else self.record.standing(self.assessor, *self.item)

    @property
    def notes(self) -> list[str]:
        """The notes on the document that is shown."""
        return [] if self.item is None else self.record.notes(self.assessor, *self.item)

    @property
    def left_open(self) -> dict[Item, str]:
        """The documents that cannot be shown, and why, as far as nothing was said of them when they could."""
        said = self.record.standing
        return {item: why for item, why in self.absent.items() if said(self.assessor, *item) is None}

    def progress(self, topic: str | None = None) -> Progress:
        """How far a topic has come, or all."""
        if topic is None:
            return sum((self.progress(each) for each in self.work), Progress(0))
        if topic not in self._progress:
            self._progress[topic] = self._count(topic)
        return self._progress[topic]

    def grade(self, value: float, seen: Seen | None = None, *, reason: str | None = None) -> JudgingEvent:
        """The document has this grade."""
        return self._event("grade", seen, grade=self.scale.grade(value).value, reason=reason)

    def unsure(self, seen: Seen | None = None, *, reason: str | None = None) -> JudgingEvent:
        """The assessor has read it and cannot say."""
        return self._event("unsure", seen, reason=reason)

    def skip(self, reason: str | None = None, seen: Seen | None = None) -> JudgingEvent:
        """The assessor does not judge it."""
        return self._event("skip", seen, reason=reason)

    def note(self, text: str, seen: Seen | None = None) -> JudgingEvent:
        """Something to remember about the document, which settles nothing."""
        return self._event("note", seen, reason=text)

    def undo(self) -> JudgingEvent | None:
        """Take back the last thing that was done, in this session or an earlier one; None if there is nothing."""
        last = next((one for one in self.record.latest_of(self.assessor) if self._can_be_shown(one)), None)
        if last is None:
            return None
        return JudgingEvent(
            self._identify(),
            self._now(),
            *last.place,
            "withdraw",
            scale=self.scale.version,
            input=self._input,
            assignment=self._assignment,
            supersedes=last.event,
        )

    def apply(self, event: JudgingEvent) -> None:
        """An event has been written down: go on after it."""
        self.record.add(event)
        item = Item(event.topic, event.document)
        self._progress.pop(event.topic, None)
        if event.action in DECISIONS:
            self._once_more.discard(item)
            self._trail = [*(one for one in self._trail if one != item), item]
            self._tell(event)
            self._focus = None
        elif event.action == "withdraw":
            if self.record.standing(self.assessor, *item) is None:
                self._trail = [one for one in self._trail if one != item]
            self._orders.pop(event.topic, None)  # an order cannot be untold: it is made anew
            self._focus = item
        self._find_next()

    def back(self) -> bool:
        """Show what was judged before this one; False if there is nothing before it."""
        at = self._at()
        if at == 0:
            return False
        self._focus = self._trail[at - 1]
        return True

    def forward(self) -> bool:
        """The other way; False if this one is the last."""
        at = self._at() + 1
        if self._focus is None or at > len(self._trail):
            return False
        self._focus = self._trail[at] if at < len(self._trail) else None
        return True

    def _at(self) -> int:
        """Where on the trail the document stands that is shown: behind its end, if nothing stands of it."""
        return self._trail.index(self._focus) if self._focus in self._trail else len(self._trail)

    def _event(
        self, action: str, seen: Seen | None, *, grade: float | None = None, reason: str | None = None
    ) -> JudgingEvent:
        if self.item is None:
            raise UsageError("nothing is left to judge: there is no document that this could be about")
        seen = seen or Seen()
        before = self.standing if action in DECISIONS else None
        return JudgingEvent(
            self._identify(),
            self._now(),
            self.assessor,
            *self.item,
            action,
            grade=grade,
            reason=(reason or "").strip() or None,
            scale=self.scale.version,
            document_sha256=seen.document_sha256,
            shown_at=seen.shown_at,
            active_ms=seen.active_ms,
            input=self._input,
            assignment=self._assignment,
            supersedes=None if before is None else before.event,
        )

    def _can_be_shown(self, event: JudgingEvent) -> bool:
        """Whether an event is of a document of this session, and not of another pool in the same file."""
        here = event.document in self._places.get(event.topic, {})
        return here and Item(event.topic, event.document) not in self.absent

    def _open(self, item: Item) -> bool:
        """Whether a document is still to be asked for."""
        if item in self.absent:
            return False
        return item in self._once_more or self.record.standing(self.assessor, *item) is None

    def _find_next(self) -> None:
        self._next = next((found for topic in self.work if (found := self._next_of(topic))), None)

    def _next_of(self, topic: str) -> Item | None:
        if self.progress(topic).left == 0:
            return None
        documents = self.work[topic]
        if self._order_of is None:
            return next((item for name in documents if self._open(item := Item(topic, name))), None)
        numbers = self._order(topic).next()
        return Item(topic, documents[numbers[0]]) if numbers else None

    def _order(self, topic: str) -> JudgingOrder:
        """The order of a topic, which has been told what stands."""
        assert self._order_of is not None
        if topic not in self._orders:
            documents, places = self.work[topic], self._places[topic]
            self._orders[topic] = order = self._order_of(topic, documents)
            for event in self.record.told():
                ours = (event.assessor, event.topic) == (self.assessor, topic) and event.document in places
                if ours and Item(topic, event.document) not in self._once_more:
                    order.tell(places[event.document], event.grade)
            for item in self.left_open:
                if item.topic == topic:
                    order.tell(places[item.document], None)
        return self._orders[topic]

    def _tell(self, event: JudgingEvent) -> None:
        if event.supersedes is not None:  # it was told another grade of this document
            self._orders.pop(event.topic, None)
        elif event.topic in self._orders:
            self._orders[event.topic].tell(self._places[event.topic][event.document], event.grade)

    def _count(self, topic: str) -> Progress:
        items = [Item(topic, name) for name in self.work[topic]]
        standing = {item: self.record.standing(self.assessor, *item) for item in items if item not in self._once_more}
        found = [event.action for event in standing.values() if event is not None]
        absent = sum(event is None and item in self.absent for item, event in standing.items())
        return Progress(len(items), found.count("grade"), found.count("unsure"), found.count("skip"), absent)
