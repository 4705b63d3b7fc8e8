"""Estimates are drawn as they were found."""

from __future__ import annotations

from cranfield.report.charts.run_estimates import Estimate, run_estimates


def test_values_intervals_and_what_is_open() -> None:
    given = [Estimate("new", 0.6, 0.4, 0.8, 0.5, 0.9), Estimate("old", 0.3, None, None, 0.2, 0.4)]
    chart = run_estimates(given, "Precision", "precision", ["line: interval"]).to_dict()
    (rows,) = chart["datasets"].values()
    assert list(rows) == [one._asdict() for one in given]
    assert [layer["encoding"]["x"]["field"] for layer in chart["layer"]] == ["least", "low", "value"]


def test_what_nobody_has_is_not_drawn() -> None:
    chart = run_estimates([Estimate("one", 0.3, None, None)], "tau", "tau").to_dict()
    assert [layer["encoding"]["x"]["field"] for layer in chart["layer"]] == ["value"]


def test_a_line_stands_at_what_is_usual() -> None:
    chart = run_estimates([Estimate("one", 0.3, 0.2, 0.4)], "COEC", "COEC", usual=1.0).to_dict()
    assert [layer["encoding"]["x"]["field"] for layer in chart["layer"]] == ["usual", "low", "value"]
    assert [{"usual": 1.0}] in map(list, chart["datasets"].values())
