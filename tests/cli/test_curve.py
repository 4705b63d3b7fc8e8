"""`cranfield curve` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cranfield.cli.curve_kinds import KINDS
from cranfield.cli.main import cli
from tests.cli.running import run_cranfield, run_in_terminal

QRELS = "q1 0 a 1\nq1 0 b 1\nq1 0 x 0\nq1 0 y 0\nq2 0 a 1\nq2 0 x 0\n"
# q1: first has its relevant documents at 1 and 4, second at 2 and 3. q2: first at 1, second has nothing.
FIRST = "q1 Q0 a 1 4 t\nq1 Q0 x 2 3 t\nq1 Q0 y 3 2 t\nq1 Q0 b 4 1 t\nq2 Q0 a 1 9 t\n"
SECOND = "q1 Q0 x 1 4 t\nq1 Q0 a 2 3 t\nq1 Q0 b 3 2 t\nq1 Q0 y 4 1 t\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "first.run").write_text(FIRST)
    (tmp_path / "second.run").write_text(SECOND)
    return tmp_path


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_in_every_layout(folder: Path, kind: str) -> None:
    table, tsv, as_json = (
        run_cranfield("curve", kind, "qrels.txt", "first.run", "second.run", "--format", layout, cwd=folder)
        for layout in ("table", "tsv", "json")
    )
    assert [done.exit_code for done in (table, tsv, as_json)] == [0, 0, 0]
    whole = json.loads(as_json.text)
    assert (whole["schema"], whole["kind"]) == ("cranfield.curve/1", kind)
    header, *lines = tsv.text.splitlines()
    assert header.split("\t")[:2] == ["run", "query"]
    assert {len(line.split("\t")) for line in lines} == {len(header.split("\t"))}
    assert "second: 1 of 2 topics" in table.text


def test_tsv_where_output_is_not_a_terminal(folder: Path) -> None:
    done = run_cranfield("curve", "by-rank", "qrels.txt", "first.run", "--at", "1..2,4", "-q", cwd=folder)
    lines = done.text.splitlines()
    assert lines[0] == "run\tquery\tmeasure\tcutoff\tvalue"
    # By hand: of q1 1, 1, 2 found of 2 relevant ones; of q2 the only one at once
    assert [line for line in lines if "\tR\t" in line] == [
        *(f"first\tq1\tR\t{k}\t{value}" for k, value in ((1, 0.5), (2, 0.5), (4, 1.0))),
        *(f"first\tq2\tR\t{k}\t1.0" for k in (1, 2, 4)),
        *(f"first\tall\tR\t{k}\t{value}" for k, value in ((1, 0.75), (2, 0.75), (4, 1.0))),
    ]
    assert done.stderr == ""


def test_a_table_in_a_terminal(folder: Path) -> None:
    shown = run_in_terminal(
        "curve", "recall-precision", "qrels.txt", "first.run", "second.run", "--at", "0,0.5,1", cwd=folder
    )
    # By hand: q1 1, 1, 2/4 and 2/3 everywhere; q2 1 everywhere and nothing
    assert shown.startswith(
        "recall   first  second\n"
        "0       1.0000  0.3333\n"
        "0.5     1.0000  0.3333\n"
        "1       0.7500  0.3333\n"
        "\n"
        "first dominates second: it is above it at all 3 recall levels.\n"
        "Precision and recall are the same (break-even point, mean of topics) at: first .750, second .250.\n"
    )
    assert "second: 1 of 2 topics, 1 missing (q2: scored 0)" in shown


def test_a_topic_of_its_own(folder: Path) -> None:
    shown = run_in_terminal("curve", "roc", "qrels.txt", "first.run", "second.run", "--topic", "q1", cwd=folder)
    # By hand: 2 + 0 and 1 + 1 of 4 pairs
    lines = [line.split() for line in shown.splitlines()]
    assert lines[0] == ["topic", "q1"]
    assert ["AUC", "0.5000", "0.5000"] in lines
    done = run_cranfield(
        "curve", "cutoff", "qrels.txt", "first.run", "--topic", "q1", "-m", "AP", "--format", "json", cwd=folder
    )
    (run,) = json.loads(done.text)["runs"]
    assert run["per_query"] == {"q1": {"AP": [0.5, 0.5, 0.5, 0.75]}}


def test_what_a_run_lacks_is_said_beside_the_lines(folder: Path) -> None:
    done = run_cranfield("curve", "roc", "qrels.txt", "second.run", cwd=folder)
    assert done.stderr.startswith("cranfield: second: 1 of 2 topics, 1 missing (q2: scored 0)")


def test_the_raw_curve(folder: Path) -> None:
    done = run_cranfield("curve", "recall-precision", "qrels.txt", "first.run", "--raw", "--topic", "q1", cwd=folder)
    assert done.text.splitlines() == [
        "run\tquery\trank\trecall\tprecision",
        "first\tq1\t1\t0.5\t1.0",
        "first\tq1\t2\t0.5\t0.5",
        f"first\tq1\t3\t0.5\t{1 / 3}",
        "first\tq1\t4\t1.0\t0.5",
    ]


def test_the_hull_and_how_to_reach_a_point(folder: Path) -> None:
    shown = run_in_terminal("curve", "hull", "qrels.txt", "first.run", "--tpr", "0.9", cwd=folder)
    assert shown.splitlines()[:5] == [
        "return                      FPR     TPR",
        "nothing                  0.0000  0.0000",
        "the first of first       0.0000  0.7500",
        "the first 4 of first     0.5000  1.0000",
        "every document there is  1.0000  1.0000",
    ]
    assert "with probability .400 return the first of first, otherwise the first 4 of first" in " ".join(shown.split())


def test_bands(folder: Path) -> None:
    (folder / "tied.run").write_text("q1 Q0 a 1 1 t\nq1 Q0 x 2 1 t\nq2 Q0 a 1 1 t\n")
    arguments = ("qrels.txt", "tied.run", "-m", "RR", "--band", "ties", "--band", "unjudged")
    done = run_cranfield("curve", "per-topic", *arguments, cwd=folder)
    # x comes first by name; a could
    assert done.text.splitlines()[-1].split("\t") == ["tied", "q1", "2", "0.5", "0.5", "1.0", "0.5", "0.5"]
    table = run_in_terminal("curve", "per-topic", *arguments, cwd=folder)
    assert "q1     0.5000  0.5000 to 1.0000  0.5000 to 0.5000" in table
    by_cutoff = run_in_terminal("curve", "cutoff", *arguments, "--at", "1", cwd=folder)
    assert "1     0.5000  0.5000 to 1.0000  0.5000 to 0.5000" in by_cutoff
    levels = run_in_terminal(
        "curve", "recall-precision", "qrels.txt", "tied.run", "--band", "ties", "--at", "0", cwd=folder
    )
    assert "0       0.7500  0.7500 to 1.0000" in levels


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["roc", "--beta", "2"], "--beta says nothing about roc; it is for by-rank, thresholds"),
        (["hull", "-q"], "-q and --topic are for curves of topics, and hull is of all topics together"),
        (["by-rank", "-q", "--format", "table"], "-q has more points than a table can show"),
        (["recall-precision", "--raw", "--format", "table"], "--raw has more points than a table can show"),
        (["by-rank", "--at", "1,two"], "--at 1,two: expected numbers with commas between them, or a range"),
        (["by-rank", "--at", "9..1"], "a range runs upwards"),
        (["by-rank", "--at", "0.5"], "a cutoff must be a whole number"),
        (["roc", "--topic", "q9"], "there is no curve of topic 'q9'"),
        (["per-topic", "-m", "AP", "-m", "RR"], "this curve is of one measure, found 2: AP, RR"),
        (["difference"], "a difference needs two runs"),
        (["rok"], "there is no curve 'rok'. Did you mean roc?"),
        (["pr"], "Did you mean recall-precision?"),
    ],
)
def test_wrong_usage(folder: Path, arguments: list[str], message: str) -> None:
    done = run_cranfield("curve", arguments[0], "qrels.txt", "first.run", *arguments[1:], cwd=folder)
    assert done.exit_code == 2
    assert message in done.stderr


def test_why_there_is_no_curve(folder: Path) -> None:
    (folder / "found.txt").write_text("q1 0 a 1\n")
    done = run_cranfield("curve", "roc", "found.txt", "first.run", cwd=folder)
    assert done.exit_code == 1
    assert done.stderr == (
        "cranfield: first: there is no ROC curve: among the judged documents of no topic are non-relevant ones. Say how large "
        "the collection is (-N, documents=), so that documents that are not judged count as not relevant.\n"
    )
    assert run_cranfield("curve", "roc", "found.txt", "first.run", "-N", "50", cwd=folder).exit_code == 0


@pytest.mark.parametrize(
    "command", [("curve", "recall-precision"), ("curve", "roc"), ("plot", "recall-precision"), ("plot", "roc")]
)
def test_a_topic_for_which_nothing_is_relevant(folder: Path, command: tuple[str, str]) -> None:
    (folder / "judged.txt").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 a 0\n")
    output = ("-o", folder / "x.svg") if command[0] == "plot" else ()
    done = run_cranfield(*command, "judged.txt", "first.run", "--topic", "q2", *output, cwd=folder)
    name = {"roc": "ROC"}.get(command[1], command[1])
    assert done.exit_code == 1
    assert done.stderr == (
        f"cranfield: topic 'q2' has no {name} curve: it has no relevant document (a grade of at least 1). Name another topic, or "
        f"none for the average of all.\n"
    )
    assert not (folder / "x.svg").exists()


@pytest.mark.parametrize("kind", ["recall-precision", "roc"])
def test_a_topic_that_one_of_the_runs_lacks(folder: Path, kind: str) -> None:
    (folder / "other.run").write_text("q2 Q0 a 1 1 t\n")
    shown = run_in_terminal(
        "curve", kind, "qrels.txt", "first.run", "other.run", "--topic", "q1", "--profile", "trec_eval-9", cwd=folder
    )
    header = shown.splitlines()[1]
    assert header.split()[-1] == "first"


@pytest.mark.parametrize("command", ["hull", "roc-points"])
def test_runs_without_a_topic_in_common(folder: Path, command: str) -> None:
    (folder / "one.run").write_text("q1 Q0 a 1 1 t\n")
    (folder / "two.run").write_text("q2 Q0 a 1 1 t\n")
    done = run_cranfield("curve", command, "qrels.txt", "one.run", "two.run", "--profile", "trec_eval-9", cwd=folder)
    assert done.exit_code == 1
    assert done.stderr.startswith(
        "cranfield: one and two have no judged topic in common, so there is nothing to compare: one has 1 (q1); two has 1 (q2). "
    )
    assert "-c (complete=True)" in done.stderr
    assert run_cranfield("curve", command, "qrels.txt", "one.run", "two.run", cwd=folder).exit_code == 0


def test_which_average_it_is(folder: Path) -> None:
    for kind, average in (("roc", "vertical"), ("hull", "cutoff")):
        done = run_cranfield("curve", kind, "qrels.txt", "first.run", cwd=folder)
        assert done.stderr.startswith(f"cranfield: Average over topics: {average} (")
        whole = json.loads(run_cranfield("curve", kind, "qrels.txt", "first.run", "--format", "json", cwd=folder).text)
        assert whole["averaged"] == whole["settings"]["average"] == average


def test_a_run_against_itself(folder: Path) -> None:
    (folder / "again.run").write_bytes((folder / "first.run").read_bytes())
    done = run_cranfield("curve", "difference", "qrels.txt", "first.run", "again.run", cwd=folder)
    assert done.stderr.endswith(
        "cranfield: first and again are identical as far as AP shows: the same value on every topic, as many documents. Is it "
        "one run twice?\n"
    )


def test_without_a_kind_all_of_them_are_named() -> None:
    done = CliRunner().invoke(cli, ["curve"])
    assert done.exit_code == 2
    assert f"Missing argument 'KIND'. There are: {', '.join(KINDS)}" in done.stderr
