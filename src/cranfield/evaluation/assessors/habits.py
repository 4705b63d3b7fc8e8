"""What an assessor does besides grading: is unsure, skips, changes their mind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cranfield.data.judging import DECISIONS, JudgingEvent


class Habits(NamedTuple):
    """What stands of the documents that an assessor had, and how it came to stand."""

    documents: int
    graded: int
    unsure: int
    skipped: int
    changed: int
    """Documents of which something was said before that no longer stands."""

    def part(self, count: int) -> float:
        """A number of documents as a share of all."""
        return count / self.documents if self.documents else 0.0


def habits(events: Iterable[JudgingEvent]) -> dict[str, Habits]:
    """Of each assessor, from the events in their order; each time a document was shown counts for itself."""
    said: dict[tuple[str, str, str, str], list[JudgingEvent]] = {}
    withdrawn: set[str] = set()
    for event in events:
        if event.action == "withdraw":
            withdrawn.add(str(event.supersedes))
        elif event.action in DECISIONS:
            said.setdefault((*event.place, event.assignment or ""), []).append(event)
    counts: dict[str, list[int]] = {}
    for (assessor, *_), answers in said.items():
        standing = [one for one in answers if one.event not in withdrawn]
        count = counts.setdefault(assessor, [0, 0, 0, 0, 0])
        if standing:
            count[0] += 1
            count[1 + DECISIONS.index(standing[-1].action)] += 1
            count[4] += any(_content(one) != _content(standing[-1]) for one in answers)
    return {assessor: Habits(*counts[assessor]) for assessor in sorted(counts)}


def _content(event: JudgingEvent) -> tuple[str, float | None]:
    return event.action, event.grade
