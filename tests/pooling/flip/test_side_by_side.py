"""Two runs and the judgments beside each other."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.measures import parse_one
from cranfield.pooling.flip.side_by_side import OPEN, SideBySide
from tests.pooling.flip.small_cases import Two, twos

QRELS = Qrels.from_dict({"q1": {"a": 2, "b": -1, "c": -1}, "q2": {"d": 0}, "q3": {"z": 1}})
FIRST = Run.from_dict({"q2": {"d": 2, "e": 1}, "q1": {"a": 3, "b": 2, "x": 1}, "q9": {"u": 1}})
SECOND = Run.from_dict({"q1": {"x": 2, "a": 1}})


def test_documents_ranks_and_grades() -> None:
    both = SideBySide.of(QRELS, FIRST, SECOND)
    rows = zip(
        both.topic.tolist(), both.documents.tolist(), both.first.tolist(), both.second.tolist(), both.grade.tolist(),
        strict=True,
    )  # fmt: skip
    # c has a negative grade and nobody returned it; q9 was not judged at all.
    assert list(rows) == [
        (0, b"a", 1, 2, 2),
        (0, b"b", 2, 0, OPEN),
        (0, b"x", 3, 1, OPEN),
        (1, b"d", 1, 0, 0),
        (1, b"e", 2, 0, OPEN),
        (2, b"z", 0, 0, 1),
    ]
    assert [size.tolist() for size in both.retrieved] == [[3, 2, 0], [2, 0, 0]]
    assert both.open_count.tolist() == [2, 1, 0]


def test_a_depth() -> None:
    both = SideBySide.of(QRELS, FIRST, SECOND, depth=1)
    assert both.first.tolist() == [1, 0, 1, 0]
    assert [size.tolist() for size in both.retrieved] == [[1, 1, 0], [1, 0, 0]]


@settings(max_examples=30)
@given(two=twos())
def test_measures_see_what_they_see_of_a_run(two: Two) -> None:
    # Oracle: the rankings that evaluation makes.
    qrels = Qrels.from_dict({"q": two.judged})
    both = SideBySide.of(qrels, *two.runs())
    for side, run in enumerate(two.runs()):
        for name in ("AP", "nDCG@3", "Rprec", "SetF", "P@2"):
            measure = parse_one(name)
            expected = measure.compute(Rankings.join(qrels, run))
            np.testing.assert_allclose(measure.compute(both.rankings(side)), expected)
            np.testing.assert_allclose(measure.compute(both.swapped.rankings(1 - side)), expected)


def test_topics_more_than_once() -> None:
    both = SideBySide.of(QRELS, FIRST, SECOND).of_topics(np.array([1, 0, 1]))
    assert both.topic.tolist() == [0, 0, 1, 1, 1, 2, 2]
    assert both.documents.tolist() == [b"d", b"e", b"a", b"b", b"x", b"d", b"e"]
    assert both.retrieved[0].tolist() == [2, 3, 2]


def test_a_judgment_leaves_what_it_was() -> None:
    both = SideBySide.of(QRELS, FIRST, SECOND)
    judged = both.with_grades(both.open[:1], 1.0)
    assert (both.grade[1], judged.grade[1], judged.open.tolist()) == (OPEN, 1, [2, 4])
