"""How often an assessor says what gold says, and says the same again of a document that is shown once more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cranfield.data.judging import JudgingEvent
from cranfield.evaluation.assessors.kinds import COUNTED, record_of_kind
from cranfield.evaluation.assessors.sessions import THIRDS, Placed
from cranfield.stats.interval import Interval
from cranfield.stats.proportions import share_interval

FEW = 10
"""Fewer checks than these say nothing."""


class Check(NamedTuple):
    """A grade beside the one that was expected: that of gold, or the assessor's own of the first time."""

    event: JudgingEvent
    given: float
    expected: float

    @property
    def same(self) -> bool:
        return self.given == self.expected


class Share(NamedTuple):
    """How many checks were passed."""

    name: str
    passed: int
    of: int

    @property
    def value(self) -> float | None:
        """The share; None if there are too few checks to say one."""
        return self.passed / self.of if self.of >= FEW else None

    @property
    def interval(self) -> Interval | None:
        return share_interval(self.passed, self.of) if self.of >= FEW else None


def gold_checks(events: Iterable[JudgingEvent], gold: Mapping[tuple[str, str], float]) -> list[Check]:
    """The grades that stand of gold documents; `gold` has those they ought to have, by topic and document."""
    graded = _graded(record_of_kind(events, "gold").decisions())
    return [Check(one, grade, gold[place]) for one, grade in graded if (place := (one.topic, one.document)) in gold]


def repeat_checks(events: Sequence[JudgingEvent]) -> list[Check]:
    """The grades that stand of documents shown again, beside those that the same assessor gave them first."""
    first = record_of_kind(events, *COUNTED)
    found = []
    for again, grade in _graded(record_of_kind(events, "repeat").decisions()):
        before = first.standing(*again.place)
        if before is not None and before.grade is not None:
            found.append(Check(again, grade, before.grade))
    return found


def share(checks: Iterable[Check], name: str = "all") -> Share:
    """How many of the checks were passed."""
    counted = list(checks)
    return Share(name, sum(one.same for one in counted), len(counted))


def share_by_third(checks: Iterable[Check], answers: Iterable[Placed]) -> list[Share]:
    """As sessions go on: the checks in the first, second and last third of each session; short sessions have none."""
    third = {one.event.event: one.third for one in answers}
    found = list(checks)
    return [share((one for one in found if third.get(one.event.event) == at), name) for at, name in enumerate(THIRDS)]


def confusion(checks: Iterable[Check]) -> Counter[tuple[float, float]]:
    """How often each grade was given where each was expected: by (expected, given)."""
    return Counter((one.expected, one.given) for one in checks)


def _graded(events: Iterable[JudgingEvent]) -> Iterator[tuple[JudgingEvent, float]]:
    return ((one, one.grade) for one in events if one.grade is not None)
