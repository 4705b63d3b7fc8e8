"""`python -m cranfield.compat.ir_measures` beside `python -m ir_measures`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cranfield.compat.ir_measures.__main__ import main

QRELS = "1 0 a 2\n1 0 b 0\n2 0 c 1\n3 0 d 1\n"
RUN = "1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n1 Q0 x 3 1 t\n2 Q0 c 1 1 t\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def theirs(*arguments: str) -> str:
    """What the command of ir_measures 0.4.3 prints."""
    command = [sys.executable, "-W", "ignore", "-m", "ir_measures", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["P@10", "P(rel=2)@5 nDCG@15 Judged@10", "NumRet", "NumRelRet"],
        ["-p", "2", "AP", "RBP(rel=1)"],
        ["--places", "-1", "AP", "P@10"],
        ["--output_format", "jsonl", "AP", "RR"],
        ["--provider", "pytrec_eval", "AP"],
    ],
)
@pytest.mark.usefixtures("files")
def test_means(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["qrels", "run", *arguments]) == 0
    assert capsys.readouterr().out == theirs("qrels", "run", *arguments)


@pytest.mark.parametrize("arguments", [["-q", "AP", "P@2"], ["-q", "-n", "AP", "Judged@10"], ["-qnojsonl", "AP"]])
@pytest.mark.usefixtures("files")
def test_values_by_query_in_an_order_of_our_own(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["qrels", "run", *arguments]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert sorted(printed) == sorted(theirs("qrels", "run", *arguments).splitlines())


@pytest.mark.usefixtures("files")
def test_queries_come_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    main(["qrels", "run", "-q", "AP", "P@2"])
    assert capsys.readouterr().out == (
        "1\tAP\t0.5000\n1\tP@2\t0.5000\n2\tAP\t1.0000\n2\tP@2\t0.5000\n3\tAP\t0.0000\n3\tP@2\t0.0000\n"
        "all\tAP\t0.5000\nall\tP@2\t0.3333\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["qrels", "run", "nDGC@10", "P("], 2, "unknown measure 'nDGC'. Did you mean nDCG"),
        (["nowhere", "run", "AP"], 2, "nowhere: there is no such file"),
        (["qrels", "nowhere", "AP"], 2, "nowhere: there is no such file"),
        (["qrels", "qrels", "AP"], 1, "qrels:1: expected 6"),
        (["qrels", "run", "P"], 2, "P needs cutoff, as in P@10"),
        (["qrels", "run", "--provider", "gdeval", "AP"], 2, "gdeval does not compute AP"),
    ],
)
@pytest.mark.usefixtures("files")
def test_what_goes_wrong(arguments: list[str], code: int, problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"ir_measures: {problem}")
    assert said.err.count("\n") == 1


@pytest.mark.usefixtures("files")
def test_no_summary_alone_means_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["qrels", "run", "-n", "AP"])
    assert stopped.value.code == 2
    assert "--no_summary (-n) goes with --by_query (-q)" in capsys.readouterr().err
