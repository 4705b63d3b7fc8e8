"""`cranfield convert` as a user meets it."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield

RUN = "q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1.5 bm25\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.run").write_text(RUN)
    return tmp_path


def test_there_and_back(folder: Path) -> None:
    done = run_cranfield("convert", "a.run", "a.jsonl.gz", cwd=folder)
    assert (done.exit_code, done.text) == (0, "")
    assert done.stderr == "cranfield: a.jsonl.gz: jsonl has no place for: tag 'bm25'\n"
    assert gzip.decompress((folder / "a.jsonl.gz").read_bytes()).decode() == (
        '{"query_id": "q1", "doc_id": "d1", "score": 2.5}\n{"query_id": "q1", "doc_id": "d2", "score": 1.5}\n'
    )
    done = run_cranfield("convert", "a.jsonl.gz", "b.run", "--kind", "run", cwd=folder)
    assert (done.exit_code, done.stderr) == (0, "")
    assert (folder / "b.run").read_text() == RUN.replace("bm25", "a")


def test_from_standard_input_to_standard_output() -> None:
    done = run_cranfield("convert", "-", "-", "--output-format", "msmarco", stdin=RUN.encode())
    assert (done.exit_code, done.text) == (0, "q1\td1\t1\nq1\td2\t2\n")
    assert done.stderr == "cranfield: -: msmarco has no place for: scores (the ranking stays), tag 'bm25'\n"


def test_what_was_assumed_is_said(folder: Path) -> None:
    (folder / "a.json").write_text('{"q": {"d": 1}}')
    done = run_cranfield("convert", "a.json", "out", cwd=folder)
    assert done.stderr == "cranfield: out: a.json was read as qrels (--kind overrules)\n"
    assert (folder / "out").read_text() == "q 0 d 1\n"


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (["none", "out"], 2, "cranfield: none: there is no such file\n"),
        (["a.run", "."], 2, "cranfield: .: this is a directory; give the name of a file\n"),
        (["a.run", "none/out"], 2, "cranfield: none/out: cannot be written: there is no folder 'none'\n"),
        (["a.run", "out", "--output-format", "xml"], 2, "cranfield: unknown run format 'xml'. There are: trec, parquet, json, jsonl, msmarco, tsv, csv\n"),
        (["bad.run", "out"], 1, "cranfield: bad.run:2: score 'x' is not a finite number\n"),
    ],
)  # fmt: skip
def test_what_goes_wrong(folder: Path, arguments: list[str], exit_code: int, message: str) -> None:
    (folder / "bad.run").write_text(RUN.replace("1.5", "x"))
    (folder / "out").write_text("old")
    done = run_cranfield("convert", *arguments, cwd=folder)
    assert (done.exit_code, done.stderr) == (exit_code, message)
    assert (folder / "out").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["a.run", "bad.run", "out"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full on this system")
def test_standard_output_on_a_full_disk(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cranfield", "convert", "a.run", "-"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=folder,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"cranfield: cannot write: No space left on device\n")


def test_a_reader_that_stops_reading(folder: Path) -> None:
    (folder / "long.run").write_text("".join(f"q Q0 d{at} {at} {-at} t\n" for at in range(100000)))
    command = f"{sys.executable} -m cranfield convert long.run - | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, cwd=folder, check=False)
    assert (done.stdout, done.stderr) == (b"q Q0 d0 1 0.0 t\n", b"")
