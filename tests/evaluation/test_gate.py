"""Requirements, met and not met."""

from __future__ import annotations

import math
from typing import Any

import pytest
import scipy.stats

import cranfield as cf
from tests.evaluation.ranked_runs import NEW, OLD, judgments, run_with

QRELS = judgments(OLD)
SLICES = {"head": ["q1", "q2", "q5"], "tail": ["q3", "q4"], "rare": ["q4"], "gone": ["q9"]}
# RR of the baseline: 1, .5, .25, .2, 1. Of the new run: 1, 1, .5, .1, 1. Differences: 0, .5, .25, -.1, 0.
# Means over all: .59 and .72; head: .8333 and 1; tail: .225 and .3.


def verdicts(*requirements: str, new: dict[str, int] = NEW, old: dict[str, int] = OLD, **options: Any) -> list[Any]:
    comparison = cf.compare(QRELS, run_with(old), {"new": run_with(new)}, requirements=requirements, **options)
    return [(one.slice, one.met) for one in comparison.verdicts]


def met(requirement: str, **options: Any) -> bool:
    ((slice_, found),) = verdicts(requirement, **options)
    assert slice_ is None
    return bool(found)


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        ("RR drop <= 0", True),
        ("RR drop <= -0.13", True),  # it rises by .13
        ("RR drop < -0.13", False),
        ("RR drop <= -0.131", False),
        ("RR rise >= 0.13", True),
        ("RR rise > 0.13", False),
        ("RR relative rise >= 22%", True),  # .13 / .59 = 22.03 %
        ("RR relative rise >= 22.1%", False),
        ("RR improves", True),
        ("RR >= 0.72", True),
        ("RR > 0.72", False),
        ("RR >= 0.73", False),
        ("NumRet >= 20", True),
        ("NumRet >= 21", False),
    ],
)
def test_means(requirement: str, expected: bool) -> None:
    assert met(requirement) is expected


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        ("RR drop <= 0.13", True),
        ("RR drop <= 0.12", False),
        ("RR drop < 0.13", False),
        ("RR relative drop <= 18.1%", True),  # .13 / .72 = 18.06 %
        ("RR relative drop <= 18%", False),
        ("RR improves", False),
        ("SetE@1 rise <= 0.2", True),  # E is 0 where the relevant document is first: 3 of 5 topics, then 2 of 5
        ("SetE@1 rise <= 0.19", False),
        ("SetE@1 improves", False),
        ("SetE@1 drop >= 0", False),
    ],
)
def test_a_worse_run(requirement: str, expected: bool) -> None:
    qrels = {topic: {"relevant": 1} for topic in OLD}
    comparison = cf.compare(qrels, run_with(NEW), {"old": run_with(OLD)}, requirements=[requirement])
    assert comparison.passed is expected


def test_tests_against_scipy() -> None:
    differences = [0, 0.5, 0.25, -0.1, 0]
    for margin in (0.05, 0.1, 0.2, 0.3):
        p = scipy.stats.ttest_1samp(differences, -margin, alternative="greater").pvalue
        assert met(f"RR non-inferior margin {margin}") is bool(p < 0.05)
    for margin in (0.2, 0.3, 0.4, 0.5):
        low, high = (scipy.stats.ttest_1samp(differences, sign * margin, alternative=side).pvalue
                     for sign, side in ((-1, "greater"), (1, "less")))  # fmt: skip
        assert met(f"RR equivalent margin {margin}") is bool(max(low, high) < 0.05)
    for target in (0.2, 0.3, 0.5):
        p = scipy.stats.ttest_1samp([1, 1, 0.5, 0.1, 1], target, alternative="greater").pvalue
        assert met(f"RR >= {target} significantly") is bool(p < 0.05)
    for alpha in (0.1, 0.2, 0.6):
        p = scipy.stats.ttest_1samp(differences, 0, alternative="greater").pvalue
        assert met("RR improves significantly", alpha=alpha) is bool(p < alpha)
        # The sign test: two wins of three, one-sided (3 + 1) / 8.
        assert met("RR improves significantly", alpha=alpha, tests="sign") is (alpha > 4 / 8)


def test_less_is_better_for_tests_too() -> None:
    qrels = {topic: {"relevant": 1} for topic in OLD}
    # Of E at 1 the differences are 0, -1, 0, 0, 0 (better on q2) one way, and 0, 1, 0, 0, 0 the other.
    p = scipy.stats.ttest_1samp([0, 1, 0, 0, 0], -0.5, alternative="greater").pvalue
    q = scipy.stats.ttest_1samp([0, -1, 0, 0, 0], -0.5, alternative="greater").pvalue
    assert p < 0.05 < q
    for old, new, expected in ((OLD, NEW, True), (NEW, OLD, False)):
        found = cf.compare(qrels, run_with(old), {"new": run_with(new)}, requirements="SetE@1 non-inferior margin 0.5")
        assert found.passed is expected


def test_identical_runs() -> None:
    assert met("RR non-inferior margin 0.001", new=OLD)
    assert met("RR equivalent margin 0.001", new=OLD)
    assert met("RR drop <= 0", new=OLD)
    assert met("RR relative drop <= 0%", new=OLD)
    assert not met("RR improves", new=OLD)
    assert not met("RR improves significantly", new=OLD)
    assert not met("RR drop < 0", new=OLD)


