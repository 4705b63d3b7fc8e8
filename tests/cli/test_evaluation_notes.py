"""What `cranfield evaluate` says beside the numbers: what they do not rest on, and what some measures want."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d3 1\n"
RUN = "q1 Q0 d2 1 0.9 mine\nq1 Q0 d1 2 0.8 mine\nq2 Q0 d3 1 0.7 mine\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    return tmp_path


def test_what_numbers_do_not_rest_on_is_said_in_a_pipe_too(folder: Path) -> None:
    (folder / "part.run").write_text(RUN.replace("q2", "q7"))
    done = run_cranfield("evaluate", "qrels.txt", "part.run", "-m", "RR", cwd=folder)
    assert done.text.splitlines()[1] == "part\tRR\tall\t0.25"
    assert done.stderr == (
        "cranfield: part: 1 of 2 topics, 1 missing (q2: scored 0), 1 more in the run, not in these judgments (q7: ignored); "
        "2 documents, up to 2 a topic; top 10: 100.0% judged; no ties\n"
    )
    left_out = run_cranfield("evaluate", "qrels.txt", "part.run", "--profile", "trec_eval-9", cwd=folder)
    assert "1 missing (q2: left out)" in left_out.stderr


def test_runs_of_different_depth(folder: Path) -> None:
    (folder / "short.run").write_text(RUN.replace("q1 Q0 d1 2 0.8 mine\n", ""))
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "short.run", "--format", "table", cwd=folder)
    note = "the runs differ in depth, 1 to 2 documents a topic; -M 1 compares them at the same depth"
    assert done.text.splitlines()[-1] == note
    assert run_cranfield("evaluate", "qrels.txt", "a.run", "short.run", cwd=folder).stderr == f"cranfield: {note}\n"
    assert run_cranfield("evaluate", "qrels.txt", "a.run", "short.run", "-M", "1", cwd=folder).stderr == ""


def test_ties_are_said_in_a_pipe_too(folder: Path) -> None:
    (folder / "tied.run").write_text(RUN.replace("0.8", "0.9"))
    (folder / "both.run").write_text(RUN.replace("0.8", "0.9") + "q2 Q0 d4 2 0.7 mine\n")
    done = run_cranfield("evaluate", "qrels.txt", "tied.run", "-m", "RR", cwd=folder)
    assert done.stderr == "cranfield: tied scores, ordered by identifier: 2 documents of tied\n"
    several = run_cranfield("evaluate", "qrels.txt", "a.run", "both.run", "tied.run", "--best", "-m", "RR", cwd=folder)
    assert several.stderr == (
        "cranfield: tied scores, ordered by identifier: 4 documents of both, 2 documents of tied\n"
    )
    (folder / "part.run").write_text(RUN.replace("0.8", "0.9").replace("q2", "q7"))
    (line,) = run_cranfield("evaluate", "qrels.txt", "part.run", "-m", "RR", cwd=folder).stderr.splitlines()
    assert line.endswith("; 2 tied in 1 topic")  # with all else that is to be said of an incomplete run
    # Lines of trec_eval come without: it does not say so either.
    assert run_cranfield("evaluate", "qrels.txt", "tied.run", "--format", "trec", cwd=folder).stderr == ""


def test_text_has_no_mean(folder: Path) -> None:
    beside = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "relstring", "-m", "RR", cwd=folder)
    assert beside.text == "run\tmeasure\tquery\tvalue\na\tRR\tall\t0.75\n"
    assert beside.stderr == "cranfield: RelString@10 has no mean; add -q for the values of each topic\n"
    by_query = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "relstring", "-q", "--format", "table", cwd=folder)
    assert by_query.text.splitlines()[:4] == ["topic  RelString@10", "q1               02", "q2                1", ""]
    assert by_query.text.splitlines()[4].startswith("2 of 2 topics")
    assert by_query.stderr == ""


def test_measures_that_want_costs(folder: Path) -> None:
    asked = ("evaluate", "qrels.txt", "a.run", "-m", "TBG", "-m", "BPM", "-m", "RR")
    warning = "without --costs (costs=) every document costs 1, so that halflife counts documents, not seconds."
    assert run_cranfield(*asked, cwd=folder).stderr == f"cranfield: TBG(halflife=224): {warning}\n"
    content = json.loads(run_cranfield(*asked, "--format", "json", cwd=folder).text)
    assert content["warnings"] == {"TBG(halflife=224)": warning}
    (folder / "costs.txt").write_text("d1 10\nd2 20\nd3 30\n")
    assert run_cranfield(*asked, "--costs", "costs.txt", cwd=folder).stderr == ""
    useless = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "AP", "--costs", "costs.txt", cwd=folder)
    assert (useless.exit_code, useless.stdout) == (2, b"")
    assert "none of the measures looks at that" in useless.stderr


@pytest.mark.parametrize(
    ("judged", "made_for_it"),
    [
        ("q1 d1 1 1 0.5\nq1 d2 0 1 1\nq2 d3 1 1 1\n", "statAP, statP and statRprec"),
        ("q1 0 d1 1 1\nq1 0 d2 1 -1\nq2 0 d3 1 1\n", "xinfAP, infP, infNDCG, statAP and its relatives"),
    ],
)
def test_a_sample_taken_for_complete_judgments(folder: Path, judged: str, made_for_it: str) -> None:
    (folder / "sample.txt").write_text(judged)
    asked = (
        "evaluate",
        "sample.txt",
        "a.run",
        "-m",
        "AP",
        "-m",
        "P@1",
        "-m",
        "statAP",
        "-m",
        "bpref",
        "-m",
        "Judged@10",
    )
    warning = (
        "the judgments are a sample, and what is not judged counts as not relevant; "
        f"{made_for_it} are made for samples."
    )
    assert run_cranfield(*asked, cwd=folder).stderr == f"cranfield: AP, P@1: {warning}\n"
    content = json.loads(run_cranfield(*asked, "--format", "json", cwd=folder).text)
    assert content["warnings"] == {"AP": warning, "P@1": warning}
    inferred = run_cranfield("evaluate", "sample.txt", "a.run", "-m", "infAP", cwd=folder)
    assert bool(inferred.stderr) == ("xinfAP" not in made_for_it)  # prels do not list what was not judged
    (folder / "sample.txt").write_text(judged.replace("0.5", "1").replace("-1", "0"))
    assert run_cranfield(*asked, cwd=folder).stderr == ""


@pytest.mark.parametrize("layout", ["table", "tsv", "json"])
def test_accuracy_comes_with_a_warning(folder: Path, layout: str) -> None:
    done = run_cranfield(
        *("evaluate", "qrels.txt", "a.run", "-m", "accuracy", "-m", "error_rate", "-m", "RR", "-N", "10"),
        *("--format", layout),
        cwd=folder,
    )
    warning = "With 1 relevant document in 1000, returning nothing is 99.9 % accurate. Look at precision and recall."
    if layout == "json":
        warnings = json.loads(done.text)["warnings"]
        assert list(warnings) == ["SetAccuracy(documents=10)", "SetError(documents=10)"]
        assert warnings["SetError(documents=10)"].endswith(warning)
        assert done.stderr == ""
    else:
        (line,) = done.stderr.splitlines()
        assert line.startswith("cranfield: SetAccuracy(documents=10), SetError(documents=10): ")
        assert line.endswith(warning)
