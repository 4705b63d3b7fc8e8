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


def test_one_run_has_one_panel() -> None:
    found = simulate_orders(cf.Qrels.from_dict({"q": {"a": 1}}), [run_of({"q": ["a", "b"]}, "one")], ["depth"], seeds=1)
    assert len(judging_orders(found).to_dict()["concat"]) == 1
