from __future__ import annotations

import pytest

from cranfield.data.judge_labels import JudgeLabels
from cranfield.data.qrels import Qrels
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.what_if import what_if

LABELS = JudgeLabels.from_dict(
    {
        "ann": {"q1": {"d1": 1, "d2": 0, "d3": 0}},
        "bob": {"q1": {"d1": 0, "d2": 0, "d3": 1}},
        "cem": {"q1": {"d1": 1, "d2": 0, "d3": 0}},
    }
)
RUNS = {
    "a": {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}},
    "b": {"q1": {"d2": 3.0, "d1": 2.0, "d3": 1.0}},
    "c": {"q1": {"d3": 3.0, "d2": 2.0, "d1": 1.0}},
}
EVERYONE = Qrels.from_dict({"q1": {"d1": 1, "d2": 0, "d3": 0}})


def test_orders_by_each_judge_beside_that_by_all() -> None:
    """RR by everyone and by ann: 1, 1/2, 1/3 of a, b, c; by bob: 1/3, 1/3, 1. With x descending and y tied once and
    rising once, of three pairs two are discordant and one is tied in y: tau_b = -2 / sqrt(3 · 2)."""
    result = what_if(LABELS, EVERYONE, RUNS, "RR")
    assert result.judges == ("everyone", "only ann", "only bob", "only cem")
    assert result.rankings.ranks["only bob"] == {"a": 2, "b": 2, "c": 1}
    taus = {judge: pair.tau.value for judge, pair in result.beside_everyone.items()}
    assert taus == {"only ann": 1, "only bob": pytest.approx(-2 / 6**0.5), "only cem": 1}


def test_the_sentence_is_about_single_assessors() -> None:
    """Of the three pairs ann and cem agree, tau 1, and bob is at -2 / sqrt(6) with either: their mean is -0.2110.
    Everyone and groups, who have no opinion of their own, are not counted again."""
    mean = (1 - 2 * 2 / 6**0.5) / 3
    said = what_if(LABELS, EVERYONE, RUNS, "RR", groups={"ann": "x", "bob": "y", "cem": "x"}).sentence
    assert f"tau between assessors is {mean:.4f} on the mean of 3 pairs" in said
    agreed = JudgeLabels.from_dict({"ann": {"q1": {"d1": 1}}, "cem": {"q1": {"d1": 1}}})
    assert what_if(agreed, EVERYONE, RUNS, "RR").sentence == "All assessors put the systems in the same order."
    alone = JudgeLabels.from_dict({"ann": {"q1": {"d1": 1}}})
    assert what_if(alone, EVERYONE, RUNS, "RR").sentence.startswith("Only ann has judged")


def test_how_much_of_the_top_was_judged() -> None:
    """Of the top two of a, b and c ann has judged d1 alone: it is among those of a and b, so 1/2, 1/2 and 0."""
    labels = JudgeLabels.from_dict({"ann": {"q1": {"d1": 1}}, "bob": {"q1": {"d1": 0, "d2": 0, "d3": 1}}})
    coverage = what_if(labels, EVERYONE, RUNS, "nDCG@2").rankings.coverage
    assert coverage == {"everyone": 1, "only ann": pytest.approx(1 / 3), "only bob": 1}


def test_a_measure_that_is_no_score() -> None:
    with pytest.raises(UsageError, match="Judged@10 does not say which of two runs is better"):
        what_if(LABELS, EVERYONE, RUNS, "Judged@10")


def test_groups_come_between_all_and_each() -> None:
    groups = {"ann": "experts", "bob": "users", "cem": "experts"}
    result = what_if(LABELS, EVERYONE, RUNS, "RR", groups=groups)
    assert result.judges == ("everyone", "group experts", "group users", "only ann", "only bob", "only cem")
    assert result.rankings.scores["group users"] == result.rankings.scores["only bob"]


def test_one_group_is_none() -> None:
    assert what_if(LABELS, EVERYONE, RUNS, "RR", groups=dict.fromkeys(LABELS.judges, "x")).judges[1] == "only ann"


def test_without_grades() -> None:
    with pytest.raises(DataError, match="nobody has graded a document yet"):
        what_if(JudgeLabels.from_tuples([]), EVERYONE, RUNS)
