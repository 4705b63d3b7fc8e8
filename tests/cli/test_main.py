"""The command itself: help, version, completion, and the small commands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

import cranfield
from cranfield.cli.main import COMMANDS
from tests.cli.running import run_cranfield


def test_version() -> None:
    assert run_cranfield("--version").text == f"cranfield, version {cranfield.__version__}\n"


def test_overview_lists_every_command() -> None:
    text = run_cranfield("--help").text
    assert all(re.search(rf"^  {name} ", text, re.MULTILINE) for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_ends_with_an_example(name: str) -> None:
    done = run_cranfield(name, "--help")
    assert done.exit_code == 0
    assert done.text.rstrip().splitlines()[-1].strip().startswith("Example: cranfield ")


def test_an_unknown_command() -> None:
    done = run_cranfield("evalute")
    assert done.exit_code == 2
    assert "No such command 'evalute'. Did you mean evaluate" in done.stderr


@pytest.mark.parametrize(("words", "better"), [(["evaluate"], "cranfield evaluate --help"), ([], "cranfield --help")])
def test_help_is_an_option(words: list[str], better: str) -> None:
    done = run_cranfield("help", *words)
    assert done.exit_code == 2
    assert f"No such command 'help'. Write '{better}'." in done.stderr


@pytest.mark.parametrize(
    ("line", "exit_code"),
    [("--help >&-", 0), ("measures >&-", 0), ("measures nDGC 2>&-", 2), ("validate - <&-", 1), ("-V <&- >&- 2>&-", 0)],
)
def test_closed_streams(line: str, exit_code: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{shlex.quote(sys.executable)} -m cranfield {line}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (exit_code, "")


def test_an_encoding_that_lacks_a_letter() -> None:
    done = run_cranfield("measures", "RBP", environment={"PYTHONIOENCODING": "latin-1"})
    assert (done.exit_code, done.stderr) == (0, "")
    assert b"RBP = (1 - p) ?(i) g_i p^(i-1)" in done.stdout
