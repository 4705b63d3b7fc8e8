from __future__ import annotations

import pytest

from cranfield.data.judge_labels import JudgeLabels
from cranfield.data.label_views import at_least, by_group, by_topic, of_judges, pair_table
from cranfield.errors import DataError, UsageError

GRADES = {
    "ann": {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}},
    "bob": {"q1": {"d1": 1, "d2": 0}},
    "cem": {"q1": {"d1": 0}, "q2": {"d1": 1, "d3": 2}},
}


def grades(labels: JudgeLabels) -> dict[str, object]:
    return {judge: labels.qrels_of(judge).to_dict() for judge in labels.judges}


@pytest.fixture
def labels() -> JudgeLabels:
    return JudgeLabels.from_dict(GRADES)


def test_some_judges(labels: JudgeLabels) -> None:
    assert grades(of_judges(labels, ("ann", "cem"))) == {name: GRADES[name] for name in ("ann", "cem")}
    assert len(of_judges(labels, ())) == 0


def test_each_topic(labels: JudgeLabels) -> None:
    assert {topic: grades(part) for topic, part in by_topic(labels)} == {
        "q1": {"ann": {"q1": {"d1": 2, "d2": 0}}, "bob": GRADES["bob"], "cem": {"q1": {"d1": 0}}},
        "q2": {"ann": {"q2": {"d1": 1}}, "cem": {"q2": {"d1": 1, "d3": 2}}},
    }
    assert list(by_topic(JudgeLabels.from_tuples([]))) == []


def test_two_classes(labels: JudgeLabels) -> None:
    assert grades(at_least(labels, 1))["ann"] == {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}
    assert grades(at_least(labels, 2))["ann"] == {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0}}


def test_two_classes_of_words_there_are_none() -> None:
    with pytest.raises(DataError, match="these labels are words, and have no order: no, yes"):
        at_least(JudgeLabels.from_dict({"ann": {1: "yes", 2: "no"}}), 1)


def test_groups_speak_with_one_voice(labels: JudgeLabels) -> None:
    """Of d1 for q1 the experts say 2 and 1: the mean is 3/2, the lowest of the most frequent 1, the highest 2."""
    groups = {"ann": "experts", "bob": "experts", "cem": "users"}
    for rule, grade in (("mean", 1.5), ("majority", 1), ("max", 2)):
        assert grades(by_group(labels, groups, rule)) == {
            "experts": {"q1": {"d1": grade, "d2": 0}, "q2": {"d1": 1}},
            "users": GRADES["cem"],
        }


def test_who_is_in_no_group_is_left_out(labels: JudgeLabels) -> None:
    assert by_group(labels, {"bob": "experts"}).judges == ("experts",)


def test_groups_of_items_without_topics() -> None:
    labels = JudgeLabels.from_dict({"ann": {"t1": 2}, "bob": {"t1": 0}, "cem": {"t1": 2}})
    seen = by_group(labels, {"ann": "x", "bob": "y", "cem": "x"})
    assert (seen.judges, seen.items, seen.topics) == (("x", "y"), ("t1",), None)


def test_an_unknown_rule(labels: JudgeLabels) -> None:
    with pytest.raises(UsageError, match=r"unknown rule 'medium'\. Did you mean median"):
        by_group(labels, {"ann": "x"}, "medium")


def test_two_judges_beside_each_other(labels: JudgeLabels) -> None:
    """Ann and bob have d1 and d2 of q1 in common; the d1 of q2 is another item."""
    assert pair_table(labels, "ann", "bob") == {("2", "1"): 1, ("0", "0"): 1}
    assert pair_table(labels, "bob", "ann") == {("1", "2"): 1, ("0", "0"): 1}
