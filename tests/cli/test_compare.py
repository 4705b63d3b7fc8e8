"""`cranfield compare` as a user meets it."""

from __future__ import annotations

import json
import re
import shutil
from importlib import resources
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

# RR of the old run: 1/2, 1, 1/4, 1/5. Of the new one: 1, 1, 1/2, 1/10. Differences: .5, 0, .25, -.1; mean .1625.
OLD = {"q1": 2, "q2": 1, "q3": 4, "q4": 5}
NEW = {"q1": 1, "q2": 1, "q3": 2, "q4": 10}


def run_file(ranks: dict[str, int], tag: str = "tag") -> str:
    """Ten documents for each topic, the relevant one at this rank."""
    return "".join(
        f"{topic} Q0 {'relevant' if at == rank else f'd{at}'} {at} {100 - at} {tag}\n"
        for topic, rank in ranks.items()
        for at in range(1, 11)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 relevant 1\n" for topic in OLD))
    (tmp_path / "old.run").write_text(run_file(OLD))
    (tmp_path / "new.run").write_text(run_file(NEW))
    (tmp_path / "slices.csv").write_text("query,slice\nq1,head\nq2,head\nq3,tail\nq4,tail\n")
    return tmp_path


@pytest.fixture
def demo_folder(tmp_path: Path) -> Path:
    with resources.as_file(resources.files("cranfield.cli") / "small_example") as data:
        for file in data.iterdir():
            shutil.copy(file, tmp_path)
    return tmp_path


FILES = ("qrels.txt", "old.run", "new.run")


def test_a_table_in_a_terminal_of_80_columns(folder: Path) -> None:
    shown = run_in_terminal("compare", *FILES, "-m", "RR", "-m", "Judged@1", cwd=folder, columns=80)
    # Oracle: scipy.stats.ttest_rel([1, 1, .5, .1], [.5, 1, .25, .2]) has p = .3133 and the interval -.2653 to .5903.
    # d_z: the squares sum to .3225, .2169 about the mean, so s = √(.2169 / 3) = .2689 and .1625 / .2689 = .604.
    assert shown == (
        "RR     mean  difference    95 % interval   d_z  +/=/-       p\n"
        "old  0.4875\n"
        "new  0.6500     +0.1625  -0.265 to 0.590  0.60  2/1/1  0.3133\n"
        "\n"
        "Judged@1    mean  difference\n"
        "old       0.2500\n"
        "new       0.5000     +0.2500\n"
        "\n"
        "RR: undecided; on these topics new is better than old by .163; over all topics\n"
        "of this kind it may be anything from .265 worse to .590 better (95 % interval);\n"
        "a difference at least this large, either way, would be seen 31 times in 100 if\n"
        "the two were equal (paired t-test, p = .313).\n"
        "  gained most: q1 +0.5000, q3 +0.2500; lost most: q4 -0.1000\n"
        "\n"
        "Judged@1: new is higher than old by .250; not tested: neither more nor less of\n"
        "it is better.\n"
        "\n"
        "1 measure x 1 run against old: 1 comparison. Significant at 0.05: t 0\n"
        "paired t-test assumes: topics are a random sample, and the mean of their\n"
        "differences is normally distributed\n"
        "old, new: 4 of 4 topics; 40 documents, up to 10 a topic; top 10: 10.0% judged;\n"
        "no ties\n"
    )


@pytest.mark.parametrize(
    "options", [[], ["--test", "t,wilcoxon,sign,permutation,bootstrap"], ["--all-pairs", "--tukey"], ["-q"]]
)
def test_everything_fits_in_80_columns(demo_folder: Path, options: list[str]) -> None:
    (demo_folder / "third.run").write_text((demo_folder / "semantic.run").read_text().replace("0.9200", "0.0100"))
    shown = run_in_terminal(
        "compare", "qrels.txt", "keyword.run", "semantic.run", "third.run", *options, cwd=demo_folder, columns=80
    )
    assert len(shown.splitlines()) > 20
    assert max(map(len, shown.splitlines())) <= 80
    assert "nan" not in shown


def test_tsv_where_output_is_not_a_terminal(folder: Path) -> None:
    done = run_cranfield("compare", *FILES, "-m", "RR", "-m", "NumRet", "--test", "sign", cwd=folder)
    assert done.exit_code == 0
    header, *lines = (line.split("\t") for line in done.text.splitlines())
    first, second = (dict(zip(header, line, strict=True)) for line in lines)
    assert (first["measure"], first["run"], first["baseline"], first["topics"]) == ("RR", "new", "old", "4")
    assert (first["wins"], first["ties"], first["losses"], first["test"]) == ("2", "1", "1", "sign")
    assert float(first["difference"]) == pytest.approx(0.1625)
    assert (first["p"], first["significant"]) == (
        "1.0",
        "false",
    )  # two wins, one loss: p is at least 1/2 on either side
    assert (second["measure"], second["p"], second["significant"]) == ("NumRet", "", "")
    assert second["undefined"] == "neither more nor less of it is better"
    assert done.stderr == "cranfield: 1 measure x 1 run against old: 1 comparison. Significant at 0.05: sign 0\n" + (
        "cranfield: the 95 % t interval is found in another way than the p of the sign test, and the two need not agree\n"
    )


def test_topics_as_tsv(folder: Path) -> None:
    done = run_cranfield("compare", *FILES, "-m", "RR", "-q", cwd=folder)
    assert done.text.splitlines() == [
        "measure\trun\tbaseline\tquery\tbaseline_value\tvalue\tdifference",
        "RR\tnew\told\tq1\t0.5\t1.0\t0.5",
        "RR\tnew\told\tq2\t1.0\t1.0\t0.0",
        "RR\tnew\told\tq3\t0.25\t0.5\t0.25",
        "RR\tnew\told\tq4\t0.2\t0.1\t-0.1",
    ]


def test_topics_in_a_table(folder: Path) -> None:
    shutil.copy(folder / "old.run", folder / "copy.run")
    done = run_cranfield("compare", *FILES, "copy.run", "-m", "RR", "-q", "--format", "table", cwd=folder)
    assert done.text.splitlines()[:3] == [
        "topic  measure     old     new  difference    copy  difference",
        "q1     RR       0.5000  1.0000     +0.5000  0.5000      0.0000",
        "q2     RR       1.0000  1.0000      0.0000  1.0000      0.0000",
    ]


def test_json(folder: Path) -> None:
    done = run_cranfield(
        "compare", *FILES, "-m", "RR", "-q", "--change", "stemming", "--slices", "slices.csv", "--require", "RR improves in tail",
        "--tukey", "--format", "json", cwd=folder,
    )  # fmt: skip
    whole = json.loads(done.text, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    assert (whole["schema"], whole["baseline"], whole["runs"]) == ("cranfield.comparison/1", "old", ["new"])
    assert whole["change"] == {"new": "stemming"}
    assert whole["family"]["comparisons"] == 1
    (row,) = whole["comparisons"]
    assert row["per_query"]["q4"] == {"baseline": 0.2, "run": 0.1, "difference": -0.1}
    assert (row["wins"], row["ties"], row["losses"]) == (2, 1, 1)
    assert row["gained_most"] == {"q1": 0.5, "q3": 0.25}
    assert row["tests"]["t"]["details"]["degrees_of_freedom"] == 3
    assert whole["slices"] == {"head": ["q1", "q2"], "tail": ["q3", "q4"]}
    assert [one["difference"] for one in whole["by_slice"]] == pytest.approx([0.25, 0.075])
    assert (whole["passed"], whole["requirements"][0]["slice"], done.exit_code) == (True, "tail", 0)
    assert whole["tukey"]["RR"]["tukey"]["comparisons"] == 1


def test_the_json_page_has_every_key(folder: Path) -> None:
    done = run_cranfield(
        "compare", *FILES, "-m", "RR", "-q", "--slices", "slices.csv", "--require", "RR improves", "--tukey", "--check", "--rope",
        "0.01", "--format", "json", cwd=folder,
    )  # fmt: skip
    whole = json.loads(done.text)
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text().partition("cranfield.comparison/1")[2]
    documented = set(re.findall(r"`(\w+)`", page.partition("\n# ")[0]))
    shown = {
        *whole,
        *whole["comparisons"][0],
        *whole["comparisons"][0]["tests"]["t"],
        *whole["family"],
        *whole["requirements"][0],
    }
    assert shown <= documented


def test_latex_is_balanced_and_escaped(folder: Path) -> None:
    shutil.copy(folder / "new.run", folder / "new_50%&#{}~^.run")
    done = run_cranfield(
        "compare", "qrels.txt", "old.run", "new.run", "new_50%&#{}~^.run", "-m", "RR", "-m", "GMAP", "-m", "Judged@10", "--alpha",
        "0.5", "--format", "latex", cwd=folder,
    )  # fmt: skip
    text = done.text
    assert r"new\_50\%\&\#\{\}\textasciitilde{}\textasciicircum{}" in text
    assert (
        re.findall(r"\\begin\{(\w+)\}", text)
        == list(reversed(re.findall(r"\\end\{(\w+)\}", text)))
        == ["table", "tabular"]
    )
    bare = re.sub(r"\\.", "", text)
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    columns = len(re.search(r"\\begin\{tabular\}\{(\w+)\}", text)[1])  # type: ignore[index]
    named = [row for row in rows if row.startswith(rf"\multicolumn{{{columns}}}{{l}}{{\textit{{")]
    assert len(named) == 3
    assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows if row not in named} == {columns}
    assert all(rule in text for rule in (r"\toprule", r"\midrule", r"\bottomrule"))
    # RR: p is .313, below .5; with Holm's correction for four comparisons 4 · .313 is above 1.
    assert r"$^{\dagger}$: significant at 0.5 (paired t-test, two-sided, Holm correction for 4 comparisons)" in text
    assert r"new & \textbf{0.6500} & $+0.1625$ & $[" in text
    alone = run_cranfield("compare", *FILES, "-m", "RR", "--alpha", "0.5", "--format", "latex", cwd=folder)
    assert r"new & \textbf{0.6500}$^{\dagger}$ & $+0.1625$" in alone.text


def test_markdown_for_a_pull_request(folder: Path) -> None:
    done = run_cranfield(
        "compare", *FILES, "-m", "RR", "--slices", "slices.csv", "--require", "RR drop <= 0.01", "--require", "RR >= 0.7 in head",
        "--change", "a|b *c*", "--format", "markdown", cwd=folder,
    )  # fmt: skip
    lines = done.text.splitlines()
    assert lines[0] == "## Passed: new against old"
    assert "Changed in new: a\\|b \\*c\\*" in lines
    assert "| met | `RR drop <= 0.01` | new | all topics (4) | drop -0.1625 |" in lines
    assert "| met | `RR drop <= 0.01` | new | tail (2) | drop -0.0750 |" in lines
    assert "| met | `RR >= 0.7 in head` | new | head (2) | mean 1.0000 |" in lines
    assert "| RR | new | 0.4875 | **0.6500** | +0.1625 | -0.265 to 0.590 | 0.60 | 2/1/1 | 0.3133 |" in lines
    assert "requirements: passed all 4 checks" in lines
    widths = [line.count("|") - line.count("\\|") for line in lines if line.startswith("|")]
    assert set(widths) <= {6, 9, 10}


def test_the_gate(folder: Path) -> None:
    gate = ("--require", "RR drop <= 0.01", "--require", "RR non-inferior margin 0.2", "--slices", "slices.csv")
    swapped = run_cranfield("compare", "qrels.txt", "new.run", "old.run", *gate, cwd=folder)
    assert swapped.exit_code == 3
    assert "cranfield: old, all topics: RR drop <= 0.01: failed (drop 0.1625)\n" in swapped.stderr
    assert "cranfield: old, tail: RR drop <= 0.01: failed (drop 0.0750)\n" in swapped.stderr
    assert swapped.stderr.endswith("cranfield: requirements: 6 of 6 checks failed\n")
    table = run_cranfield("compare", "qrels.txt", "new.run", "old.run", *gate, "--format", "table", cwd=folder)
    assert table.exit_code == 3
    assert (
        "RR drop <= 0.01\n  FAILED  old  all topics (4)  drop 0.1625\n  FAILED  old  head (2)        drop 0.2500\n"
        in table.text
    )
    shutil.copy(folder / "old.run", folder / "copy.run")
    passed = run_cranfield("compare", "qrels.txt", "old.run", "copy.run", *gate, cwd=folder)
    assert (passed.exit_code, passed.stderr.splitlines()[-1]) == (0, "cranfield: requirements: passed all 6 checks")


def test_the_summary_is_written_whatever_is_printed(folder: Path) -> None:
    arguments = ("compare", *FILES, "--require", "RR >= 0.9", "--summary", "summary.md")
    done = run_cranfield(*arguments, "--format", "tsv", cwd=folder)
    assert done.exit_code == 3
    summary = (folder / "summary.md").read_text()
    assert summary.startswith("## Failed: new against old\n")
    assert "| **failed** | `RR >= 0.9` | new | all topics (4) | mean 0.6500 |" in summary
    assert sorted(path.name for path in folder.iterdir()) == [
        "new.run",
        "old.run",
        "qrels.txt",
        "slices.csv",
        "summary.md",
    ]
    markdown = run_cranfield("compare", *FILES, "--require", "RR >= 0.9", "--format", "markdown", cwd=folder)
    assert markdown.text == summary


def test_the_size_of_the_collection_is_for_requirements_too(folder: Path) -> None:
    done = run_cranfield("compare", *FILES, "-N", "1000", "--require", "SetAccuracy(cutoff=5) >= 0.9", cwd=folder)
    assert done.exit_code == 0
    assert done.text.splitlines()[1].startswith("SetAccuracy(documents=1000)@5\t")


def test_any_bytes_in_topics(folder: Path) -> None:
    for name in ("qrels.txt", "old.run", "new.run"):
        (folder / name).write_bytes((folder / name).read_bytes().replace(b"q4", b"caf\xe9"))
    for layout in ("table", "tsv", "markdown"):
        done = run_cranfield("compare", *FILES, "-m", "RR", "-q", "--format", layout, cwd=folder)
        assert (done.exit_code, b"caf\xe9" in done.stdout) == (0, True)
    done = run_cranfield("compare", *FILES, "-m", "RR", "--format", "json", "--summary", "summary.md", cwd=folder)
    assert json.loads(done.text)["comparisons"][0]["lost_most"] == {"caf\udce9": -0.1}
    assert b"caf\xe9" in (folder / "summary.md").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["qrels.txt", "old.run"], 2, "Missing argument 'RUN...'"),
        (["qrels.txt", "old.run", "none.run"], 2, "cranfield: none.run: there is no such file"),
        ([*FILES, "--test", "tt"], 2, "cranfield: unknown test 'tt'. Did you mean t? There are: t, wilcoxon, sign, randomisation, bootstrap"),
        ([*FILES, "--test", ""], 2, "cranfield: no test is named; there are: t, wilcoxon, sign, randomisation, bootstrap"),
        ([*FILES, "./new.run"], 2, "cranfield: ./new.run: the file is given twice; each run is compared once"),
        (["qrels.txt", "old.run", "old.run"], 2, "no run to compare with the baseline; the one that is given is the baseline itself"),
        ([*FILES, "--correction", "x"], 2, "Invalid value for '--correction'"),
        ([*FILES, "--alpha", "5"], 2, "cranfield: alpha must be a number above 0 and below 1, not 5.0"),
        ([*FILES, "--seed", "-1"], 2, "cranfield: seed must be a whole number of at least 0, not -1"),
        ([*FILES, "--require", "RR drop"], 2, "cranfield: requirement 'RR drop': after 'drop' expected an operator and a number"),
        ([*FILES, "--require", "RR improves in x"], 2, "is about the slice 'x'; --slices (slices=) says what slices there are"),
        ([*FILES, "--require", "RR improves in heda", "--slices", "slices.csv"], 2, "no slice 'heda'. Did you mean head? There are: head, tail"),
        ([*FILES, "--slices", "old.run"], 1, "cranfield: old.run: expected a header that names a column of topics"),
        ([*FILES, "--slices", "none.csv"], 2, "cranfield: none.csv: there is no such file"),
        ([*FILES, "--summary", "no/where.md"], 2, "there is no folder 'no'"),
        ([*FILES, "--change", "a", "--change", "b"], 2, "expected one change for all runs or one for each of 1, found 2"),
        ([*FILES, "-m", "RelString"], 2, "RelString@10 is text and has no values to compare"),
        (["qrels.txt", "old.run", "other.run"], 1, "cranfield: other: the run and the judgments have no topic in common"),
    ],
)  # fmt: skip
def test_wrong_input_gives_a_line_and_an_exit_code(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "other.run").write_text(run_file({"x1": 1}))
    done = run_cranfield("compare", *arguments, cwd=folder)
    assert message in done.stderr
    assert (done.exit_code, done.stdout) == (code, b"")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--test wil", ["wilcoxon"]),
        ("--test t,bo", ["t,bootstrap"]),
        ("-m nDCG", ["nDCG", "nDCGrel"]),
        ("--correction b", ["bonferroni", "bh"]),
    ],
)
def test_completion(words: str, expected: list[str]) -> None:
    environment = {
        "COMP_WORDS": f"cranfield compare {words}",
        "COMP_CWORD": "3",
        "_CRANFIELD_COMPLETE": "bash_complete",
    }
    done = run_cranfield(environment=environment)
    assert done.text.split() == [f"plain,{name}" for name in expected]


