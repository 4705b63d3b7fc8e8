"""Inferred against human judgments, by arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.data.qrels import Qrels
from cranfield.data.topics import Topics
from cranfield.errors import DataError
from cranfield.logs.evidence_rows import Evidence
from cranfield.logs.human_agreement import human_agreement
from cranfield.logs.inferring import InferredJudgments
from cranfield.logs.topic_texts import TopicTexts


def inferred(values: dict[tuple[str, str], float]) -> InferredJudgments:
    """With the grade 1 from the value 1 on."""
    topic, document = (np.array(column, dtype=np.object_) for column in zip(*values, strict=True))
    value = np.array(list(values.values()))
    count = np.full(len(value), 10)
    said = Evidence(topic, document, value, value, value, count, count)
    matched = TopicTexts(np.arange(len(value)), topic, Topics([]), 0, 0)
    return InferredJudgments(topic, (value >= 1).astype(np.int64), said, matched, thin=0, clicks=0)


VALUES = {("1", "a"): 2.0, ("1", "b"): 1.5, ("1", "c"): 0.5, ("2", "a"): 0.2, ("2", "b"): 3.0, ("2", "x"): 9.0}
HUMAN = Qrels.from_dict({"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 0, "b": 2, "y": 2}})


def test_what_both_judged_is_compared() -> None:
    """People call 1-a, 1-c and 2-b relevant. Wanted are 1-a, 1-b and 2-b: 3 of 5 the same."""
    found = human_agreement(inferred(VALUES), HUMAN)
    assert (found.documents, found.topics, found.relevant) == (5, 2, 3)
    # Values of relevant ones 2, .5, 3, of the others 1.5, .2: 2 > both, .5 > .2, 3 > both; 5 of 6 pairs.
    assert found.area.value == pytest.approx(5 / 6)
    # P(A) = 3/5, P(E) = 3/5 · 3/5 + 2/5 · 2/5 = 13/25.
    assert found.kappa.value == pytest.approx((3 / 5 - 13 / 25) / (1 - 13 / 25))
    # Topic 1: a over b and a over c agree, b over c does not: 1/3. Topic 2: 1.
    assert found.tau.value == pytest.approx((1 / 3 + 1) / 2)
    assert (found.confusion.actual, found.confusion.predicted) == (("0", "1", "2"), ("0", "1"))  # 2 is never inferred
    assert found.confusion.counts == ((1, 1), (1, 0), (0, 2))
    assert found.tau.interval is not None
    assert (found.tau.interval.lower, found.tau.interval.upper) == pytest.approx((1 / 3, 1))


def test_what_is_not_defined_has_a_reason() -> None:
    found = human_agreement(inferred(VALUES), HUMAN, level=3)
    assert (found.area.value, found.area.reason) == (None, "people call all relevant, or none")
    alone = human_agreement(inferred(VALUES), Qrels.from_dict({"1": {"a": 1, "b": 0}}))
    assert alone.area.value == 1.0
    assert (alone.area.interval, alone.area.reason) == (None, "there is one topic only, so there is no interval")


def test_judgments_of_something_else() -> None:
    with pytest.raises(DataError, match="none of its judgments is of a document that something was inferred about"):
        human_agreement(inferred(VALUES), Qrels.from_dict({"1": {"z": 1}}))
    with pytest.raises(DataError, match=r"its topics, such as 'soup', are others .* such as '1'; give .*--topics"):
        human_agreement(inferred(VALUES), Qrels.from_dict({"soup": {"a": 1}}))


def test_what_one_should_know_when_reading_the_numbers() -> None:
    assert ["samples of 2 topics" in note for note in human_agreement(inferred(VALUES), HUMAN).notes] == [True]
    same, short = human_agreement(inferred(dict.fromkeys(VALUES, 1.0)), HUMAN).notes
    assert "the same inferred value" in same
    assert "samples of 2 topics" in short
    many = {(str(topic), "a"): float(topic) for topic in range(10)}
    human = Qrels.from_dict({str(topic): {"a": topic % 2} for topic in range(10)})
    assert human_agreement(inferred(many), human).notes == []
