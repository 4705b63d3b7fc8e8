"""A workspace as a user meets it: commands without paths."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal
from tests.experiments.kitchen import OWN, SYSTEMS, make_kitchen, write_systems


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    return make_kitchen(tmp_path / "kitchen")


@pytest.fixture
def made(kitchen: Path) -> Path:
    done = run_cranfield("update", cwd=kitchen)
    assert done.exit_code == 0, done.stderr
    return kitchen


def test_update_says_what_it_does(kitchen: Path) -> None:
    planned = run_cranfield("update", "-n", cwd=kitchen)
    assert len(planned.text.splitlines()) == 5
    assert not (kitchen / "runs").exists()
    done = run_cranfield("update", cwd=kitchen)
    assert "[1/5] index of bm25 (missing)" in done.stderr
    assert "[5/5] run of sqlite (missing)" in done.stderr
    assert done.stdout == b""
    assert "indexes and runs are up to date" in run_cranfield("update", cwd=kitchen).stderr
    assert run_cranfield("update", "bm52", cwd=kitchen).exit_code == 2


def test_evaluate_is_the_same_with_and_without_paths(made: Path) -> None:
    runs = [f"runs/{name}.run" for name in ("bm25", "flat", "sqlite")]
    by_path = run_cranfield("evaluate", "qrels.txt", *runs, "-m", "nDCG@10", "-m", "AP", cwd=made)
    assert by_path.text.count("AP") == 3
    assert run_cranfield("evaluate", cwd=made).text == by_path.text
    (made / "below").mkdir()
    assert run_cranfield("evaluate", cwd=made / "below").text == by_path.text
    assert run_cranfield("evaluate", "bm25", "flat", "sqlite", cwd=made).text == by_path.text
    assert run_cranfield("evaluate", "qrels.txt", cwd=made).text == by_path.text


def test_what_is_given_wins(made: Path) -> None:
    assert run_cranfield("evaluate", "flat", "-m", "num_q", cwd=made).text.splitlines()[1:] == ["flat\tNumQ\tall\t3"]
    (made / "other.txt").write_text("10 0 d1 1\n")
    text = run_cranfield("evaluate", "other.txt", "flat", "-m", "num_q", cwd=made).text
    assert text.splitlines()[1:] == ["flat\tNumQ\tall\t1"]
    # a file is what it is, though a system has its name
    (made / "flat").write_text("10 Q0 d9 1 1.0 x\n")
    assert run_cranfield("evaluate", "qrels.txt", "flat", "-m", "P@1", cwd=made).text.endswith("0.0\n")


def test_runs_that_are_not_there_stale_or_not_whole(kitchen: Path) -> None:
    done = run_cranfield("evaluate", cwd=kitchen)
    assert (done.exit_code, "bm25: there is no run yet: `cranfield search bm25`" in done.stderr) == (1, True)
    run_cranfield("update", cwd=kitchen)
    write_systems(kitchen, SYSTEMS.replace("b = 0.0", "b = 0.1"))
    done = run_cranfield("evaluate", "flat", cwd=kitchen)
    assert done.exit_code == 0
    assert "flat: its run is stale (b was 0.0, is 0.1)" in done.stderr
    run = kitchen / "runs" / "flat.run"
    run.write_bytes(run.read_bytes()[:40])
    done = run_cranfield("evaluate", cwd=kitchen)
    assert (done.exit_code, "flat: it is not the file that was written" in done.stderr) == (1, True)


def test_a_name_that_is_neither_file_nor_system(made: Path) -> None:
    for arguments in (["flatt"], ["qrels.txt", "flatt"]):
        done = run_cranfield("evaluate", *arguments, cwd=made)
        assert done.exit_code == 2
        assert "flatt: there is no such file, and no system of that name. Did you mean flat?" in done.stderr


def test_patterns_and_addresses_are_names_for_spark(made: Path) -> None:
    """They are no systems that somebody misspelt; without Spark there is no file of that name."""
    for name in ("runs/*.run", "s3a://bucket/a.run"):
        done = run_cranfield("evaluate", "qrels.txt", name, cwd=made)
        assert done.exit_code != 0
        assert name in done.stderr
        assert "no system of that name" not in done.stderr


def test_compare_says_what_changed_and_warns_of_more_than_one_thing(made: Path) -> None:
    shown = run_in_terminal("compare", "bm25", "flat", cwd=made)
    assert "changed in flat: b: 0.75 → 0.0" in shown
    assert "more than one thing" not in shown
    whole = json.loads(run_cranfield("compare", "bm25", "flat", "--format", "json", cwd=made).text)
    assert whole["change"] == {"flat": "b: 0.75 → 0.0"}
    write_systems(made, SYSTEMS.replace("b = 0.0", "b = 0.0\nk1 = 2.0"))
    run_cranfield("update", cwd=made)
    done = run_cranfield("compare", cwd=made)
    assert done.exit_code == 0
    assert "bm25 and flat differ in more than one thing: k1: 1.2 → 2.0; b: 0.75 → 0.0." in done.stderr
    assert "bm25 and sqlite differ" not in done.stderr
    said = run_cranfield("compare", "bm25", "flat", "--change", "mine", "--format", "json", cwd=made)
    assert json.loads(said.text)["change"] == {"flat": "mine"}


def test_compare_needs_two(made: Path) -> None:
    done = run_cranfield("compare", "bm25", cwd=made)
    assert (done.exit_code, "2 runs are needed, found 1" in done.stderr) == (2, True)


def test_report_and_update_keeps_it_up_to_date(made: Path) -> None:
    done = run_cranfield("report", "--title", "Supper", cwd=made)
    assert done.exit_code == 0, done.stderr
    page = (made / "report.html").read_text()
    assert "<title>Supper" in page
    assert "tomato salad" in page
    assert "recipe 3" in page
    assert "report.html\tcurrent" in run_cranfield("status", cwd=made).text
    write_systems(made, SYSTEMS.replace("b = 0.0", "b = 0.5") + OWN)
    done = run_cranfield("update", cwd=made)
    assert "[3/3] report of kitchen (stale: the run of flat is stale; there are other systems)" in done.stderr
    page = (made / "report.html").read_text()
    assert "<title>Supper" in page
    assert "own" in page
    assert "report.html\tcurrent" in run_cranfield("status", cwd=made).text
    (made / "qrels.txt").write_text("10 0 d0 1\n9 0 d2 1\n")
    assert "report.html\tstale\tqrels.txt changed" in run_cranfield("status", cwd=made).text


def test_index_and_search_by_name(kitchen: Path) -> None:
    done = run_cranfield("search", "flat", cwd=kitchen)
    assert done.exit_code == 0
    assert re.match(r"8 documents of documents in indexes/bm25-\w+ \([\d,]+ a second, [1-9]\d*\.\d kB\)\n", done.stderr)
    assert done.stderr.endswith("run: runs/flat.run\n")
    assert "is up to date; --force makes it again" in run_cranfield("index", "bm25", cwd=kitchen).stderr
    assert "8 documents" in run_cranfield("index", "bm25", "--force", cwd=kitchen).stderr
    whole = (kitchen / "runs" / "flat.run").read_text()
    done = run_cranfield("search", "flat", "-k", "1", "-o", "short.run", cwd=kitchen)
    assert done.exit_code == 0
    first = [line for line in whole.splitlines() if line.split()[3] == "1"]
    assert [line.split()[:5] for line in (kitchen / "short.run").read_text().splitlines()] == [
        line.split()[:5] for line in first
    ]
    assert (kitchen / "runs" / "flat.run").read_text() == whole


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "flat", "-k", "1"], "-k: flat is a system of the workspace, of which cranfield.toml says everything"),
        (["search", "flat", "--set", "b=1"], "--set: flat is a system of the workspace"),
        (["search", "flat", "topics.tsv"], "TOPICS: flat is a system of the workspace"),
        (["index", "flat", "--engine", "sqlite"], "--engine: flat is a system of the workspace"),
        (["index", "flat", "--encoding", "latin-1"], "--encoding: flat is a system of the workspace"),
        (["index", "flt"], "there is no system 'flt'. Did you mean flat?"),
        (["search", "flt"], "there is no system 'flt'. Did you mean flat?"),
        (["diff-systems", "flat", "flt"], "there is no system 'flt'. Did you mean flat?"),
        (["search", "own"], "there is no system 'own'"),
    ],
)  # fmt: skip
def test_wrong_requests(kitchen: Path, arguments: list[str], message: str) -> None:
    done = run_cranfield(*arguments, cwd=kitchen)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (kitchen / "runs").exists()


@pytest.mark.parametrize(
    "arguments", [["status"], ["update"], ["diff-systems", "a", "b"], ["evaluate"], ["compare"], ["report"], ["search", "a"]]
)  # fmt: skip
def test_outside_of_a_workspace(tmp_path: Path, arguments: list[str]) -> None:
    done = run_cranfield(*arguments, cwd=tmp_path)
    assert done.exit_code == 2
    assert "workspace" in done.stderr


def test_diff_systems(kitchen: Path) -> None:
    assert run_cranfield("diff-systems", "bm25", "flat", cwd=kitchen).text == (
        "what\tbm25\tflat\tkind\nb\t0.75\t0.0\tdifference\n"
    )
    assert run_in_terminal("diff-systems", "bm25", "flat", cwd=kitchen) == (
        "   bm25  flat\nb  0.75  0.0\n\nbm25 and flat differ in one thing\n"
    )
    shown = run_in_terminal("diff-systems", "bm25", "sqlite", cwd=kitchen)
    assert "with the engine of sqlite: tokenizer porter" in shown
    assert shown.endswith("bm25 and sqlite differ in one thing\n")
    whole = json.loads(run_cranfield("diff-systems", "bm25", "sqlite", "--format", "json", cwd=kitchen).text)
    assert (whole["schema"], whole["things"]) == ("cranfield.diff-systems/1", 1)
    assert run_in_terminal("diff-systems", "flat", "flat", cwd=kitchen) == "flat and flat do not differ\n"


def test_status_in_all_formats(made: Path) -> None:
    (made / "runs" / "flat.run").unlink()
    shown = run_in_terminal("status", cwd=made)
    assert "kitchen (cranfield.toml)" in shown
    assert "flat    bm25    current  missing" in shown
    assert shown.endswith("next: cranfield update    makes the run of flat\n")
    assert "run\tflat\tmissing\t" in run_cranfield("status", cwd=made).text.splitlines()
    whole = json.loads(run_cranfield("status", "--format", "json", cwd=made).text)
    assert whole["schema"] == "cranfield.status/1"
    assert whole["systems"]["flat"]["run"] == {"state": "missing", "why": None, "file": "runs/flat.run"}
    assert whole["next"] == [{"command": "cranfield update", "does": "makes the run of flat"}]
    run_cranfield("update", cwd=made)
    assert "next: cranfield evaluate" in run_in_terminal("status", cwd=made)


def test_status_loads_no_engine_library(made: Path) -> None:
    """It has to answer at once."""
    heavy = ("scipy", "pandas", "polars", "altair", "jinja2", "tantivy", "sklearn", "ir_datasets", "optuna")
    code = (
        "import sys; from cranfield.cli.status import command; command.main([], standalone_mode=False);"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=made, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_a_broken_file_is_said_by_every_command(kitchen: Path) -> None:
    (kitchen / "cranfield.toml").write_text("version = 1\ncolection = 'x'\n")
    for arguments in (["status"], ["update"], ["evaluate"], ["compare"], ["report"], ["diff-systems", "a", "b"]):
        done = run_cranfield(*arguments, cwd=kitchen)
        assert done.exit_code == 1
        assert done.stderr.startswith(
            "cranfield: cranfield.toml:2: colection: there is no such key. Did you mean collection?"
        )


def test_init_takes_what_is_there(kitchen: Path) -> None:
    (kitchen / "cranfield.toml").unlink()
    done = run_cranfield("init", cwd=kitchen)
    assert done.exit_code == 0
    assert done.stderr.splitlines() == [
        "wrote cranfield.toml",
        "documents: 8",
        "topics: 3",
        "judgments: 7",
        "next: cranfield update  makes the run of bm25",
    ]
    assert run_cranfield("update", cwd=kitchen).exit_code == 0
    done = run_cranfield("init", cwd=kitchen)
    assert (done.exit_code, "this is a workspace already" in done.stderr) == (2, True)


def test_init_elsewhere_with_everything_said(kitchen: Path) -> None:
    (kitchen / "cranfield.toml").unlink()
    done = run_cranfield(
        *("init", "new", "--collection", "documents.jsonl", "--topics", "topics.tsv", "--qrels", "qrels.txt"),
        *("--name", 'a "soup"', "-m", "num_q", "--system", "sqlite", "--system", "plain=bm25"),
        cwd=kitchen,
    )
    assert done.exit_code == 0, done.stderr
    assert "next in new: cranfield update" in done.stderr
    assert run_cranfield("update", cwd=kitchen / "new").exit_code == 0
    assert run_cranfield("evaluate", cwd=kitchen / "new").text.splitlines()[1:] == [
        "sqlite\tNumQ\tall\t3",
        "plain\tNumQ\tall\t3",
    ]


def test_init_from_a_beir_folder_copies_it(tmp_path: Path) -> None:
    source = tmp_path / "beir"
    (source / "qrels").mkdir(parents=True)
    (source / "corpus.jsonl").write_text('{"_id": "d1", "title": "", "text": "soup"}\n')
    (source / "queries.jsonl").write_text('{"_id": "q1", "text": "soup"}\n')
    (source / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    done = run_cranfield("init", "new", "--from", "beir", cwd=tmp_path)
    assert done.exit_code == 0, done.stderr
    assert json.loads((tmp_path / "new" / "collection" / "collection.json").read_text())["documents"]["count"] == 1
    run_cranfield("update", cwd=tmp_path / "new")
    assert run_cranfield("evaluate", "-m", "AP", cwd=tmp_path / "new").text.endswith("bm25\tAP\tall\t1.0\n")
    # in the folder itself nothing need be copied
    assert run_cranfield("init", cwd=source).exit_code == 0
    assert 'collection = "."' in (source / "cranfield.toml").read_text()
    assert "topics\t.\tthere\t1 " in run_cranfield("status", cwd=source).text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["new"], "a workspace needs documents: name them with --collection, or copy them with --from"),
        (["new", "--from", "a", "--collection", "b"], "give one of them"),
        (["new", "--collection", "b", "--layout", "beir"], "--layout says how --from comes"),
        (["new", "--from", "nowhere"], "nowhere: there is no such file or folder"),
        (["new", "--collection", "x", "--system", "bm52"], "unknown engine 'bm52'. Did you mean bm25"),
        (["new", "--collection", "x", "-m", "nDGC"], "unknown measure 'nDGC'. Did you mean nDCG"),
        (["new", "--collection", "x", "--system", "a/b=bm25"], "the name of a system is also that of its files"),
    ],
)  # fmt: skip
def test_init_gone_wrong_leaves_no_workspace(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = run_cranfield("init", *arguments, cwd=tmp_path)
    assert done.exit_code in (1, 2)
    assert message in done.stderr
    assert not (tmp_path / "new" / "cranfield.toml").exists()


def test_init_asks_on_a_terminal(kitchen: Path) -> None:
    (kitchen / "empty").mkdir()
    (kitchen / "cranfield.toml").unlink()
    pid, screen = pty.fork()
    if pid == 0:
        os.chdir(kitchen)
        os.execv(sys.executable, [sys.executable, "-m", "cranfield", "init", "empty"])
    os.write(screen, b"documents.jsonl\ntopics.tsv\n\n")
    shown = b""
    try:
        while piece := os.read(screen, 4096):
            shown += piece
    except OSError:  # the terminal is gone when the process ends
        pass
    os.close(screen)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert b"Where are the documents" in shown
    text = (kitchen / "empty" / "cranfield.toml").read_text()
    assert 'collection = "../documents.jsonl"' in text
    assert 'topics = "../topics.tsv"' in text
    assert '# qrels = "..."' in text


def test_a_workspace_of_files_in_another_encoding(kitchen: Path) -> None:
    (kitchen / "cranfield.toml").unlink()
    (kitchen / "documents.jsonl").write_text('{"id": "d1", "text": "grünkohl"}\n', encoding="latin-1")
    (kitchen / "topics.tsv").write_text("10\tgrünkohl\n", encoding="latin-1")
    (kitchen / "qrels.txt").write_text("10 0 d1 1\n")
    assert run_cranfield("init", "--encoding", "latin-1", cwd=kitchen).exit_code == 0
    assert (kitchen / "cranfield.toml").read_text().endswith('\n[reading]\nencoding = "latin-1"\n')
    assert run_cranfield("update", cwd=kitchen).exit_code == 0
    assert run_cranfield("evaluate", "-m", "P@1", cwd=kitchen).text.endswith("\t1.0\n")
    assert run_cranfield("search", "bm25", "-o", "other.run", cwd=kitchen).exit_code == 0
    assert (kitchen / "other.run").read_text().startswith("10 Q0 d1 ")


def test_a_run_made_elsewhere_is_a_system(made: Path) -> None:
    (made / "vendor.run").write_bytes((made / "runs" / "flat.run").read_bytes())
    write_systems(made, SYSTEMS + '[systems.vendor]\nrun = "vendor.run"\n')
    values = run_cranfield("evaluate", cwd=made).text
    lines = {
        name: [line.split("\t")[1:] for line in values.splitlines() if line.startswith(name)]
        for name in ("flat", "vendor")
    }
    assert lines["vendor"] == lines["flat"] != []
    assert "vendor" in run_cranfield("compare", cwd=made).text
    (made / "vendor.run").unlink()
    done = run_cranfield("evaluate", cwd=made)
    assert done.exit_code == 1
    assert "systems.vendor.run: there is no " in done.stderr
    assert "cranfield update" not in done.stderr
