"""`cranfield whydiff` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

# Topic 2 is missing. By hand: nDCG@5 of topic 1 is (1 + 2/1.585) / (2 + 1/1.585) = .859719 with linear gains and
# (1 + 3/1.585) / (3 + 1/1.585) = .796708 with exponential ones.
QRELS = "1 0 a 1\n1 0 b 2\n2 0 a 1\n"
RUN = "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    return tmp_path


def test_a_table_in_a_terminal(folder: Path) -> None:
    shown = run_in_terminal(
        "whydiff", "qrels.txt", "a.run", "-m", "nDCG@5", "--profiles", "trec_eval-9,GDEVAL,ndeval", cwd=folder
    )
    assert shown == (
        "nDCG@5 of a\n"
        "  trec_eval-9  0.8597   nDCG@5; 1 topic\n"
        "  gdeval       0.79671  nDCG(gain=exponential)@5; 1 topic\n"
        "  ndeval       -        ndeval has no nDCG; it has ERR_IA, nERR_IA, alpha_DCG, alpha_nDCG, NRBP,\n"
        "    nNRBP, AP_IA, P_IA, StRecall\n"
        "\n"
        "gdeval - trec_eval-9 = -0.062990\n"
        "  part       rule      trec_eval-9 / gdeval\n"
        "  -0.063011  gain      linear / exponential\n"
        "             on 1 -0.063011\n"
        "  +0.000021  rounding  4 places / 5 places\n"
        "  no effect here: score type (32-bit float / double); topics without relevant documents (score 0 /\n"
        "  left out)\n"
        "\n"
        "a: 1 of 2 topics, 1 missing (2: scored 0); 2 documents, up to 2 a topic; top 10: 100.0% judged; no\n"
        "ties\n"
    )


def test_tsv_where_output_is_not_a_terminal(folder: Path) -> None:
    done = run_cranfield(
        "whydiff", "qrels.txt", "a.run", "-m", "RR", "--profiles", "cranfield,trec_eval-9,gdeval", cwd=folder
    )
    assert done.exit_code == 0
    assert done.stderr == "cranfield: RR: gdeval: gdeval has no RR; it has nDCG, ERR\n"
    assert done.text.splitlines() == [
        "measure\ttool\trule\treference_has\ttool_has\ttopic\tvalue",
        "RR\tcranfield\tnumber\t-\tRR\tall\t0.5",
        "RR\ttrec_eval-9\tnumber\t-\tRR\tall\t1.0",
        "RR\ttrec_eval-9\tdifference\tcranfield\ttrec_eval-9\tall\t0.5",
        "RR\ttrec_eval-9\tmissing topics\tscore 0\tleft out\tall\t0.5",
        "RR\ttrec_eval-9\tmissing topics\tscore 0\tleft out\t2\t0.5",
        "RR\ttrec_eval-9\tscore type\tdouble\t32-bit float\tall\t0.0",
    ]


def test_json(folder: Path) -> None:
    done = run_cranfield(
        "whydiff", "qrels.txt", "a.run", "--profiles", "cranfield,beir", "--format", "json", cwd=folder
    )
    whole = json.loads(done.text)
    assert whole["schema"] == "cranfield.whydiff/1"
    assert whole["settings"]["profiles"] == ["cranfield", "beir"]
    assert [tool["profile"] for tool in whole["measures"][0]["tools"]] == ["cranfield", "beir"]


def test_a_number(folder: Path) -> None:
    done = run_cranfield("whydiff", "qrels.txt", "a.run", "-m", "nDCG@5", "--number", ".7967", cwd=folder)
    assert (done.exit_code, done.stderr) == (0, "")
    header, line = done.text.splitlines()
    assert header == "matches\tchanges\tvalue\tmeasure\ttools\talso"
    assert line.startswith("yes\t0\t0.7967")
    assert line.endswith("\tnDCG(gain=exponential)@5\tgdeval\t-")
    shown = run_in_terminal("whydiff", "qrels.txt", "a.run", "-m", "nDCG@5", "--number", ".7967", cwd=folder)
    assert shown == (
        "nDCG@5 = .7967 of a: 1 way gives this number as named (8 tried):\n"
        "  value     measure                   tools; what else was done\n"
        "  0.796708  nDCG(gain=exponential)@5  gdeval\n"
    )


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_ways_to_a_number_fit_in_the_terminal(folder: Path, width: int) -> None:
    arguments = ("whydiff", "qrels.txt", "a.run", "-m", "nDCG@5", "--number", ".4")
    shown = run_in_terminal(*arguments, cwd=folder, columns=width)
    assert "cranfield, trec_eval-10, ranx, ir_measures" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= width


def test_how_a_number_is_read(folder: Path) -> None:
    # nDCG@1 of topic 1 is 1/2; with topic 2, which is missing, 1/4.
    arguments = ("whydiff", "qrels.txt", "a.run", "-m", "nDCG@1", "--number", "25", "--profiles", "cranfield")
    done = run_cranfield(*arguments, cwd=folder)
    assert done.stderr == "cranfield: 25 is read as 25 %, .25\n"
    assert done.text.splitlines()[1:] == ["yes\t0\t0.25\tnDCG@1\tcranfield\t-"]
    shown = run_in_terminal(*arguments, cwd=folder)
    assert shown.splitlines()[:2] == [
        "25 is read as 25 %, .25",
        "nDCG@1 = 25 of a: 1 way gives this number as named (1 tried):",
    ]


def test_a_number_that_is_possible(folder: Path) -> None:
    # nDCG@1 of topic 2 is 1. In topic 1 a (grade 1) is tied with b (grade 2): it is 1/2 or 1, as ranx happens to sort.
    (folder / "tied.run").write_text("1 Q0 b 1 1.0 t\n1 Q0 a 2 1.0 t\n2 Q0 a 1 1.0 t\n")
    arguments = ("whydiff", "qrels.txt", "tied.run", "-m", "nDCG@1", "--number", ".75", "--profiles", "ranx")
    assert run_in_terminal(*arguments, cwd=folder) == (
        "nDCG@1 = .75 of tied: 1 way gives this number with one change (17 tried):\n"
        "  value     measure  tools; what else was done\n"
        "  0.750000  nDCG@1   ranx; ties by document, first first\n"
        "possible, in some order of tied documents:\n"
        "  1.000000  nDCG@1  ranx; within the range from 0.750000 to 1.000000, as its sort leaves tied\n"
        "                    documents\n"
    )
    last = run_cranfield(*arguments, cwd=folder).text.splitlines()[-1]
    assert last.startswith("possible\t0\t1.0\tnDCG@1\tranx\twithin the range from 0.750000 to 1.000000")


def test_no_topics_are_named(folder: Path) -> None:
    done = run_cranfield(
        *("whydiff", "qrels.txt", "a.run", "-m", "RR", "--profiles", "cranfield,trec_eval-9", "--topics", "0"),
        *("--format", "table"),
        cwd=folder,
    )
    assert "             on 1 topic\n" in done.text


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--profiles", "gdvl,ranx"], 2, "cranfield: unknown profile 'gdvl'. Did you mean gdeval"),
        (["--profiles", "ranx"], 2, "cranfield: at least two profiles are needed to compare, found ranx"),
        (["-m", "AP", "-m", "RR", "--number", ".5"], 2, "cranfield: --number is about one measure, found 2: AP, RR"),
        (["--number", "half"], 2, "cranfield: 'half' is not a number"),
        (
            ["--number", "101"],
            2,
            "cranfield: '101' is more than 100%, and nDCG@10 is at most 1; expected such as .4471",
        ),
        (["-m", "nDGC"], 2, "cranfield: unknown measure 'nDGC'. Did you mean nDCG"),
    ],
)
def test_wrong_requests(folder: Path, arguments: list[str], code: int, message: str) -> None:
    done = run_cranfield("whydiff", "qrels.txt", "a.run", *arguments, cwd=folder)
    assert done.exit_code == code
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1


def test_no_topic_in_common(folder: Path) -> None:
    (folder / "b.run").write_text("7 Q0 a 1 2.0 t\n")
    done = run_cranfield("whydiff", "qrels.txt", "b.run", cwd=folder)
    assert done.exit_code == 1
    assert "b: the run and the judgments have no topic in common (run: 7; judgments: 1, 2)" in done.stderr


def test_evaluate_with_the_profile_of_a_tool(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "nDCG@5", "--profile", "GDeval", cwd=folder)
    assert done.text.splitlines()[1].startswith("a\tnDCG(gain=exponential)@5\tall\t0.79670")
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "AP", "--profile", "gdeval", cwd=folder)
    assert (done.exit_code, done.stderr) == (2, "cranfield: gdeval has no AP; it has nDCG, ERR\n")


@pytest.mark.parametrize(
    ("tool", "measures"),
    [
        ("gdeval", {"nDCG(gain=exponential)@10"}),
        ("beir", {"nDCG@10", "P@10", "R@1000"}),
        (
            "elasticsearch",
            {"nDCG(gain=exponential,ideal=shortened)@10", "RR@10", "P(denominator=retrieved)@10", "R@1000"},
        ),
    ],
)
def test_the_usual_measures_of_a_tool(folder: Path, tool: str, measures: set[str]) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "--profile", tool, cwd=folder)
    assert {line.split("\t")[1] for line in done.text.splitlines()[1:]} == measures


def test_a_tool_without_usual_measures(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "--profile", "ndeval", cwd=folder)
    assert done.exit_code == 2
    assert done.stderr.startswith(
        "cranfield: ndeval has none of the usual measures; name one: ERR_IA, nERR_IA, alpha_DCG"
    )
