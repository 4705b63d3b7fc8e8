"""`cranfield agreement` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

ANN = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d1 0\nq2 0 d2 1\n"
BOB = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 0\nq2 0 d1 0\nq2 0 d2 1\n"
# By hand: 4 of 5 agree; ann has 3 of 5 relevant, bob 2: P(E) = 3/5 · 2/5 + 2/5 · 3/5 = .48, kappa = .32/.52 = .6154;
# pooled 1/2: pi = .3/.5 = .6, S the same; alpha = 1 - (9/10)(.4) = .64; AC1: P(E) = 1/2, .6. In q1: P(A) 2/3,
# P(E) = 2/3 · 1/3 + 1/3 · 2/3 = 4/9, kappa 2/5. In q2 they agree.
RUN_A = "q1 Q0 d3 1 2 a\nq1 Q0 d1 2 1 a\nq2 Q0 d2 1 1 a\n"
RUN_B = "q1 Q0 d2 1 2 b\nq1 Q0 d3 2 1 b\nq2 Q0 d1 1 2 b\nq2 Q0 d2 2 1 b\n"
# P@1 by hand. ann: a (1 + 1)/2, b 0. bob: a (0 + 1)/2, b 0.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ann.qrels").write_text(ANN)
    (tmp_path / "bob.qrels").write_text(BOB)
    (tmp_path / "a.run").write_text(RUN_A)
    (tmp_path / "b.run").write_text(RUN_B)
    (tmp_path / "words.csv").write_text("task,worker,label\nt1,x,good\nt1,y,bad\nt2,x,good\nt2,y,good\n")
    return tmp_path


def test_tsv_where_output_is_not_a_terminal(folder: Path) -> None:
    done = run_cranfield(
        "agreement", "ann.qrels", "bob.qrels", "--by-topic", "--by-pair", "--resamples", "0",
        "--runs", "a.run", "b.run", "-m", "P@1", cwd=folder,
    )  # fmt: skip
    assert (done.exit_code, done.stderr) == (0, "")
    header, *lines = (line.split("\t") for line in done.text.split("\n")[:-1])
    assert header == [
        "of", "first", "second", "coefficient", "value", "lower", "upper", "observed", "expected", "items", "judges",
        "undefined",
    ]  # fmt: skip
    values = {tuple(line[:4]): float(line[4]) for line in lines}
    assert values == {
        ("all", "", "", "percent_agreement"): 0.8,
        ("all", "", "", "bennett_s"): pytest.approx(0.6),
        ("all", "", "", "cohen_kappa"): pytest.approx(0.32 / 0.52),
        ("all", "", "", "scott_pi"): pytest.approx(0.6),
        ("all", "", "", "krippendorff_alpha"): pytest.approx(0.64),
        ("all", "", "", "gwet_ac1"): pytest.approx(0.6),
        ("topic", "q1", "", "percent_agreement"): pytest.approx(2 / 3),
        ("topic", "q1", "", "bennett_s"): pytest.approx(1 / 3),
        ("topic", "q1", "", "cohen_kappa"): pytest.approx(2 / 5),
        ("topic", "q1", "", "scott_pi"): pytest.approx(1 / 3),  # pooled 1/2
        ("topic", "q1", "", "krippendorff_alpha"): pytest.approx(1 - (5 / 6) * (2 / 3)),
        ("topic", "q1", "", "gwet_ac1"): pytest.approx(1 / 3),
        **{("topic", "q2", "", name): 1 for name in ("percent_agreement", "bennett_s", "cohen_kappa", "scott_pi")},
        **{("topic", "q2", "", name): 1 for name in ("krippendorff_alpha", "gwet_ac1")},
        ("pair", "ann", "bob", "cohen_kappa"): pytest.approx(0.32 / 0.52),
        ("run", "a", "ann", "P@1"): 1,
        ("run", "b", "ann", "P@1"): 0,
        ("run", "a", "bob", "P@1"): 0.5,
        ("run", "b", "bob", "P@1"): 0,
        ("tau", "ann", "bob", "tau_b"): 1,
    }
    assert {len(line) for line in lines} == {12}


def test_tables_in_a_terminal(folder: Path) -> None:
    shown = run_in_terminal(
        "agreement", "ann.qrels", "bob.qrels", "--by-topic", "--by-pair", "--resamples", "0",
        "--runs", "a.run", "b.run", "-m", "P@1", cwd=folder,
    )  # fmt: skip
    assert shown == (
        "10 labels of 5 items in 2 topics by 2 judges\n"
        "categories: 0 (5), 1 (5)\n"
        "\n"
        "coefficient            value  95% interval    P(A)    P(E)  in words\n"
        "percent agreement     0.8000             -  0.8000\n"
        "Bennett's S           0.6000             -  0.8000  0.5000      fair\n"
        "Cohen's kappa         0.6154             -  0.8000  0.4800      good\n"
        "Scott's pi            0.6000             -  0.8000  0.5000      fair\n"
        "Krippendorff's alpha  0.6400             -  0.8000  0.4444      good\n"
        "Gwet's AC1            0.6000             -  0.8000  0.5000      fair\n"
        "\n"
        "topic  items  judges    P(A)       S   kappa      pi   alpha     AC1\n"
        "q1         3       2  0.6667  0.3333  0.4000  0.3333  0.4444  0.3333\n"
        "q2         2       2  1.0000  1.0000  1.0000  1.0000  1.0000  1.0000\n"
        "\n"
        "judge  judge  items    P(A)    P(E)  Cohen's kappa  in words\n"
        "ann    bob        5  0.8000  0.4800         0.6154\n"
        "Pairs with fewer than 10 items in common have no word: so few say little.\n"
        "\n"
        "P@1 by the labels of each judge alone, and the rank that follows\n"
        "run         ann         bob\n"
        "a    1.0000   1  0.5000   1\n"
        "b    0.0000   2  0.0000   2\n"
        "\n"
        "judge  judge  topics   tau_b  pairs of runs swapped\n"
        "ann    bob         2  1.0000                      0\n"
        "\n"
        "All judges have the same best run; Kendall's tau between ann and bob is 1.0000.\n"
    )


def test_a_table_has_some_pairs_and_says_how_to_see_all(folder: Path) -> None:
    labels = "".join(f"t{item},w{worker},{item % 2}\n" for worker in range(1, 13) for item in range(12))
    (folder / "crowd.csv").write_text("task,worker,label\n" + labels)
    shown = run_in_terminal("agreement", "crowd.csv", "--by-pair", "--most", "11", "--resamples", "0", cwd=folder)
    rows = [line.split()[:2] for line in shown.splitlines() if line.startswith("w")]
    assert rows == [["w1", f"w{worker}"] for worker in range(2, 13)]  # w2 before w10
    assert "... and 55 more pairs; --most 66 shows all\n" in shown  # 12 · 11 / 2 in all
    whole = run_in_terminal("agreement", "crowd.csv", "--by-pair", "--most", "66", "--resamples", "0", cwd=folder)
    assert sum(line.startswith("w") for line in whole.splitlines()) == 66
    assert "more pairs" not in whole
    assert not whole.endswith("\n\n")


def test_runs_are_sorted_and_swaps_named(folder: Path) -> None:
    (folder / "cat.qrels").write_text("q1 0 d2 1\nq2 0 d1 1\n")  # P@1 of b is 1, of a 0
    shown = run_in_terminal("agreement", "ann.qrels", "bob.qrels", "cat.qrels", "--resamples", "0",
                            "--runs", "b.run", "a.run", "-m", "P@1", cwd=folder)  # fmt: skip
    assert [line.split()[0] for line in shown.splitlines() if line.split()[:1] in (["a"], ["b"])] == ["a", "b"]
    assert "ann and cat swap a and b.\n" in shown


def test_one_judge_is_nothing_to_compare(folder: Path) -> None:
    done = run_cranfield("agreement", "ann.qrels", cwd=folder)
    assert (done.exit_code, "All labels are by one judge" in done.stderr) == (1, True)


def test_sentences_fit_in_the_terminal(folder: Path) -> None:
    shown = run_in_terminal("agreement", "ann.qrels", "bob.qrels", "--weights", "linear", cwd=folder, columns=80)
    assert "Weights are those of S" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_what_is_not_defined_has_a_reason(folder: Path) -> None:
    (folder / "cat.qrels").write_text("q1 0 d1 1\nq9 0 d1 0\n")
    shown = run_in_terminal("agreement", "ann.qrels", "cat.qrels", "--by-topic", cwd=folder)
    assert "Cohen's kappa              -             -  1.0000  1.0000\n" in shown
    assert "Not defined: Cohen's kappa, Scott's pi, Krippendorff's alpha: all labels are the same," in shown
    assert "Not defined: topic q2, topic q9: there is only one judge.\n" in shown
    assert "5 of 6 items have the label of one judge only.\n" in shown
    done = run_cranfield("agreement", "ann.qrels", "cat.qrels", cwd=folder)
    cells = next(line for line in done.text.splitlines() if "cohen_kappa" in line).split("\t")
    assert cells[4:7] == ["", "", ""]
    assert cells[-1] == "all labels are the same, so that chance alone explains the agreement"
    assert done.stderr == "cranfield: 5 of 6 items have the label of one judge only.\n"


def test_json(folder: Path) -> None:
    done = run_cranfield("agreement", "words.csv", "--scale", "bad, good", "--weights", "linear", "--level", "ordinal",
                         "--seed", "7", "--resamples", "100", "--format", "json", cwd=folder)  # fmt: skip
    content = json.loads(done.text)
    assert content["settings"] == {
        "weights": "linear",
        "level": "ordinal",
        "resamples": 100,
        "confidence": 0.95,
        "seed": 7,
    }
    assert content["labels"]["categories"] == {"bad": 1, "good": 3}
    assert content["coefficients"]["scott_pi"]["value"] == pytest.approx((0.5 - 0.625) / 0.375)  # P(E) = 9/16 + 1/16
    assert content["coefficients"]["scott_pi"]["band"] == "worse than chance"
    assert not {"by_topic", "by_pair", "systems"} & content.keys()
    whole = run_cranfield("agreement", "words.csv", "--by-pair", "--format", "json", cwd=folder)
    (pair,) = json.loads(whole.text)["by_pair"]
    assert (pair["first"], pair["second"], pair["items"], pair["judges"]) == ("x", "y", 2, 2)


def test_the_order_of_files_and_lines_makes_no_difference(folder: Path) -> None:
    (folder / "other").mkdir()
    for judge, content in (("ann", ANN), ("bob", BOB)):
        (folder / "other" / f"{judge}.qrels").write_text("".join(sorted(content.splitlines(True), reverse=True)))
    first = run_cranfield("agreement", "ann.qrels", "bob.qrels", cwd=folder)
    second = run_cranfield("agreement", "bob.qrels", "ann.qrels", cwd=folder / "other")
    assert first.stdout == second.stdout
    assert first.exit_code == 0


def test_standard_input(folder: Path) -> None:
    text = (folder / "words.csv").read_bytes()
    assert (
        run_cranfield("agreement", "-", stdin=text).stdout == run_cranfield("agreement", "words.csv", cwd=folder).stdout
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.csv"], 2, "cranfield: none.csv: there is no such file"),
        (["twice.csv"], 1, "cranfield: twice.csv:2: judge 'x' labelled item 't1' twice: 'a' and 'b' (first at line 1). Keep one"),
        (["words.csv", "--weights", "linear"], 1, "cranfield: linear weights: categories must have an order, and these are words: bad, good"),
        (["words.csv", "--scale", "good"], 1, "cranfield: words: label 'bad' is not on the scale (good)"),
        (["words.csv", "--level", "cardinal"], 2, "'cardinal' is not one of 'nominal', 'ordinal', 'interval', 'ratio'"),
        (["words.csv", "--by-topic"], 2, "cranfield: --by-topic: these labels are of items, and no topics are named"),
        (["words.csv", "-m", "AP"], 2, "cranfield: -m is the measure by which runs are ranked; add --runs"),
        (["words.csv", "--runs", "-m", "AP"], 2, "--runs needs the names of one run or more behind it"),
        (["words.csv", "--runs", "a.run"], 1, "cranfield: words: runs are evaluated by grades of documents for topics; these are labels of items"),
        (["ann.qrels", "bob.qrels", "--runs", "a.run", "-m", "APP"], 2, "cranfield: unknown measure 'APP'. Did you mean AP"),
        (["words.csv", "--confidence", "95"], 2, "cranfield: confidence must be a number above 0 and below 1, not 95.0"),
        (["words.csv", "--seed", "-1"], 2, "cranfield: seed must be a whole number of at least 0, not -1"),
        (["--runs", "a.run"], 2, "Missing argument 'LABELS...'"),
    ],
)  # fmt: skip
def test_wrong_input_gives_a_line_and_an_exit_code(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "twice.csv").write_text("t1,x,a\nt1,x,b\n")
    done = run_cranfield("agreement", *arguments, cwd=folder)
    assert message in done.stderr
    assert (done.exit_code, done.stdout) == (code, b"")
    assert "Traceback" not in done.stderr


def test_completion_behind_runs(folder: Path) -> None:
    environment = {
        "COMP_WORDS": "cranfield agreement ann.qrels --runs a.run -m nDC",
        "COMP_CWORD": "6",
        "_CRANFIELD_COMPLETE": "bash_complete",
    }
    assert "plain,nDCG" in run_cranfield(cwd=folder, environment=environment).text.splitlines()


@pytest.mark.real_data
def test_crowd_labels(real_data: Path) -> None:
    """762 workers, in one call; oracle for percent agreement: the mean over tasks, by hand."""
    file = real_data / "crowd" / "spectral_em" / "trec_crowd.txt"
    done = run_cranfield("agreement", file)
    found = next(line for line in done.text.splitlines() if "percent_agreement" in line).split("\t")
    labels: dict[str, list[str]] = {}
    for line in file.read_text().splitlines():
        task, _, label = line.split()
        labels.setdefault(task, []).append(label)
    shares = [
        sum(given.count(label) * (given.count(label) - 1) for label in "12") / (len(given) * (len(given) - 1))
        for given in labels.values()
        if len(given) > 1
    ]
    assert float(found[4]) == pytest.approx(sum(shares) / len(shares), abs=1e-9)
    assert (found[9], found[10]) == (str(len(shares)), "762")
