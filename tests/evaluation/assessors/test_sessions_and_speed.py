from __future__ import annotations

import pytest

from cranfield.evaluation.assessors.sessions import placed_answers
from cranfield.evaluation.assessors.speed import speed, speed_by_day, speed_by_position
from tests.evaluation.assessors.making import event, minute


def test_a_longer_break_ends_a_session() -> None:
    times = ["09:00", "09:30", "10:00", "10:31", "10:32"]  # 30, 30, 31 and 1 minutes apart
    answers = placed_answers([event("ann", time, time, 1) for time in times])["ann"]
    assert [(one.session, one.position, one.of) for one in answers] == [
        (0, 0, 3),
        (0, 1, 3),
        (0, 2, 3),
        (1, 0, 2),
        (1, 1, 2),
    ]


def test_the_order_is_that_of_the_clock_and_each_has_sessions_of_their_own() -> None:
    events = [event("bob", "d1", "09:10", 1), event("ann", "d1", "09:05", 1), event("bob", "d2", "09:00", 1)]
    found = placed_answers(events)
    assert {who: [one.event.document for one in answers] for who, answers in found.items()} == {
        "ann": ["d1"],
        "bob": ["d2", "d1"],
    }


def test_notes_and_withdrawals_are_no_answers() -> None:
    first = event("ann", "d1", "09:00", 1)
    events = [
        first,
        event("ann", "d1", "09:01", action="note", reason="long"),
        event("ann", "d1", "09:02", action="withdraw", supersedes=first.event),
    ]
    assert len(placed_answers(events)["ann"]) == 1


def test_thirds_of_a_session() -> None:
    answers = placed_answers([event("ann", f"d{at}", minute(at), 1) for at in range(16)])["ann"]
    assert [one.third for one in answers] == [0] * 6 + [1] * 5 + [2] * 5  # 3 · 5 / 16 < 1 ≤ 3 · 6 / 16; 3 · 11 / 16 ≥ 2
    assert {one.third for one in placed_answers([event("ann", "d", "09:00", 1)])["ann"]} == {None}


def test_speed() -> None:
    """10 + 20 + 60 seconds are 0.025 hours, in which 3 answers were given: 120 in an hour; that of no known time is
    left out of it."""
    times = [10_000, 20_000, 60_000, None]
    answers = placed_answers([event("ann", f"d{at}", minute(at), 1, active_ms=ms) for at, ms in enumerate(times)])[
        "ann"
    ]
    found = speed(answers)
    assert (found.answers, found.timed, found.median_seconds) == (4, 3, 20)
    assert found.active_hours == pytest.approx(0.025)
    assert found.per_hour == pytest.approx(120)


def test_no_time_known() -> None:
    found = speed(placed_answers([event("ann", "d1", "09:00", 1)])["ann"])
    assert (found.per_hour, found.median_seconds) == (None, None)


def test_speed_by_day() -> None:
    events = [
        event("ann", "d1", "09:00", 1, active_ms=4000, day="2026-03-02"),
        event("ann", "d2", "09:00", 1, active_ms=8000),
        event("ann", "d3", "09:01", 1, active_ms=6000, day="2026-03-02"),
    ]
    days = speed_by_day(placed_answers(events)["ann"])
    assert [(day.name, day.answers, day.median_seconds) for day in days] == [
        ("2026-03-01", 1, 8),
        ("2026-03-02", 2, 5),
    ]


def test_speed_as_a_session_goes_on() -> None:
    """Two sessions of 12 and 110 answers: the first ten of both, then 2 + 15, 25, 50 and 10."""
    events = [event("ann", f"a{at}", minute(at), 1, active_ms=1000) for at in range(12)]
    events += [event("ann", f"b{at}", minute(at), 1, active_ms=3000, day="2026-03-02") for at in range(110)]
    parts = speed_by_position(placed_answers(events)["ann"])
    assert [(part.name, part.answers, part.median_seconds) for part in parts] == [
        ("1–10", 20, 2),
        ("11–25", 17, 3),
        ("26–50", 25, 3),
        ("51–100", 50, 3),
        ("101 and on", 10, 3),
    ]
