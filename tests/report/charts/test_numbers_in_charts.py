"""Charts show the numbers that they are about, worked out by hand here."""

from __future__ import annotations

from typing import Any

import pytest

import cranfield as cf
from cranfield.report import plot
from tests.report.material import rows, words

# q1: the only relevant document at rank 2 (A) or 1 (B). q2: at 1 or 4. q3: at 2 in both. RR: 1/2, 1, 1/2 and 1, 1/4, 1/2.
QRELS = {"q1": {"a": 1, "n": 0}, "q2": {"b": 1, "n": 0}, "q3": {"c": 1, "n": 0}}
RUNS = {
    "A": {"q1": {"x": 2, "a": 1}, "q2": {"b": 1}, "q3": {"x": 2, "c": 1}},
    "B": {"q1": {"a": 1}, "q2": {"x": 4, "y": 3, "n": 2, "b": 1}, "q3": {"x": 2, "c": 1}},
}


def by(chart: Any, key: str, value: str) -> dict[str, Any]:
    return {row[key]: row[value] for row in rows(chart, key, value)}


def test_bars_of_one_run_are_sorted() -> None:
    chart = plot("per-topic", QRELS, {"B": RUNS["B"]}, "RR")
    shown = [(row["topic"], row["value"]) for row in rows(chart, "topic", "value")]
    assert shown == [("q1", 1.0), ("q3", 0.5), ("q2", 0.25)]
    assert [row["at"] for row in rows(chart, "at", "text")] == [pytest.approx((1 + 0.25 + 0.5) / 3)]
    assert words(chart).startswith("RR by topic: B, 3 topics")


def test_dumbbells_of_two_runs() -> None:
    chart = plot("per-topic", QRELS, RUNS, "RR", order="topic")
    points = {(row["topic"], row["run"]): row["value"] for row in rows(chart, "topic", "run")}
    assert points == {
        ("q1", "A"): 0.5, ("q2", "A"): 1.0, ("q3", "A"): 0.5, ("q1", "B"): 1.0, ("q2", "B"): 0.25, ("q3", "B"): 0.5
    }  # fmt: skip
    ranges = {row["topic"]: (row["value"], row["high"]) for row in rows(chart, "topic", "high")}
    assert ranges == {"q1": (0.5, 1.0), "q2": (0.25, 1.0), "q3": (0.5, 0.5)}
    # (1/2 - 3/4 + 0) / 3 = -1/12
    assert "B is higher on 1, lower on 1, -.083 on average" in words(chart)


def test_differences_fall_from_left_to_right() -> None:
    chart = plot("difference", QRELS, RUNS, "RR")
    shown = [(row["topic"], row["difference"], row["verdict"]) for row in rows(chart, "verdict")]
    assert shown == [("q1", 0.5, "better"), ("q3", 0.0, "equal"), ("q2", -0.75, "worse")]
    assert "RR by topic: B minus A, 3 topics" in words(chart)
    assert "better on 1 topic, equal on 1, worse on 1" in words(chart)
    # t = -1/12 / (s/√3), s² = ((7/12)² + (1/12)² + (8/12)²)/2 = .39583: t = -.2294, two-sided p with 2 degrees .840.
    assert "p = .840 (paired t-test)" in words(chart)


def test_a_lower_value_may_be_the_better_one() -> None:
    # For q1 A returns one relevant of two documents, F = 2/3; B returns the relevant one alone, F = 1. E is 1 - F.
    chart = plot("difference", QRELS, RUNS, "SetE")
    shown = {row["topic"]: (row["difference"], row["verdict"]) for row in rows(chart, "verdict")}
    assert shown["q1"] == (pytest.approx(-1 / 3), "better")
    assert "less is better" in words(chart)


def test_the_baseline_may_be_another_run() -> None:
    assert "A minus B" in words(plot("difference", QRELS, RUNS, "RR", baseline="B"))


def test_points_of_a_scatter() -> None:
    chart = plot("scatter", QRELS, RUNS, "RR")
    points = {(row["x"], row["y"]): (row["names"], row["verdict"]) for row in rows(chart, "names")}
    assert points == {
        (0.5, 1.0): ("q1", "better on 1"), (1.0, 0.25): ("q2", "worse on 1"), (0.5, 0.5): ("q3", "equal on 1")
    }  # fmt: skip


def test_topics_at_one_place_are_one_point() -> None:
    same = {"C": RUNS["A"], "D": RUNS["A"]}
    points = {(row["x"], row["y"]): row["topics"] for row in rows(plot("scatter", QRELS, same, "RR"), "names")}
    assert points == {(0.5, 0.5): 2, (1.0, 1.0): 1}


