"""The order of systems by the labels of each judge alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
import scipy.stats

import cranfield as cf
from cranfield.errors import CoverageError, DataError, UsageError

ANN = {"q1": {"d1": 1, "d2": 0, "d3": 0}, "q2": {"d1": 1, "d2": 1}}
BOB = {"q1": {"d1": 0, "d2": 0, "d3": 1}, "q2": {"d1": 0, "d2": 1}}
RUNS = {
    "up": {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "q2": {"d1": 2.0, "d2": 1.0}},
    "down": {"q1": {"d3": 3.0, "d2": 2.0, "d1": 1.0}, "q2": {"d2": 2.0, "d1": 1.0}},
    "mid": {"q1": {"d2": 3.0, "d1": 2.0, "d3": 1.0}, "q2": {"d1": 2.0, "d2": 1.0}},
}
# RR by hand. Ann: up (1 + 1)/2, down (1/3 + 1)/2, mid (1/2 + 1)/2. Bob: up (1/3 + 1/2)/2, down (1 + 1)/2, mid the same as up.


def test_scores_ranks_and_tau_by_hand() -> None:
    result = cf.rankings_by_judge(cf.JudgeLabels.from_dict({"ann": ANN, "bob": BOB}), RUNS, "RR")
    assert result.scores["ann"] == pytest.approx({"up": 1, "down": 2 / 3, "mid": 3 / 4})
    assert result.scores["bob"] == pytest.approx({"up": 5 / 12, "down": 1, "mid": 5 / 12})
    assert result.ranks == {"ann": {"up": 1, "down": 3, "mid": 2}, "bob": {"up": 2, "down": 1, "mid": 2}}
    (pair,) = result.pairs
    # up-down and mid-down are opposite, up-mid is tied by bob: (0 - 2) / (√3 √2)
    assert pair.tau.value == pytest.approx(-2 / 6**0.5)
    assert pair.tau.value == pytest.approx(scipy.stats.kendalltau([1, 2 / 3, 3 / 4], [5 / 12, 1, 5 / 12]).statistic)
    assert pair.swapped == (("up", "down"), ("mid", "down"))
    assert pair.topics == 2
    assert result.sentence == "2 runs are best by some judge; Kendall's tau between ann and bob is -0.8165."


def test_through_agreement() -> None:
    result = cf.agreement({"ann": ANN, "bob": BOB}, runs=RUNS, measure="RR", resamples=0)
    assert result.systems is not None
    assert result.to_dict()["systems"]["pairs"] == [
        {
            "first": "ann",
            "second": "bob",
            "topics": 2,
            "tau_b": pytest.approx(-2 / 6**0.5),
            "undefined": None,
            "swapped": [["up", "down"], ["mid", "down"]],
        }
    ]


def test_pairs_are_compared_by_common_topics() -> None:
    """Bob has judged q2 only, where down is best by him, and up and mid by ann."""
    labels = cf.JudgeLabels.from_dict({"ann": {**ANN, "q2": {"d1": 1, "d2": 0}}, "bob": {"q2": BOB["q2"]}})
    result = cf.rankings_by_judge(labels, RUNS, "RR")
    assert result.topics == {"ann": 2, "bob": 1}
    assert result.scores["ann"]["mid"] == pytest.approx((1 / 2 + 1) / 2)
    (pair,) = result.pairs
    # on q2 alone ann has 1, 1/2, 1 and bob 1/2, 1, 1/2
    assert pair.topics == 1
    assert pair.tau.value == pytest.approx(-1)


def test_a_measure_of_which_less_is_better() -> None:
    """The first documents only, of ten in all, nine of them irrelevant: by ann up has no false positive, down has one in
    both topics, (1/9 + 1/9)/2, mid in q1, (1/9 + 0)/2; by bob down has none, up and mid have one in both."""
    runs = {
        name: {query: dict(list(ranked.items())[:1]) for query, ranked in run.items()} for name, run in RUNS.items()
    }
    labels = cf.JudgeLabels.from_dict({"ann": {**ANN, "q2": {"d1": 1, "d2": 0}}, "bob": BOB})
    result = cf.rankings_by_judge(labels, runs, "SetFPR(documents=10)")
    assert result.scores["ann"] == pytest.approx({"up": 0, "down": 1 / 9, "mid": 1 / 18})
    assert result.ranks == {"ann": {"up": 1, "down": 3, "mid": 2}, "bob": {"up": 2, "down": 1, "mid": 2}}
    assert result.pairs[0].swapped == (("up", "down"), ("mid", "down"))


@pytest.mark.parametrize(
    ("labels", "runs", "reason"),
    [
        ({"ann": ANN, "bob": BOB}, {"up": RUNS["up"]}, "there are fewer than two runs"),
        ({"ann": ANN, "bob": {"q1": {"d1": 0}}}, RUNS, "all runs score the same by one of the judges"),
        ({"ann": {"q1": ANN["q1"]}, "bob": {"q2": BOB["q2"]}}, RUNS, "the judges have no topic in common"),
    ],
)
def test_no_tau(labels: dict[str, Any], runs: dict[str, Any], reason: str) -> None:
    result = cf.rankings_by_judge(cf.JudgeLabels.from_dict(labels), runs, "RR")
    assert [pair.tau.undefined for pair in result.pairs] == [reason]
    assert result.to_dict()["pairs"][0]["tau_b"] is None
    assert result.sentence == "RR: no two judges order the runs, so that there is nothing to compare."


def test_one_judge_has_nobody_to_be_compared_with() -> None:
    result = cf.rankings_by_judge(cf.JudgeLabels.from_dict({"ann": ANN}), RUNS, "RR")
    assert result.pairs == ()
    assert result.ranks["ann"]["up"] == 1


@pytest.mark.parametrize(
    ("labels", "measure", "error", "message"),
    [
        ({"ann": {"t1": 1}}, "RR", DataError, "these are labels of items without topics"),
        ({"ann": {"q1": {"d1": "good"}}}, "RR", DataError, "these are labels such as 'good'"),
        ({"ann": {"q7": {"d1": 1}}}, "RR", CoverageError, "the run and the judgments have no topic in common"),
        ({"ann": ANN}, "relstring", UsageError, "RelString.* has no mean to order runs by"),
    ],
)
def test_wrong_input(labels: dict[str, Any], measure: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cf.rankings_by_judge(cf.JudgeLabels.from_dict(labels), RUNS, measure)


@pytest.mark.real_data
def test_three_assessors(real_data: Path) -> None:
    """Oracle: pytrec_eval on the judgments of each assessor, and scipy's tau."""
    folder = real_data / "trec_eval_test"
    files = [folder / "results.test", folder / "results.trunc"]
    labels = cf.read_judge_labels(folder / "qrels.123")
    result = cf.rankings_by_judge(labels, files, "AP")
    lines = [line.split() for line in (folder / "qrels.123").read_text().splitlines()]
    means = {}
    for judge in "012":
        qrels: dict[str, dict[str, int]] = {}
        for query, by, document, grade in lines:
            if by == judge:
                qrels.setdefault(query, {})[document] = int(grade)
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map"})
        for file, name in zip(files, result.runs, strict=True):
            run: dict[str, dict[str, float]] = {}
            for query, _, document, _, score, *_ in map(str.split, file.read_text().splitlines()):
                run.setdefault(query, {})[document] = float(score)
            values = [topic["map"] for topic in evaluator.evaluate(run).values()]
            means[judge, name] = sum(values) / len(qrels)
    for (judge, name), mean in means.items():
        assert result.scores[judge][name] == pytest.approx(mean, abs=1e-9)
    for pair in result.pairs:
        x, y = ([means[judge, name] for name in result.runs] for judge in (pair.first, pair.second))
        assert pair.tau.value == pytest.approx(scipy.stats.kendalltau(x, y).statistic)
    assert np.isfinite([pair.tau.value for pair in result.pairs]).all()
