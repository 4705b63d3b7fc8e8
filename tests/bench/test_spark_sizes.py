"""Sizes of clusters, worked out from costs that were measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.spark import by_query
from tools import spark_sizes
from tools.spark_sizes import by_shuffle, by_text, event_costs, line_cost, overhead, size

BENCHMARKS = """# Benchmarks

## Spark: what a further event costs

| analysis | events | files | Spark | a further event | driver | executors | disk |
| --- | --- | --- | --- | --- | --- | --- | --- |
| ranks | 1,000,000 | 20 MB | 1.00 s |  | 300 MB | 900 MB | 1 MB |
|  | 10,000,000 | 140 MB | 10.0 s | 1.000 us | 300 MB | 900 MB | 1 MB |
| documents | 1,000,000 | 20 MB | 2.00 s |  | 300 MB | 900 MB | 10 MB |
|  | 10,000,000 | 140 MB | 20.0 s | 2.000 us | 300 MB | 900 MB | 50 MB |

A note.

## Spark: many runs of size L

| runs | lines | files | Spark | a further line | driver | executors: Java | Python | disk |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| 1 | 1,000,000 | 40 MB | 5.00 s |  | 400 MB | 900 MB | 250 MB | 20 MB |
| 10 | 10,000,000 | 400 MB | 45.0 s | 4.500 us | 400 MB | 900 MB | 300 MB | 250 MB |

## Growth
"""


def test_sizes_for_logs_are_arithmetic() -> None:
    """By hand: 10^9 events x 2 us x 2 cores x 2 (the allowance) = 8000 core seconds, half of it for the cheaper analysis.

    The most disk for an event is 10 bytes (10 MB for a million): 10 GB, in parts of 32 MB 312.5 of them. The largest
    log has 14 bytes for an event.
    """
    costs = event_costs(BENCHMARKS)
    found = size(10**9, costs, by_shuffle)
    assert [cost.name for cost in costs] == ["ranks", "documents"]
    assert found.hours == pytest.approx((4000 / 3600, 8000 / 3600))
    assert found.minutes == pytest.approx((4000 / 60 / 16, 8000 / 60 / 16))
    assert (found.disk, found.file) == pytest.approx((10e9, 14e9))
    assert (found.cores, found.executors, found.parts) == (16, 4, 313)
    assert overhead(costs) == 1, "a tenth of 4 x 2 GB, and no Python"


def test_small_work_has_parts_for_all_cores() -> None:
    """By hand: 10^8 events shuffle 1 GB, 32 parts of 32 MB; 3 for each of 64 cores are more at no shuffle at all."""
    costs = event_costs(BENCHMARKS)
    assert size(10**8, costs, by_shuffle).parts == 32
    assert size(10**10, [cost._replace(disk=0.0) for cost in costs], by_shuffle).parts == 192


def test_sizes_for_runs_are_arithmetic() -> None:
    """By hand: 10^9 lines x 4.5 us x 2 cores x 2 = 18,000 core seconds, 5 hours; 40 bytes of text a line are 40 GB, 596.05
    parts of 64 MiB; 25 bytes of disk. Python held 300 MB on 2 cores: 0.8 GB + 2 x 4 x 0.15 GB = 2 GB."""
    cost = line_cost(BENCHMARKS)
    found = size(10**9, [cost], by_text)
    assert found.hours == pytest.approx((5.0,))
    assert (found.disk, found.file) == pytest.approx((25e9, 40e9))
    assert found.parts == 597
    assert overhead([cost]) == 2


def test_parts_of_runs_are_chosen_as_an_evaluation_does() -> None:
    assert (spark_sizes.PART_OF_RUNS, spark_sizes.MOST_PARTS) == (by_query._BYTES_OF_A_PART, by_query._MOST_PARTS)


def test_a_page_without_the_tables_is_told() -> None:
    with pytest.raises(SystemExit, match="has no table 'Spark: what a further event costs'"):
        event_costs("# Benchmarks\n\n## Growth\n")


def test_the_page_has_the_figures_of_the_benchmark() -> None:
    assert spark_sizes.page() == spark_sizes.PAGE.read_text(), f"run {spark_sizes.COMMAND}"


def test_an_old_page_is_told_and_renewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "scaling.md"
    page.write_text("<!-- figure: run_sizes -->\n<!-- end of figure -->\n")
    (tmp_path / "benchmarks.md").write_text(BENCHMARKS)
    monkeypatch.setattr(spark_sizes, "PAGE", page)
    monkeypatch.setattr(spark_sizes, "DOCS", tmp_path)
    assert spark_sizes.main("--check") == "out of date: scaling.md (python -m tools.spark_sizes)"
    assert spark_sizes.main() is None
    assert "| 10^9 | 40.0 GB | 16 | 5.0, 19 | 4 x 4 cores | 8g | 2g | 597 | 12.5 GB |" in page.read_text()
    assert spark_sizes.main("--check") is None
