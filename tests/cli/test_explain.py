"""`cranfield explain` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 d 1\nq1 0 z 1\nq2 0 a 1\n"
FIRST = "q2 Q0 a 1 9 one\nq1 Q0 a 1 4 one\nq1 Q0 b 2 3 one\nq1 Q0 c 3 2 one\nq1 Q0 d 4 1 one\n"
SECOND = "q1 Q0 d 1 4 two\nq1 Q0 x 2 3 two\nq1 Q0 a 3 3 two\n"
# By hand: FIRST has the relevant documents of q1 at ranks 1 and 4, SECOND at 1 and 3 (a ties with x, which comes first);
# three are relevant, so that AP is (1/1 + 2/4) / 3 and (1/1 + 2/3) / 3.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("qrels.txt", QRELS), ("one.run", FIRST), ("two.run", SECOND)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_table_in_a_terminal(folder: Path) -> None:
    shown = run_in_terminal("explain", "AP", "qrels.txt", "one.run", "--query", "q1", cwd=folder)
    assert shown == (
        "AP of q1 in one: 0.5000\n"
        "The mean of the precision at each relevant document, missed ones counting zero.\n"
        "\n"
        "    AP = 1/R Σ(i=1..n) rel_i P@i\n"
        "\n"
        "rank  document  grade  rel     P@i  rel · P@i   share\n"
        "   1  a             1    1  1.0000     1.0000  0.3333\n"
        "   2  b             0    0  0.5000     0.0000\n"
        "   3  c             -    0  0.3333     0.0000\n"
        "   4  d             1    1  0.5000     0.5000  0.1667\n"
        "      all                                      0.5000\n"
        "\n"
        "R = 3 relevant documents, 2 of them in the list; missed: z\n"
        "sum = Σ (rel · P@i) = 1 + 0.5 = 1.5\n"
        "AP = sum / R = 1.5 / 3 = 0.5\n"
        "\n"
        "-: not judged\n"
    )


def test_the_difference_of_two_runs(folder: Path) -> None:
    shown = run_in_terminal(
        "explain", "AP", "qrels.txt", "one.run", "--query", "q1", "--against", "two.run", cwd=folder
    )
    assert shown == (
        "AP of q1: one 0.5000, two 0.5556, difference -0.0556\n"
        "The mean of the precision at each relevant document, missed ones counting zero.\n"
        "\n"
        "    AP = 1/R Σ(i=1..n) rel_i P@i\n"
        "\n"
        "A = one, B = two\n"
        "\n"
        "document  grade  difference  rank A  rank B  share A  share B\n"
        "d             1     -0.1667       4       1   0.1667   0.3333\n"
        "a             1     +0.1111       1       3   0.3333   0.2222\n"
        "all                 -0.0556                   0.5000   0.5556\n"
        "\n"
        "A: AP = sum / R = 1.5 / 3 = 0.5\n"
        "B: AP = sum / R = 1.6667 / 3 = 0.5556\n"
        "\n"
        "B: tied scores at ranks 2 to 3: these documents stand in descending order of their identifiers\n"
    )


def test_tsv_where_output_is_not_a_terminal(folder: Path) -> None:
    done = run_cranfield("explain", "P@2", "qrels.txt", "one.run", "--query", "q1", cwd=folder)
    assert (done.exit_code, done.stderr) == (0, "cranfield: P@2 of q1 in one: 0.5000\n")
    assert done.text.splitlines() == [
        "rank\tdocument\tgrade\ttied\trel\tshare",
        "1\ta\t1\t0\t1\t0.5",
        "2\tb\t0\t0\t0\t0",
        "3\tc\t\t0\t\t0",
        "4\td\t1\t0\t\t0",
    ]
    done = run_cranfield("explain", "P@2", "qrels.txt", "one.run", "--query", "q1", "--against", "two.run", cwd=folder)
    assert done.text.splitlines() == [
        "document\tgrade\tdifference\trank\tagainst_rank\tshare\tagainst_share",
        "a\t1\t0.5\t1\t3\t0.5\t0",
        "d\t1\t-0.5\t4\t1\t0\t0.5",
    ]


def test_tsv_of_some_rows(folder: Path) -> None:
    explain = ["explain", "SetE", "qrels.txt", "two.run", "--query", "q1", "--rows", "1"]
    # By hand: F1 = 2 · 2 / (3 + 3), so that each of two relevant documents takes 1/3 off 1, one of them below --rows 1.
    header, first, more, rest = run_cranfield(*explain, cwd=folder).text.splitlines()
    assert header == "rank\tdocument\tgrade\ttied\trel\tshare"
    assert first.startswith("1\td\t1\t0\t1\t-0.333333333")
    assert more.startswith("\tmore\t\t\t\t-0.333333333")
    assert rest == "\trest\t\t\t\t1"
    tied = run_cranfield("explain", "RR", "qrels.txt", "two.run", "--query", "q1", cwd=folder).text.splitlines()
    assert tied[0].split("\t")[-2:] == ["adds", "without"]
    assert [line.split("\t")[3] for line in tied[1:]] == ["0", "1", "1"]
    difference = run_cranfield(
        "explain", "AP", "qrels.txt", "one.run", "--query", "q1", "--against", "two.run", "--rows", "1", cwd=folder
    ).text.splitlines()
    assert [line.split("\t")[0] for line in difference] == ["document", "d", "more"]


def test_a_topic_that_the_run_lacks(folder: Path) -> None:
    done = run_cranfield("explain", "AP", "qrels.txt", "two.run", "--query", "q2", "--format", "table", cwd=folder)
    assert done.exit_code == 0
    assert done.text.startswith("AP of q2 in two: 0.0000\n")
    assert "R = 1 relevant document, not in the list; missed: a\n" in done.text
    assert done.text.endswith("\nthe run has nothing for topic q2: it scores 0\n")


def test_json(folder: Path) -> None:
    done = run_cranfield("explain", "AP", "qrels.txt", "one.run", "--query", "q1", "--format", "json", cwd=folder)
    whole = json.loads(done.text)
    assert (whole["schema"], whole["value"], whole["settings"]["profile"]) == (
        "cranfield.explanation/1", 0.5, "cranfield",
    )  # fmt: skip
    assert [row["share"] for row in whole["rows"]] == pytest.approx([1 / 3, 0, 0, 1 / 6])


def test_what_would_change(folder: Path) -> None:
    options = ["--query", "q1", "--swap", "2", "4", "--judge", "z=0", "--judge", "c=1", "--format", "table"]
    done = run_cranfield("explain", "AP", "qrels.txt", "one.run", *options, cwd=folder)
    # a, d, c are relevant at 1, 2, 3 of 3.
    expected = "Before: 0.5000; with ranks 2 and 4 exchanged, z judged 0, c judged 1: 1.0000, a difference of +0.5000."
    assert expected in " ".join(done.text.split("\n"))


def test_rows_and_digits(folder: Path) -> None:
    options = ["--query", "q1", "--rows", "2", "--digits", "2", "--format", "table"]
    done = run_cranfield("explain", "AP", "qrels.txt", "one.run", *options, cwd=folder)
    table = done.text.split("\n\n")[2].splitlines()
    assert table == [
        "rank  document  grade  rel   P@i  rel · P@i  share",
        "   1  a             1    1  1.00       1.00   0.33",
        "   2  b             0    0  0.50       0.00",
        "   …  (2 more)                                0.17",
        "      all                                     0.50",
    ]


def test_only_those_that_count_below_the_first_ranks(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q 0 d15 1\nq 0 d40 1\n")
    run = "".join(f"q Q0 d{rank} {rank} {100 - rank} tag\n" for rank in range(1, 51))
    (tmp_path / "run.txt").write_text(run)
    done = run_cranfield("explain", "AP", "qrels.txt", "run.txt", "--query", "q", "--format", "table", cwd=tmp_path)
    documents = [line.split()[1] for line in done.text.split("\n\n")[2].splitlines()[11:-1]]
    assert documents == ["(4", "d15", "(24", "d40", "(10"]


def test_those_that_count_most_of_many(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("".join(f"q 0 d{rank:02} 1\n" for rank in range(1, 81)))
    (tmp_path / "run.txt").write_text("".join(f"q Q0 d{rank:02} {rank} {100 - rank} tag\n" for rank in range(1, 81)))
    explain = ["explain", "DCG", "qrels.txt", "run.txt", "--query", "q", "--format", "table"]
    done = run_cranfield(*explain, cwd=tmp_path)
    ranks = [line.split()[0] for line in done.text.split("rank ")[1].splitlines()[1:] if line.startswith(" ")]
    assert ranks == [*map(str, range(1, 51)), "…", "all"]  # ten, and the forty below that count most


def test_what_would_look_like_nothing_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q 0 d01 1\nq 0 d11 1\nq 0 d15 1\n")
    (tmp_path / "run.txt").write_text("".join(f"q Q0 d{rank:02} {rank} {100 - rank} tag\n" for rank in range(1, 21)))
    explain = ["explain", "RBP(p=0.5)", "qrels.txt", "run.txt", "--query", "q", "--format", "table"]
    text = run_cranfield(*explain, cwd=tmp_path).text
    # By hand: 0.5 · 0.5^10 = 0.0005 is shown, 0.5 · 0.5^14 = 3.05e-05 is not.
    assert "  11  d11" in text
    assert "d15" not in text
    assert "…  (9 more)" in text
    assert "3.05e-05" in text
    assert "  15  d15" in run_cranfield(*explain, "--rows", "all", cwd=tmp_path).text


def test_options_of_evaluate(folder: Path) -> None:
    run = ["explain", "P@2", "qrels.txt", "one.run", "--query", "q1"]
    for options, value in ((["-l", "2"], "0.0000"), (["-M", "1"], "0.5000"), (["--profile", "trec_eval-9"], "0.5000")):
        assert run_cranfield(*run, *options, cwd=folder).stderr.splitlines()[0].endswith(value)
    sized = run_cranfield("explain", "SetAccuracy", *run[2:], "-N", "10", cwd=folder)
    assert "SetAccuracy(documents=10) of q1 in one: 0.7000" in sized.stderr  # two found, five rightly left out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["AP", "qrels.txt", "one.run", "--query", "q3"],
            "qrels.txt: query 'q3' is not judged; there are 2, such as q1",
        ),
        (
            ["qrels.txt", "one.run", "AP", "--query", "q1"],
            "the measure comes first: cranfield explain MEASURE QRELS RUN",
        ),
        (
            ["AP", "qrels.txt", "one.run", "--query", "q1", "--judge", "a=1", "--judge", "a=2"],
            "--judge: a is given two grades, 1 and 2; give one",
        ),
        (["AP", "qrels.txt", "no.run", "--query", "q1"], "no.run: there is no such file"),
        (
            ["AP", "qrels.txt", "one.run", "--query", "q1", "--swap", "1", "9"],
            "--swap (swap=): rank 9 is outside the list, which has 4 documents",
        ),
        (
            ["AP", "qrels.txt", "one.run", "--query", "q1", "--judge", "e=1"],
            "--judge (judge=): document 'e' is neither retrieved nor judged for query 'q1'.",
        ),
        (
            ["AP", "qrels.txt", "one.run", "--query", "q1", "--judge", "a:1"],
            "--judge: expected DOC=GRADE, a document and a number such as d9=2, found 'a:1'",
        ),
        (
            ["AP", "qrels.txt", "one.run", "--query", "q1", "--judge", "a=good"],
            "--judge: expected DOC=GRADE, a document and a number such as d9=2, found 'a=good'",
        ),
        (["AP", "qrels.txt", "one.run", "--query", "q1", "--rows", "x"], "--rows: expected a number of ranks or all"),
    ],
)
def test_mistakes_take_one_line(folder: Path, arguments: list[str], message: str) -> None:
    done = run_cranfield("explain", *arguments, cwd=folder)
    assert (done.exit_code, done.text) == (2, "")
    assert done.stderr.startswith(f"cranfield: {message}")
    assert done.stderr.count("\n") == 1


def test_a_run_from_standard_input(folder: Path) -> None:
    command = ["explain", "AP", "qrels.txt", "-", "--query", "q1"]
    done = run_cranfield(*command, stdin=FIRST.encode(), cwd=folder)
    assert done.stderr.startswith("cranfield: AP of q1 in standard-input: 0.5000\n")
    absent = run_cranfield(*command[:-1], "q2", stdin=SECOND.encode(), cwd=folder)
    assert "cranfield: the run has nothing for topic q2: it scores 0\n" in absent.stderr
