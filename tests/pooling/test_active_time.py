"""Time that counts: only while somebody is at work."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cranfield.pooling.active_time import ActiveTime


def test_another_document_begins_at_nought() -> None:
    watch = ActiveTime()
    watch.begin(0)
    watch.sign(5)
    watch.begin(7)
    assert watch.milliseconds(9) == 2000


def test_nothing_counts_while_the_assessor_is_away() -> None:
    watch = ActiveTime(idle_after=60)
    watch.begin(0)
    watch.pause(4)
    assert watch.milliseconds(1000) == 4000
    watch.sign(1000)  # a key, though nobody said that the assessor is back
    assert watch.milliseconds(1001) == 5000


def test_a_clock_that_goes_back_counts_nothing() -> None:
    watch = ActiveTime()
    watch.begin(10)
    assert watch.milliseconds(3) == 0


@given(st.lists(st.tuples(st.floats(0, 300), st.sampled_from(["sign", "pause", "resume"])), max_size=20))
def test_what_counts_is_no_more_than_what_passed_nor_than_the_patience_with_each_step(
    steps: list[tuple[float, str]],
) -> None:
    watch, now = ActiveTime(idle_after=60), 0.0
    watch.begin(now)
    for passed, step in steps:
        now += passed
        getattr(watch, step)(now)
    counted = watch.milliseconds(now)
    assert 0 <= counted <= round(1000 * now) + 1
    assert counted <= sum(min(60_000, 1000 * passed) for passed, _ in steps) + 1