def test_a_sign_test_speaks_of_topics_and_names_the_interval(folder: Path) -> None:
    # Two topics won and one lost: with three coins at least two fall alike whatever happens, so p is 1.
    done = run_cranfield("compare", *FILES, "-m", "RR", "--test", "sign", "--format", "table", cwd=folder)
    assert "95 % t interval  share of wins  +/=/-" in done.text.splitlines()[0]
    said = " ".join(done.text.split())
    assert (
        "RR: undecided; on these topics new is better than old by .163; over all topics of this kind it may be anything "
        "from .265 worse to .590 better (95 % t interval); topics split at least as unevenly as 2 won and 1 lost, either "
        "way, would be seen nearly always if a topic were as likely to be won as lost (sign test, p = 1.000)."
    ) in said
    assert "the 95 % t interval is found in another way than the p of the sign test" in said
    latex = run_cranfield("compare", *FILES, "-m", "RR", "--test", "wilcoxon", "--format", "latex", cwd=folder).text
    assert r"with 95\,\% t intervals." in latex
    assert r"\multicolumn{1}{c}{95 \% t interval} & \multicolumn{1}{c}{rank-biserial}" in latex
    markdown = run_cranfield(
        "compare", *FILES, "-m", "RR", "--test", "wilcoxon", "--format", "markdown", cwd=folder
    ).text
    assert "| 95 % t interval | rank-biserial |" in markdown
    assert "a sum of signed ranks at least this far from zero, either way, would be seen 50 times in 100 if" in markdown


