"""Charts of a log have the numbers that were found, and nothing that was not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cranfield.logs.behaviour import behaviour
from cranfield.logs.clicks import ClicksByRank
from cranfield.logs.overview import overview
from cranfield.report.charts.behaviour_shares import behaviour_shares
from cranfield.report.charts.click_through import click_through
from cranfield.report.charts.traffic_by_day import traffic_by_day
from cranfield.stats.proportions import wilson
from tests.logs.making import make_log, query

DAY = 86_400


def test_a_day_without_queries_is_drawn_as_none(tmp_path: Path) -> None:
    log = make_log(tmp_path, [query("q1", "soup", 0), query("q2", "tea", 2 * DAY), query("q3", "tea", 2 * DAY + 9)])
    chart = traffic_by_day(overview(log)).to_dict()
    rows = chart["layer"][0]["data"]
    drawn = chart["datasets"][rows["name"]] if "name" in rows else rows["values"]
    assert [(row["day"], row["number"]) for row in drawn if row["system"] == "queries"] == [
        *(("2026-03-01", 1), ("2026-03-02", 0), ("2026-03-03", 2))
    ]


def test_users_that_are_unknown_have_no_line(tmp_path: Path) -> None:
    log = make_log(tmp_path, [query("q1", "soup", client_id=None, session_id="s")])
    chart = traffic_by_day(overview(log)).to_dict()
    assert "users" not in str(chart["layer"][1]["encoding"]["color"]["scale"]["domain"])


def test_shares_that_are_not_known_are_not_drawn(tmp_path: Path) -> None:
    chart = behaviour_shares(behaviour(make_log(tmp_path, [query("q1", "soup")]))).to_dict()
    (rows,) = chart["datasets"].values()
    assert [row["run"] for row in rows] == ["queries said anew"]


def test_shares_are_in_percent_from_zero(tmp_path: Path) -> None:
    chart = behaviour_shares(behaviour(make_log(tmp_path, [query("q1", "soup")]))).to_dict()
    along = chart["layer"][0]["encoding"]["x"]
    assert (along["axis"]["format"], along["scale"]["zero"]) == ("~%", True)


@pytest.mark.parametrize(("ranks", "labels"), [(10, [*range(1, 11)]), (30, [1, 5, 10, 15, 20, 25, 30])])
def test_the_first_rank_has_a_label(ranks: int, labels: list[int]) -> None:
    shown, clicked = np.full(ranks, 100), np.arange(ranks) % 7
    found = ClicksByRank(np.arange(1, ranks + 1), shown, clicked, wilson(clicked, shown), queries=100)
    chart = click_through(found).to_dict()
    axes = [layer["encoding"][way]["axis"] for layer in chart["layer"] for way in ("x", "y")]
    assert all(axis["values"] == labels for axis in axes[::2])
    assert all(axis["format"] == "~%" for axis in axes[1::2])


@pytest.mark.parametrize(("ranks", "scale"), [(10, "linear"), (500, "log")])
def test_many_ranks_are_drawn_on_a_logarithmic_axis(ranks: int, scale: str) -> None:
    shown, clicked = np.full(ranks, 100), np.arange(ranks) % 7
    found = ClicksByRank(np.arange(1, ranks + 1), shown, clicked, wilson(clicked, shown), queries=100)
    chart = click_through(found).to_dict()
    assert {layer["encoding"]["x"]["scale"]["type"] for layer in chart["layer"]} == {scale}
    assert chart["title"]["subtitle"][0].startswith(f"{100 * ranks:,} documents shown, {clicked.sum():,} clicked")
