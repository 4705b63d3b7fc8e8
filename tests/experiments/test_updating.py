"""Making what is stale: what it gives, and what is left when something goes wrong on the way."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cranfield.errors import DataError
from cranfield.experiments.staleness import status
from cranfield.experiments.steps import plan
from cranfield.experiments.updating import prune, update
from cranfield.experiments.workspace_file import read_workspace
from tests.cli.running import run_cranfield
from tests.experiments.kitchen import OWN, SYSTEMS, TEXTS, make_kitchen, write_documents, write_systems


def made(folder: Path) -> dict[str, bytes]:
    """The runs of a workspace."""
    return {file.name: file.read_bytes() for file in sorted((folder / "runs").glob("*.run"))}


def test_runs_are_those_of_the_commands_without_a_workspace(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path / "kitchen")
    assert not [done.error for done in update(read_workspace(folder)) if done.error]
    for name, engine, settings in (
        ("bm25", "bm25", ()),
        ("flat", "bm25", ("--set", "b=0.0")),
        ("sqlite", "sqlite", ()),
    ):
        run_cranfield(
            "index", folder / "documents.jsonl", "--engine", engine, *settings, "-o", tmp_path / f"{name}-index"
        )
        run_cranfield("search", tmp_path / f"{name}-index", folder / "topics.tsv", "-o", tmp_path / f"{name}.run")
        assert made(folder)[f"{name}.run"] == (tmp_path / f"{name}.run").read_bytes()


def test_only_some_systems(tmp_path: Path) -> None:
    workspace = read_workspace(make_kitchen(tmp_path / "kitchen"))
    assert [str(step) for step in plan(status(workspace), ["flat"])] == [
        "index of flat (missing)",
        "run of flat (missing)",
    ]
    list(update(workspace, ["flat"]))
    assert list(made(workspace.root)) == ["flat.run"]


def test_where_one_system_fails_the_others_are_made(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path / "kitchen", OWN + SYSTEMS.replace("b = 0.0", "b = 7.0"))
    (folder / "own.py").write_text("def answer(query, k):\n    raise ConnectionError('nobody there')\n")
    failed = {done.step.of: str(done.error) for done in update(read_workspace(folder)) if done.error}
    assert list(failed) == ["own", "flat"]
    assert "topic 10 and 2 others failed" in failed["own"]
    assert "cranfield.toml:17: systems.flat.b: b is 7.0; expected a number from 0 to 1" in failed["flat"]
    assert list(made(folder)) == ["bm25.run", "sqlite.run"]


def test_an_index_that_cannot_be_made_is_tried_once(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path / "kitchen")
    (folder / "documents.jsonl").write_text('{"id": "d1", "text": "soup"}\n{"id": "d1", "text": "twice"}\n')
    with pytest.raises(DataError, match="d1"):
        list(update(read_workspace(folder)))


def test_nothing_is_begun_without_topics(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path / "kitchen")
    (folder / "topics.tsv").unlink()
    with pytest.raises(DataError, match=r"cranfield.toml:4: topics: there is no .*topics.tsv"):
        list(update(read_workspace(folder)))
    assert not (folder / "indexes").exists()


def test_pruning(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path / "kitchen")
    list(update(read_workspace(folder)))
    write_systems(folder, SYSTEMS.partition("[systems.sqlite]")[0])
    (removed,) = prune(read_workspace(folder))
    assert removed.name.startswith("sqlite-")
    assert sorted(one.name.partition("-")[0] for one in (folder / "indexes").iterdir()) == [".gitignore", "bm25"]


def begin_update(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "cranfield", "update"], cwd=folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )


def wait_for(what: Path, process: subprocess.Popen[bytes]) -> None:
    while not (what.exists() and what.stat().st_size):
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)


@pytest.mark.parametrize("when", ["indexes", "runs/own.run.part", "runs/bm25.run"])
def test_killed_in_the_middle_and_again_gives_the_same(tmp_path: Path, when: str) -> None:
    whole = make_kitchen(tmp_path / "whole", OWN + SYSTEMS if "own" in when else SYSTEMS + OWN)
    folder = shutil.copytree(whole, tmp_path / "killed")
    assert not [done.error for done in update(read_workspace(whole)) if done.error]
    process = begin_update(folder)
    wait_for(folder / when, process)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert made(folder) != made(whole)
    done = run_cranfield("update", cwd=folder)
    assert done.exit_code == 0, done.stderr
    assert made(folder) == made(whole)
    assert not [file for file in folder.rglob("*") if file.suffix in (".part", ".old")]
    assert not plan(status(read_workspace(folder)))


def test_what_was_found_before_it_was_killed_is_not_asked_again(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path / "kitchen", OWN)
    with (folder / "own.py").open("a") as file:
        file.write("""
slow = answer

def answer(query, k):
    with open("asked", "a") as out:
        print(query, file=out)
    return slow(query, k)
""")
    process = begin_update(folder)
    asked = folder / "asked"
    while not (asked.exists() and len(asked.read_text().splitlines()) == 2):
        assert process.poll() is None
        time.sleep(0.005)
    process.kill()
    process.wait()
    assert run_cranfield("update", cwd=folder).exit_code == 0
    lines = asked.read_text().splitlines()
    assert lines[0] == "hot soup"
    assert lines.count("hot soup") == 1  # its answer was in the journal; the second one was not yet there


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.argv = ["cranfield", *sys.argv[2:]]
from cranfield.cli.main import main
main()
"""
"""A file can be so many bytes long and no longer, as if the disk were full then."""


@pytest.mark.parametrize("room", [10, 300, 700])
def test_on_a_full_disk_nothing_half_written_replaces_something_whole(tmp_path: Path, room: int) -> None:
    folder = make_kitchen(tmp_path / "kitchen", SYSTEMS + OWN)
    list(update(read_workspace(folder)))
    before = made(folder)
    write_documents(folder, (*TEXTS, "another soup"))
    with (folder / "own.py").open("a") as file:
        file.write("# changed\n")
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(room), "update"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    then = made(folder)
    assert not any("broken" in str(one.run) for one in status(read_workspace(folder)).systems)
    assert run_cranfield("update", cwd=folder).exit_code == 0
    after = made(folder)
    assert after != before
    assert list(then) == list(before)
    assert all(then[name] in (before[name], after[name]) for name in then)
