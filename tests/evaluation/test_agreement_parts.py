from __future__ import annotations

import math

import pytest

from cranfield.data.judge_labels import JudgeLabels
from cranfield.evaluation.agreement import agreement
from cranfield.evaluation.agreement_parts import alpha_in_groups, kappa_between_groups, topic_alphas

LABELS = JudgeLabels.from_dict(
    {
        "ann": {"q1": {"d1": 1, "d2": 0, "d3": 1, "d4": 1}, "q2": {"d1": 1, "d2": 0}},
        "bob": {"q1": {"d1": 1, "d2": 0, "d3": 0, "d4": 1}, "q2": {"d1": 1, "d2": 0}},
        "cem": {"q1": {"d1": 0, "d2": 1, "d3": 0, "d4": 0}},
    }
)
GROUPS = {"ann": "experts", "bob": "experts", "cem": "users"}


def test_topics_have_the_values_of_the_whole_and_intervals_too() -> None:
    whole = agreement(LABELS).by_topic
    for topic, alpha in topic_alphas(LABELS).items():
        assert alpha.value == whole[topic]["krippendorff_alpha"].value
    first = topic_alphas(LABELS)["q1"].interval
    assert first is not None
    assert first.lower < first.upper
    assert first.lower <= whole["q1"]["krippendorff_alpha"].value <= first.upper


def test_in_a_group() -> None:
    """Of the 6 documents of both experts one has two grades: D_o = 1/6. Of 12 labels 7 are 1, so that two drawn of
    them differ in 2 · 7 · 5 / (12 · 11) of all cases: D_e = 70/132, and alpha = 1 - (1/6) / (70/132) = 48/70."""
    found = alpha_in_groups(LABELS, GROUPS, resamples=0)
    assert found["experts"].value == pytest.approx(48 / 70)
    assert math.isnan(found["users"].value)
    assert found["users"].undefined == "there is only one judge"


def test_between_groups() -> None:
    """The experts' majority, the lower of two, on q1 is 1 0 0 1, the user's 0 1 0 0: they agree on one of four.
    P(E) = 1/2 · 1/4 + 1/2 · 3/4 = 1/2, kappa = (1/4 - 1/2) / (1/2) = -1/2."""
    (pair,) = kappa_between_groups(LABELS, GROUPS, resamples=0)
    assert (pair.first, pair.second, pair.agreement.items) == ("experts", "users", 4)
    assert pair.agreement.value == pytest.approx(-0.5)
