"""Labels of several judges, from whatever holds them."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas
import polars
import pytest

from cranfield.data.judge_labels import JudgeLabels, as_judge_labels
from cranfield.data.qrels import Qrels
from cranfield.errors import DataError, UsageError


def rows(labels: JudgeLabels) -> list[tuple[str, str, str]]:
    """(item, judge, label), in the order of the labels."""
    items = labels.items
    return [
        (items[item], labels.judges[judge], labels.labels[label])
        for item, judge, label in zip(labels.item, labels.judge, labels.label, strict=True)
    ]


PLAIN = [("t2", "bob", 1), ("t1", "bob", 0), ("t1", "ann", 2)]
EXPECTED = [("t1", "ann", "2"), ("t1", "bob", "0"), ("t2", "bob", "1")]
FRAME = {"task": ["t2", "t1", "t1"], "worker": ["bob", "bob", "ann"], "label": [1, 0, 2]}


@pytest.mark.parametrize(
    "given",
    [
        PLAIN,
        {"bob": {"t2": 1, "t1": 0}, "ann": {"t1": 2}},
        [dict(zip(FRAME, row, strict=True)) for row in PLAIN],
        pandas.DataFrame(FRAME),
        pandas.DataFrame({"item": FRAME["task"], "judge": FRAME["worker"], "rating": [1.0, 0.0, 2.0]}),
        polars.DataFrame(FRAME),
        polars.LazyFrame(FRAME),
        polars.DataFrame(FRAME).to_arrow(),
        JudgeLabels.from_tuples(PLAIN),
    ],
    ids=lambda given: type(given).__module__ + "." + type(given).__name__,
)
def test_every_shape_gives_the_same_in_the_same_order(given: Any) -> None:
    labels = as_judge_labels(given)
    assert rows(labels) == EXPECTED
    assert labels.topics is None


def test_topics() -> None:
    """The same document of two topics is two items."""
    given = [("q2", "ann", "d1", 1), ("q1", "ann", "d1", 0), ("q1", "bob", "d1", 3)]
    labels = JudgeLabels.from_tuples(given)
    assert rows(labels) == [("d1", "ann", "0"), ("d1", "bob", "3"), ("d1", "ann", "1")]
    assert (labels.topics, labels.topic_of_item.tolist(), labels.item.tolist()) == (("q1", "q2"), [0, 1], [0, 0, 1])
    by_judge = {"ann": {"q2": {"d1": 1}, "q1": {"d1": 0}}, "bob": {"q1": {"d1": 3}}}
    assert rows(as_judge_labels(by_judge)) == rows(labels)
    by_qrels = {judge: Qrels.from_dict(judged) for judge, judged in by_judge.items()}
    assert rows(as_judge_labels(by_qrels)) == rows(labels)
    assert rows(as_judge_labels(Qrels.from_tuples(given))) == rows(labels)


def test_negative_grades_of_qrels_are_not_judged() -> None:
    labels = as_judge_labels(Qrels.from_tuples([("q1", "a", "d1", 0.5), ("q1", "b", "d1", -1), ("q1", "b", "d2", -2)]))
    assert (rows(labels), labels.negative) == ([("d1", "a", "0.5")], 2)
    assert as_judge_labels([("t1", "a", -1)]).labels == ("-1",)


def test_the_judgments_of_one_judge() -> None:
    given = [("q1", "ann", "d1", 1), ("q1", "ann", "d2", 0.5), ("q1", "bob", "d1", 0), ("q2", "bob", "d1", 2)]
    labels = JudgeLabels.from_tuples(given)
    assert labels.qrels_of("ann").to_dict() == {"q1": {"d1": 1, "d2": 0.5}}
    assert labels.qrels_of("bob").to_dict() == {"q1": {"d1": 0}, "q2": {"d1": 2}}


def test_truth_values_and_other_labels() -> None:
    assert as_judge_labels([("t1", "a", True), ("t2", "a", False)]).categories().values == (0, 1)
    assert as_judge_labels([("t1", "a", 1.0), ("t2", "a", 0.25)]).labels == ("0.25", "1")
    assert as_judge_labels([]).judges == ()


class Record(NamedTuple):
    task: str
    worker: str
    label: str


def test_named_tuples_are_tuples() -> None:
    assert rows(as_judge_labels([Record("t1", "a", "x")])) == [("t1", "a", "x")]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([("t1", "a", 1), ("t2", "a", 1), ("t1", "a", 2)], "labels: row 3: judge 'a' labelled item 't1' twice: '1' and '2' (first at row 1). Keep one of them."),
        ([("q1", "a", "d1", 1), ("q1", "a", "d1", 1)], "labels: row 2: judge 'a' labelled document 'd1' of topic 'q1' twice: '1' and '1' (first at row 1)."),
        ([("t1", "a", None)], "labels, row 1: the label is missing. Leave the row out."),
        ([("t1", "a", "")], "labels, row 1: the label is missing."),
        ([("t1", "a", float("nan"))], "labels, row 1: the label is missing."),
        ([("t1", 2.5, "x")], "labels, row 1: judge 2.5 is neither text nor a whole number"),
        ([("t1", "a")], "labels: expected rows (item, judge, label) or (topic, judge, document, label), found rows of 2 values"),
        ([{"task": "t1", "worker": "a"}], "labels: no column for the label; it has task, worker. Give it one named label (or rating, "),
        ([{"task": "t1", "worker": "a", "label": 1}, {"task": "t2"}], "labels: not every record has 'worker'"),
        ({"a": {"t1": 1}, "b": {"q1": {"d1": 1}}}, "labels: b has labels by topic and document, and a has labels by item alone"),
        ({"a": 3}, "labels, judge 'a': expected {item: label}, found int 3"),
        ({"a": Qrels.from_tuples([("q", "0", "d", 1), ("q", "1", "d", 1)])}, "document 'd' of query 'q' is judged more than once"),
    ],
)  # fmt: skip
def test_labels_that_cannot_be_used(given: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        as_judge_labels(given)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("given", ["labels.csv", 7])
def test_what_holds_no_labels(given: Any) -> None:
    with pytest.raises(UsageError, match=r"cannot make labels of (str|int) .*; expected {judge: {item: label}}"):
        as_judge_labels(given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([("t1", "a", 1)], "runs are evaluated by grades of documents for topics; these are labels of items without topics"),
        ([("q1", "a", "d1", "good")], "runs are evaluated by grades of documents for topics; these are labels such as 'good'"),
    ],
)  # fmt: skip
def test_labels_that_are_no_judgments(given: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        as_judge_labels(given).qrels_of("a")
