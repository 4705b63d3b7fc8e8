"""What stands after all that assessors did: of each of them, the last word on each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean, median_low

from cranfield.data.judge_labels import JudgeLabels
from cranfield.data.judging import DECISIONS, JudgingEvent
from cranfield.data.qrels import Qrels
from cranfield.data.strings import encode
from cranfield.errors import DataError, UsageError, did_you_mean

Place = tuple[str, str, str]
"""Assessor, topic and document."""


class JudgingRecord:
    """Events in their order, and what stands after them.

    What stands of an assessor and a document is the last grade, unsure or skip that was not withdrawn. The order is
    that in which events were added, whatever their clocks say.

    >>> from cranfield.data.judging import events_from_qrels
    >>> qrels = Qrels.from_dict({"q1": {"d1": 2}})
    >>> record = JudgingRecord(events_from_qrels(qrels, time="2026-03-01T09:30:00Z", assessor="ann"))
    >>> record.standing("ann", "q1", "d1").grade
    2
    """

    def __init__(self, events: Iterable[JudgingEvent] = ()) -> None:
        self.events: list[JudgingEvent] = []
        self._by_id: dict[str, JudgingEvent] = {}
        self._withdrawn: set[str] = set()
        self._at: dict[Place, list[JudgingEvent]] = {}
        for event in events:
            self.add(event)

    def add(self, event: JudgingEvent) -> None:
        """One more; the same event a second time changes nothing, as after putting two copies of a file together."""
        known = self._by_id.get(event.event)
        if known == event:
            return
        self.check(event)
        self.events.append(event)
        self._by_id[event.event] = event
        if event.action == "withdraw":
            self._withdrawn.add(str(event.supersedes))
        else:
            self._at.setdefault(event.place, []).append(event)

    def check(self, event: JudgingEvent) -> None:
        """An error if it does not fit what was before."""
        if event.event in self._by_id:
            raise DataError(f"event {event.event} was there before, and said something else")
        if event.supersedes is None:
            return
        earlier = self._by_id.get(event.supersedes)
        if earlier is None:
            raise DataError(f"supersedes is {event.supersedes}, and there is no such event before this one")
        if earlier.place != event.place:
            raise DataError(
                f"supersedes is {event.supersedes}, an event of another assessor or document: "
                f"{', '.join(earlier.place)}, and this is of {', '.join(event.place)}"
            )
        if event.action == "withdraw" and (earlier.action == "withdraw" or earlier.event in self._withdrawn):
            raise DataError(f"supersedes is {event.supersedes}, which is withdrawn already, or is no judgment")

    def standing(self, assessor: str, topic: str, document: str) -> JudgingEvent | None:
        """What an assessor has said of a document, as it stands now."""
        return self._last(self._at.get((assessor, topic, document), ()), DECISIONS)

    def notes(self, assessor: str, topic: str, document: str) -> list[str]:
        """The notes that an assessor has on a document."""
        events = self._at.get((assessor, topic, document), ())
        return [str(one.reason) for one in events if one.action == "note" and one.event not in self._withdrawn]

    def latest_of(self, assessor: str) -> Iterator[JudgingEvent]:
        """What an assessor did and has not taken back, the last first."""
        return (one for one in reversed(self.events) if one.assessor == assessor and self._counts(one))

    def decisions(self) -> Iterator[JudgingEvent]:
        """What stands of every assessor and document, by topic, document and assessor in byte order."""
        for assessor, topic, document in sorted(self._at, key=lambda at: [encode(at[1]), encode(at[2]), encode(at[0])]):
            found = self.standing(assessor, topic, document)
            if found is not None:
                yield found

    def told(self) -> Iterator[JudgingEvent]:
        """What stands of every assessor and document, in the order in which it was said."""
        standing = {event.event for event in self.decisions()}
        return (event for event in self.events if event.event in standing)

    def _counts(self, event: JudgingEvent) -> bool:
        return event.action != "withdraw" and event.event not in self._withdrawn

    def _last(self, events: Sequence[JudgingEvent], actions: Sequence[str]) -> JudgingEvent | None:
        return next((one for one in reversed(events) if one.action in actions and self._counts(one)), None)


def _majority(grades: Sequence[float]) -> float:
    counts = Counter(grades)
    most = max(counts.values())
    return min(grade for grade, count in counts.items() if count == most)


RULES: Mapping[str, tuple[Callable[[Sequence[float]], float], str]] = {
    "majority": (_majority, "the grade that most gave; of several such, the lowest"),
    "median": (median_low, "the grade in the middle; of two such, the lower"),
    "mean": (fmean, "the mean of the grades, which may be a fraction"),
    "max": (max, "the highest grade that anybody gave"),
    "min": (min, "the lowest grade that anybody gave"),
}
"""How the grades of several assessors become one."""


def current(events: Iterable[JudgingEvent] | JudgingRecord) -> JudgeLabels:
    """The grades that stand, assessor by assessor; what was skipped, or is unsure, has none."""
    rows = [(one.topic, one.assessor, one.document, one.grade) for one in _graded(events)]
    return JudgeLabels.from_tuples(rows, name="judgments")


def to_qrels(events: Iterable[JudgingEvent] | JudgingRecord, rule: str = "majority") -> Qrels:
    """The grades that stand, as judgments; where several assessors graded a document, the rule makes one of theirs.

    >>> from cranfield.data.judging import events_from_qrels
    >>> three = Qrels.from_tuples([("q1", "ann", "d1", 3), ("q1", "bob", "d1", 1), ("q1", "cem", "d1", 1)])
    >>> events = list(events_from_qrels(three, time="2026-03-01T09:30:00Z"))
    >>> {rule: to_qrels(events, rule)["q1"]["d1"] for rule in RULES}  # (3 + 1 + 1) / 3
    {'majority': 1, 'median': 1, 'mean': 1.6666666666666667, 'max': 3, 'min': 1}
    """
    combine = combining(rule)
    grades = grades_by_document(events)
    return Qrels.from_tuples([(*place, combine(several)) for place, several in grades.items()], name="judgments")


def combining(rule: str) -> Callable[[Sequence[float]], float]:
    """The function that makes one grade of several, by the name of the rule."""
    if rule not in RULES:
        raise UsageError(f"unknown rule {rule!r}{did_you_mean(rule, RULES)} There are: {', '.join(RULES)}")
    return RULES[rule][0]


def to_assessor_qrels(events: Iterable[JudgingEvent] | JudgingRecord) -> Qrels:
    """The grades that stand, with the assessor in the second column (qrels_jg)."""
    rows = [(one.topic, one.assessor, one.document, one.grade) for one in _graded(events)]
    return Qrels.from_tuples(rows, name="judgments")


def grades_by_document(events: Iterable[JudgingEvent] | JudgingRecord) -> dict[tuple[str, str], list[float]]:
    """The grades that stand of each document of a topic, of all assessors."""
    found: dict[tuple[str, str], list[float]] = {}
    for one in _graded(events):
        found.setdefault((one.topic, one.document), []).append(float(one.grade or 0))
    return found


def _graded(events: Iterable[JudgingEvent] | JudgingRecord) -> Iterator[JudgingEvent]:
    record = events if isinstance(events, JudgingRecord) else JudgingRecord(events)
    return (one for one in record.decisions() if one.action == "grade")
