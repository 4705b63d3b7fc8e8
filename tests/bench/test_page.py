"""The page of benchmarks, of which parts can be measured anew."""

from __future__ import annotations

from bench.page import new_page, refreshed_page
from bench.report import Table

TITLES = ("Speed", "Memory", "Verdicts")
ABOUT = ["Python 3.11", "Load: 0.1"]


def speed(**rows: str) -> Table:
    """Two lines for each case, ours and a peer's."""
    lines = [line for case, time in rows.items() for line in ((case, "ours", time), ("", "theirs", "9 s"))]
    return Table(("case", "tool", "time"), [*lines], ["Less is better."], "Speed", ("S", "L"))


def verdicts(*rows: tuple[str, str]) -> Table:
    return Table(("part", "what"), [*rows], [], "Verdicts", ("S", "L", "memory"), timed=False)


MEMORY = Table(("tool", "peak"), [("ours", "5 MB")], [], "Memory", ("memory",))
PAGE = new_page(ABOUT, [speed(S="1 s", L="2 s"), MEMORY, verdicts(("L", "slow"), ("memory", "large"))])


def section(page: str, title: str) -> list[str]:
    """The lines below a title that are not empty."""
    text = page.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return [line for line in text.splitlines() if line]


def test_a_part_measured_anew_leaves_the_others_alone() -> None:
    again = refreshed_page(PAGE, ["Python 3.11", "Load: 7"], [speed(L="3 s"), verdicts(("L", "slower"))], ["L"], TITLES)
    assert section(again, "Speed") == [
        "| case | tool | time |",
        "| --- | --- | --- |",
        "| S | ours | 1 s |",
        "|  | theirs | 9 s |",
        "| L | ours | 3 s |",
        "|  | theirs | 9 s |",
        "Less is better.",
        "L measured apart: Load: 7.",
    ]
    assert section(again, "Memory") == section(PAGE, "Memory")
    assert section(again, "Verdicts")[2:] == ["| L | slower |", "| memory | large |"]


def test_what_was_measured_apart_is_said_until_it_is_measured_again() -> None:
    once = refreshed_page(PAGE, ["Load: 7"], [speed(S="4 s", L="3 s"), verdicts()], ["S", "L"], TITLES)
    assert section(once, "Speed")[-1] == "S, L measured apart: Load: 7."
    twice = refreshed_page(once, ["Load: 8"], [speed(L="5 s"), verdicts()], ["L"], TITLES)
    assert section(twice, "Speed")[-3:] == [
        "Less is better.",
        "S measured apart: Load: 7.",
        "L measured apart: Load: 8.",
    ]


def test_a_new_table_takes_its_place_and_one_that_is_no_more_goes() -> None:
    page = new_page(ABOUT, [speed(S="1 s"), Table(("a",), [("b",)], [], "Weight"), verdicts()])
    added = refreshed_page(page, ["Load: 7"], [MEMORY, verdicts(("memory", "large"))], ["memory"], TITLES)
    assert [line for line in added.splitlines() if line.startswith("## ")] == ["## Speed", "## Memory", "## Verdicts"]
    assert section(added, "Memory")[-1] == "memory measured apart: Load: 7."


def test_rows_under_another_header_are_not_kept() -> None:
    page = new_page(ABOUT, [Table(("kind", "what"), [("memory", "large")], [], "Verdicts", timed=False)])
    assert section(refreshed_page(page, ABOUT, [verdicts(("L", "slow"))], ["L"], TITLES), "Verdicts")[2:] == [
        "| L | slow |"
    ]
