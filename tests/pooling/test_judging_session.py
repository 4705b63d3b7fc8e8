"""The way of an assessor through a pool."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from cranfield.data.judging_record import JudgingRecord
from cranfield.data.scale import BINARY, GRADED
from cranfield.errors import DataError, UsageError
from cranfield.pooling.judging_session import Item, JudgingSession, Progress, Seen
from tests.data.judging_material import TIME, event

WORK = {"2": ["d1", "d2"], "1": ["d3"]}


def session(record: JudgingRecord | None = None, **settings) -> JudgingSession:
    return JudgingSession(WORK, record or JudgingRecord(), **{"assessor": "ann", "scale": GRADED, **settings})


def way(one: JudgingSession, value: float = 1) -> list[str]:
    """The documents in the order in which they are shown, while each is graded."""
    seen = []
    while one.item is not None:
        seen.append(one.item.document)
        one.apply(one.grade(value))
    return seen


def test_topics_and_documents_come_in_the_order_of_the_work() -> None:
    assert way(session()) == ["d1", "d2", "d3"]


def test_an_event_says_how_it_was_made() -> None:
    one = session(assignment="a7", input="web", now=lambda: TIME)
    seen = Seen("0" * 64, "2026-03-01T09:29:00Z", 1500)
    found = one.grade(2, seen, reason="  on the point ")
    assert (found.time, found.assessor, found.topic, found.document) == (TIME, "ann", "2", "d1")
    assert (found.action, found.grade, found.reason, found.scale) == ("grade", 2, "on the point", GRADED.version)
    assert (found.document_sha256, found.shown_at, found.active_ms) == ("0" * 64, "2026-03-01T09:29:00Z", 1500)
    assert (found.input, found.assignment, found.supersedes) == ("web", "a7", None)


def test_nothing_happens_until_an_event_is_applied() -> None:
    one = session()
    one.grade(3)
    one.skip("long")
    assert one.item == Item("2", "d1")
    assert one.progress() == Progress(3)


def test_progress_of_a_topic_and_of_all() -> None:
    one = session()
    one.apply(one.grade(1))
    one.apply(one.skip("too long"))
    assert one.progress("2") == Progress(2, graded=1, skipped=1)
    one.apply(one.unsure())
    assert one.progress() == Progress(3, graded=1, unsure=1, skipped=1)
    assert (one.progress().left, one.item) == (0, None)
    with pytest.raises(UsageError, match="nothing is left to judge"):
        one.grade(1)


def test_a_grade_that_the_scale_has_not() -> None:
    with pytest.raises(DataError, match="2 is no grade of the scale 'binary'"):
        session(scale=BINARY).grade(2)


def test_undo_goes_back_over_everything_one_by_one() -> None:
    one = session()
    one.apply(one.grade(1))
    one.apply(one.note("odd"))
    one.apply(one.unsure())
    for shown, notes in ((Item("2", "d2"), ["odd"]), (Item("2", "d2"), []), (Item("2", "d1"), [])):
        undone = one.undo()
        assert undone is not None
        one.apply(undone)
        assert (one.item, one.notes) == (shown, notes)
    assert one.undo() is None
    assert way(one) == ["d1", "d2", "d3"]


def test_a_document_that_is_taken_back_is_shown_though_another_is_next() -> None:
    one = session()
    way(one)
    one.apply(one.undo())  # type: ignore[arg-type]
    assert one.item == Item("1", "d3")


def test_back_and_forward_change_nothing() -> None:
    one = session()
    one.apply(one.grade(1))
    one.apply(one.grade(2))
    assert not one.forward()
    assert one.back()
    assert one.back()
    assert not one.back()
    assert one.item == Item("2", "d1")
    assert one.standing is not None
    assert one.standing.grade == 1
    assert one.forward()
    assert one.item == Item("2", "d2")
    assert one.forward()
    assert one.item == Item("1", "d3")
    assert len(one.record.events) == 2


def test_a_grade_given_later_supersedes_and_undo_brings_the_first_one_back() -> None:
    one = session()
    one.apply(one.grade(1))
    one.back()
    second = one.grade(3)
    assert second.supersedes == one.record.events[0].event
    one.apply(second)
    assert one.item == Item("2", "d2")
    one.apply(one.undo())  # type: ignore[arg-type]
    assert one.item == Item("2", "d1")
    assert one.standing is not None
    assert one.standing.grade == 1
    assert one.progress().graded == 1


def test_what_was_judged_before_is_not_asked_again() -> None:
    record = JudgingRecord([event(document="d1", topic="2"), event("skip", document="d2", topic="2")])
    one = session(record)
    assert one.item == Item("1", "d3")
    one.back()
    assert one.item == Item("2", "d2")


def test_what_was_skipped_or_unsure_is_asked_again_if_wanted() -> None:
    record = JudgingRecord([event("unsure", document="d1", topic="2"), event("skip", document="d2", topic="2")])
    one = session(record, again=["unsure"])
    assert one.progress() == Progress(3, skipped=1)
    assert one.item == Item("2", "d1")
    one.apply(one.unsure())  # still
    assert one.item == Item("1", "d3")
    assert one.progress() == Progress(3, unsure=1, skipped=1)


def test_judgments_of_others_and_of_other_pools_are_left_alone() -> None:
    record = JudgingRecord([event(assessor="bob", document="d1", topic="2"), event(document="elsewhere", topic="9")])
    one = session(record)
    assert one.item == Item("2", "d1")
    assert one.undo() is None
    assert not one.back()


def test_documents_that_cannot_be_shown_stay_open_until_they_can() -> None:
    one = session(absent=lambda item: "gone" if item.document == "d1" else None)
    assert one.absent == one.left_open == {Item("2", "d1"): "gone"}
    assert one.item == Item("2", "d2")
    assert not one.back()
    assert way(one) == ["d2", "d3"]
    assert one.progress() == Progress(3, graded=2, absent=1)
    assert one.progress().left == 0
    assert way(session(one.record)) == ["d1"]


@pytest.mark.parametrize("again", [[], ["unsure"]])
def test_what_was_said_of_a_document_stands_though_it_cannot_be_shown_any_more(again: list[str]) -> None:
    record = JudgingRecord([event("unsure", document="d1", topic="2")])
    one = session(record, again=again, absent=lambda item: "gone" if item.document == "d1" else None)
    assert one.progress() == Progress(3, unsure=1)
    assert one.left_open == {}
    assert one.undo() is None
    assert way(one) == ["d2", "d3"]


class HighestLast:
    """An order that asks for documents from the last to the first, until it hears of a relevant one: then forwards."""

    def __init__(self, count: int) -> None:
        self.left, self.told = list(range(count)), list[tuple[int, float | None]]()

    def next(self, count: int = 1) -> list[int]:
        forwards = any(grade for _, grade in self.told)
        return sorted(self.left, reverse=not forwards)[:count]

    def tell(self, document: int, grade: float | None) -> None:
        self.left.remove(document)
        self.told.append((document, grade))


def test_an_order_that_listens() -> None:
    made: list[HighestLast] = []

    def order_of(topic: str, documents: Sequence[str]) -> HighestLast:
        made.append(HighestLast(len(documents)))
        return made[-1]

    one = JudgingSession(
        {"1": ["d0", "d1", "d2", "d3"]}, JudgingRecord(), assessor="ann", scale=GRADED, order_of=order_of
    )
    assert one.item == Item("1", "d3")
    one.apply(one.grade(0))
    assert one.item == Item("1", "d2")
    one.apply(one.grade(2))
    assert one.item == Item("1", "d0")
    one.apply(one.skip())
    assert one.item == Item("1", "d1")
    assert made[0].told == [(3, 0), (2, 2), (0, None)]
    for _ in range(2):  # the skip, and the grade that turned the order round
        one.apply(one.undo())  # type: ignore[arg-type]
    assert one.item == Item("1", "d2")
    one.apply(one.grade(0))
    assert one.item == Item("1", "d1")
    assert made[-1].told == [(3, 0), (2, 0)]


def test_an_order_is_told_what_was_judged_before_in_its_order() -> None:
    record = JudgingRecord([event(document="d1", grade=0), event("unsure", document="d3")])
    made = HighestLast(4)
    one = JudgingSession(
        {"1": ["d0", "d1", "d2", "d3"]}, record, assessor="ann", scale=GRADED, order_of=lambda *of: made
    )
    assert made.told == [(1, 0), (3, None)]
    assert one.item == Item("1", "d2")


def test_an_order_does_not_ask_for_what_cannot_be_shown() -> None:
    made = HighestLast(4)
    one = JudgingSession(
        {"1": ["d0", "d1", "d2", "d3"]}, JudgingRecord(), assessor="ann", scale=GRADED, order_of=lambda *of: made,
        absent=lambda item: "gone" if item.document in ("d0", "d3") else None,
    )  # fmt: skip
    assert way(one, 0) == ["d2", "d1"]


class AnyWay(RuleBasedStateMachine):
    """Whatever an assessor does, in whatever order: a session made anew of the events is where this one is."""

    def __init__(self) -> None:
        super().__init__()
        self.session = session()

    @precondition(lambda self: self.session.item is not None)
    @rule(value=st.integers(0, 3))
    def grade(self, value: int) -> None:
        self.session.apply(self.session.grade(value))
        assert self.session.record.events[-1].grade == value

    @precondition(lambda self: self.session.item is not None)
    @rule(action=st.sampled_from(["skip", "unsure"]))
    def pass_over(self, action: str) -> None:
        self.session.apply(getattr(self.session, action)())

    @precondition(lambda self: self.session.item is not None)
    @rule()
    def note(self) -> None:
        shown = self.session.item
        self.session.apply(self.session.note("n"))
        assert self.session.item == shown

    @rule()
    def undo(self) -> None:
        undone = self.session.undo()
        if undone is not None:
            self.session.apply(undone)
            assert self.session.item == Item(undone.topic, undone.document)

    @rule(step=st.sampled_from(["back", "forward"]))
    def look(self, step: str) -> None:
        shown = self.session.item
        assert getattr(self.session, step)() == (self.session.item != shown)

    @invariant()
    def the_events_say_it_all(self) -> None:
        anew = session(JudgingRecord(self.session.record.events))
        assert anew.progress() == self.session.progress()
        items = [(topic, document) for topic, documents in WORK.items() for document in documents]
        left = [item[1] for item in items if anew.record.standing("ann", *item) is None]
        assert way(anew) == left
        assert self.session.item is not None or not left


TestAnyWay = AnyWay.TestCase
TestAnyWay.settings = settings(max_examples=30, stateful_step_count=20)


@given(st.lists(st.sampled_from([0, 1, 2, 3, None]), min_size=3, max_size=3))
def test_progress_adds_up(grades: list[int | None]) -> None:
    one = session()
    for grade in grades:
        one.apply(one.unsure() if grade is None else one.grade(grade))
    done = one.progress()
    assert (done.graded, done.unsure) == (3 - grades.count(None), grades.count(None))
    assert done == one.progress("1") + one.progress("2")