def test_where_all_topics_differ_alike_the_difference_decides() -> None:
    old, new = dict.fromkeys(OLD, 1), dict.fromkeys(OLD, 2)  # 1/2 less on every topic
    assert met("RR non-inferior margin 0.6", old=old, new=new)
    assert not met("RR non-inferior margin 0.5", old=old, new=new)
    assert not met("RR equivalent margin 0.5", old=new, new=old)
    assert met("RR non-inferior margin 0.1", old=new, new=old)


def test_a_baseline_of_zero_has_no_relative_drop() -> None:
    nothing = dict.fromkeys(OLD, 99)  # beyond the twenty documents
    assert met("RR relative drop <= 5%", old=nothing, new=nothing)
    comparison = cf.compare(QRELS, run_with(nothing), {"new": run_with(NEW)}, requirements="RR relative rise >= 5%")
    assert not comparison.passed
    assert comparison.verdicts[0].found == "rise 0.7200, and the baseline's mean is 0"


def test_every_slice_unless_one_is_named() -> None:
    found = verdicts("RR drop <= 0", "RR improves in tail", "RR >= 0.9 in head", "RR >= 0.9 in all", slices=SLICES)
    assert found == [
        (None, True), ("head", True), ("tail", True), ("rare", None), ("gone", None),
        ("tail", True), ("head", True), (None, False),
    ]  # fmt: skip


def test_all_topics_need_no_slices() -> None:
    assert verdicts("RR improves in all", "RR improves in all") == [(None, True)]  # the same twice is once


def test_a_slice_fails_though_all_topics_do_not() -> None:
    slices = {"good": ["q1", "q2", "q3"], "bad": ["q4", "q5"]}  # bad: -.1 and 0
    comparison = cf.compare(QRELS, run_with(OLD), {"new": run_with(NEW)}, requirements="RR drop <= 0.01", slices=slices)
    assert [(one.where, one.topics, one.status, one.found) for one in comparison.verdicts] == [
        ("all topics", 5, "met", "drop -0.1300"),
        ("good", 3, "met", "drop -0.2500"),
        ("bad", 2, "failed", "drop 0.0500"),
    ]
    assert not comparison.passed


def test_a_slice_with_too_few_topics_is_said() -> None:
    comparison = cf.compare(QRELS, run_with(OLD), {"new": run_with(NEW)}, requirements="RR drop <= 0.5", slices=SLICES)
    said = {one.slice: one.found for one in comparison.verdicts if one.met is None}
    assert said == {"rare": "it has one topic only", "gone": "it has no topic"}
    assert comparison.passed
    assert cf.compare(QRELS, run_with(OLD), run_with(NEW), "RR").passed is None  # nothing was required
    assert "slices: head 3, tail 2, rare 1, gone 0 topics; 1 in slices not judged (q9: ignored)" in comparison.notes
    # What is asked for by name is looked at: .1 on the only topic; and nothing cannot be shown.
    assert verdicts("RR drop <= 0.1 in rare", "RR drop <= 0.09 in rare", slices=SLICES) == [
        ("rare", True),
        ("rare", False),
    ]
    assert verdicts("RR non-inferior margin 0.5 in rare", slices=SLICES) == [("rare", False)]
    assert verdicts("RR drop <= 1 in gone", slices=SLICES) == [("gone", False)]


def test_differences_in_slices() -> None:
    comparison = cf.compare(QRELS, run_with(OLD), {"new": run_with(NEW)}, "RR", slices=SLICES)
    by_name = {one.name: one for one in comparison.by_slice}
    assert list(by_name) == ["head", "tail", "rare"]
    tail = by_name["tail"]
    assert (tail.compared.baseline_mean, tail.compared.mean) == pytest.approx((0.225, 0.3))
    # Differences .25 and -.1: mean .075, s = .35 / √2; t(1) at .975 is 12.7062 in any table.
    reach = 12.7062 * 0.35 / math.sqrt(2) / math.sqrt(2)
    assert tail.interval is not None
    assert (tail.interval.lower, tail.interval.upper) == pytest.approx((0.075 - reach, 0.075 + reach), abs=1e-4)
    assert by_name["rare"].interval is None
    assert "p" not in tail.to_dict()


def test_every_run_is_held_to_it() -> None:
    runs = {"new": run_with(NEW), "worse": run_with({**OLD, "q1": 2})}
    comparison = cf.compare(QRELS, run_with(OLD), runs, "AP", requirements=["RR drop <= 0.05"], all_pairs=True)
    assert [(one.run, one.met) for one in comparison.verdicts] == [("new", True), ("worse", False)]
    assert [str(measure) for measure in comparison.measures] == ["AP", "RR"]


def test_the_level_of_relevance_holds_for_requirements() -> None:
    found = cf.compare(QRELS, run_with(OLD), {"new": run_with(NEW)}, requirements="RR >= 0.1", level=2)
    assert [str(measure) for measure in found.measures] == ["RR(rel=2)"]
    assert [one.met for one in found.verdicts] == [False]  # no document has grade 2
