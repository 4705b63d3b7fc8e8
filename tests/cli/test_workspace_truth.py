"""What commands say of a workspace is so: what is stale, what is missing, which topics were seen."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cranfield.cli.main import cli
from cranfield.experiments.looks import looks, sha256_of
from cranfield.experiments.workspace_file import read_workspace
from tests.cli.running import Done, run_cranfield, run_in_terminal
from tests.experiments.divided import make_words
from tests.experiments.kitchen import SYSTEMS, make_kitchen, write_systems

VENDOR = '\n[systems.vendor]\nrun = "vendor.run"\n'
DIVIDE = ("split", "--seed", "1")


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which all is made, and a report."""
    folder = make_kitchen(tmp_path_factory.mktemp("truth") / "kitchen")
    for command in ("update", "report"):
        done = run_cranfield(command, cwd=folder)
        assert done.exit_code == 0, done.stderr
    return folder


@pytest.fixture
def kitchen(reported: Path, tmp_path: Path) -> Path:
    return shutil.copytree(reported, tmp_path / "kitchen")


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A workspace whose twenty topics are searched, and not divided yet."""
    folder = make_words(tmp_path / "words")
    assert run_cranfield("update", cwd=folder).exit_code == 0
    return folder


def fine(folder: Path, *arguments: str) -> Done:
    done = run_cranfield(*arguments, cwd=folder)
    assert done.exit_code == 0, done.stderr
    return done


def shown(folder: Path, *arguments: str) -> Result:
    """What a command says, without a process of its own; errors that end it are in `exception`."""
    with contextlib.chdir(folder):
        return CliRunner().invoke(cli, arguments)


@pytest.mark.parametrize(("judgments", "exit_code"), [("fewer.txt", 0), ("topics.tsv", 1)])
def test_a_report_on_other_judgments_is_stale(kitchen: Path, judgments: str, exit_code: int) -> None:
    (kitchen / "fewer.txt").write_text("10 0 d0 2\n9 0 d2 2\n")
    file = kitchen / "cranfield.toml"
    file.write_text(file.read_text().replace('"qrels.txt"', f'"{judgments}"'))
    done = shown(kitchen, "status")
    assert done.exit_code == exit_code
    assert f"report\treport.html\tstale\tthe judgments are those of {judgments} now\n" in done.stdout
    assert "all is up to date" not in done.stdout


def test_a_run_that_is_missing_is_said_once_of_a_report(kitchen: Path) -> None:
    (kitchen / "runs" / "flat.run").unlink()
    assert (
        "report.html: report of kitchen (stale: the run of flat is missing)\n" in shown(kitchen, "update", "-n").stdout
    )


def test_indexes_that_are_missing_are_not_called_up_to_date(kitchen: Path) -> None:
    shutil.rmtree(kitchen / "indexes")
    for command in ("status", "update"):
        said = shown(kitchen, command).output
        assert "the runs are up to date; indexes that are not are made when something is searched for" in said
        assert "all is up to date" not in said


def test_what_cannot_be_used_hides_nothing_else(kitchen: Path) -> None:
    write_systems(kitchen, SYSTEMS.replace("b = 0.0", "b = 0.5") + VENDOR)
    status = shown(kitchen, "status", "--format", "table")
    assert status.exit_code == 1
    assert "runs/flat.run: run of flat (stale: b was 0.0, is 0.5)\n" in status.stdout
    assert "next: put right what is wrong with the system vendor\n" in status.stdout
    assert re.search(r"\n +cranfield update +makes the run of flat\n$", status.stdout)
    planned = shown(kitchen, "update", "-n")
    assert (planned.exit_code, planned.stdout) == (1, "runs/flat.run: run of flat (stale: b was 0.0, is 0.5)\n")
    wrong = r"cranfield: vendor: cranfield\.toml:\d+: systems\.vendor\.run: there is no .*: put it there"
    assert re.match(wrong, planned.stderr)
    done = shown(kitchen, "update")
    assert done.exit_code == 1
    assert "[1/1] run of flat" in done.stderr
    assert re.search(wrong, done.stderr)
    assert "run of vendor" not in done.stderr
    error = str(shown(kitchen, "evaluate").exception)
    assert error.endswith("put it there, or take the system out")


def test_a_run_that_is_there_can_be_taken_as_it_is(kitchen: Path) -> None:
    shutil.copy(kitchen / "runs" / "flat.run", kitchen / "vendor.run")
    write_systems(kitchen, SYSTEMS + VENDOR + f'sha256 = "{"0" * 64}"\n')
    assert str(shown(kitchen, "evaluate").exception).endswith(
        ": another file? Give the path of the file to take it as it is"
    )


def test_what_is_not_known_of_a_run_is_not_made_up(kitchen: Path) -> None:
    shutil.copy(kitchen / "runs" / "flat.run", kitchen / "vendor.run")
    write_systems(kitchen, SYSTEMS + VENDOR + "\n[systems.bm25.search]\nk = 100\n")
    said = shown(kitchen, "diff-systems", "bm25", "vendor", "--format", "table").stdout
    assert not re.search(r"^k ", said, re.MULTILINE)
    last = "the run of vendor was made elsewhere: it is not known here in what else they differ"
    assert " ".join(said.split()).endswith(last)  # in lines of the terminal's width
    whole = json.loads(shown(kitchen, "compare", "bm25", "vendor", "flat", "--format", "json").stdout)
    assert whole["change"] == {"vendor": "not known", "flat": "b: 0.75 → 0.0"}


def test_without_systems_there_is_nothing_to_make(kitchen: Path) -> None:
    write_systems(kitchen, "")
    done = shown(kitchen, "update")
    assert (done.exit_code, done.stderr) == (0, "cranfield.toml has no system, so that there is nothing to make\n")


def test_a_report_that_cannot_be_written_is_called_by_its_name(kitchen: Path) -> None:
    write_systems(kitchen, SYSTEMS.partition("[systems.sqlite]")[0])
    (kitchen / "qrels.txt").write_text("nobody 0 d0 1\n")
    done = shown(kitchen, "update")
    assert done.exit_code == 1
    assert "cranfield: report.html: " in done.stderr


def test_a_ledger_is_verified_with_what_it_was_held_against(kitchen: Path) -> None:
    assert shown(kitchen, "ledger", "verify", "report.html").stdout.startswith(
        "the ledger is whole: entries 1, looks 1\nreport.html quotes an entry that is there\nledger head "
    )
    (kitchen / "other.html").write_text("<p>nothing</p>")
    said = shown(kitchen, "ledger", "verify", "other.html").stdout
    assert "other.html quotes no entry, so that it says nothing of the ledger\n" in said


def test_topics_that_are_in_no_part_are_counted(words: Path) -> None:
    lines = (words / "qrels.txt").read_text().splitlines(keepends=True)
    judged = {f"t{number}" for number in range(1, 13)}
    (words / "qrels.txt").write_text("".join(line for line in lines if line.split()[0] in judged))
    said = shown(words, *DIVIDE).stderr
    assert re.search(r"without judgments, and in no part: (t\d+, ){4}t\d+ and 3 more\n", said)


def test_what_is_made_of_something_stale_is_stale(kitchen: Path) -> None:
    assert "report.html\tcurrent" in fine(kitchen, "status").text
    write_systems(kitchen, SYSTEMS.replace("b = 0.0", "b = 0.5"))
    planned = fine(kitchen, "update", "--dry-run").text.splitlines()
    assert planned == [
        "runs/flat.run: run of flat (stale: b was 0.0, is 0.5)",
        "report.html: report of kitchen (stale: the run of flat is stale)",
    ]
    shown = fine(kitchen, "status", "--format", "table").text
    assert "\n".join(planned) in shown
    assert "report.html: current" not in shown
    steps = json.loads(fine(kitchen, "status", "--format", "json").stdout)["steps"]
    assert [f"{one['target']}: {one['what']} of {one['of']} ({one['why']})" for one in steps] == planned
    assert "next\tcranfield update\t\tmakes the run of flat and writes the report again" in fine(kitchen, "status").text


def test_a_report_is_not_written_while_a_run_of_it_stays_stale(kitchen: Path) -> None:
    write_systems(kitchen, SYSTEMS.replace("b = 0.0", "b = 0.5").replace('"sqlite"', '"bm25"'))
    planned = fine(kitchen, "update", "flat", "--dry-run").text
    assert planned == "runs/flat.run: run of flat (stale: b was 0.0, is 0.5)\n"


@pytest.mark.parametrize(
    ("file", "line", "material"),
    [("documents.jsonl", "3: collection", "documents"), ("topics.tsv", "4: topics", "topics"), ("qrels.txt", "5: qrels", "judgments")],
)  # fmt: skip
def test_a_missing_file_is_named_and_nothing_is_called_current(
    kitchen: Path, file: str, line: str, material: str
) -> None:
    (kitchen / file).unlink()
    said = rf"cranfield\.toml:{line}: there is no .*{re.escape(file)}"
    found = run_cranfield("status", cwd=kitchen)
    assert found.exit_code == 1
    assert re.search(rf"^{material}\t{file}\tbroken\t{said}", found.text, re.MULTILINE)
    states = dict(re.findall(r"^(run|report)\t\S+\t(\w+)", found.text, re.MULTILINE))
    assert states["report"] != "current"
    assert (states["run"] == "current") == (material == "judgments")
    for command in (["update"], ["update", "-n"], *([["report"]] if material != "documents" else [])):
        done = run_cranfield(*command, cwd=kitchen)
        assert (done.exit_code, bool(re.search(said, done.stderr))) == (1, True), (command, done.stderr)
    done = run_cranfield("evaluate", cwd=kitchen)
    if material == "judgments":
        assert (done.exit_code, bool(re.search(said, done.stderr))) == (1, True)
    else:  # runs and judgments are there: they can be scored, and what is not known is said
        assert (done.exit_code, done.stdout != b"") == (0, True)
        assert f"bm25, flat, sqlite: not known whether stale: the {material} cannot be read" in done.stderr


def test_all_that_is_missing_is_said_at_once(kitchen: Path) -> None:
    (kitchen / "documents.jsonl").unlink()
    (kitchen / "qrels.txt").unlink()
    done = run_cranfield("update", cwd=kitchen)
    assert done.exit_code == 1
    assert re.findall(r"there is no .*/(.+?):", done.stderr) == ["documents.jsonl", "qrels.txt"]


def test_a_workspace_without_judgments_can_search(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path / "kitchen")
    file = folder / "cranfield.toml"
    file.write_text(file.read_text().replace('qrels = "qrels.txt"\n', ""))
    assert "\nnext\tcranfield update" in fine(folder, "status").text
    fine(folder, "update")
    assert "\nnext\t\t\tname a file of judgments in cranfield.toml as qrels" in fine(folder, "status").text


def test_evaluations_before_the_split_are_looks(words: Path) -> None:
    fine(words, "evaluate", "flat", "-m", "AP")
    fine(words, "compare", "bm25", "flat", "-m", "AP")
    fine(words, "evaluate", "-m", "AP")  # shows nothing that was not seen
    assert (
        "Topics looked at 2 times, by these runs: flat (2), bm25 (1)" in fine(words, "ledger", "--format", "table").text
    )
    seen = "test topics looked at 2 times, before the workspace was divided, by these runs: flat (2), bm25 (1)"
    assert seen in fine(words, *DIVIDE).stderr
    assert seen in fine(words, "status").text + run_in_terminal("status", cwd=words, columns=200)
    done = fine(words, "evaluate", "flat", "--split", "test", "-m", "AP")
    assert "test topics looked at 3 times, 2 of them before the workspace was divided" in done.stderr
    assert run_cranfield("ledger", "verify", cwd=words).exit_code == 0
    # Of the two runs bm25 is the baseline: what was seen of flat by one measure is one comparison, however often.
    baseline = sha256_of(words / "runs" / "bm25.run")
    assert looks(read_workspace(words)).comparisons(baseline) == 1


def test_judgments_from_elsewhere_are_no_look(words: Path, tmp_path: Path) -> None:
    other = shutil.copy(words / "qrels.txt", tmp_path / "other.txt")
    fine(words, "evaluate", str(other), "flat")
    assert not (words / "ledger").exists()


def test_a_ledger_that_cannot_be_written_stops_no_evaluation_before_the_split(words: Path) -> None:
    (words / "ledger").write_text("a file where the folder should be")
    done = fine(words, "evaluate", "flat", "-m", "AP")
    assert "this look at the topics is not noted" in done.stderr
    assert done.text.endswith("1.0\n")


def test_every_part_is_named(words: Path) -> None:
    fine(words, *DIVIDE)
    for part, size in (("train", 10), ("validation", 4), ("test", 6), ("all", 20)):
        done = fine(words, "compare", "bm25", "flat", "-m", "AP", "--split", part)
        assert f"cranfield: {part}: {size} of 20 topics\n" in done.stderr


@pytest.mark.slow
def test_a_report_from_before_the_split_is_stale_and_the_next_says_what_it_covers(words: Path) -> None:
    fine(words, "report")
    assert '<p class="kind">Cranfield report</p>' in (words / "report.html").read_text()
    fine(words, *DIVIDE)
    assert "report.html\tstale\tthe topics have been divided since" in fine(words, "status").text
    done = fine(words, "update")
    assert "cranfield: validation: 4 of 20 topics" in done.stderr
    assert '<p class="kind">Cranfield report · validation: 4 of 20 topics</p>' in (words / "report.html").read_text()
    assert "report.html\tcurrent" in fine(words, "status").text


@pytest.mark.parametrize("columns", [80, 100])
def test_the_ledger_fits_a_terminal(words: Path, columns: int) -> None:
    fine(words, *DIVIDE, "--train", ".5", "--validation", ".2", "--test", ".3", "--stratify", "kind")
    fine(words, "compare", "--split", "test", "-m", "AP", "-m", "nDCG@10", "-m", "P@5", "-m", "P@10", "-m", "RR")
    shown = run_in_terminal("ledger", cwd=words, columns=columns).splitlines()
    assert max(map(len, shown)) <= columns
    assert any(line.endswith("6 topics (test)") for line in shown)
