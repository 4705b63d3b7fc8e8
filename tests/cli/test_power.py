"""`cranfield power`."""

from __future__ import annotations

import json
import shutil
from importlib import resources
from pathlib import Path

import pytest
import scipy.stats
from statsmodels.stats.power import TTestPower

import cranfield as cf
from cranfield.errors import UsageError
from tests.cli.running import run_cranfield, run_in_terminal

PILOT = ("qrels.txt", "keyword.run", "semantic.run")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of `cranfield demo --small`."""
    there = tmp_path_factory.mktemp("demo")
    with resources.as_file(resources.files("cranfield.cli") / "small_example") as source:
        for name in PILOT:
            shutil.copy(source / name, there)
    return there


def lines(*arguments: str, cwd: Path | None = None) -> list[dict[str, str]]:
    done = run_cranfield("power", *arguments, cwd=cwd)
    assert (done.exit_code, done.stderr) == (0, "")
    header, *rows = done.text.splitlines()
    return [dict(zip(header.split("\t"), row.split("\t"), strict=True)) for row in rows]


def test_two_of_three_give_the_third() -> None:
    (power,) = lines("--difference", "0.03", "--sd", "0.12", "--topics", "50")
    assert float(power["power"]) == pytest.approx(TTestPower().power(0.25, 50, 0.05), abs=1e-9)
    (topics,) = lines("--difference", "0.03", "--sd", "0.12", "--power", "0.9")
    assert (
        TTestPower().power(0.25, int(topics["topics"]), 0.05)
        >= 0.9
        > TTestPower().power(0.25, int(topics["topics"]) - 1, 0.05)
    )
    (difference,) = lines("--sd", "0.12", "--topics", "50")  # with power .8
    assert float(difference["difference"]) == pytest.approx(
        0.12 * TTestPower().solve_power(nobs=50, alpha=0.05, power=0.8), rel=1e-6
    )


def test_in_a_terminal() -> None:
    shown = run_in_terminal("power", "--difference", ".03", "--sd", ".12", "--topics", "50")
    assert shown == (
        "test           difference      sd  effect  topics   power\n"
        "paired t-test      0.0300  0.1200  0.2500      50  0.4104\n"
        "\n"
        "With 50 topics, a true difference of .030 (standard deviation .120) is found with probability 0.410\n"
        "(paired t-test, two-sided, alpha 0.05).\n"
    )


def test_several_tests_and_one_side() -> None:
    rows = lines(
        "--difference",
        ".03",
        "--sd",
        ".12",
        "--test",
        "t",
        "--test",
        "sign",
        "--alternative",
        "greater",
        "--alpha",
        ".01",
    )
    assert [row["test"] for row in rows] == ["paired t-test", "sign test"]
    assert int(rows[0]["topics"]) < int(rows[1]["topics"])
    assert TTestPower().power(0.25, int(rows[0]["topics"]), 0.01, alternative="larger") >= 0.8


def test_an_analysis_of_variance_and_the_width_of_an_interval() -> None:
    (anova,) = lines("--systems", "10", "--difference", ".1", "--sd", ".2")
    found = cf.stats.topics_for_anova(0.1, 0.2, 10)
    assert (anova["test"], anova["topics"]) == ("one-way ANOVA", str(found.topics))
    (width,) = lines("--width", ".05", "--sd", ".12")
    assert width["topics"] == "91"
    assert float(width["width"]) == pytest.approx(2 * 1.98667 * 0.12 / 91**0.5 * 0.99723, abs=1e-5)  # t(90); E(s) / sd


def test_a_pilot_says_how_much_differences_vary(folder: Path) -> None:
    rows = lines(*PILOT, "--difference", "0.05", "-m", "nDCG@10", cwd=folder)
    scores = [list(cf.evaluate(folder / "qrels.txt", folder / run, "nDCG@10")["nDCG@10"].values()) for run in PILOT[1:]]
    sd = scipy.stats.tstd([new - old for old, new in zip(*scores, strict=True)])
    assert [float(row["sd"]) for row in rows] == pytest.approx([sd, sd])
    now, needed = rows
    assert now["topics"] == "6"
    assert float(now["power"]) == pytest.approx(TTestPower().power(0.05 / sd, 6, 0.05), abs=1e-9)
    assert TTestPower().power(0.05 / sd, int(needed["topics"]), 0.05) >= 0.8


def test_a_pilot_alone_says_what_can_be_found(folder: Path) -> None:
    rows = lines(*PILOT, cwd=folder)
    assert [row["measure"] for row in rows] == ["nDCG@10", "AP"]
    assert [float(row["power"]) for row in rows] == pytest.approx([0.8, 0.8])
    assert all(float(row["difference"]) > 0.3 for row in rows)


def test_simulation(folder: Path) -> None:
    arguments = (
        *PILOT,
        "--simulate",
        "--difference",
        "0.2",
        "-m",
        "AP",
        "--trials",
        "200",
        "--topics",
        "20",
        "--seed",
        "3",
    )
    (row,) = lines(*arguments, "--test", "randomisation", cwd=folder)
    assert (row["test"], row["topics"]) == ("randomisation", "20")
    assert 0 <= float(row["type_1"]) < 0.2
    assert float(row["power"]) == pytest.approx(1 - float(row["type_2"]))
    assert lines(*arguments, "--test", "randomisation", cwd=folder) == [row]  # the same seed, the same number


def test_discriminative_power(folder: Path) -> None:
    rows = lines(*PILOT, "--discriminative", "-m", "nDCG@10", "-m", "AP", cwd=folder)
    assert [(row["measure"], row["comparisons"], row["separated"]) for row in rows] == [
        ("nDCG@10", "1", "0"),
        ("AP", "1", "0"),
    ]
    (pair,) = lines(*PILOT, "--discriminative", "--curve", "--test", "t", "-m", "AP", cwd=folder)
    assert (pair["first"], pair["second"]) == ("keyword", "semantic")
    scores = [list(cf.evaluate(folder / "qrels.txt", folder / run, "AP")["AP"].values()) for run in PILOT[1:]]
    assert float(pair["p"]) == pytest.approx(scipy.stats.ttest_rel(*scores).pvalue, abs=1e-9)
    shown = run_in_terminal("power", *PILOT, "--discriminative", "--curve", "-m", "AP", cwd=folder)
    assert "AP, randomised Tukey HSD, largest p first" in shown
    assert "From 2 runs on 6 topics." in shown


def test_json(folder: Path) -> None:
    done = run_cranfield("power", *PILOT, "--difference", "0.05", "--format", "json", "-m", "AP", cwd=folder)
    whole = json.loads(done.stdout)
    assert whole["schema"] == "cranfield.power/1"
    assert whole["pilot"]["runs"] == ["keyword", "semantic"]
    assert whole["pilot"]["variance"]["AP"]["difference_sd"] == whole["findings"][0]["sd"]
    assert [found["topics"] for found in whole["findings"]] == [6, 172]
    alone = json.loads(run_cranfield("power", "--sd", "0", "--difference", "1", "--format", "json").stdout)
    assert alone["findings"][0]["undefined"].startswith("the standard deviation is zero")
    assert alone["findings"][0]["topics"] is None


def test_what_is_not_defined_is_said() -> None:
    done = run_cranfield("power", "--difference", "0", "--sd", "0.1")
    assert done.exit_code == 1
    assert done.text.splitlines()[1].split("\t")[-2:] == ["nan", "nan"]
    assert "a difference of zero is not found with any number of topics" in done.stderr
    shown = run_in_terminal("power", "--difference", "0", "--sd", "0.1")
    assert shown.splitlines()[1].split()[-2:] == ["-", "-"]
    assert "a difference of zero is not found with any number\nof topics" in shown


def test_topics_that_a_run_lacks_are_said(folder: Path) -> None:
    kept = [line for line in (folder / "keyword.run").read_text().splitlines() if not line.startswith("vegetable-soup")]
    (folder / "short.run").write_text("\n".join(kept) + "\n")
    arguments = ("power", "qrels.txt", "short.run", "semantic.run", "-m", "AP", "--profile", "trec_eval-9")
    words = "From 2 runs on 5 topics; 1 that some run lacks is left out."
    assert run_cranfield(*arguments, cwd=folder).stderr.splitlines() == [
        f"cranfield: {words}",
        "cranfield: short: no documents for 1 of 6 topics (vegetable-soup: left out)",
    ]
    assert words in run_in_terminal(*arguments, cwd=folder)
    zero = run_cranfield(*arguments[:-2], cwd=folder).stderr
    assert zero == "cranfield: short: no documents for 1 of 6 topics (vegetable-soup: scored 0)\n"


def test_topics_that_no_run_has_are_no_pilot(folder: Path) -> None:
    for run in PILOT[1:]:
        kept = [line for line in (folder / run).read_text().splitlines() if not line.startswith("vegetable-soup")]
        (folder / f"five-{run}").write_text("\n".join(kept) + "\n")
    runs = ("five-keyword.run", "five-semantic.run")
    done = run_cranfield("power", "qrels.txt", *runs, "-m", "AP", cwd=folder)
    scores = [cf.evaluate(folder / "qrels.txt", folder / run, "AP")["AP"] for run in runs]
    differences = [scores[0][topic] - scores[1][topic] for topic in scores[0] if topic != "vegetable-soup"]
    cells = dict(zip(*(line.split("\t") for line in done.text.splitlines()), strict=True))
    assert float(cells["sd"]) == pytest.approx(scipy.stats.tstd(differences))
    words = "From 2 runs on 5 topics; 1 that no run has is left out (vegetable-soup)."
    assert (cells["topics"], done.stderr) == ("5", f"cranfield: {words}\n")
    assert words in run_in_terminal("power", "qrels.txt", *runs, "-m", "AP", cwd=folder)
    for run in PILOT[1:]:
        kept = [line for line in (folder / run).read_text().splitlines() if line.startswith("vegetable-soup")]
        (folder / f"one-{run}").write_text("\n".join(kept) + "\n")
    alone = run_cranfield("power", "qrels.txt", "one-keyword.run", "one-semantic.run", "-m", "AP", cwd=folder)
    assert (alone.exit_code, alone.stdout) == (1, b"")
    assert "there are fewer than two topics. From 2 runs on 1 topic; 5 that no run has are left out" in alone.stderr


def test_runs_of_different_depth_are_said(folder: Path) -> None:
    whole = (folder / "keyword.run").read_text().splitlines()
    topics = {line.split()[0]: line for line in reversed(whole)}
    (folder / "flat.run").write_text("\n".join(topics.values()) + "\n")
    arguments = ("power", "qrels.txt", "flat.run", "semantic.run", "-m", "AP")
    assert "cranfield: the runs differ in depth, 1 to " in run_cranfield(*arguments, cwd=folder).stderr
    shown = run_in_terminal(*arguments, cwd=folder, columns=80)
    assert "the runs differ in depth, 1 to " in shown
    assert max(map(len, shown.splitlines())) <= 80
    notes = json.loads(run_cranfield(*arguments, "--format", "json", cwd=folder).stdout)["pilot"]["notes"]
    assert any("the runs differ in depth" in note for note in notes)
    assert run_cranfield(*arguments, "-M", "1", cwd=folder).stderr == ""


def test_a_power_that_is_given_is_not_asked_for(folder: Path) -> None:
    rows = lines(*PILOT, "--difference", "0.05", "--power", "0.8", "-m", "AP", cwd=folder)
    assert [row["topics"] for row in rows] == ["172"]  # as without --power, where the 6 topics of the pilot come first


def test_pairs_that_are_tested_alone_are_not_corrected(folder: Path) -> None:
    (folder / "third.run").write_text((folder / "keyword.run").read_text())
    arguments = ("power", *PILOT, "third.run", "--discriminative", "-m", "AP", "--test", "t,tukey")
    done = run_cranfield(*arguments, cwd=folder)
    assert [line.split("\t")[1] for line in done.text.splitlines()[1:]] == ["paired t-test", "randomised Tukey HSD"]
    assert done.stderr == "cranfield: paired t-test: not corrected for 3 comparisons\n"
    shown = " ".join(run_in_terminal(*arguments, cwd=folder).split())
    assert "paired t-test, alpha 0.05, not corrected for 3 comparisons)" in shown
    assert "randomised Tukey HSD, alpha 0.05)" in shown


def test_better_is_greater_and_worse_is_less() -> None:
    asked = ("--difference", ".03", "--sd", ".12", "--topics", "50", "--alternative")
    assert lines(*asked, "better") == lines(*asked, "greater")
    assert lines(*asked, "worse") == lines(*asked, "less") != lines(*asked, "greater")


def test_from_python(folder: Path) -> None:
    runs = [folder / run for run in PILOT[1:]]
    found = cf.power(folder / "qrels.txt", runs, "AP", difference=0.05)
    done = run_cranfield("power", *PILOT, "--difference", "0.05", "--format", "json", "-m", "AP", cwd=folder)
    assert found.to_dict() == json.loads(done.stdout)
    assert repr(found).endswith("From 2 runs on 6 topics.")
    several = cf.power(folder / "qrels.txt", dict(zip("ab", runs, strict=True)), "AP", tests="t,sign")
    assert [finding.to_dict()["test"] for finding in several.findings] == ["paired t-test", "sign test"]
    with pytest.raises(UsageError, match="differences are between runs: expected two or more"):
        cf.power(folder / "qrels.txt", runs[0])


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "how much do differences vary? Give --sd, or a pilot: QRELS and two RUNs or more"),
        (["--sd", ".1"], 2, "give --difference, --topics or --width"),
        (["--sd", ".1", "--difference", ".1", "--topics", "9", "--power", ".8"], 2, "of --difference, --topics and --power give two"),
        (["--sd", "-1", "--topics", "9"], 2, "sd must be a number of at least 0, not -1.0"),
        (["--sd", ".1", "--topics", "9", "--power", "8"], 2, "power must be a number above 0.05 and below 1, not 8.0"),
        (["--sd", ".1", "--topics", "9", "--alpha", "5"], 2, "alpha must be a number above 0 and below 1, not 5.0"),
        (["--sd", ".1", "--systems", "5"], 2, "--systems needs --difference"),
        (["--sd", ".1", "--topics", "9", "--test", "bootstrap"], 2, "its power can be simulated (--simulate); there are: t, wilcoxon, sign"),
        (["--sd", ".1", "--topics", "9", "--test", "tukey"], 2, "--test tukey is not for this question; there are: t, wilcoxon, sign"),
        (["--sd", ".1", "--topics", "9", "-m", "AP"], 2, "-m is for a pilot"),
        (["--sd", ".1", "--discriminative"], 2, "--discriminative needs scores: give QRELS and two RUNs or more"),
        (["--sd", ".1", *PILOT], 2, "either given (--sd) or taken from QRELS and RUNs, not both"),
        (["qrels.txt", "keyword.run"], 2, "a pilot is QRELS and two RUNs or more, found 2 files"),
        ([*PILOT, "--simulate"], 2, "--simulate needs --difference"),
        ([*PILOT, "--simulate", "--discriminative"], 2, "are two questions; ask one at a time"),
        ([*PILOT, "--discriminative", "--difference", ".1"], 2, "--difference has no part in --discriminative"),
        ([*PILOT, "--test", "t,foo"], 2, "'foo' is not one of tukey, t, wilcoxon, sign, randomisation, bootstrap"),
        ([*PILOT, "--curve"], 2, "--curve goes with --discriminative"),
        (["qrels.txt", "keyword.run", "keyword.run"], 1, "nDCG@10: no variance can be taken from the pilot"),
        ([*PILOT, "-m", "NumRel"], 2, "NumRel: nothing can be said about differences in it"),
        ([*PILOT, "-m", "nDGC@10"], 2, "unknown measure 'nDGC@10'"),
        (["qrels.txt", "keyword.run", "none.run"], 2, "none.run"),
    ],
)  # fmt: skip
def test_wrong_input_gives_a_line_and_an_exit_code(folder: Path, arguments: list[str], code: int, message: str) -> None:
    done = run_cranfield("power", *arguments, cwd=folder)
    assert message in done.stderr
    assert (done.exit_code, done.stdout) == (code, b"")
    assert "Traceback" not in done.stderr