def test_means_are_sorted_and_have_intervals() -> None:
    shown = rows(plot("means", QRELS, RUNS, "RR"), "mean")
    assert [(row["run"], row["mean"]) for row in shown] == [
        ("A", pytest.approx(2 / 3)), ("B", pytest.approx(7 / 12))
    ]  # fmt: skip
    # 2/3 ± 4.3027 · .28868/√3 (Student's t for 2 degrees of freedom, 97.5 %)
    assert shown[0]["topics_low"] == pytest.approx(2 / 3 - 4.3027 * 0.288675 / 3**0.5, abs=1e-4)


def test_boxes_have_the_quartiles() -> None:
    boxes = {row["run"]: row for row in rows(plot("box", QRELS, RUNS, "RR"), "first")}
    assert (boxes["B"]["first"], boxes["B"]["median"], boxes["B"]["third"]) == (0.375, 0.5, 0.75)
    topics = [row for row in rows(plot("box", QRELS, RUNS, "RR"), "topic") if row["run"] == "B"]
    assert {row["topic"]: row["x"] for row in topics} == {"q1": 1.0, "q2": 0.25, "q3": 0.5}


def test_cells_of_a_matrix_are_read_by_row() -> None:
    cells = {(row["row"], row["column"]): row for row in rows(plot("matrix", QRELS, RUNS, "RR"), "column")}
    assert cells["A", "B"]["difference"] == pytest.approx(1 / 12)
    assert cells["B", "A"]["difference"] == pytest.approx(-1 / 12)
    assert {cell["verdict"] for cell in cells.values()} == {"not significant"}
    assert {cell["text"] for cell in cells.values()} == {".840"}


def test_a_clear_case_in_a_matrix() -> None:
    topics = [f"q{number}" for number in range(20)]
    qrels = {topic: {"a": 1} for topic in topics}
    good = {topic: {"a": 1} for topic in topics}
    bad = {topic: {"x": 9, "y": 8, "a": 1} for topic in topics}
    bad["q0"] = {"x": 9, "a": 1}
    cells = {
        (row["row"], row["column"]): row["verdict"]
        for row in rows(plot("matrix", qrels, {"good": good, "bad": bad}, "RR"), "column")
    }
    assert cells == {("good", "bad"): "better, p < .001", ("bad", "good"): "worse, p < .001"}


