"""The drawing of replayed orders has the numbers of the replay."""

from __future__ import annotations

from typing import Any

import pytest

import cranfield as cf
from cranfield.pooling.simulation import simulate_orders
from cranfield.report.charts.judging_orders import judging_orders
from tests.pooling.made_runs import noisy_runs, run_of


def points(panel: dict[str, Any], datasets: dict[str, Any], order: str) -> dict[float, float]:
    """The points of the line of an order, from the layers of a panel."""
    found: dict[float, float] = {}
    for layer in panel["layer"]:
        if layer["mark"]["type"] == "line":
            found |= {row["x"]: row["y"] for row in datasets[layer["data"]["name"]] if row.get("run") == order}
    return found


def test_lines_are_the_means_of_the_seeds() -> None:
    runs, worth = noisy_runs(runs=4, topics=3, documents=50, depth=15, seed=2)
    grades = {f"t{t}": {f"d{at}": int(value > 1) for at, value in enumerate(row)} for t, row in enumerate(worth)}
    found = simulate_orders(grades, runs, ["depth", "random"], budgets=[5, 10], seeds=3)
    chart = judging_orders(found).to_dict()
    shares, taus = chart["concat"]
    for at, order in enumerate(found.orders):
        drawn = points(shares, chart["datasets"], order)
        means = found.share(found.found[at]).mean(axis=0)
        assert drawn == pytest.approx({number: means[int(number) - 1] for number in drawn}, abs=1e-4)
        assert min(drawn) == 1
        assert max(drawn) == 10
        assert points(taus, chart["datasets"], order).keys() == {5, 10}
    assert "3 topics, 4 runs" in " ".join(chart["title"]["text"])


def test_marks_at_the_same_place_are_seen_around_each_other() -> None:
    # There are two documents: with both judged each order has tau 1.
    runs = [run_of({"q": ["a"]}, "one"), run_of({"q": ["a", "b"]}, "two"), run_of({"q": ["b", "a"]}, "three")]
    found = simulate_orders(cf.Qrels.from_dict({"q": {"a": 1}}), runs, ["depth", "rrf", "rbp"], budgets=[2], seeds=1)
    chart = judging_orders(found).to_dict()
    (marks,) = (layer for layer in chart["concat"][1]["layer"] if layer["mark"]["type"] == "point")
    rows = chart["datasets"][marks["data"]["name"]]
    assert len({(row["x"], row["y"]) for row in rows}) == 1
    # Those drawn later lie on those before, which are 3 wider for each.
    assert [row["size"] for row in rows] == [12.5**2, 9.5**2, 6.5**2]


def test_one_run_has_one_panel() -> None:
    found = simulate_orders(cf.Qrels.from_dict({"q": {"a": 1}}), [run_of({"q": ["a", "b"]}, "one")], ["depth"], seeds=1)
    assert len(judging_orders(found).to_dict()["concat"]) == 1


def test_what_is_below_the_depth_cannot_be_asked_for() -> None:
    run = run_of({"q": ["a", "b"]}, "one")
    found = simulate_orders(cf.Qrels.from_dict({"q": {"a": 1, "b": 1}}), [run], ["depth"], depth=1, seeds=1)
    said = " ".join(judging_orders(found).to_dict()["title"]["subtitle"])
    assert "1 relevant document of 2 cannot be asked for" in said
