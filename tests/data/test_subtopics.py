"""Judgments by subtopic."""

from __future__ import annotations

from typing import Any

import pandas
import pytest

import cranfield as cf
from cranfield.data.qrels import Qrels
from cranfield.data.subtopics import SubtopicRankings, Subtopics
from cranfield.errors import DataError

ROWS = [
    ("q2", "b", "d1", 1),
    ("q1", "film", "d2", 2),
    ("q1", "bird", "d1", 0),
    ("q1", "film", "d1", 1),
    ("q2", "a", "d1", 0),
    ("q1", "bird", "d2", 1),
    ("q1", "none", "d3", 0),
]


def test_documents_stand_once_with_their_highest_grade() -> None:
    subtopics = Subtopics(Qrels.from_tuples(ROWS))
    assert subtopics.qrels.to_dict() == {"q1": {"d2": 2, "d1": 1, "d3": 0}, "q2": {"d1": 1}}
    rows = zip(subtopics.document.tolist(), subtopics.subtopic.tolist(), subtopics.grade.tolist(), strict=True)
    # Subtopics in the order of queries and names: bird 0, film 1, none 2, and a 3, b 4 of the second query.
    assert list(rows) == [(0, 1, 2), (0, 0, 1), (1, 0, 0), (1, 1, 1), (2, 2, 0), (3, 4, 1), (3, 3, 0)]


def test_only_subtopics_with_a_relevant_document_count() -> None:
    relevant = Subtopics(Qrels.from_tuples(ROWS)).relevant(1)
    assert relevant.subtopics.tolist() == [2, 1]
    assert relevant.size.tolist() == [1, 2, 0, 0, 1]
    assert relevant.weight.tolist() == [1, 1, 0, 0, 1]
    assert Subtopics(Qrels.from_tuples(ROWS)).relevant(2).subtopics.tolist() == [1, 0]


def test_weights_have_a_mean_of_one() -> None:
    # Of film 3 and bird 1 the shares are 3/4 and 1/4; times two subtopics that is 1.5 and 0.5.
    intents: dict[str, dict[str, float]] = {"q1": {"film": 3, "bird": 1, "never judged": 5}, "q2": {"b": 0.1}}
    relevant = Subtopics(Qrels.from_tuples(ROWS), intents).relevant(1)
    assert relevant.weight.tolist() == pytest.approx([0.5, 1.5, 0, 0, 1])


@pytest.mark.parametrize(
    ("intents", "message"),
    [
        ({"q1": {"film": 1, "bird": 1}}, "intents: no probability for subtopic 'b' of query 'q2', which has relevant"),
        (
            {"q1": {"film": 0, "bird": 1}},
            "intents, query 'q1', subtopic 'film': the probability must be above 0, not 0",
        ),
        ({"q1": {"film": "x"}}, "intents, query 'q1', subtopic 'film': probability 'x' is not a number"),
        ({"q1": {1.5: 1}}, "intents, query 'q1', subtopic 1.5: subtopic 1.5 is neither text nor a whole number"),
        ({"q1": [1, 2]}, "intents, query 'q1': expected {subtopic: probability}, found list [1, 2]"),
    ],
)
def test_impossible_probabilities(intents: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as caught:
        Subtopics(Qrels.from_tuples(ROWS), intents)
    assert message in str(caught.value)


def test_a_frame_with_a_column_of_subtopics() -> None:
    frame = pandas.DataFrame(ROWS, columns=["qid", "subtopic", "docno", "label"])
    run = {"q1": {"d2": 1.0}, "q2": {"d1": 1.0}}
    assert cf.evaluate(frame, run, "StRecall@1").mean["StRecall@1"] == 1.0


def test_what_a_ranking_covers() -> None:
    covered = SubtopicRankings.from_subtopics(["ab", None, "b", {"a": 2, "c": 0}], unretrieved=["c"]).covered(None)
    assert list(zip(covered.rank.tolist(), covered.subtopic.tolist(), covered.before.tolist(), strict=True)) == [
        (1, 0, 0), (1, 1, 0), (3, 1, 1), (4, 0, 1),
    ]  # fmt: skip
