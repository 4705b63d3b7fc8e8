"""Tables for terminals of every width."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cranfield.cli.tables import split
from tests.cli.running import run_cranfield, run_in_terminal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    (tmp_path / "x.run").write_text("q1 Q0 d1 1 1 x\nq2 Q0 d2 1 1 x\n")
    (tmp_path / "y.run").write_text("q1 Q0 d3 1 2 y\nq1 Q0 d1 2 1 y\nq2 Q0 d2 1 1 y\n")
    return tmp_path


WIDE = ("evaluate", "qrels", "x.run", "-q", "-n", "-m", "RR", "-m", "P@5", "-m", "R@5")


def test_a_table_too_wide_comes_in_blocks(folder: Path) -> None:
    text = run_in_terminal(*WIDE, cwd=folder, columns=21)
    # The columns topic (5), RR, P@5 and R@5 (6 each) take 29 columns, three of them 21.
    assert text.startswith(
        "topic      RR     P@5\n"
        "q1     1.0000  0.2000\n"
        "q2     1.0000  0.2000\n"
        "\n"
        "topic     R@5\n"
        "q1     1.0000\n"
        "q2     1.0000\n"
    )


@pytest.mark.parametrize("columns", [0, 29, 200])
def test_a_table_that_fits_is_one(folder: Path, columns: int) -> None:
    assert run_in_terminal(*WIDE, cwd=folder, columns=columns).startswith("topic      RR     P@5     R@5\nq1  ")


def test_elsewhere_than_in_a_terminal_it_is_never_split(folder: Path) -> None:
    done = run_cranfield(*WIDE, "--format", "table", cwd=folder, environment={"COLUMNS": "21"})
    assert done.text.startswith("topic      RR     P@5     R@5\n")


@pytest.mark.parametrize(("terminal", "bold"), [("xterm", True), ("dumb", False)])
def test_bold_type(folder: Path, terminal: str, bold: bool) -> None:
    text = run_in_terminal("evaluate", "qrels", "x.run", "y.run", cwd=folder, terminal=terminal, plain=False)
    assert ("\x1b[1m" in text) == bold


@given(st.lists(st.integers(1, 30), min_size=1, max_size=12), st.integers(0, 3), st.integers(1, 100))
@example([1, 1, 1, 5], 0, 7)
def test_every_column_stands_once_and_blocks_fit(widths: list[int], left: int, room: int) -> None:
    left = min(left, len(widths))
    blocks = split(widths, left, room)
    assert [at for block in blocks for at in block[left:]] == list(range(left, len(widths)))
    for block in blocks:
        assert block[:left] == list(range(left))
        assert len(block) <= left + 1 or sum(widths[at] + 2 for at in block) - 2 <= room
