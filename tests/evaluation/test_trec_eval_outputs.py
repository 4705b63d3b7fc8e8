"""The outputs that trec_eval ships with its test suite (v10.0), and what v9.0.8 prints for the same command lines.

Oracle: the files named in each case, made by trec_eval itself.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield

COMMANDS = [
    ("qrels.test results.test", "out.test"),
    ("qrels.test.with-comments results.test", "out.test"),
    ("qrels.comment.test results.comment.test", "out.comment.test"),
    ("-m all_trec qrels.test results.test", "out.test.a"),
    ("-m all_trec -q qrels.test results.test", "out.test.aq"),
    ("-m all_trec -q -c qrels.test results.trunc", "out.test.aqc"),
    ("-m all_trec -q -c -M100 qrels.test results.trunc", "out.test.aqcM"),
    ("-m all_trec -mrelstring.20 -q -l2 qrels.rel_level results.test", "out.test.aql"),
    ("-m all_prefs -q -R prefs prefs.test prefs.results.test", "out.test.prefs"),
    ("-m all_prefs -q -R qrels_prefs qrels.test results.test", "out.test.qrels_prefs"),
    ("-m qrels_jg -q -R qrels_jg qrels.123 results.test", "out.test.qrels_jg"),
    (
        "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 "
        "-mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20 "
        "qrels.test results.test",
        "out.test.meas_params",
    ),
    ("-q -m all_trec -Z zscores_file qrels.test results.test", "out.test.aqZ"),
]


@pytest.mark.real_data
@pytest.mark.parametrize("version", ["9", "10"])
@pytest.mark.parametrize(("arguments", "expected"), COMMANDS, ids=[c[0][:40] for c in COMMANDS])
def test_output_is_the_same_byte_for_byte(
    real_data: Path, monkeypatch: pytest.MonkeyPatch, version: str, arguments: str, expected: str
) -> None:
    folder = real_data / "trec_eval_test"
    outputs = folder / "v9.0.8_outputs" if version == "9" else folder
    monkeypatch.chdir(folder)
    options = ["evaluate", "--profile", f"trec_eval-{version}", "--format", "trec"]
    done = run_cranfield(*options, *shlex.split(arguments))
    assert done.exit_code == 0
    assert done.stdout == (outputs / expected).read_bytes()


@pytest.mark.real_data
def test_qrels_and_run_from_standard_input(real_data: Path) -> None:
    # Oracle: out.test, as above; trec_eval also reads the results from `-`.
    folder = real_data / "trec_eval_test"
    done = run_cranfield(
        "evaluate", "--profile", "trec_eval-10", "--format", "trec",
        os.fspath(folder / "qrels.test"), "-", stdin=(folder / "results.test").read_bytes(),
    )  # fmt: skip
    assert done.stdout == (folder / "out.test").read_bytes()
