"""`cranfield judge --order`: what was judged decides what is shown next."""

from __future__ import annotations

from pathlib import Path

import cranfield as cf
from tests.cli.judging.material import judging, said, write_material
from tests.pooling.made_runs import run_of


def test_a_run_that_is_right_goes_on_and_the_order_is_found_again(tmp_path: Path) -> None:
    """Both runs begin with d1. It is relevant for both, 2/3; wide is not: the other run is asked, 2/3 against 2/4."""
    folder = write_material(tmp_path, {"7": ["d1", "d2", "evil", "wide"]})
    cf.write_run(run_of({"7": ["d1", "wide", "evil"]}, "one"), folder / "one.run")
    cf.write_run(run_of({"7": ["d1", "d2"]}, "two"), folder / "two.run")
    (folder / "mine.txt").write_text("7 wide\n")
    order = ("--order", "bandit-max-mean", "--runs", "one.run", "--runs", "two.run", "--first", "mine.txt")
    with judging(folder, *order) as terminal:
        terminal.wait("the scale graded")
        terminal.press("x", "── wide ──")
        terminal.press("0", "── d1 ──")  # 1/3 against 1/2: run two, which begins with d1
        terminal.press("2", "── d2 ──")  # 2/4 against 2/3
        terminal.type("q")
        assert terminal.end() == 0
    with judging(folder, *order) as terminal:
        terminal.wait("── d2 ──")
        terminal.press("0", "── evil ──")
        terminal.press("1", "4 of 4 documents are judged")
        terminal.type("q")
        assert terminal.end() == 0
    assert [document for document, *_ in said(folder)] == ["wide", "d1", "d2", "evil"]
