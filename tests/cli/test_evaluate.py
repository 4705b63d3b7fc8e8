"""`cranfield evaluate` as a user meets it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d3 1\n"
RUN = "q1 Q0 d2 1 0.9 mine\nq1 Q0 d1 2 0.8 mine\nq2 Q0 d3 1 0.7 mine\n"
# By hand: RR is 1/2 for q1 and 1 for q2, mean 3/4.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    (tmp_path / "b.run").write_text(RUN.replace("0.9", "0.1"))
    return tmp_path


def test_tsv_where_output_is_not_a_terminal(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "RR", "-q", cwd=folder)
    assert done.text == "run\tmeasure\tquery\tvalue\na\tRR\tq1\t0.5\na\tRR\tq2\t1.0\na\tRR\tall\t0.75\n"
    assert done.exit_code == 0


def test_a_table_in_a_terminal(folder: Path) -> None:
    shown = run_in_terminal("evaluate", "qrels.txt", "a.run", "b.run", "-m", "RR", "-m", "NumRet", cwd=folder)
    assert shown == (
        "measure       a       b\n"
        "RR       0.7500  1.0000\n"
        "NumRet        3       3\n"
        "\n"
        "a, b: 2 of 2 topics; 3 documents, up to 2 a topic; top 10: 100.0% judged; no ties\n"
    )


def test_topics_side_by_side(folder: Path) -> None:
    done = run_cranfield(
        "evaluate", "qrels.txt", "a.run", "b.run", "-m", "RR", "-q", "-n", "--format", "table", cwd=folder
    )
    assert done.text.splitlines()[:3] == [
        "topic  measure       a       b",
        "q1     RR       0.5000  1.0000",
        "q2     RR       1.0000  1.0000",
    ]


def test_many_runs_go_down_the_page(folder: Path) -> None:
    runs = []
    for number in range(8):
        (folder / f"r{number}.run").write_text(RUN)
        runs.append(f"r{number}.run")
    done = run_cranfield("evaluate", "qrels.txt", *runs, "-m", "RR", "--format", "table", cwd=folder)
    assert done.text.splitlines()[:2] == ["run      RR", "r0   0.7500"]


def test_json(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "RR", "-q", "--format", "json", cwd=folder)
    whole = json.loads(done.text)
    assert whole.pop("provenance")["command"] == "cranfield evaluate qrels.txt a.run -m RR -q --format json"
    assert whole == {
        "schema": "cranfield.evaluation/1",
        "profile": "cranfield",
        "settings": {
            "level": 1,
            "depth": None,
            "judged_only": False,
            "complete": False,
            "relevance": "qrels",
        },
        "measures": ["RR"],
        "coverage": {
            "a": {
                "topics_judged": 2,
                "topics_found": 2,
                "topics_missing": [],
                "topics_not_judged": [],
                "topics_without_relevant": [],
                "documents": 3,
                "most_documents_for_a_topic": 2,
                "judged_at_10": 1.0,
                "tied_documents": 0,
                "tied_topics": 0,
            }
        },
        "runs": [
            {"name": "a", "tag": "mine", "mean": {"RR": 0.75}, "per_query": {"q1": {"RR": 0.5}, "q2": {"RR": 1.0}}}
        ],
    }


def test_trec_lines_by_default_are_the_official_ones(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "--format", "trec", cwd=folder)
    lines = done.text.splitlines()
    assert lines[0] == "runid                 \tall\tmine"
    assert len(lines) == 30
    assert "recip_rank            \tall\t0.7500" in lines


def test_trec_lines_for_measures_trec_eval_does_not_have(folder: Path) -> None:
    done = run_cranfield(
        "evaluate", "qrels.txt", "a.run", "--format", "trec", "-m", "Judged@10", "-m", "P.1", cwd=folder
    )
    assert done.text == "P_1                   \tall\t0.5000\nJudged@10             \tall\t1.0000\n"


def test_trec_lines_of_one_run_only(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "b.run", "--format", "trec", cwd=folder)
    assert (done.exit_code, done.stdout) == (2, b"")
    assert done.stderr == "cranfield: --format trec shows one run at a time, found 2; tsv and json take several\n"


def test_relevance_level_shows_in_the_name(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "RR", "-l", "2", cwd=folder)
    assert done.text.splitlines()[1] == "a\tRR(rel=2)\tall\t0.25"
    whole = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "RR", "-l", "2", "--format", "json", cwd=folder)
    assert '"level": 2,' in whole.text  # as it is written everywhere else


def test_any_bytes_in_identifiers(folder: Path) -> None:
    (folder / "q").write_bytes(b"caf\xe9 0 d#1 1\n")
    (folder / "r").write_bytes(b"caf\xe9 Q0 d#1 1 1.0 t\n")
    done = run_cranfield("evaluate", "q", "r", "-m", "RR", "-q", cwd=folder)
    assert done.stdout.splitlines()[1] == b"r\tRR\tcaf\xe9\t1.0"


def test_deviations_from_a_reference(folder: Path) -> None:
    # By hand: (0.5 - 0.6) / 0.2 and (1 - 0.6) / 0.2
    (folder / "z").write_text("q1 recip_rank 0.6 0.2\nq2 RR 0.6 0.2\nq2 unknown 1 1\n")
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "RR", "-q", "-Z", "z", cwd=folder)
    values = [float(line.split("\t")[3]) for line in done.text.splitlines()[1:]]
    assert values == [pytest.approx(-0.5), pytest.approx(2.0), pytest.approx(0.75)]
    assert "Z(RR)" in done.text


def test_the_size_of_the_collection_for_utility(folder: Path) -> None:
    # By hand: q1 has 1 found, 1 wrong, 0 missed; with 10 documents 8 are rightly left out: q1 8, q2 9.
    done = run_cranfield(
        "evaluate", "qrels.txt", "a.run", "-m", "Utility(tp=0,fp=0,tn=1)", "-N", "10", "-q", cwd=folder
    )
    assert [line.split("\t")[3] for line in done.text.splitlines()[1:]] == ["8.0", "9.0", "8.5"]


def test_the_size_of_the_collection_for_accuracy(folder: Path) -> None:
    # By hand: q1 has 1 found and 1 wrong, q2 1 found; of 10 documents 9 and 10 are decided rightly.
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "accuracy", "-m", "error_rate", "-N", "10", cwd=folder)
    values = {line.split("\t")[1]: line.split("\t")[3] for line in done.text.splitlines()[1:]}
    assert values == {"SetAccuracy(documents=10)": "0.95", "SetError(documents=10)": "0.05"}
    own = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "Accuracy(documents=20)", "-N", "10", cwd=folder)
    assert "SetAccuracy(documents=20)\tall\t0.975" in own.text


def test_percentages(folder: Path) -> None:
    asked = ("evaluate", "qrels.txt", "a.run", "b.run", "-m", "RR", "-m", "DCG", "-m", "NumRet", "--percent")
    table = run_cranfield(*asked, "--format", "table", cwd=folder).text.splitlines()
    # By hand: RR .75 and 1; DCG is no share: (2/log2(3) + 1)/2 and (2 + 1)/2.
    assert [line.split() for line in table[1:4]] == [
        ["RR", "75.00%", "100.00%"], ["DCG", "1.1309", "1.5000"], ["NumRet", "3", "3"],
    ]  # fmt: skip
    lines = run_cranfield(*asked, "-q", cwd=folder).text.splitlines()
    assert {"a\tRR\tq1\t50%", "a\tRR\tall\t75%", "b\tRR\tall\t100%"} < set(lines)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.txt", "a.run"], 2, "cranfield: none.txt: there is no such file"),
        (["qrels.txt", "none.run"], 2, "cranfield: none.run: there is no such file"),
        (["qrels.txt", "."], 2, "cranfield: .: this is a directory, not a file"),
        (["empty.txt", "a.run"], 1, "cranfield: empty.txt: the file is empty"),
        (["binary.txt", "a.run"], 1, "cranfield: binary.txt: this is not a text file"),
        (["qrels.txt", "short.run"], 1, "cranfield: short.run:2: expected 6 fields (query Q0 document rank score tag), found 5. Is the tag missing?"),
        (["long.txt", "a.run"], 1, "cranfield: long.txt:2: expected 4 fields (query iteration document grade), found 5."),
        (["qrels.txt", "nan.run"], 1, "cranfield: nan.run:2: score 'nan' is not a finite number"),
        (["qrels.txt", "inf.run"], 1, "cranfield: inf.run:2: score 'inf' is not a finite number"),
        (["qrels.txt", "word.run"], 1, "cranfield: word.run:2: score 'high' is not a finite number"),
        (["word.txt", "a.run"], 1, "cranfield: word.txt:2: grade 'yes' is not a"),
        (["half.txt", "a.run", "--profile", "trec_eval-10"], 1, "cranfield: half.txt:2: grade 0.5 of document 'd2' is not a whole number, which trec_eval-10 needs."),
        (["qrels.txt", "twice.run"], 1, "cranfield: twice.run:4: document 'd1' is returned twice for query 'q1' (first at line 2). Keep one of them."),
        (["twice.txt", "a.run"], 1, "cranfield: twice.txt:4: document 'd1' is judged twice for query 'q1'"),
        (["qrels.txt", "other.run"], 1, "cranfield: other: the run and the judgments have no topic in common (run: x1, x2; judgments: q1, q2)"),
        (["qrels.txt", "cut.run.gz"], 1, "cranfield: cut.run.gz: the compressed data is damaged or ends early"),
        (["qrels.txt", "a.run", "-m", "nDGC@10"], 2, "cranfield: unknown measure 'nDGC@10'. Did you mean nDCG"),
        (["qrels.txt", "a.run", "-m", "P@0"], 2, "cranfield: P: cutoff must be a whole number from 1 to 10^12, not 0"),
        (["qrels.txt", "a.run", "-m", "RBP(p=1.5)"], 2, "cranfield: RBP: p must be a number from 0 to below 1, not 1.5"),
        (["qrels.txt", "a.run", "-m", "accuracy"], 2, "cranfield: SetAccuracy needs documents, a whole number from 1 to 10^12, as in SetAccuracy(documents=1000), or -N on the command line"),
        (["qrels.txt", "a.run", "-m", "accuracy", "-N", "-3"], 2, "cranfield: the size of the collection (-N) must be a whole number from 1 to 10^12, not -3"),
        (["qrels.txt", "a.run", "-m", "accuracy", "-N", "1"], 1, "cranfield: 2 documents are retrieved or judged for query 'q1', but documents (-N) is 1."),
        (["qrels.txt", "a.run", "-m", "SetF(beta=2,alpha=0.5)"], 2, "cranfield: SetF takes beta or alpha, not both"),
        (["qrels.txt", "a.run", "-m", "SetF(alpha=2)"], 2, "cranfield: SetF: alpha must be a number from 0 to 1, not 2"),
        (["qrels.txt", "a.run", "--percent", "--format", "json"], 2, "cranfield: --percent is for table and tsv: json always has fractions"),
        (["qrels.txt", "a.run", "--percent", "-Z", "bad.z"], 2, "cranfield: --percent is for shares, and -Z shows deviations"),
        (["qrels.txt", "a.run", "-m", "prefs_simp"], 2, "cranfield: prefs_simp cannot be computed from 'qrels'"),
        (["qrels.txt", "a.run", "-M", "0"], 2, "cranfield: the number of documents to look at (-M, depth=) must be a whole number from 1 to 10^12, not 0"),
        (["qrels.txt", "a.run", "-M", "99999999999999999999"], 2, "(-M, depth=) must be a whole number from 1 to 10^12, not 99999999999999999999"),
        (["qrels.txt", "a.run", "-N", "99999999999999999999"], 2, "(-N) must be a whole number from 1 to 10^12, not 99999999999999999999"),
        (["qrels.txt", "a.run", "-l", "nan"], 2, "(-l, level=) must be a number from 0 to 10^9, not nan"),
        (["qrels.txt", "a.run", "-m", "nDCG@99999999999999999999"], 2, "nDCG: cutoff must be a whole number from 1 to 10^12, not 99999999999999999999"),
        (["qrels.txt", "a.run", "-m", "INST(gmax=3)"], 2, "cranfield: INST: gmax needs gain=linear or gain=exponential; with gain=binary it changes nothing"),
        (["qrels.txt", "a.run", "-m", "ERR(value=all)"], 2, "cranfield: ERR(value=all) needs a cutoff, for a reader might go on for ever; as in ERR(value=all)@1000"),
        (["qrels.txt", "a.run", "-Z", "bad.z"], 1, "cranfield: bad.z:1: expected 4 fields (query measure mean deviation), found 3."),
        (["qrels.txt"], 2, "Missing argument 'RUN...'"),
    ],
)  # fmt: skip
def test_wrong_input_gives_a_line_and_an_exit_code(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "empty.txt").write_text("")
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 20)
    (folder / "short.run").write_text(RUN.replace("2 0.8 mine", "2 0.8"))
    (folder / "long.txt").write_text(QRELS.replace("d2 0", "d2 0 1"))
    for word in ("nan", "inf"):
        (folder / f"{word}.run").write_text(RUN.replace("0.8", word))
    (folder / "word.run").write_text(RUN.replace("0.8", "high"))
    (folder / "word.txt").write_text(QRELS.replace("d2 0", "d2 yes"))
    (folder / "half.txt").write_text(QRELS.replace("d2 0", "d2 0.5"))
    (folder / "twice.run").write_text(RUN + "q1 Q0 d1 3 0.1 mine\n")
    (folder / "twice.txt").write_text(QRELS + "q1 0 d1 1\n")
    (folder / "other.run").write_text(RUN.replace("q", "x").replace("xrels", "qrels"))
    (folder / "cut.run.gz").write_bytes(gzip.compress(RUN.encode() * 1000)[:-20])
    (folder / "bad.z").write_text("q1 map 1\n")
    done = run_cranfield("evaluate", *arguments, cwd=folder)
    assert message in done.stderr
    assert done.exit_code == code
    assert done.stdout == b""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 4


def test_a_reader_that_stops_reading(folder: Path) -> None:
    import subprocess
    import sys

    (folder / "big.run").write_text("".join(f"q{i} Q0 d 1 1 t\n" for i in range(20000)))
    (folder / "big.txt").write_text("".join(f"q{i} 0 d 1\n" for i in range(20000)))
    command = f"{sys.executable} -m cranfield evaluate big.txt big.run -q -m all_trec | head -1"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "run\tmeasure\tquery\tvalue\n"


def test_bold_is_the_best_as_shown(folder: Path) -> None:
    shown = run_in_terminal(
        "evaluate",
        "qrels.txt",
        "a.run",
        "b.run",
        "-m",
        "RR",
        "-m",
        "P@1000",
        "-m",
        "Unjudged@5",
        cwd=folder,
        plain=False,
    )
    assert shown.count("\x1b[1m") == 1  # b's RR: P@1000 is the same for both, and unjudged documents are no merit
    assert "\x1b[1m1.0000\x1b[0m" in shown


def test_judged_only_shows_in_the_name(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "AP", "-J", cwd=folder)
    assert done.text.splitlines()[1].split("\t")[1] == "AP(judged_only=True)"
    trec = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "map", "-J", "--format", "trec", cwd=folder)
    assert trec.text.startswith("map                   \tall\t")


def test_single_topics(folder: Path) -> None:
    asked = ("evaluate", "qrels.txt", "a.run", "-m", "RR", "-m", "P@1..2")
    done = run_cranfield(*asked, "--topic", "q1", cwd=folder)
    # By hand: q1 has its relevant document at rank 2. The means are those of both topics.
    assert done.text.splitlines()[1:] == [
        "a\tRR\tq1\t0.5",
        "a\tP@1\tq1\t0.0",
        "a\tP@2\tq1\t0.5",
        "a\tRR\tall\t0.75",
        "a\tP@1\tall\t0.5",
        "a\tP@2\tall\t0.5",
    ]
    table = run_cranfield(*asked, "--topic", "q1", "-n", "--format", "table", cwd=folder).text
    assert table.splitlines()[:4] == ["measure      q1", "RR       0.5000", "P@1      0.0000", "P@2      0.5000"]
    both = run_cranfield(*asked, "--topic", "q2", "--topic", "q1", "-n", "--format", "table", cwd=folder).text
    assert both.splitlines()[:2] == ["topic      RR     P@1     P@2", "q1     0.5000  0.0000  0.5000"]
    content = json.loads(run_cranfield(*asked, "--topic", "q2", "--format", "json", cwd=folder).text)
    assert list(content["runs"][0]["per_query"]) == ["q2"]
    trec = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "map", "--topic", "q2", "--format", "trec", cwd=folder)
    assert [line.split("\t")[1:] for line in trec.text.splitlines()] == [["q2", "1.0000"], ["all", "0.7500"]]
    several = run_cranfield(*asked[:3], "b.run", "-m", "RR", "--topic", "q1", "--format", "table", cwd=folder).text
    assert several.splitlines()[:3] == ["topic  measure       a       b", "q1     RR       0.5000  1.0000", ""]


def test_a_topic_that_is_not_judged(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "--topic", "q11", cwd=folder)
    assert (done.exit_code, done.stdout) == (2, b"")
    assert done.stderr == "cranfield: --topic: 'q11' is none of the 2 judged topics. Did you mean q1?\n"


def test_judgments_are_named_as_they_were_given(folder: Path) -> None:
    done = run_cranfield("evaluate", "./qrels.txt", "a.run", "-m", "xinfAP", cwd=folder)
    assert done.stderr.startswith("cranfield: ./qrels.txt: xinfAP needs strata")


@pytest.mark.parametrize(
    ("options", "message"),
    [(["-n"], "-n leaves nothing to show"), (["-m", "relstring"], "RelString@10 has no mean; add -q")],
)
def test_nothing_to_show(folder: Path, options: list[str], message: str) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", *options, cwd=folder)
    assert (done.exit_code, done.stdout) == (2, b"")
    assert message in done.stderr


def test_swapped_arguments(folder: Path) -> None:
    done = run_cranfield("evaluate", "a.run", "qrels.txt", cwd=folder)
    assert done.stderr == (
        "cranfield: a.run: this looks like a run, not like judgments. Are the files in the right order (judgments first)?\n"
    )


def test_the_best_possible_beside_the_runs(folder: Path) -> None:
    arguments = ["evaluate", "qrels.txt", "a.run", "b.run", "-m", "P@2", "-m", "AP", "--best"]
    shown = run_in_terminal(*arguments, cwd=folder, plain=False)
    # By hand: one relevant document for each topic, so that P@2 is at most 1/2; only b's AP is better than a's.
    assert shown.replace("\x1b[1m", "").replace("\x1b[0m", "") == (
        "measure       a       b  best possible\n"
        "P@2      0.5000  0.5000         0.5000\n"
        "AP       0.7500  1.0000         1.0000\n"
        "\n"
        "a, b: 2 of 2 topics; 3 documents, up to 2 a topic; top 10: 100.0% judged; no ties\n"
    )
    assert shown.count("\x1b[1m") == 1
    lines = run_cranfield(*arguments, "-q", cwd=folder).text.splitlines()
    assert lines[-6:-2] == [
        f"best possible\t{m}\t{q}\t{v}" for q in ("q1", "q2") for m, v in (("P@2", 0.5), ("AP", 1.0))
    ]


def test_the_best_possible_has_no_place_in_lines_of_trec_eval(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "--best", "--format", "trec", cwd=folder)
    assert (done.exit_code, done.stdout) == (2, b"")
    assert "--best goes with table, tsv and json" in done.stderr


def test_every_rank(folder: Path) -> None:
    done = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "P@1..3", "-m", "f1@1,2", cwd=folder)
    # By hand, for q1 (found at rank 2) and q2 (at rank 1): F1 is 0 and 1 at rank 1, 2/3 and 2/3 at rank 2.
    assert [line.split("\t")[1::2] for line in done.text.splitlines()[1:]] == [
        ["P@1", "0.5"],
        ["P@2", "0.5"],
        ["P@3", "0.3333333333333333"],
        ["F@1", "0.5"],
        ["F@2", "0.6666666666666666"],
    ]


def test_the_size_of_the_collection_where_a_measure_has_use_for_it(folder: Path) -> None:
    arguments = ["-N", "10", "-m", "AUC", "-m", "AUC(over=retrieved)", "-m", "AUC(documents=5)"]
    done = run_cranfield("evaluate", "qrels.txt", "a.run", *arguments, cwd=folder)
    names = [line.split("\t")[1] for line in done.text.splitlines()[1:]]
    assert names == ["AUC(documents=10)", "AUC(over=retrieved)", "AUC(documents=5)"]
    few = run_cranfield("evaluate", "qrels.txt", "a.run", "-N", "1", "-m", "AUC", cwd=folder)
    assert few.exit_code != 0
    assert "2 documents are retrieved or judged for query 'q1', but documents (-N) is 1" in few.stderr


def test_a_depth_beyond_any_list(folder: Path) -> None:
    plain = run_cranfield("evaluate", "qrels.txt", "a.run", "-m", "official", "--format", "trec", cwd=folder)
    for depth in ("2147483647", "1000000000000"):
        deep = run_cranfield("evaluate", "qrels.txt", "a.run", "-M", depth, "--format", "trec", cwd=folder)
        assert (deep.text, deep.exit_code) == (plain.text, 0)
    (line,) = run_cranfield(
        "evaluate", "qrels.txt", "a.run", "-m", "P.1000000000", "--format", "trec", cwd=folder
    ).text.splitlines()
    assert line.split() == ["P_1000000000", "all", "0.0000"]