def test_recall_precision_at_levels() -> None:
    # Relevant at ranks 1 and 3 of 2: interpolated precision 1 to recall .5, then 2/3.
    chart = plot("recall-precision", {"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}}, at=[0, 0.5, 1])
    points = {row["x"]: row["y"] for row in rows(chart, "at", "x")}
    assert points == {0.0: 1.0, 0.5: 1.0, 1.0: pytest.approx(2 / 3, abs=1e-4)}


@pytest.mark.parametrize(
    ("form", "corners"),
    [
        # Falls at the recall it holds to.
        ("interpolated", [(0.0, 1.0), (0.5, 1.0), (0.5, 0.66667), (1.0, 0.66667)]),
        # After ranks 1, 2, 3.
        ("raw", [(0.5, 1.0), (0.5, 0.5), (1.0, 0.66667)]),
    ],
)
def test_curves_of_one_topic(form: str, corners: list[tuple[float, float]]) -> None:
    run = {"run": {"q": {"a": 3, "x": 2, "b": 1}}}
    chart = plot("recall-precision", {"q": {"a": 1, "b": 1}}, run, form=form, topic="q")
    points = {(row["at"], row["x"], row["y"]) for row in rows(chart, "at", "x")}
    assert sorted(points) == [(at, *corner) for at, corner in enumerate(corners)]
    assert "2 relevant documents" in words(chart)


def test_roc_with_its_hull() -> None:
    # The notes' example in small: A finds one of two relevant at once, B all after one of two others.
    qrels = {"q1": {"a": 1, "b": 1, "x": 0, "y": 0}}
    runs = {"A": {"q1": {"a": 4, "x": 3, "y": 2, "b": 1}}, "B": {"q1": {"x": 4, "a": 3, "b": 2, "y": 1}}}
    chart = plot("roc", qrels, runs, fpr=0.25)
    corners = [(row["x"], row["y"]) for row in rows(chart, "what") if "return" not in row["what"]]
    assert corners == [(0.0, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 1.0)]
    (mixture,) = [row for row in rows(chart, "what") if "return" in row["what"]]
    assert (mixture["x"], mixture["y"]) == (0.25, 0.75)
    # Areas: 1/2 for both; the hull has 1/2 · (1/2 + 1)/2 + 1/2 · 1 = 7/8.
    assert "area .875" in words(chart)
    assert {row["system"] for row in rows(chart, "system", "at")} == {"A: AUC .500, EER .500", "B: AUC .500, EER .500"}


def test_scores_by_cutoff() -> None:
    chart = plot("cutoff", {"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}}, "P")
    assert {row["x"]: row["y"] for row in rows(chart, "at", "x")} == {1: 1.0, 2: 0.5, 3: pytest.approx(0.66667)}


def test_gain_beside_the_best_possible() -> None:
    chart = plot("gain", {"q": {"a": 1, "b": 3}}, {"run": {"q": {"a": 2, "b": 1}}}, "nDCG(discount=none)")
    best = {row["x"]: row["y"] for row in rows(chart, "x", "y") if "run" not in row}
    assert best == {1: 3, 2: 4}
    assert "dashed: the best possible ranking" in words(chart)


def test_order_of_systems() -> None:
    scores = {f"s{at}": {"q": {**{f"x{n}": float(n + 2) for n in range(at)}, "a": 1.0}} for at in range(4)}
    chart = plot("correlation", {"q": {"a": 1}}, scores, ["RR", "AP", "Success@2"])
    cells = {(row["row"], row["column"]): row["value"] for row in rows(chart, "column")}
    # RR and AP order the four alike: 1. Success@2 has 1, 1, 0, 0: 4 of 6 pairs alike, 2 tied: 4/√(6 · 4) = .8165.
    assert cells["RR", "AP"] == pytest.approx(1.0)
    assert cells["AP", "Success@2"] == cells["Success@2", "AP"] == pytest.approx(4 / 24**0.5)


def test_two_orders_are_a_scatter() -> None:
    scores = {f"s{at}": {"q": {**{f"x{n}": float(n + 2) for n in range(at)}, "a": 1.0}} for at in range(3)}
    chart = plot("correlation", {"q": {"a": 1}}, scores, ["RR", "P@2"])
    points = {row["run"]: (row["x"], row["y"]) for row in rows(chart, "place_x")}
    assert points["s0"] == (1.0, 0.5)
    assert points["s2"] == (pytest.approx(1 / 3), 0.0)


def test_how_far_judgments_reach() -> None:
    chart = plot("coverage", {"q": {"d1": 1, "d2": 0}}, {"run": {"q": {"d1": 3, "d9": 2, "d2": 1}}})
    points = [(row["x"], row["y"]) for row in rows(chart, "at", "x")]
    # Of the first 1, 2, 3 documents 1, 1, 2 are judged; of 2 judged ones 1, 1, 2 are found.
    assert {(1, 1.0), (2, 0.5), (3, 0.66667), (1, 0.5), (3, 1.0)} <= set(points)
    assert "judged documents: 2 a topic on average" in words(chart)


def test_weights_of_ranks() -> None:
    chart = plot("discount", measures=["RR", "P@2"], depth=4)
    weights = {(row["run"], row["x"]): row["y"] for row in rows(chart, "at", "x")}
    assert weights["RR", 4] == 0.25
    assert (weights["P@2", 2], weights["P@2", 3]) == (1.0, 0.0)


def test_settings_are_said() -> None:
    chart = plot("per-topic", QRELS, RUNS, "AP", profile="trec_eval-9", level=2, depth=100, judged_only=True)
    for said in (
        "profile trec_eval-9",
        "relevant from grade 2 on",
        "first 100 documents",
        "unjudged documents dropped",
    ):
        assert said in words(chart)
    assert "nothing relevant for 3 topics" not in words(plot("per-topic", QRELS, RUNS, "AP"))


def test_bands_where_something_is_open() -> None:
    chart = plot("per-topic", QRELS, {"A": RUNS["A"]}, "RR", band="unjudged")
    # x is not judged: if it is relevant, RR of q1 and q3 is 1.
    bands = {row["topic"]: (row["low"], row["high"]) for row in rows(chart, "low")}
    assert bands["q1"] == (0.5, 1.0)
    assert "bands: what unjudged documents leave open" in words(chart)
    tied = {"A": {"q1": {"x": 1, "a": 1}}}
    chart = plot("cutoff", {"q1": {"a": 1}}, tied, "RR", at=[2], band="ties")
    assert [(row["y"], row["upper"]) for row in rows(chart, "upper")] == [(0.5, 1.0)]


def test_charts_are_made_from_results_too() -> None:
    found = cf.compare(QRELS, {"A": RUNS["A"]}, {"B": RUNS["B"]}, ["RR", "AP"])
    chart = cf.report.charts.difference(found, "AP")
    assert "AP by topic: B minus A" in words(chart)
    with pytest.raises(cf.errors.UsageError, match="Bpref was not compared; there are values of RR, AP"):
        cf.report.charts.difference(found, "bpref")
