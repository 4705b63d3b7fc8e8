"""Sessions: what an assessor did without a longer break."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from cranfield.data.judging import DECISIONS, JudgingEvent

GAP_MINUTES = 30.0
"""After a break of this length another session begins."""
THIRDS = ("first third", "second third", "last third")
SHORTEST = 15
"""A session with fewer answers has no thirds."""


class Placed(NamedTuple):
    """An answer, and where in its session it was given."""

    event: JudgingEvent
    session: int
    """Counted from 0, of this assessor."""
    position: int
    """Counted from 0."""
    of: int
    """How many answers the session has."""

    @property
    def third(self) -> int | None:
        """0, 1 or 2; None in a short session."""
        return 3 * self.position // self.of if self.of >= SHORTEST else None


def placed_answers(events: Iterable[JudgingEvent], gap_minutes: float = GAP_MINUTES) -> dict[str, list[Placed]]:
    """The answers (grade, unsure, skip) of each assessor by their clock, each with its place in its session.

    >>> at = ("09:00", "09:10", "10:00")
    >>> ids = (f"00000000-0000-4000-8000-00000000000{number}" for number in range(3))
    >>> events = [JudgingEvent(next(ids), f"2026-03-01T{time}:00Z", "ann", "1", time, "unsure") for time in at]
    >>> [(one.session, one.position, one.of) for one in placed_answers(events)["ann"]]
    [(0, 0, 2), (0, 1, 2), (1, 0, 1)]
    """
    answers: dict[str, list[tuple[datetime, JudgingEvent]]] = {}
    for event in events:
        if event.action in DECISIONS:
            answers.setdefault(event.assessor, []).append((datetime.fromisoformat(event.time), event))
    return {assessor: _placed(answers[assessor], gap_minutes) for assessor in sorted(answers)}


def _placed(answers: list[tuple[datetime, JudgingEvent]], gap_minutes: float) -> list[Placed]:
    answers.sort(key=lambda answer: answer[0])
    sessions: list[list[JudgingEvent]] = []
    before: datetime | None = None
    for time, event in answers:
        if before is None or (time - before).total_seconds() > 60 * gap_minutes:
            sessions.append([])
        sessions[-1].append(event)
        before = time
    return [
        Placed(event, number, position, len(session))
        for number, session in enumerate(sessions)
        for position, event in enumerate(session)
    ]
