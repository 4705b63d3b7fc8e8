"""`cranfield correlate` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

QRELS = "".join(f"q{t} 0 {doc} {grade}\n" for t in (1, 2, 3) for doc, grade in {"a": 2, "b": 1, "c": 0}.items())
ORDERS = {"one": "abc", "two": "bac", "three": "cab", "four": "cba"}
AP = "system,score\none,0.9\ntwo,0.8\nthree,0.3\nfour,0.1\n"
RR = "system,score\none,0.7\ntwo,0.8\nthree,0.5\nfour,0.2\n"
# By hand: five pairs of AP and RR agree, one (one, two) does not: tau is (5 - 1) / 6.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "ap.csv").write_text(AP)
    (tmp_path / "rr.csv").write_text(RR)
    for name, order in ORDERS.items():
        lines = [f"q{t} Q0 {doc} 1 {9 - at} tag\n" for t in (1, 2, 3) for at, doc in enumerate(order)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


RUNS = [f"{name}.run" for name in ORDERS]


def test_tsv_where_output_is_not_a_terminal(folder: Path) -> None:
    done = run_cranfield("correlate", "ap.csv", "rr.csv", "--coefficient", "tau", "--coefficient", "rbo", cwd=folder)
    assert (done.exit_code, done.stderr) == (0, "")
    header, tau, rbo = (line.split("\t") for line in done.text.splitlines())
    assert header == ["first", "second", "coefficient", "systems", "value", "lower", "upper", "remark"]
    assert tau[:4] == ["ap", "rr", "tau_b", "4"]
    assert float(tau[4]) == pytest.approx(4 / 6)
    assert tau[5:] == ["nan", "nan", "no interval: Fisher's z needs more than 4 systems, and there are 4"]
    assert rbo[7] == ("no interval: rbo looks at the top of these two lists, and other systems would make other lists")


def test_a_table_in_a_terminal(folder: Path) -> None:
    shown = run_in_terminal("correlate", "ap.csv", "rr.csv", "--coefficient", "tau", "--coefficient", "r", cwd=folder)
    lines = shown.splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["first", "second", "coefficient", "value", "from", "to"],
        ["ap", "rr", "tau_b", "0.6667", "-", "-"],
    ]
    assert lines[4:] == [
        "95 % intervals of pearson: Fisher's z, systems as a random sample",
        "no interval of tau_b: Fisher's z needs more than 4 systems, and there are 4",
        "ap and rr order 4 systems: 5 of 6 pairs alike; 1 swapped.",
    ]


def test_swaps(folder: Path) -> None:
    done = run_cranfield("correlate", "ap.csv", "rr.csv", "--show", "swaps", cwd=folder)
    header, row = (line.split("\t") for line in done.text.splitlines())
    swap = dict(zip(header, row, strict=True))
    assert (swap["better"], swap["worse"], swap["p_first"], swap["significant_first"]) == ("one", "two", "-", "-")
    assert float(swap["difference_first"]) == pytest.approx(0.1)
    assert float(swap["difference_second"]) == pytest.approx(-0.1)
    assert row[-4:] == ["1", "2", "2", "1"]
    shown = run_in_terminal("correlate", "ap.csv", "rr.csv", "--show", "swaps", cwd=folder)
    assert shown.splitlines()[2:6] == [
        "  by  places  difference",
        "one, two",
        "  ap    1, 2     +0.1000",
        "  rr    2, 1     -0.1000",
    ]


def test_swaps_with_topics(folder: Path) -> None:
    (folder / "first.csv").write_text("a,b,c\n0.5,0.1,0.1\n0.6,0.3,0.1\n0.7,0.3,0.2\n")
    (folder / "second.csv").write_text("a,b,c\n0.1,0.2,0.9\n0.9,0.8,0.9\n0.2,0.9,0.9\n")
    shown = run_in_terminal("correlate", "first.csv", "second.csv", "--show", "swaps", "--most", "1", cwd=folder)
    assert "(significant at 0.05, not corrected for 6 comparisons: both differences in 0, one in 2)." in " ".join(
        shown.split()
    )
    assert "... and 2 more; --most 3 shows all" in shown
    assert "topics without names are matched by their numbers" in shown
    header, systems, first, second = (line.split() for line in shown.splitlines()[3:7])
    assert header == ["by", "places", "difference", "p", "significant"]
    assert systems == ["a,", "c"]
    assert (first[0], second[0]) == ("first", "second")
    assert (first[1:3], second[1:3]) == (["1,", "3"], ["3,", "1"])
    assert (first[-1], second[-1]) == ("yes", "no")
    narrow = run_in_terminal("correlate", "first.csv", "second.csv", "--show", "swaps", cwd=folder, columns=80)
    assert max(map(len, narrow.splitlines())) <= 80


def test_small_p_values_are_below_a_bound(folder: Path) -> None:
    topics = range(20)
    for name, above in (("up", 0.5), ("down", -0.5)):
        rows = [f"q{t},{1 + above + t / 1000},{1 + (t % 3) / 100}\n" for t in topics]
        (folder / f"{name}.csv").write_text("topic,a,b\n" + "".join(rows))
    shown = run_in_terminal("correlate", "up.csv", "down.csv", "--show", "swaps", cwd=folder)
    assert shown.count("<0.0001") == 2


def test_runs_of_different_depth_are_said(folder: Path) -> None:
    (folder / "flat.run").write_text("".join(f"q{t} Q0 a 1 1 tag\n" for t in (1, 2, 3)))
    words = "the runs differ in depth, 1 to 3 documents a topic; -M 1 compares them at the same depth"
    assert f"cranfield: {words}\n" in run_cranfield("correlate", "qrels.txt", *RUNS, "flat.run", cwd=folder).stderr
    assert words in run_in_terminal("correlate", "qrels.txt", *RUNS, "flat.run", cwd=folder)


def test_systems(folder: Path) -> None:
    done = run_cranfield("correlate", "ap.csv", "rr.csv", "--show", "systems", cwd=folder)
    assert "rr\ttwo\t0.8\t1" in done.text.splitlines()
    shown = run_in_terminal("correlate", "ap.csv", "rr.csv", "--show", "systems", cwd=folder)
    assert shown.splitlines()[:3] == [
        "system      ap  place      rr  place",
        "one     0.9000      1  0.7000      2",
        "two     0.8000      2  0.8000      1",
    ]


def test_runs_by_two_measures(folder: Path) -> None:
    done = run_cranfield("correlate", "qrels.txt", *RUNS, "-m", "AP", "-m", "RR", "--format", "json", cwd=folder)
    whole = json.loads(done.text)
    assert whole["schema"] == "cranfield.correlation/1"
    assert whole["settings"] == {
        "coefficients": ["tau_b", "tau_ap_b", "spearman", "pearson", "rbo"],
        "p": 0.9,
        "alpha": 0.05,
        "resamples": 2000,
        "seed": 0,
    }
    (pair,) = whole["pairs"]
    assert (pair["first"], pair["second"], pair["systems"]) == ("AP", "RR", 4)
    # By hand: AP of abc and bac is 1, of cab and cba (1/2 + 2/3)/2; RR is 1, 1, 1/2, 1/2. The same ties.
    assert pair["coefficients"]["tau_b"]["value"] == 1
    assert pair["coefficients"]["tau_b"]["interval"]["method"] == "bootstrap over topics, 2,000 samples"
    assert (pair["pairs_alike"], pair["pairs_tied"], pair["pairs_swapped"]) == (4, 2, 0)


def test_other_judgments_and_slices(folder: Path) -> None:
    (folder / "other.txt").write_text(QRELS.replace("a 2", "a 0"))
    done = run_cranfield("correlate", "--qrels", "other.txt", "qrels.txt", *RUNS, "-m", "RR", cwd=folder)
    assert done.text.splitlines()[1].split("\t")[:3] == ["RR by qrels", "RR by other", "tau_b"]
    (folder / "slices.csv").write_text("topic,slice\nq1,x\nq2,y\nq3,y\n")
    done = run_cranfield("correlate", "qrels.txt", *RUNS, "-m", "RR", "--slices", "slices.csv", cwd=folder)
    assert done.text.splitlines()[1].split("\t")[:3] == ["RR on x", "RR on y", "tau_b"]
    assert done.stderr == "cranfield: slices: x 1, y 2 topics\n"


def test_what_evaluate_prints_is_a_table_of_scores(folder: Path) -> None:
    printed = run_cranfield("evaluate", "qrels.txt", *RUNS, "-m", "AP", "-m", "nDCG", "-q", cwd=folder)
    piped = run_cranfield("correlate", "-", stdin=printed.stdout, cwd=folder)
    direct = run_cranfield("correlate", "qrels.txt", *RUNS, "-m", "AP", "-m", "nDCG", cwd=folder)
    assert piped.text == direct.text
    assert piped.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["ap.csv"], 2, "cranfield: ap alone puts systems in one order: give a second table of scores"),
        (["qrels.txt"], 2, "cranfield: qrels.txt: judgments without runs; expected QRELS RUN..., or tables of scores"),
        (["qrels.txt", "one.run", "-m", "AP"], 2, "cranfield: AP alone puts systems in one order: name a second measure"),
        (["ap.csv", "rr.csv", "-m", "AP"], 2, "ap.csv: this is a table of scores; -m, --qrels and --slices are for QRELS"),
        (["ap.csv", "nan.csv"], 1, "cranfield: nan.csv:2: column 'score': 'nan' is not a score"),
        (["ap.csv", "other.csv"], 1, "cranfield: there is no system that all have scores of (ap: four, one, three, ...;"),
        (["none.csv"], 2, "cranfield: none.csv: there is no such file"),
        (["ap.csv", "rr.csv", "--coefficient", "tua"], 2, "cranfield: unknown coefficient 'tua'. Did you mean tau"),
        (["ap.csv", "rr.csv", "--alpha", "0"], 2, "cranfield: alpha must be a number above 0 and below 1, not 0.0"),
        (["ap.csv", "rr.csv", "--resamples", "1"], 2, "cranfield: resamples must be a whole number of at least 2, not 1"),
        ([], 2, "Missing argument"),
    ],
)  # fmt: skip
def test_wrong_input_gives_a_line_and_an_exit_code(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "nan.csv").write_text(AP.replace("0.9", "nan"))
    (folder / "other.csv").write_text("system,score\nx,1\ny,2\n")
    done = run_cranfield("correlate", *arguments, cwd=folder)
    assert message in done.stderr
    assert (done.exit_code, done.stdout) == (code, b"")
    assert "Traceback" not in done.stderr


def test_one_run_has_no_order(folder: Path) -> None:
    shown = run_in_terminal("correlate", "qrels.txt", "one.run", cwd=folder)
    assert "tau_b, tau_ap_b, spearman, pearson, rbo: not defined, because there are fewer than two systems" in shown
    assert "nDCG@10 and AP order 1 system: there is no pair to compare." in shown


def test_completion_of_coefficients() -> None:
    environment = {
        "COMP_WORDS": "cranfield correlate --coefficient tau_a",
        "COMP_CWORD": "3",
        "_CRANFIELD_COMPLETE": "bash_complete",
    }
    done = run_cranfield(environment=environment)
    assert done.text.split() == ["plain,tau_a", "plain,tau_ap_a", "plain,tau_ap_b"]


def test_runs_without_a_topic_in_common(folder: Path) -> None:
    (folder / "first.run").write_text("q1 Q0 a 1 1 t\n")
    (folder / "second.run").write_text("q2 Q0 a 1 1 t\n")
    done = run_cranfield("correlate", "qrels.txt", "first.run", "second.run", "--profile", "trec_eval-9", cwd=folder)
    assert done.exit_code == 1
    assert done.stderr.startswith("cranfield: first and second have no judged topic in common")
    assert "first has 1 (q1); second has 1 (q2)" in done.stderr
