"""Write the figures of docs/spark/scaling.md from tables of docs/benchmarks.md; `--check` says whether they are old.

A cost that was measured is multiplied up, on assumptions that the page states: nothing here was tried at that size.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from bench.report import Table
from tools.figures import made_anew
from tools.statistics_figures import markdown

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "spark" / "scaling.md"
COMMAND = "python -m tools.spark_sizes"
BESIDE, GROWTH, RUNS = (
    "Spark: analyses of query logs, beside DuckDB",
    "Spark: what a further event costs",
    "Spark: many runs of size L",
)
"""The titles of the tables that are read."""

CORES = {10**8: 4, 10**9: 16, 10**10: 64, 10**11: 256}
"""Of a cluster for so many events or lines: four times as many for ten times the work."""
MEASURED_CORES = 2
ALLOWANCE = 2.0
"""How many times as long a core takes on a cluster: data comes over a network, and the slowest task ends last."""
CORES_OF_AN_EXECUTOR = 4
HEAP_OF_A_CORE = 2
"""GB of Java memory: twice what was measured with."""
PART = 32e6
"""Bytes of a part of what is shuffled, packed as it goes to the disk."""
PARTS_OF_A_CORE = 3
FILE = 128e6
"""Bytes that one task reads (spark.sql.files.maxPartitionBytes)."""
PART_OF_RUNS, MOST_PARTS = 64 << 20, 20_000
"""Bytes of text in a part, and how many there are at most, as `cranfield.spark.by_query` chooses them."""


class Cost(NamedTuple):
    """What was measured of one kind of work: an item is an event, or a line of a run."""

    name: str
    seconds: float
    """Of one core, for a further item."""
    disk: float
    """Bytes for an item."""
    file: float
    """Bytes of input for an item."""
    beyond_heap: float
    """Bytes that a core of an executor held outside of Java."""


class Size(NamedTuple):
    """What so many items need."""

    items: int
    cores: int
    hours: tuple[float, ...]
    """Of one core, for each kind of work."""
    executors: int
    parts: int
    disk: float
    file: float

    @property
    def minutes(self) -> tuple[float, ...]:
        """With all cores at once."""
        return tuple(60 * hours / self.cores for hours in self.hours)


def section(text: str, title: str) -> str:
    """What stands below a title on the page of benchmarks."""
    found = text.partition(f"\n## {title}\n")[2].partition("\n## ")[0].strip()
    if not found:
        raise SystemExit(f"docs/benchmarks.md has no table {title!r}: measure it (docs/spark/scaling.md says how)")
    return found


def rows(text: str, title: str) -> list[dict[str, str]]:
    """A table of the page; a cell in the first column stands for those below it that are empty."""
    table = Table.from_markdown(f"## {title}\n{section(text, title)}")
    found = [dict(zip(table.header, map(str.strip, row), strict=True)) for row in table.rows]
    for before, row in pairwise(found):
        row[table.header[0]] = row[table.header[0]] or before[table.header[0]]
    return found


def number(cell: str) -> float:
    """`12.3 s`, `64 MB` or `1,000`."""
    return float(cell.split()[0].replace(",", ""))


def event_costs(text: str) -> list[Cost]:
    """Of each analysis that was measured with logs of several sizes."""
    found = rows(text, GROWTH)
    return [
        _cost([row for row in found if row["analysis"] == name], name, "events", "a further event")
        for name in dict.fromkeys(row["analysis"] for row in found)
    ]


def line_cost(text: str) -> Cost:
    """Of the evaluation of runs."""
    return _cost(rows(text, RUNS), "evaluation", "lines", "a further line")


def _cost(found: Sequence[dict[str, str]], name: str, items: str, further: str) -> Cost:
    largest = found[-1]
    return Cost(
        name,
        MEASURED_CORES * number(largest[further]) / 1e6,
        # Of large logs more rows become one before they are shuffled, which the next log need not repeat.
        max(1e6 * number(row["disk"]) / number(row[items]) for row in found),
        1e6 * number(largest["files"]) / number(largest[items]),
        max(1e6 * number(row.get("Python", "0")) for row in found) / MEASURED_CORES,
    )


def size(items: int, costs: Sequence[Cost], parts: Callable[[float, float], int]) -> Size:
    """What so many items need, on a cluster with the cores that are chosen for them; `parts` says into how many parts
    the input and what is shuffled of it are divided."""
    cores = CORES[items]
    disk, file = (max(getattr(cost, what) for cost in costs) * items for what in ("disk", "file"))
    return Size(
        items,
        cores,
        tuple(ALLOWANCE * cost.seconds * items / 3600 for cost in costs),
        math.ceil(cores / CORES_OF_AN_EXECUTOR),
        max(PARTS_OF_A_CORE * cores, parts(file, disk)),
        disk,
        file,
    )


def by_shuffle(file: float, disk: float) -> int:
    """For spark.sql.shuffle.partitions."""
    return math.ceil(disk / PART)


def by_text(file: float, disk: float) -> int:
    """As an evaluation chooses by itself."""
    return min(math.ceil(file / PART_OF_RUNS), MOST_PARTS)


def log_sizes(docs: Path) -> str:
    costs = event_costs(_benchmarks(docs))
    header = ["events", "Parquet", "files", "cores", *(f"{cost.name}: core hours, minutes" for cost in costs)]
    found = []
    for items in (10**8, 10**9, 10**10):
        one = size(items, costs, by_shuffle)
        times = [_time(hours, minutes) for hours, minutes in zip(one.hours, one.minutes, strict=True)]
        files = f"{math.ceil(one.file / FILE):,}"
        found.append([_power(items), _bytes(one.file), files, one.cores, *times, *_settings(one, costs)])
    return markdown([*header, *_SETTINGS], found)


def run_sizes(docs: Path) -> str:
    cost = line_cost(_benchmarks(docs))
    found = []
    for items in (10**9, 10**10, 10**11):
        one = size(items, [cost], by_text)
        time = _time(one.hours[0], one.minutes[0])
        found.append([_power(items), _bytes(one.file), one.cores, time, *_settings(one, [cost])])
    return markdown(["lines", "text", "cores", "core hours, minutes", *_SETTINGS], found)


_SETTINGS = ["executors", "`spark.executor.memory`", "`spark.executor.memoryOverhead`", "parts", "disk of an executor"]


def _settings(one: Size, costs: Sequence[Cost]) -> list[str]:
    return [
        f"{one.executors} x {CORES_OF_AN_EXECUTOR} cores",
        f"{HEAP_OF_A_CORE * CORES_OF_AN_EXECUTOR}g",
        f"{overhead(costs)}g",
        f"{one.parts:,}",
        _bytes(2 * one.disk / one.executors),
    ]


def overhead(costs: Sequence[Cost]) -> int:
    """GB beyond the heap: a tenth of it for Java, and twice what Python was seen to hold."""
    java = 0.1 * HEAP_OF_A_CORE * CORES_OF_AN_EXECUTOR
    python = 2 * CORES_OF_AN_EXECUTOR * max(cost.beyond_heap for cost in costs) / 1e9
    return math.ceil(java + python)


def log_arithmetic(docs: Path) -> str:
    costs = event_costs(_benchmarks(docs))
    return _arithmetic(costs, size(10**9, costs, by_shuffle), "events", f"{PART / 1e6:.0f} MB of what is shuffled")


def run_arithmetic(docs: Path) -> str:
    cost = line_cost(_benchmarks(docs))
    return _arithmetic([cost], size(10**9, [cost], by_text), "lines", f"{PART_OF_RUNS >> 20} MiB of text")


def _arithmetic(costs: Sequence[Cost], one: Size, items: str, part: str) -> str:
    """How the row of a thousand million items comes about."""
    lines = [
        f"- {cost.name}: {_power(one.items)} {items} x {1e6 * cost.seconds:.3f} us of a core x {ALLOWANCE:g} = "
        f"{ALLOWANCE * cost.seconds * one.items:,.0f} s = {hours:.2f} core hours; by {one.cores} cores {minutes:.1f} "
        "minutes."
        for cost, hours, minutes in zip(costs, one.hours, one.minutes, strict=True)
    ]
    disk, file = max(cost.disk for cost in costs), max(cost.file for cost in costs)
    held = max(cost.beyond_heap for cost in costs)
    python = f" + 2 x {CORES_OF_AN_EXECUTOR} x {held / 1e6:.0f} MB of Python" if held else ""
    lines += [
        f"- input: {_power(one.items)} x {file:.1f} bytes = {_bytes(one.file)}.",
        f"- disk: {_power(one.items)} x {disk:.1f} bytes = {_bytes(one.disk)}, twice that by {one.executors} "
        f"executors: {_bytes(2 * one.disk / one.executors)} each.",
        f"- parts: the larger of {PARTS_OF_A_CORE} x {one.cores} cores and one for {part}: {one.parts:,}.",
        f"- memory of an executor: {CORES_OF_AN_EXECUTOR} cores x {HEAP_OF_A_CORE} GB of Java; beyond it a tenth of "
        f"that{python}: {overhead(costs)} GB.",
    ]
    return "\n".join(lines)


def _time(hours: float, minutes: float) -> str:
    return f"{hours:.2g}, {minutes:.2g}" if minutes < 10 else f"{hours:,.1f}, {minutes:,.0f}"


def _power(items: int) -> str:
    return f"10^{round(math.log10(items))}"


def _bytes(value: float) -> str:
    for unit, name in ((1e12, "TB"), (1e9, "GB")):
        if value >= unit:
            return f"{value / unit:.1f} {name}"
    return f"{value / 1e6:.0f} MB"


def _benchmarks(docs: Path) -> str:
    return (docs / "benchmarks.md").read_text()


def _measured(title: str) -> Callable[[Path], str]:
    """The table and its notes as they stand there."""
    return lambda docs: section(_benchmarks(docs), title)


FIGURES: dict[str, Callable[[Path], str]] = {
    "beside": _measured(BESIDE),
    "growth": _measured(GROWTH),
    "runs": _measured(RUNS),
    "log_sizes": log_sizes,
    "log_arithmetic": log_arithmetic,
    "run_sizes": run_sizes,
    "run_arithmetic": run_arithmetic,
}


def page() -> str:
    """The page with its figures made anew."""
    return made_anew(PAGE, FIGURES, DOCS)


def main(*arguments: str) -> str | None:
    text = page()
    if text == PAGE.read_text():
        return None
    if arguments == ("--check",):
        return f"out of date: {PAGE.name} ({COMMAND})"
    PAGE.write_text(text)
    return None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