@pytest.mark.parametrize("layout", ["table", "markdown", "latex", "tsv"])
def test_random_tests_say_how_many_samples_they_took(folder: Path, layout: str) -> None:
    options = ("--test", "bootstrap", "--resamples", "500", "--seed", "7", "--format", layout)
    done = run_cranfield("compare", *FILES, "-m", "RR", *options, cwd=folder)
    said = " ".join((done.text + done.stderr).split())
    assert "p is an estimate from 500 random samples of topics (shift method), seed 7; it cannot be below 1/501" in said
    assert "below about 30 topics, and here are 4, the bootstrap is too sure of itself" in said


def test_a_baseline_that_a_glob_gives_again_is_left_out(folder: Path) -> None:
    again = ("qrels.txt", "old.run", "new.run", "./old.run")
    changes = ("--change", "stemming", "--change", "nothing")
    done = run_cranfield("compare", *again, "-m", "RR", *changes, "--format", "json", cwd=folder)
    whole = json.loads(done.text)
    assert (whole["runs"], whole["family"]["comparisons"]) == (["new"], 1)
    assert whole["change"] == {"new": "stemming"}
    note = "old: the baseline is also among the runs, and left out there"
    assert note in whole["notes"]
    assert f"cranfield: {note}\n" in run_cranfield("compare", *again, "-m", "RR", cwd=folder).stderr


