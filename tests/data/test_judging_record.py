"""What stands after events."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.judging import JudgingEvent
from cranfield.data.judging_record import RULES, JudgingRecord, current, to_assessor_qrels, to_qrels
from cranfield.errors import DataError, UsageError
from tests.data.judging_material import event, identifier


def test_the_last_word_stands_and_a_withdrawn_one_does_not() -> None:
    first = event(grade=1)
    second = event(grade=3, supersedes=first.event)
    record = JudgingRecord([first, second])
    assert record.standing("ann", "1", "d1") == second
    record.add(event("withdraw", supersedes=second.event))
    assert record.standing("ann", "1", "d1") == first
    record.add(event("withdraw", supersedes=first.event))
    assert record.standing("ann", "1", "d1") is None
    assert list(record.decisions()) == list(record.latest_of("ann")) == []


def test_a_note_settles_nothing_and_can_be_taken_back() -> None:
    graded, noted = event(grade=2), event("note", reason="odd")
    record = JudgingRecord([graded, noted])
    assert record.standing("ann", "1", "d1") == graded
    assert record.notes("ann", "1", "d1") == ["odd"]
    record.add(event("withdraw", supersedes=noted.event))
    assert record.notes("ann", "1", "d1") == []


def test_the_order_of_events_counts_and_not_their_clocks() -> None:
    late, early = event(grade=1, time="2026-03-02T00:00:00Z"), event(grade=2, time="2026-03-01T00:00:00Z")
    assert to_qrels([late, early])["1"] == {"d1": 2}


def test_the_same_event_twice_is_one() -> None:
    one = event(grade=2)
    record = JudgingRecord([one, one])
    assert record.events == [one]
    with pytest.raises(DataError, match="was there before, and said something else"):
        record.add(event(event=one.event, grade=3))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda first: event(supersedes=identifier(10**9)), "there is no such event before this one"),
        (lambda first: event(document="d2", supersedes=first.event), "an event of another assessor or document"),
        (lambda first: event(assessor="bob", supersedes=first.event), "ann, 1, d1, and this is of bob, 1, d1"),
    ],
)
def test_events_that_do_not_fit_what_was_before(wrong, words: str) -> None:
    first = event()
    record = JudgingRecord([first])
    with pytest.raises(DataError, match=words):
        record.add(wrong(first))
    assert record.events == [first]


def test_nothing_is_withdrawn_twice() -> None:
    first = event()
    taken_back = event("withdraw", supersedes=first.event)
    record = JudgingRecord([first, taken_back])
    for earlier in (first, taken_back):
        with pytest.raises(DataError, match="withdrawn already, or is no judgment"):
            record.add(event("withdraw", supersedes=earlier.event))


def test_what_is_told_to_an_order_comes_as_it_was_said() -> None:
    events = [event(document="d2"), event(document="d1"), event("unsure", document="d0")]
    assert [one.document for one in JudgingRecord(events).told()] == ["d2", "d1", "d0"]
    assert [one.document for one in JudgingRecord(events).decisions()] == ["d0", "d1", "d2"]


def by(**grades: float) -> list[JudgingEvent]:
    return [event(assessor=name, grade=grade) for name, grade in grades.items()]


@pytest.mark.parametrize(
    ("rule", "grades", "expected"),
    [
        ("majority", {"a": 2, "b": 2, "c": 0}, 2),
        ("majority", {"a": 3, "b": 1}, 1),  # no majority: the lowest
        ("median", {"a": 3, "b": 1, "c": 2}, 2),
        ("median", {"a": 3, "b": 1}, 1),
        ("mean", {"a": 3, "b": 0}, 1.5),
        ("max", {"a": 3, "b": 0}, 3),
        ("min", {"a": 3, "b": 0}, 0),
    ],
)
def test_rules_for_several_assessors(rule: str, grades: dict[str, float], expected: float) -> None:
    assert to_qrels(by(**grades), rule)["1"] == {"d1": expected}


def test_an_unknown_rule_offers_the_others() -> None:
    with pytest.raises(
        UsageError, match=r"unknown rule 'meen'. Did you mean mean, median\? There are: majority, median"
    ):
        to_qrels([event()], "meen")


def test_what_is_unsure_or_skipped_has_no_grade() -> None:
    events = [event(grade=1), event("unsure", document="d2"), event("skip", document="d3", reason="long")]
    assert to_qrels(events).to_dict() == {"1": {"d1": 1}}
    assert current(events).items == ("d1",)


def test_grades_of_assessors_side_by_side() -> None:
    events = by(bob=0, ann=3)
    assert current(events).judges == ("ann", "bob")
    assert list(to_assessor_qrels(events).rows()) == [("1", "ann", "d1", 3), ("1", "bob", "d1", 0)]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=7), st.randoms(use_true_random=False))
def test_rules_do_not_depend_on_who_came_first(grades: list[int], random) -> None:
    events = [event(assessor=f"a{number}", grade=grade) for number, grade in enumerate(grades)]
    shuffled = random.sample(events, len(events))
    for rule in RULES:
        combined = to_qrels(events, rule)["1"]["d1"]
        assert to_qrels(shuffled, rule)["1"]["d1"] == combined
        assert min(grades) <= combined <= max(grades)
        assert rule == "mean" or combined in grades
