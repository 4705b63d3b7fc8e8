"""How alike measures, judgments, topics and tables put systems in order."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import cranfield as cf
from cranfield.errors import CoverageError, DataError, UsageError

# Grades by hand: five systems, three topics with two documents that count.
QRELS = {f"q{t}": {"a": 2, "b": 1, "c": 0, "d": 0} for t in range(1, 4)}
OTHER = {f"q{t}": {"a": 0, "b": 2, "c": 1, "d": 0} for t in range(1, 4)}
ORDERS = {"one": "abcd", "two": "bacd", "three": "cabd", "four": "dcab", "five": "dcba"}
RUNS = {
    name: {f"q{t}": {doc: 4.0 - rank for rank, doc in enumerate(order if t < 3 else order[::-1])} for t in range(1, 4)}
    for name, order in ORDERS.items()
}


def scores(measure: str, qrels: Any = QRELS, topics: tuple[str, ...] = ("q1", "q2", "q3")) -> list[float]:
    found = cf.evaluate(qrels, RUNS, measure)
    return [float(np.mean([found[name][measure][topic] for topic in topics])) for name in sorted(RUNS)]


def tau(x: list[float], y: list[float]) -> float:
    return float(scipy.stats.kendalltau(np.round(x, 10), np.round(y, 10)).statistic)


def test_each_two_measures() -> None:
    found = cf.correlate(QRELS, RUNS, ["AP", "nDCG@10", "RR"], resamples=20)
    assert [(pair.first.label, pair.second.label) for pair in found] == [
        ("AP", "nDCG@10"),
        ("AP", "RR"),
        ("nDCG@10", "RR"),
    ]
    for pair in found:
        x, y = scores(pair.first.label), scores(pair.second.label)
        assert pair.value("tau") == pytest.approx(tau(x, y))
        assert pair.value("pearson") == pytest.approx(np.corrcoef(x, y)[0, 1])
        assert list(pair.first.scores.values()) == pytest.approx(x)
    assert [ranking.label for ranking in found.rankings] == ["AP", "nDCG@10", "RR"]


def test_two_judgments() -> None:
    found = cf.correlate(QRELS, RUNS, ["AP"], other_qrels={"second": OTHER}, resamples=20)
    (pair,) = found
    assert (pair.first.label, pair.second.label) == ("AP by qrels-1", "AP by second")
    assert pair.value("tau_b") == pytest.approx(tau(scores("AP"), scores("AP", OTHER)))
    several = cf.correlate(QRELS, RUNS, ["AP", "RR"], other_qrels=[OTHER, QRELS], resamples=20)
    assert [(one.first.label, one.second.label) for one in several][:3] == [
        ("AP by qrels-1", "AP by qrels-2"),
        ("AP by qrels-1", "AP by qrels-3"),
        ("AP by qrels-2", "AP by qrels-3"),
    ]
    assert len(several) == 6
    assert several[1].value("tau_b") == 1
    assert cf.correlate(QRELS, RUNS, "AP", other_qrels=OTHER, resamples=20)[0].value("tau_b") == pair.value("tau_b")


def test_judgments_are_compared_on_the_topics_that_all_have() -> None:
    part = {topic: OTHER[topic] for topic in ("q2", "q3")}
    found = cf.correlate(QRELS, RUNS, "AP", other_qrels=part, resamples=20)
    assert found[0].value("tau_b") == pytest.approx(
        tau(scores("AP", topics=("q2", "q3")), scores("AP", OTHER, topics=("q2", "q3")))
    )
    assert found.notes == ("topics: 2 in all judgments, 1 not in all (q1: left out)",)
    apart = cf.correlate({"q1": QRELS["q1"]}, RUNS, "AP", other_qrels={"q2": OTHER["q2"]}, resamples=20)
    assert apart.notes == ("there is no topic that all judgments have: these are different sets of topics",)
    assert apart[0].value("tau_b") == pytest.approx(
        tau(scores("AP", topics=("q1",)), scores("AP", OTHER, topics=("q2",)))
    )


def test_slices_of_topics() -> None:
    slices = {"front": ["q1", "q2"], "back": ["q3"]}
    (pair,) = found = cf.correlate(QRELS, RUNS, "AP", slices=slices, resamples=20)
    assert (pair.first.label, pair.second.label) == ("AP on front", "AP on back")
    assert pair.value("tau_b") == pytest.approx(tau(scores("AP", topics=("q1", "q2")), scores("AP", topics=("q3",))))
    assert pair.coefficients["tau_b"].no_interval == "there are fewer than two topics"
    assert found.notes == ("slices: front 2, back 1 topics",)


def test_a_measure_of_which_less_is_better() -> None:
    (pair,) = cf.correlate(QRELS, RUNS, ["AP", "SetError(documents=10)@1"], resamples=20)
    assert pair.value("tau_b") == pytest.approx(tau(scores("AP"), [-x for x in scores("SetError(documents=10)@1")]))
    assert not pair.second.more_is_better
    best = min(pair.second.scores, key=lambda name: pair.second.scores[name])
    assert pair.second.places[best] == 1


def test_a_topic_that_a_run_lacks_is_said() -> None:
    runs = {**RUNS, "one": {"q1": RUNS["one"]["q1"]}}
    found = cf.correlate(QRELS, runs, resamples=20)
    assert found.notes == ("one: no documents for 2 of 3 topics (q2, q3: scored 0)",)


def test_tables_of_all_shapes_are_the_same() -> None:
    evaluation = cf.evaluate(QRELS, RUNS, ["AP", "RR"])
    expected = cf.correlate(QRELS, RUNS, ["AP", "RR"], resamples=50)[0]
    by_topic = {measure: {name: run[measure] for name, run in evaluation.items()} for measure in ("AP", "RR")}
    lists = {
        measure: {name: list(values.values()) for name, values in systems.items()}
        for measure, systems in by_topic.items()
    }
    lines = ["system,topic,measure,score"]
    for measure, systems in by_topic.items():
        lines += [f"{name},{topic},{measure},{s!r}" for name, of in systems.items() for topic, s in of.items()]
    files = []
    for systems in by_topic.values():
        rows = [f"{topic},{','.join(repr(of[topic]) for of in systems.values())}" for topic in QRELS]
        files.append(io.StringIO("\n".join([f"topic,{','.join(systems)}", *rows])))
    for tables in ([by_topic], [lists], [io.StringIO("\n".join(lines))], files):
        found = cf.correlate_scores(*tables, resamples=50)[0]
        assert found.coefficients == expected.coefficients
        assert found.swaps == expected.swaps
    means = {measure: {name: of.mean[measure] for name, of in evaluation.items()} for measure in ("AP", "RR")}
    assert cf.correlate_scores(means)[0].value("tau_b") == expected.value("tau_b")
    arrays = {measure: np.transpose(list(systems.values())) for measure, systems in lists.items()}
    assert cf.correlate_scores(arrays, resamples=50)[0].value("tau_b") == expected.value("tau_b")


def test_labels_of_tables(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "scores.csv").write_text("system,AP,RR\na,1,2\nb,2,3\n")
        (tmp_path / folder / "plain.csv").write_text("a,1\nb,2\n")
    named = cf.correlate_scores(tmp_path / "x" / "scores.csv", tmp_path / "x" / "plain.csv")
    assert [ranking.label for ranking in named.rankings] == ["AP", "RR", "plain"]
    twice = cf.correlate_scores(tmp_path / "x" / "scores.csv", tmp_path / "y" / "scores.csv")
    assert [ranking.label for ranking in twice.rankings] == [
        f"{tmp_path}/{folder}/scores.csv {measure}" for folder in ("x", "y") for measure in ("AP", "RR")
    ]


def test_tables_in_a_list(tmp_path: Path) -> None:
    for name, score in (("ap", 0.3), ("rr", 0.1)):
        (tmp_path / f"{name}.csv").write_text(f"system,score\nx,{score}\ny,0.2\n")
    files = [tmp_path / "ap.csv", tmp_path / "rr.csv"]
    assert cf.correlate_scores(files).to_dict() == cf.correlate_scores(*files).to_dict()


def test_runs_of_different_depth_are_said() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    runs = {"deep": {q: {"a": 3.0, "b": 2.0, "c": 1.0} for q in qrels}, "flat": {q: {"b": 1.0} for q in qrels}}
    assert cf.correlate(qrels, runs).notes == (
        "the runs differ in depth, 1 to 3 documents a topic; -M 1 compares them at the same depth",
    )
    assert cf.correlate(qrels, runs, depth=1).notes == ()


def test_a_score_that_is_none_is_named() -> None:
    by_topic = {"AP": {"x": {"q1": 0.1, "q2": 0.3}, "y": {"q1": 0.2, "q2": float("nan")}}}
    with pytest.raises(DataError, match="AP, system 'y', topic 'q2': nan is not a score"):
        cf.correlate_scores(by_topic)
    with pytest.raises(DataError, match="AP, system 'y': nan is not a score"):
        cf.correlate_scores({"AP": {"x": 0.1, "y": float("nan")}})


def test_systems_that_not_all_tables_have() -> None:
    found = cf.correlate_scores({"AP": {"a": 1, "b": 2, "c": 3}, "RR": {"b": 1, "c": 2, "d": 3}})
    assert found[0].first.systems == ("b", "c")
    assert found.notes == ("2 systems without a score in every table (a, d: left out)",)


def test_topics_without_names() -> None:
    first = {"a": [0.1, 0.5, 0.4], "b": [0.2, 0.1, 0.3], "c": [0.5, 0.2, 0.9]}
    same = cf.correlate_scores({"x": first, "y": first}, coefficients="tau_b", resamples=200)
    assert same[0].coefficients["tau_b"].interval.lower == 1  # type: ignore[union-attr]
    shorter = {name: of[:2] for name, of in first.items()}
    other = cf.correlate_scores({"x": first, "y": shorter}, coefficients="tau_b", resamples=200)
    assert other[0].coefficients["tau_b"].interval.lower < 1  # type: ignore[union-attr]
    assert same.notes == ("topics without names are matched by their numbers",)


def test_the_order_of_everything_makes_no_difference() -> None:
    rng = random.Random(0)
    expected = cf.correlate(QRELS, RUNS, ["AP", "RR"], resamples=50).to_dict()
    for _ in range(5):
        topics, names = rng.sample(list(QRELS), 3), rng.sample(list(RUNS), 5)
        qrels = {topic: QRELS[topic] for topic in topics}
        runs = {name: {topic: RUNS[name][topic] for topic in rng.sample(topics, 3)} for name in names}
        assert cf.correlate(qrels, runs, ["AP", "RR"], resamples=50).to_dict() == expected


def test_swaps() -> None:
    table = {"AP": {"a": 0.9, "b": 0.8, "c": 0.1}, "RR": {"a": 0.5, "b": 0.5, "c": 0.7}}
    (pair,) = cf.correlate_scores(table)
    assert [(swap.better, swap.worse, swap.places_first, swap.places_second) for swap in pair.swaps] == [
        ("a", "c", (1, 3), (2, 1)),
        ("b", "c", (2, 3), (2, 1)),
    ]
    swap = pair.swaps[0]
    assert (swap.difference_first, swap.difference_second) == pytest.approx((0.8, -0.2))
    assert (swap.p_first, swap.significant_first, swap.significant) == (None, None, 0)
    assert pair.sentence == "AP and RR order 3 systems: 0 of 3 pairs alike; 1 tied by one or both; 2 swapped."


def test_swaps_are_tested_where_there_are_topics() -> None:
    first = {"a": [0.5, 0.6, 0.7, 0.6], "b": [0.1, 0.3, 0.3, 0.2]}
    second = {"a": [0.1, 0.9, 0.2, 0.3], "b": [0.2, 0.8, 0.9, 0.3]}
    (pair,) = cf.correlate_scores({"AP": first, "RR": second})
    (swap,) = pair.swaps
    for scores_of, p in ((first, swap.p_first), (second, swap.p_second)):
        assert p == pytest.approx(scipy.stats.ttest_rel(scores_of["a"], scores_of["b"]).pvalue)
    assert (swap.significant_first, swap.significant_second, swap.significant) == (True, False, 1)
    assert (
        "1 swapped (significant at 0.05, not corrected for 2 comparisons: both differences in 0, one in 1)."
        in pair.sentence
    )


def test_the_whole_is_plain_json() -> None:
    found = cf.correlate_scores({"AP": {"a": 1, "b": 1}, "RR": {"a": 1, "b": 2}})
    whole = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert whole["schema"] == "cranfield.correlation/1"
    assert whole["pairs"][0]["coefficients"]["tau_b"] == {
        "value": None,
        "interval": None,
        "undefined": "all systems are tied by one of the two",
        "no_interval": None,
    }
    assert whole["rankings"][1]["systems"] == [
        {"system": "b", "score": 2.0, "place": 1},
        {"system": "a", "score": 1.0, "place": 2},
    ]
    assert "tau_b     undefined: all systems are tied by one of the two" in repr(found)
    assert "undefined" not in repr(cf.correlate(QRELS, RUNS, resamples=20))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: cf.correlate(QRELS, RUNS, "AP"), UsageError, "AP alone puts systems in one order: name a second measure"),
        (lambda: cf.correlate(QRELS, RUNS["one"]), UsageError, "expected several runs, in a list or in a dict"),
        (lambda: cf.correlate(QRELS, RUNS, other_qrels=OTHER, slices={"x": ["q1"]}), UsageError, "not by both"),
        (lambda: cf.correlate(QRELS, RUNS, slices={"x": ["q1"]}), UsageError, "expected two slices or more"),
        (lambda: cf.correlate(QRELS, RUNS, ["AP", "Judged@10"]), UsageError, "Judged@10: nothing can be said"),
        (lambda: cf.correlate(QRELS, RUNS, alpha=2), UsageError, "alpha must be a number above 0 and below 1"),
        (lambda: cf.correlate(QRELS, RUNS, coefficients="tua"), UsageError, "unknown coefficient 'tua'"),
        (lambda: cf.correlate_scores(), UsageError, "no table puts systems in one order: give a second table"),
        (lambda: cf.correlate_scores({"AP": {"a": 1}}), UsageError, "AP alone puts systems in one order"),
        (lambda: cf.correlate_scores({"AP": {"a": 1}, "RR": {"b": 1}}), CoverageError, r"no system .*AP: a; RR: b"),
        (lambda: cf.correlate_scores(5), UsageError, r"a table of scores is a file or \{measure: scores\}, not int"),
        (lambda: cf.correlate_scores({"AP": {"a": "x"}}), DataError, "AP: expected numbers, found"),
        (lambda: cf.correlate_scores({"AP": {"a": {"q": 1}, "b": {}}}), DataError, "AP: system 'b' has no score for topic"),
    ],
)  # fmt: skip
def test_wrong_input(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


@pytest.mark.real_data
def test_the_official_scores_of_trec_covid(real_data: Path) -> None:
    """tau by SciPy of nDCG@10 and MAP as the leaderboard prints them."""
    folder = real_data / "trec_covid_r1"
    runs = sorted((folder / "runs").iterdir())
    (pair,) = cf.correlate(folder / "qrels-rnd1.txt", runs, ["nDCG@10", "AP"], depth=1000, resamples=20)
    with (folder / "leaderboard.csv").open() as file:
        board = {row["run"]: row for row in csv.DictReader(file)}
    ndcg, ap = ([float(board[name][column]) for name in pair.first.systems] for column in ("ndcg@10", "MAP"))
    assert len(ndcg) == 16
    assert pair.value("tau_b") == pytest.approx(scipy.stats.kendalltau(ndcg, ap).statistic, abs=1e-9)
    assert pair.value("spearman") == pytest.approx(scipy.stats.spearmanr(ndcg, ap).statistic, abs=1e-9)