@pytest.fixture
def three(folder: Path) -> tuple[str, ...]:
    """A third run, better than both: RR 1, 1, 1, 1/2."""
    (folder / "best.run").write_text(run_file({"q1": 1, "q2": 1, "q3": 1, "q4": 2}))
    return ("compare", *FILES, "best.run", "-m", "RR")


def test_intervals_that_are_not_corrected(folder: Path, three: tuple[str, ...]) -> None:
    note = "intervals are not corrected for the number of comparisons"
    assert note in run_cranfield(*three, "--format", "markdown", cwd=folder).text
    assert note not in run_cranfield(*three, "--correction", "none", "--format", "markdown", cwd=folder).text
    assert note not in run_cranfield("compare", *FILES, "-m", "RR", "--format", "markdown", cwd=folder).text


def test_all_pairs_from_the_best_run_down(folder: Path, three: tuple[str, ...]) -> None:
    lines = run_cranfield(*three, "--all-pairs", "--tukey", "--format", "table", cwd=folder).text.splitlines()
    # The means: best 3.5/4, new 2.6/4, old 1.95/4. Nothing is significant with four topics.
    assert lines[:4] == [
        "RR      mean  letters (t)      best       new",
        "best  0.8750            a",
        "new   0.6500            a  -0.2250",
        "old   0.4875            a  -0.3875   -0.1625",
    ]
    assert lines[5] == "Row minus column; *: significant (t). Runs that share a letter cannot be told apart."
    assert "RR      mean  letters (Tukey)" in lines
    assert any(line.startswith("Tukey's test and the others need not agree") for line in lines)
    markdown = run_cranfield(*three, "--all-pairs", "--format", "markdown", cwd=folder).text.splitlines()
    assert markdown[0] == "## old, new, best: all pairs"
    at = markdown.index("| RR | mean | letters (t) |")
    assert markdown[at + 2] == "| best | 0.8750 | a |"
    assert "Letters by the paired t-test, holm correction. Runs that share a letter cannot be told apart." in markdown
    latex = run_cranfield(*three, "--all-pairs", "--format", "latex", cwd=folder).text
    assert "\\addlinespace\nnew & 0.6500 &" in latex
    assert r"best & $0.8750$ & a \\" in latex


