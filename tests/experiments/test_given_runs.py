"""Systems that are only a run: made elsewhere, used here, and left alone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from cranfield.engines.run_provenance import write_provenance
from cranfield.errors import FormatError, UsageError
from cranfield.experiments.differences import differences
from cranfield.experiments.staleness import WorkspaceStatus, status
from cranfield.experiments.steps import plan
from cranfield.experiments.systems import configuration, system_engine
from cranfield.experiments.updating import index_system, search_system, update
from cranfield.experiments.workspace_file import read_workspace
from tests.experiments.kitchen import HEAD, make_kitchen

BM25 = '[systems.bm25]\nengine = "bm25"\n'
VENDOR = '[systems.vendor]\nrun = "exports/vendor.run"\n'
RUN = "10 Q0 d0 1 2.5 v\n10 Q0 d4 2 1.5 v\n9 Q0 d2 1 3 v\n100 Q0 d7 1 1 v\n"


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    folder = make_kitchen(tmp_path / "kitchen", BM25 + VENDOR)
    (folder / "exports").mkdir()
    (folder / "exports" / "vendor.run").write_text(RUN)
    return folder


def look(folder: Path) -> WorkspaceStatus:
    return status(read_workspace(folder))


def state(folder: Path) -> str:
    return str(look(folder).systems[1].run)


def test_update_leaves_it_alone(kitchen: Path) -> None:
    assert state(kitchen) == "elsewhere"
    assert [f"{one.step.what} {one.step.of}" for one in update(read_workspace(kitchen))] == ["index bm25", "run bm25"]
    assert plan(look(kitchen)) == []
    assert [path.name for path in (kitchen / "exports").iterdir()] == ["vendor.run"]
    assert (kitchen / "exports" / "vendor.run").read_text() == RUN


def test_one_that_is_not_there_is_to_be_put_right_and_keeps_nothing_from_being_made(kitchen: Path) -> None:
    (kitchen / "exports" / "vendor.run").unlink()
    (problem,) = look(kitchen).problems.items()
    assert problem[0] == "the system vendor"
    assert "cranfield.toml:10: systems.vendor.run: there is no " in problem[1]
    done = {f"{one.step.what} {one.step.of}": str(one.error) for one in update(read_workspace(kitchen))}
    assert done["run bm25"] == "None"
    assert "cranfield.toml:10: systems.vendor.run: there is no " in done["run vendor"]
    assert list(update(read_workspace(kitchen), ["bm25"])) == []


def test_one_that_is_no_run_is_to_be_put_right(kitchen: Path) -> None:
    (kitchen / "exports" / "vendor.run").write_text("not a run\nat all\n")
    assert state(kitchen).startswith("broken: ")
    assert "cranfield.toml:10: systems.vendor.run: " in state(kitchen)
    assert list(look(kitchen).problems) == ["the system vendor"]


def test_the_hash_that_is_said_is_looked_at(kitchen: Path) -> None:
    sha256 = hashlib.sha256(RUN.encode()).hexdigest()
    (kitchen / "cranfield.toml").write_text(f'{HEAD}{BM25}{VENDOR}sha256 = "{sha256}"\n')
    assert state(kitchen) == "elsewhere"
    (kitchen / "exports" / "vendor.run").write_text(RUN.replace("2.5", "2.6"))
    assert state(kitchen).endswith(f", and sha256 says {sha256}: another file?")


def test_the_hash_that_is_written_beside_it_is_looked_at(kitchen: Path) -> None:
    run = kitchen / "exports" / "vendor.run"
    write_provenance(run, {"made_by": "fuse"})
    assert state(kitchen) == "elsewhere"
    run.write_text(RUN[:-5])
    assert "vendor.run.provenance.json says" in state(kitchen)


def test_there_is_nothing_to_search_or_to_index(kitchen: Path) -> None:
    workspace = read_workspace(kitchen)
    for make in (index_system, search_system, system_engine):
        with pytest.raises(UsageError, match=r":9: systems\.vendor: exports/vendor\.run was made elsewhere"):
            make(workspace, workspace.system("vendor"))


def test_nothing_is_said_of_how_it_was_asked(kitchen: Path) -> None:
    (kitchen / "cranfield.toml").write_text(f"{HEAD}{BM25}{VENDOR}[search]\nk = 100\n")
    workspace = read_workspace(kitchen)
    assert configuration(workspace, workspace.system("bm25"))["k"] == 100
    assert {"k", "topic_fields"}.isdisjoint(configuration(workspace, workspace.system("vendor")))


def test_it_differs_from_an_engine_in_one_thing(kitchen: Path) -> None:
    workspace = read_workspace(kitchen)
    found = differences(*(configuration(workspace, system) for system in workspace.systems.values()))
    assert [str(one) for one in found if not one.follows] == ["engine: bm25 → run"]
    assert json.loads(json.dumps(configuration(workspace, workspace.system("vendor"))))["files"] == {
        "exports/vendor.run": hashlib.sha256(RUN.encode()).hexdigest()
    }


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('run = "a/other.run"', "tables name runs by their files, so call the system other"),
        ('run = "vendor.run"\nengine = "bm25"', "has both engine and run"),
        ('run = "vendor.run"\nk1 = 2', r"systems\.vendor\.k1: there is no such key"),
        ('run = "vendor.run"\nsha256 = "abc"', "expected 64 digits from 0 to f"),
        ("run = 7", "run: is 7; expected the name of a file"),
        ("", 'there is no engine = "...", and no run = "..."'),
    ],
)
def test_mistakes(tmp_path: Path, table: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_workspace(make_kitchen(tmp_path / "kitchen", f"[systems.vendor]\n{table}\n"))
