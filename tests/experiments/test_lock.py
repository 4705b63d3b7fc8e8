"""Two commands at once in one workspace."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from cranfield.errors import DataError
from cranfield.experiments.lock import holder, locked
from cranfield.experiments.workspace_file import read_workspace
from tests.cli.running import run_cranfield
from tests.experiments.kitchen import OWN, SYSTEMS, make_kitchen

HOLD = """
import sys, time
from cranfield.experiments.lock import locked
from cranfield.experiments.workspace_file import read_workspace
with locked(read_workspace("."), "cranfield tune bm25"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def other(tmp_path: Path):
    """Another process that holds the lock until its standard input is closed."""
    make_kitchen(tmp_path / "kitchen", SYSTEMS + OWN)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], cwd=tmp_path / "kitchen", stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def test_who_holds_it(other: subprocess.Popen[bytes], tmp_path: Path) -> None:
    workspace = read_workspace(tmp_path / "kitchen")
    found = holder(workspace)
    assert found is not None
    assert (found.pid, found.command) == (other.pid, "cranfield tune bm25")
    with (
        pytest.raises(DataError, match=rf"`cranfield tune bm25` \(process {other.pid} on .*is at work"),
        locked(workspace, "cranfield update", wait=False),
    ):
        pass
    shown = run_cranfield("status", cwd=workspace.root).text
    assert f"next\t\t\t`cranfield tune bm25` (process {other.pid}" in shown


def test_one_does_not_wait_if_told_so(other: subprocess.Popen[bytes], tmp_path: Path) -> None:
    for arguments in (["update"], ["index", "bm25"], ["search", "bm25"]):
        done = run_cranfield(*arguments, "--no-wait", cwd=tmp_path / "kitchen")
        assert done.exit_code == 1
        assert f"`cranfield tune bm25` (process {other.pid}" in done.stderr
    assert not (tmp_path / "kitchen" / "runs").exists()


def test_one_waits_and_says_for_whom(other: subprocess.Popen[bytes], tmp_path: Path) -> None:
    workspace, told = read_workspace(tmp_path / "kitchen"), list[str]()

    def let_go(whom: str) -> None:
        told.append(whom)
        assert other.stdin is not None
        other.stdin.close()

    with locked(workspace, "cranfield update", waiting=let_go):
        assert other.wait(timeout=60) == 0
        mine = holder(workspace)
    (said,) = told
    assert said.startswith(f"waiting for `cranfield tune bm25` (process {other.pid} on ")
    assert mine is not None
    assert mine.command == "cranfield update"
    assert holder(workspace) is None


def test_a_holder_that_was_killed_holds_nothing(other: subprocess.Popen[bytes], tmp_path: Path) -> None:
    other.kill()
    other.wait()
    workspace = read_workspace(tmp_path / "kitchen")
    assert holder(workspace) is None
    with locked(workspace, "cranfield update", wait=False):
        pass


def test_two_updates_at_once_give_what_one_gives(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path / "kitchen", SYSTEMS + OWN)
    found = {}

    def update(number: int) -> None:
        found[number] = run_cranfield("update", cwd=folder)

    threads = [threading.Thread(target=update, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
        time.sleep(0.05)
    for thread in threads:
        thread.join()
    assert [done.exit_code for done in found.values()] == [0, 0]
    said = sorted((done.stderr for done in found.values()), key=len)
    assert "indexes and runs are up to date" in said[0]
    assert "[6/6]" in said[1]


def test_evaluating_does_not_wait(other: subprocess.Popen[bytes], tmp_path: Path) -> None:
    done = run_cranfield("evaluate", cwd=tmp_path / "kitchen")
    assert (done.exit_code, "there is no run yet" in done.stderr) == (1, True)
