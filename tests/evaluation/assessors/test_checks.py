from __future__ import annotations

from cranfield.evaluation.assessors.ages import by_month, older_than
from cranfield.evaluation.assessors.checks import confusion, gold_checks, repeat_checks, share, share_by_third
from cranfield.evaluation.assessors.habits import habits
from cranfield.evaluation.assessors.sessions import placed_answers
from tests.evaluation.assessors.making import event, minute


def test_gold() -> None:
    """Of four gold documents ann gets two right; one she corrected, and what she said last counts."""
    first = event("ann", "g2", "09:01", 0, assignment="gold b")
    events = [
        event("ann", "g1", "09:00", 2, assignment="gold a"),
        first,
        event("ann", "g2", "09:02", 1, assignment="gold b", supersedes=first.event),
        event("ann", "g3", "09:03", 0, assignment="gold c"),
        event("ann", "g4", "09:04", assignment="gold d"),
        event("ann", "d1", "09:05", 2),
        event("ann", "g5", "09:06", 2, assignment="late"),
    ]
    gold = {("q1", "g1"): 2.0, ("q1", "g2"): 1.0, ("q1", "g3"): 1.0, ("q1", "g4"): 1.0, ("q1", "g5"): 1.0}
    checks = gold_checks(events, gold)
    assert confusion(checks) == {(2, 2): 1, (1, 1): 1, (1, 0): 1}
    assert share(checks)[1:] == (2, 3)


def test_repeats() -> None:
    events = [
        event("ann", "d1", "09:00", 2),
        event("ann", "d2", "09:01", 2),
        event("ann", "d3", "09:02"),
        event("bob", "d1", "09:02", 0),
        event("ann", "d1", "10:00", 2, assignment="repeat a"),
        event("ann", "d2", "10:01", 1, assignment="repeat b"),
        event("ann", "d3", "10:02", 1, assignment="repeat c"),
    ]
    checks = repeat_checks(events)
    assert confusion(checks) == {(2, 2): 1, (2, 1): 1}, "what was unsure at first has no grade to compare with"
    assert {one.event.assessor for one in checks} == {"ann"}


def test_few_checks_say_nothing() -> None:
    checks = gold_checks(
        [event("ann", f"g{at}", minute(at), 1, assignment=f"gold {at}") for at in range(10)],
        {("q1", f"g{at}"): float(at != 3) for at in range(10)},
    )
    assert share(checks).value == 0.9
    assert share(checks).interval is not None
    few = share(checks[:9])
    assert (few.of, few.value, few.interval) == (9, None, None)


def test_as_sessions_go_on() -> None:
    """A session of 30 answers, all on gold documents, of which the last ten are wrong."""
    events = [event("ann", f"g{at}", minute(at), int(at < 20), assignment=f"gold {at}") for at in range(30)]
    gold = {("q1", f"g{at}"): 1.0 for at in range(30)}
    thirds = share_by_third(gold_checks(events, gold), placed_answers(events)["ann"])
    assert [(one.name, one.passed, one.of) for one in thirds] == [
        ("first third", 10, 10),
        ("second third", 10, 10),
        ("last third", 0, 10),
    ]


def test_checks_of_short_sessions_have_no_thirds() -> None:
    events = [event("ann", f"g{at}", minute(at), 1, assignment=f"gold {at}") for at in range(14)]
    gold = {("q1", f"g{at}"): 1.0 for at in range(14)}
    assert [one.of for one in share_by_third(gold_checks(events, gold), placed_answers(events)["ann"])] == [0, 0, 0]


def test_habits() -> None:
    """Five documents: two graded, of which one was 0 before, one unsure, one skipped; one taken back and left open."""
    first, last = event("ann", "d1", "09:00", 0), event("ann", "d5", "09:06", 1)
    events = [
        first,
        event("ann", "d1", "09:01", 2, supersedes=first.event),
        event("ann", "d2", "09:02", 1),
        event("ann", "d2", "09:03", 1),
        event("ann", "d3", "09:04"),
        event("ann", "d4", "09:05", action="skip", reason="in Norwegian"),
        last,
        event("ann", "d5", "09:07", action="withdraw", supersedes=last.event),
    ]
    found = habits(events)["ann"]
    assert found == (4, 2, 1, 1, 1)
    assert found.part(found.skipped) == 0.25


def test_ages() -> None:
    decisions = [
        event("ann", "d1", "09:00", 1, day="2025-12-31"),
        event("bob", "d1", "09:00", 1, day="2026-03-01"),
        event("ann", "d1", "09:00", 1, day="2026-02-28", topic="q2"),
    ]
    assert older_than(decisions, "2026-03-01") == [("q1", 2, 1), ("q2", 1, 1)]
    assert by_month(decisions) == {"2025-12": 1, "2026-02": 1, "2026-03": 1}
