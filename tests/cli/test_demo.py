"""`cranfield demo`: everything in one go."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield
from tests.conftest import Demonstration

SYSTEMS = ("bm25", "untuned", "names", "hybrid")


def first_ten(run: Path) -> dict[str, list[str]]:
    """The first documents of each topic, in the order of the file, which is that of the ranks."""
    found: dict[str, list[str]] = {}
    for line in run.read_text().splitlines():
        topic, _, document, *_ = line.split()
        found.setdefault(topic, []).append(document)
    return {topic: documents[:10] for topic, documents in found.items()}


def judged_pairs(folder: Path) -> dict[tuple[str, str], int]:
    lines = (line.split() for line in (folder / "qrels.txt").read_text().splitlines())
    return {(topic, document): int(grade) for topic, _, document, grade in lines}


def test_it_does_everything(demonstration: Demonstration) -> None:
    folder, done = demonstration
    assert (done.exit_code, done.stderr) == (0, "")
    commands = re.findall(r"^\$ cranfield (\S+)", done.text, re.MULTILINE)
    assert commands == ["update", "evaluate", "compare", "explain", "agreement", "report"]
    assert (folder / "report.html").as_uri() in done.text
    assert sorted(file.name for file in (folder / "runs").glob("*.run")) == sorted(f"{name}.run" for name in SYSTEMS)
    assert all(len(line) <= 100 for line in done.text.splitlines() if not line.startswith(("file:", "next ")))
    assert len(done.text.splitlines()) <= 60
    assert "language models" in done.text


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_first_ten_are_judged(demonstration: Demonstration, system: str) -> None:
    """On the Python that tests are judged by all of them; elsewhere there are documents that were not there."""
    judged = judged_pairs(demonstration.folder)
    shown = first_ten(demonstration.folder / "runs" / f"{system}.run")
    unjudged = [(topic, one) for topic, documents in shown.items() for one in documents if (topic, one) not in judged]
    assert len(shown) == 50
    if sys.version_info[:2] == (3, 11):
        assert not unjudged
    share = 1 - len(unjudged) / sum(map(len, shown.values()))
    if unjudged:
        assert f"{system} {share:.1%}" in demonstration.done.text
    assert share > 0.9


def test_the_share_of_unjudged_documents_is_said(demonstration: Demonstration, tmp_path: Path) -> None:
    """As where Python has other documents: here a judgment is taken away."""
    from cranfield import compare
    from cranfield.cli.demo_tables import unjudged

    runs = demonstration.folder / "runs"
    (topic, (document, *_)), *_ = first_ten(runs / "bm25.run").items()
    lines = (demonstration.folder / "qrels.txt").read_text().splitlines()
    kept = [line for line in lines if line.split()[::2] != [topic, document]]
    (tmp_path / "qrels.txt").write_text("\n".join(kept) + "\n")
    compared = compare(tmp_path / "qrels.txt", runs / "bm25.run", runs / "names.run", "nDCG@10")
    said = " ".join(unjudged(compared))
    assert said.startswith("Judged of the top 10: bm25 99.8%, names ")  # 499 of 500
    whole = compare(demonstration.folder / "qrels.txt", runs / "bm25.run", runs / "names.run", "nDCG@10")
    assert sys.version_info[:2] != (3, 11) or not list(unjudged(whole))


def test_values_are_those_of_another_tool(demonstration: Demonstration) -> None:
    import pytrec_eval

    with (demonstration.folder / "qrels.txt").open() as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), {"ndcg_cut.10"})
    means = []
    for name in SYSTEMS:
        with (demonstration.folder / "runs" / f"{name}.run").open() as file:
            values = evaluator.evaluate(pytrec_eval.parse_run(file))
        means.append(sum(value["ndcg_cut_10"] for value in values.values()) / 50)
    (line,) = re.findall(r"^nDCG@10 +(\d.*)$", demonstration.done.text.partition("compare")[0], re.MULTILINE)
    # pytrec_eval compares scores in single precision, which may exchange two documents.
    assert [float(cell) for cell in line.split()] == pytest.approx(means, abs=2e-3)


def test_what_it_says_of_systems_is_what_compare_says(demonstration: Demonstration) -> None:
    done = run_cranfield("compare", "--format", "json", cwd=demonstration.folder)
    rows = json.loads(done.stdout)["comparisons"]
    (table,) = re.findall(r"^\$ cranfield compare .*?\n\n", demonstration.done.text, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^(\S+) +(untuned|names|hybrid) .* (\w+)$", table, re.MULTILINE)
    shown = {(measure, run): verdict for measure, run, verdict in lines}
    assert len(shown) == 6
    for row in rows:
        if row["tests"]:
            significant = row["tests"]["t"]["significant"]
            verdict = ("better" if row["difference"] > 0 else "worse") if significant else "undecided"
            assert shown[row["measure"], row["run"]] == verdict


def test_what_to_try_next_works(demonstration: Demonstration, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    shutil.copytree(demonstration.folder, folder)
    lines = re.findall(r"^ +(cranfield .*?) +#", demonstration.done.text, re.MULTILINE)
    assert len(lines) == 3
    for command in " && ".join(lines).split(" && "):
        words = command.replace("runs/*.run", " ".join(f"runs/{name}.run" for name in SYSTEMS)).split()
        done = run_cranfield(*words[1:], cwd=folder)
        assert done.exit_code == 0, done.stderr


def test_the_folder_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    done = run_cranfield("demo", tmp_path)
    assert (done.exit_code, done.stdout) == (2, b"")
    assert "this folder is not empty, and not made by `cranfield demo`" in done.stderr


def test_again_and_without_what_draws(tmp_path: Path, demonstration: Demonstration) -> None:
    """Nothing is searched again; there is no report, and the rest is shown."""
    folder, absent = tmp_path / "demo", tmp_path / "absent"
    shutil.copytree(demonstration.folder, folder)
    (folder / "report.html").unlink()
    before = {file.name: file.stat().st_ino for file in (folder / "runs").iterdir()}
    (absent / "altair").mkdir(parents=True)
    (absent / "altair" / "__init__.py").write_text("raise ModuleNotFoundError('No module named altair', name='altair')")
    done = run_cranfield("demo", folder, environment={"PYTHONPATH": str(absent)})
    assert done.exit_code == 0
    assert len(re.findall(r"kept$", done.text, re.MULTILINE)) == len(SYSTEMS)
    assert {file.name: file.stat().st_ino for file in (folder / "runs").iterdir()} == before
    assert "not written: " in done.text
    assert "pip install 'cranfield[report]'" in done.text
    assert not (folder / "report.html").exists()


def test_the_small_example() -> None:
    done = run_cranfield("demo", "--small")
    assert done.exit_code == 0
    # Oracle: pytrec_eval on the same files, see test_the_small_example_agrees_with_pytrec_eval.
    assert "nDCG@10     0.6796    0.9183" in done.text


def test_the_small_example_agrees_with_pytrec_eval() -> None:
    from importlib import resources

    import pytrec_eval

    with resources.as_file(resources.files("cranfield.cli") / "small_example") as folder:
        with (folder / "qrels.txt").open() as file:
            qrels = pytrec_eval.parse_qrel(file)
        for name, expected in (("keyword", "0.6796"), ("semantic", "0.9183")):
            with (folder / f"{name}.run").open() as file:
                run = pytrec_eval.parse_run(file)
            values = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(run)
            mean = sum(value["ndcg_cut_10"] for value in values.values()) / len(values)
            assert f"{mean:.4f}" == expected
