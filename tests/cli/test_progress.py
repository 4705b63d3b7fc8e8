"""Bars on a terminal, and what is said meanwhile."""

from __future__ import annotations

import io
import sys

import pytest

from cranfield.cli.progress import progress_bar, say_notes


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_note_has_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_bar(patience=0.0) as show:
        assert show is not None
        say_notes(["before"])
        show("qrels.txt", 0.5)
        say_notes(["odd"])
    bar = "\r\x1b[K[############------------]  50% qrels.txt\r\x1b[K"
    assert terminal.getvalue() == f"cranfield: before\n{bar}cranfield: odd\n"
