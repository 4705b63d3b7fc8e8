"""The tour does what it says, in the workspace of the demonstration."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

from tests.cli.running import run_cranfield
from tests.conftest import Demonstration
from tests.test_documentation import BLOCK, check_command

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "tour.md").read_text()
COMMANDS = [(command, shown) for command, shown, _ in re.findall(BLOCK, PAGE)]
FAILED_REQUIREMENT = 3


def test_the_commands_of_the_tour(demonstration: Demonstration, tmp_path: Path) -> None:
    """They show what the page shows where the documents are those of the page; elsewhere they work."""
    folder = shutil.copytree(demonstration.folder, tmp_path / "tour")
    same_documents = "5,850 docstrings of Python 3.11.7" in demonstration.done.text
    for command, shown in COMMANDS:
        if same_documents:
            check_command(command, shown, folder)
        else:
            done = run_cranfield(*shlex.split(command.partition(" > ")[0]), cwd=folder)
            assert done.exit_code == (FAILED_REQUIREMENT if "--require" in command else 0), done.stderr
    assert len(COMMANDS) == PAGE.count("$ cranfield")
    assert {"tuning", "splits", "ledger"} <= {file.name for file in folder.iterdir()}


def test_the_gate_of_the_tour_fails(demonstration: Demonstration) -> None:
    (command,) = (command for command, _ in COMMANDS if "--require" in command)
    done = run_cranfield(*shlex.split(command.partition(" > ")[0]), cwd=demonstration.folder)
    assert (done.exit_code, "Failed: untuned against bm25" in done.text) == (FAILED_REQUIREMENT, True)


def test_commands_of_the_front_page_are_understood(tmp_path: Path) -> None:
    """Files that are not there are all that is wrong with them."""
    blocks = re.findall(r"```\n(.*?)```", (DOCS / "README.md").read_text(), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("cranfield ")]
    assert len(lines) == 13
    for line in lines:
        program, *arguments = shlex.split(line)
        if arguments != ["demo"]:
            done = run_cranfield(*arguments, cwd=tmp_path)
            assert done.exit_code == 0 or re.search(r"no such file|does not exist|no such folder", done.stderr), (
                line,
                done.stderr,
            )
        assert program == "cranfield"
