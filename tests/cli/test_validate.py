"""`cranfield validate` as a user meets it."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield

GOOD = "q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1.5 bm25\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.run").write_text(GOOD)
    (tmp_path / "odd.run").write_text(GOOD.replace("1.5", "2.5"))
    (tmp_path / "bad.run").write_text(GOOD + "q1 Q0 d1 3 1.0 bm25\nq1 Q0 d3\n" + "x\n" * 7)
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n1 0 d1 1\n")
    return tmp_path


def test_nothing_wrong(folder: Path) -> None:
    done = run_cranfield("validate", "good.run", cwd=folder)
    assert done.text == "good.run: run, trec: 2 documents for 1 query\n  0 errors, 0 warnings\n"
    assert (done.exit_code, done.stderr) == (0, "")


def test_warnings_alone_are_no_failure(folder: Path) -> None:
    done = run_cranfield("validate", "odd.run", cwd=folder)
    assert done.text == (
        "odd.run: run, trec: 2 documents for 1 query\n"
        "  warning         2  documents with the same score as another of their query; they are ordered by identifier\n"
        "                     1 query has such documents\n"
        "                     lines 1, 2\n"
        "  0 errors, 1 warning\n"
    )
    assert done.exit_code == 0


def test_errors(folder: Path) -> None:
    done = run_cranfield("validate", "good.run", "bad.run", cwd=folder)
    assert done.text == (
        "good.run: run, trec: 2 documents for 1 query\n"
        "  0 errors, 0 warnings\n"
        "bad.run: run, trec: 3 documents for 1 query\n"
        "  error           8  too few or too many fields\n"
        "                     expected 6 fields (query Q0 document rank score tag), found 3.\n"
        "                     lines 4, 5, 6, 7, 8, ...\n"
        "  error           1  the same document again for the same query\n"
        "                     query 'q1': document 'd1' as at line 1\n"
        "                     line 3\n"
        "  2 errors, 0 warnings\n"
    )
    assert done.exit_code == 1


def test_with_judgments(folder: Path) -> None:
    done = run_cranfield("validate", "good.run", "--qrels", "qrels.txt", cwd=folder)
    assert done.text == (
        "good.run: run, trec: 2 documents for 1 query\n"
        "  error           1  judged topics without documents; they count as 0, and trec_eval 10 stops without -c\n"
        "                     '1'\n"
        "  1 of 2 judged topics found; judged among the first 10 documents: 1 of 2 (50.0%)\n"
        "  1 error, 0 warnings\n"
    )
    assert done.exit_code == 1


def test_json(folder: Path) -> None:
    done = run_cranfield("validate", "good.run", "bad.run", "--format", "json", cwd=folder)
    content = json.loads(done.text)
    assert content["schema"] == "cranfield.validation/1"
    assert [(file["name"], file["valid"]) for file in content["files"]] == [("good.run", True), ("bad.run", False)]
    assert [finding["kind"] for finding in content["files"][1]["findings"]] == ["fields", "duplicate"]
    assert done.exit_code == 1


def test_standard_input_and_a_kind_that_is_named(folder: Path) -> None:
    done = run_cranfield("validate", "-", "--kind", "qrels", "--input-format", "trec", stdin=b"q 0 d 1\n")
    assert done.text == "standard input: qrels, trec: 1 judgment for 1 query\n  0 errors, 0 warnings\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["good.run", "--qrels", "none"], "cranfield: none: there is no such file\n"),
        (["good.run", "--kind", "run", "--input-format", "beir"], "cranfield: unknown run format 'beir'. There are: trec, parquet, json, jsonl, msmarco, tsv, csv\n"),
    ],
)  # fmt: skip
def test_wrong_usage(folder: Path, arguments: list[str], message: str) -> None:
    done = run_cranfield("validate", *arguments, cwd=folder)
    assert (done.exit_code, done.stderr) == (2, message)


def test_judgments_that_cannot_be_read(folder: Path) -> None:
    done = run_cranfield("validate", "good.run", "--qrels", "bad.run", cwd=folder)
    assert done.exit_code == 1
    assert done.stderr.startswith("cranfield: bad.run: this looks like a run, not like judgments")


def test_files_that_cannot_be_used_do_not_stop_the_others(folder: Path) -> None:
    (folder / "empty").write_text("")
    done = run_cranfield("validate", "empty", "good.run", cwd=folder)
    assert done.text == (
        "empty:\n"
        "  error           1  the file cannot be used\n"
        "                     the file is empty\n"
        "  1 error, 0 warnings\n"
        "good.run: run, trec: 2 documents for 1 query\n"
        "  0 errors, 0 warnings\n"
    )
    assert done.exit_code == 1


def test_files_that_cannot_be_opened_do_not_stop_the_others(folder: Path) -> None:
    done = run_cranfield("validate", "none.run", "good.run", cwd=folder)
    assert done.text == (
        "none.run:\n"
        "  error           1  the file cannot be used\n"
        "                     there is no such file\n"
        "  1 error, 0 warnings\n"
        "good.run: run, trec: 2 documents for 1 query\n"
        "  0 errors, 0 warnings\n"
    )
    assert (done.exit_code, done.stderr) == (1, "")


@pytest.mark.parametrize(
    ("name", "message"), [("none.run", "there is no such file"), ("empty", "this is a directory, not a file")]
)
def test_no_file_that_can_be_opened(folder: Path, name: str, message: str) -> None:
    (folder / "empty").mkdir()
    done = run_cranfield("validate", name, "--format", "json", cwd=folder)
    (file,) = json.loads(done.text)["files"]
    assert (file["name"], file["valid"], file["findings"][0]["example"]) == (name, False, message)
    assert done.exit_code == 2


def test_a_format_that_is_not_there(folder: Path) -> None:
    done = run_cranfield("validate", "good.run", "--input-format", "jsnol", cwd=folder)
    assert done.exit_code == 2
    assert done.stderr.startswith("cranfield: unknown format 'jsnol'. Did you mean jsonl")


def test_json_gives_a_thousand_places_and_the_table_the_first(folder: Path) -> None:
    (folder / "many.run").write_text(GOOD + "x\n" * 2000)
    (file,) = json.loads(run_cranfield("validate", "many.run", "--format", "json", cwd=folder).text)["files"]
    assert (file["findings"][0]["count"], file["findings"][0]["places"]) == (2000, list(range(3, 1003)))
    assert "lines 3, 4, 5, 6, 7, ...\n" in run_cranfield("validate", "many.run", cwd=folder).text


def test_a_document_named_twice_on_standard_input() -> None:
    done = run_cranfield("validate", "-", stdin=(GOOD + GOOD).encode())
    assert "query 'q1': the same document as at line 1" in done.text


def test_judgments_under_several_iterations_say_what_to_do(folder: Path) -> None:
    (folder / "assessors").write_text("q1 a d1 1\nq1 b d1 0\n")
    text = run_cranfield("validate", "assessors", cwd=folder).text
    assert "documents judged again under another iteration: for -R qrels_jg or diversity; plain measures stop\n" in text
    assert "query 'q1': document 'd1' as at line 1\n" in text


def test_a_pipe_is_read_once(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    writer = threading.Thread(target=(folder / "pipe").write_text, args=(GOOD + GOOD,))
    writer.start()
    done = run_cranfield("validate", "pipe", cwd=folder)
    writer.join()
    assert "query 'q1': the same document as at line 1" in done.text
