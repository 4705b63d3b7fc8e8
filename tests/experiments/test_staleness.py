"""What is stale, and why: by hashes alone."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from cranfield.experiments.staleness import WorkspaceStatus, status
from cranfield.experiments.steps import plan
from cranfield.experiments.updating import update
from cranfield.experiments.workspace_file import read_workspace
from tests.experiments.kitchen import HEAD, OWN, SYSTEMS, TEXTS, TOPICS, make_kitchen, write_documents, write_systems


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    folder = make_kitchen(tmp_path / "kitchen", SYSTEMS + OWN)
    make(folder)
    return folder


def make(folder: Path) -> list[str]:
    """Update the workspace; gives what was made."""
    done = list(update(read_workspace(folder)))
    assert [one.error for one in done if one.error] == []
    return [f"{one.step.what} {one.step.of}" for one in done]


def look(folder: Path) -> WorkspaceStatus:
    return status(read_workspace(folder))


def states(folder: Path, what: str = "run") -> dict[str, str]:
    return {one.system.name: str(getattr(one, what)) for one in look(folder).systems}


ALL_CURRENT = {"bm25": "current", "flat": "current", "sqlite": "current", "own": "current"}


def test_at_first_all_is_missing_then_all_is_there(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path / "kitchen", SYSTEMS + OWN)
    assert set(states(folder).values()) == {"missing"}
    assert states(folder, "index") == {"bm25": "missing", "flat": "missing", "sqlite": "missing", "own": "elsewhere"}
    # flat differs from bm25 in what is free for every query, so they have one index
    assert make(folder) == ["index bm25", "run bm25", "run flat", "index sqlite", "run sqlite", "run own"]
    assert states(folder) == ALL_CURRENT
    assert make(folder) == []


def test_time_says_nothing(kitchen: Path) -> None:
    for file in kitchen.rglob("*"):
        os.utime(file, (1, 1) if file.suffix == ".run" else None)
    assert states(kitchen) == ALL_CURRENT


def test_a_copy_without_indexes_and_notes_is_as_current(kitchen: Path, tmp_path: Path) -> None:
    """As a clone of a repository is: what is of use on one machine only is left behind."""
    clone = shutil.copytree(kitchen, tmp_path / "clone", ignore=shutil.ignore_patterns("indexes", ".cranfield"))
    assert states(clone) == ALL_CURRENT
    assert make(clone) == []


def test_parameters_that_are_free_need_no_new_index(kitchen: Path) -> None:
    index = next((kitchen / "indexes").glob("bm25-*/index.json"))
    before = index.read_bytes()
    write_systems(kitchen, SYSTEMS.replace("b = 0.0", "b = 0.2") + OWN)
    assert states(kitchen) == {**ALL_CURRENT, "flat": "stale: b was 0.0, is 0.2"}
    assert make(kitchen) == ["run flat"]
    assert index.read_bytes() == before


def test_parameters_that_are_settled_need_one(kitchen: Path) -> None:
    write_systems(kitchen, SYSTEMS.replace("b = 0.0", "b = 0.0\nstem = false") + OWN)
    assert states(kitchen)["flat"] == "stale: stem was true, is false"
    assert states(kitchen, "index")["flat"] == "missing"
    assert make(kitchen) == ["index flat", "run flat"]
    assert states(kitchen) == ALL_CURRENT


def test_a_parameter_that_is_given_as_it_is_usual_changes_nothing(kitchen: Path) -> None:
    write_systems(kitchen, SYSTEMS.replace("b = 0.0", "b = 0.0\nk1 = 1.2") + OWN)
    assert states(kitchen) == ALL_CURRENT


def test_documents(kitchen: Path) -> None:
    write_documents(kitchen, (*TEXTS[:-1], "an empty plate"))
    assert states(kitchen) == {**dict.fromkeys(ALL_CURRENT, "stale: the documents changed"), "own": "current"}
    assert make(kitchen) == ["index bm25", "run bm25", "run flat", "index sqlite", "run sqlite"]


def test_topics_and_how_they_are_asked(kitchen: Path) -> None:
    (kitchen / "topics.tsv").write_text(TOPICS.replace("hot soup", "cold soup"))
    assert set(states(kitchen).values()) == {"stale: the topics changed"}
    (kitchen / "topics.tsv").write_text(TOPICS)
    assert states(kitchen) == ALL_CURRENT
    (kitchen / "cranfield.toml").write_text(HEAD + SYSTEMS + OWN + "\n[search]\nk = 2\n")
    assert set(states(kitchen).values()) == {"stale: k was 1000, is 2"}
    (kitchen / "cranfield.toml").write_text(HEAD + SYSTEMS + OWN + '\n[search]\nfields = ["text"]\n')
    assert set(states(kitchen).values()) == {"stale: fields of topics was [], is text"}


def test_the_same_topics_in_another_format_are_the_same(kitchen: Path) -> None:
    lines = [line.split("\t") for line in TOPICS.splitlines()]
    (kitchen / "topics.tsv").write_text("".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in lines))
    assert states(kitchen) == ALL_CURRENT


def test_a_file_that_a_parameter_names(kitchen: Path) -> None:
    with (kitchen / "own.py").open("a") as file:
        file.write("# another opinion\n")
    assert states(kitchen) == {**ALL_CURRENT, "own": "stale: file own.py changed"}


def test_a_module_that_a_parameter_names(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path / "kitchen", OWN.replace("own.py:", "own_engine_of_the_kitchen:"))
    module = (folder / "own.py").rename(folder / "own_engine_of_the_kitchen.py")
    make(folder)
    with module.open("a") as file:
        file.write("# another opinion\n")
    assert states(folder) == {"own": "stale: file own_engine_of_the_kitchen changed"}


@pytest.mark.parametrize(
    ("damage", "state"),
    [
        (lambda run: run.write_bytes(run.read_bytes()[:-9]), "broken: it is not the file that was written: half"),
        (lambda run: run.write_text(run.read_text() + "9 Q0 d1 9 0.1 x\n"), "broken: it is not the file that was"),
        (lambda run: run.unlink(), "missing"),
        (lambda run: Path(f"{run}.provenance.json").unlink(), "stale: it is not known what it was made of"),
        (lambda run: Path(f"{run}.provenance.json").write_text('{"run": '), "stale: it is not known what it was"),
    ],
)  # fmt: skip
def test_a_run_that_is_not_what_was_written_is_made_again(kitchen: Path, damage, state: str) -> None:
    run = kitchen / "runs" / "flat.run"
    before = run.read_bytes()
    damage(run)
    assert states(kitchen)["flat"].startswith(state)
    assert make(kitchen) == ["run flat"]
    assert run.read_bytes() == before


def test_a_run_from_elsewhere_is_not_taken_for_ours(kitchen: Path) -> None:
    record = Path(kitchen / "runs" / "bm25.run.provenance.json")
    content = json.loads(record.read_text())
    del content["configuration"]
    record.write_text(json.dumps(content))
    assert states(kitchen)["bm25"] == "stale: it is not known with which parameters it was made"


def test_an_index_that_is_damaged(kitchen: Path) -> None:
    folder = next((kitchen / "indexes").glob("sqlite-*"))
    (folder / "index.json").write_text("{")
    assert "this is no JSON" in states(kitchen, "index")["sqlite"]
    (kitchen / "runs" / "sqlite.run").unlink()
    assert make(kitchen) == ["index sqlite", "run sqlite"]


def test_an_index_that_is_gone_is_missed_where_the_run_is_current(kitchen: Path) -> None:
    assert not look(kitchen).lacks_indexes
    shutil.rmtree(kitchen / "indexes")
    assert look(kitchen).lacks_indexes
    assert states(kitchen) == ALL_CURRENT


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        ("b = 3", "systems.flat.b: b is 3; expected a number from 0 to 1"),
        ('b = "x"', "systems.flat.b: b is 'x'; expected a number from 0 to 1"),
        ("stem = 1", "systems.flat.stem: stem is 1; expected true or false"),
    ],
)
def test_an_impossible_value_is_said_with_its_line(tmp_path: Path, parameter: str, said: str) -> None:
    folder = make_kitchen(tmp_path / "kitchen", SYSTEMS.replace("b = 0.0", parameter))
    assert states(folder)["flat"] == f"broken: {look(folder).problems['the system flat']}"
    assert f"cranfield.toml:13: {said}" in states(folder)["flat"]
    assert [f"{one.what} {one.of}" for one in plan(look(folder))] == [
        "index bm25", "run bm25", "index sqlite", "run sqlite",
    ]  # fmt: skip


def test_files_of_another_kind_are_said_with_the_line_that_names_them(kitchen: Path) -> None:
    head = HEAD.replace('"topics.tsv"', '"qrels.txt"').replace('qrels = "qrels.txt"', 'qrels = "own.py"')
    (kitchen / "cranfield.toml").write_text(head + SYSTEMS)
    found = look(kitchen)
    assert "cranfield.toml:4: topics: the topics cannot be read: " in found.topics.problem
    assert 'topics_format = "tsv" in [reading]' in found.topics.problem
    assert "cranfield.toml:5: qrels: the judgments cannot be read: " in found.qrels.problem


def test_indexes_that_no_system_has(kitchen: Path) -> None:
    (folder,) = (kitchen / "indexes").glob("sqlite-*")
    write_systems(kitchen, SYSTEMS.partition("[systems.sqlite]")[0])
    assert look(kitchen).unused == (folder,)


def test_what_cannot_be_read_is_said_with_its_line_and_the_rest_is_shown(kitchen: Path) -> None:
    (kitchen / "qrels.txt").unlink()
    (kitchen / "topics.tsv").write_text("")
    write_systems(kitchen, SYSTEMS.replace("b = 0.0", "bb = 0.0"))
    found = look(kitchen)
    assert found.documents.content is not None
    assert found.documents.content.count == len(TEXTS)
    assert "cranfield.toml:5: qrels: there is no" in found.qrels.problem
    assert "the file is empty" in found.topics.problem
    assert "cranfield.toml:13: systems.flat.bb: the engine bm25 has no parameter 'bb'. Did you mean b?" in str(
        found.systems[1].run
    )
    assert list(found.problems) == ["topics", "judgments", "the system flat"]