def test_tukey_in_latex_and_tsv(folder: Path, three: tuple[str, ...]) -> None:
    latex = run_cranfield(*three, "--tukey", "--format", "latex", cwd=folder).text
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 2
    assert "letters (Tukey)" in latex
    assert "randomised Tukey HSD" in latex
    whole = json.loads(run_cranfield(*three, "--tukey", "--format", "json", cwd=folder).text)
    by_pair = {(one["second"], one["first"]): one["p"] for one in whole["tukey"]["RR"]["tukey"]["pairs"]}
    header, *lines = (line.split("\t") for line in run_cranfield(*three, "--tukey", cwd=folder).text.splitlines())
    records = [dict(zip(header, line, strict=True)) for line in lines]
    found = {(one["run"], one["baseline"]): one for one in records if one["test"] == "tukey"}
    assert found.keys() == {("new", "old"), ("best", "old")}
    for pair, record in found.items():
        assert float(record["adjusted_p"]) == by_pair[pair]
        # Simultaneous intervals reach as far to one side of the difference as to the other.
        middle = (float(record["lower"]) + float(record["upper"])) / 2
        assert middle == pytest.approx(float(record["difference"]))


def test_depths_that_differ_are_said_beside_numbers(folder: Path) -> None:
    lines = (folder / "new.run").read_text().splitlines(keepends=True)
    (folder / "new.run").write_text("".join(line for line in lines if int(line.split()[3]) <= 5))
    for layout in ("tsv", "latex"):
        done = run_cranfield("compare", *FILES, "-m", "RR", "--format", layout, cwd=folder)
        assert "cranfield: the runs differ in depth, 5 to 10 documents a topic; -M 5 compares them" in done.stderr


@pytest.mark.parametrize(("limit", "said"), [("0.6", "passed the one check"), ("0.9", "failed the one check")])
def test_one_check_is_one_check(folder: Path, limit: str, said: str) -> None:
    done = run_cranfield("compare", *FILES, "--require", f"RR >= {limit}", cwd=folder)
    assert done.stderr.endswith(f"cranfield: requirements: {said}\n")
