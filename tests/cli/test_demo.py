"""`cranfield demo`: everything in one go."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from cranfield.cli.demo import COMMANDS, WITHOUT_TABLES
from cranfield.cli.demo_log import LOG, SIMULATE, room_for_log
from tests.cli.running import run_cranfield, run_in_terminal
from tests.conftest import Demonstration

README = Path(__file__).parents[2] / "README.md"
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
    assert commands == ["update", "evaluate", "compare", "explain", "agreement", "report", "logs"]
    assert (folder / "report.html").as_uri() in done.text
    assert sorted(file.name for file in (folder / "runs").glob("*.run")) == sorted(f"{name}.run" for name in SYSTEMS)
    assert "language models" in done.text


@pytest.mark.parametrize(
    "command", [words for words in COMMANDS if shlex.split(words)[0] not in (*WITHOUT_TABLES, "logs")]
)
def test_it_shows_what_the_commands_show(demonstration: Demonstration, command: str) -> None:
    """Also to whoever reads it in a file: as the command itself shows it in a terminal."""
    _, _, rest = demonstration.done.text.partition(f"$ cranfield {command}  # {COMMANDS[command]}\n")
    shown, _, _ = rest.partition("\n\n$ cranfield ")
    assert shown.strip() == run_in_terminal(*shlex.split(command), cwd=demonstration.folder).strip()


def test_the_readme_shows_it(demonstration: Demonstration) -> None:
    """Line by line, where the documents are those of the page; what is left out is dots."""
    (transcript,) = re.findall(r"```text\n(\$ cranfield evaluate.*?)```", README.read_text(), re.DOTALL)
    folder, here = "file:///home/you/cranfield-demo", demonstration.folder.as_uri()
    lines = [line.replace(folder, here) for line in transcript.splitlines() if line != "..."]
    assert len(lines) > 20
    if "5,850 docstrings of Python 3.11.7" in demonstration.done.text:
        printed = demonstration.done.text.splitlines()
        assert [line for line in lines if line not in printed] == []


def test_its_evaluation_is_in_the_ledger(demonstration: Demonstration, tmp_path: Path) -> None:
    """So that topics which are set apart later do not pass for unseen; and then the folder is somebody's own."""
    folder = shutil.copytree(demonstration.folder, tmp_path / "demo")
    assert len(list((folder / "ledger").iterdir())) == 1
    done = run_cranfield("split", cwd=folder)
    assert "test topics looked at once, before the workspace was divided, by these runs: bm25 (1)" in done.stderr
    again = run_cranfield("demo", folder)
    assert (again.exit_code, again.stdout) == (2, b"")
    assert "its topics were divided (`cranfield split`) since `cranfield demo` made it" in again.stderr


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
    assert re.search(
        rf"^{system}: 50 of 50 topics; .* top 10: {share:.1%} judged", demonstration.done.text, re.MULTILINE
    )
    assert share > 0.9


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


def test_what_to_try_next_works(demonstration: Demonstration, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    shutil.copytree(demonstration.folder, folder)
    lines = re.findall(r"^ +(cranfield .*?) +#", demonstration.done.text, re.MULTILINE)
    assert len(lines) == 5
    for command in " && ".join(lines).split(" && "):
        done = run_cranfield(*command.split()[1:], cwd=folder)
        assert done.exit_code == 0, done.stderr


def test_it_has_a_log_that_the_command_makes(demonstration: Demonstration, tmp_path: Path) -> None:
    """The same as the command that is shown makes of the workspace: byte for byte what people did."""
    folder = shutil.copytree(demonstration.folder, tmp_path / "demo")
    made = {file.relative_to(folder / LOG): file.read_bytes() for file in (folder / LOG).rglob("*.parquet")}
    assert run_cranfield(*shlex.split(SIMULATE)[:-1], "again", cwd=folder).exit_code == 0
    assert made == {
        file.relative_to(folder / "again"): file.read_bytes() for file in (folder / "again").rglob("*.parquet")
    }
    done = run_cranfield("logs", "show", LOG, "--format", "json", cwd=folder)
    # 3,000 sessions, each with a query or more; every page of this collection has up to ten documents.
    rows = json.loads(done.text)["rows"]
    assert 3000 <= rows["queries"] <= 4 * 3000
    assert rows["impressions"] <= 10 * rows["queries"]


def test_an_earlier_log_is_made_anew_but_not_another(demonstration: Demonstration, tmp_path: Path) -> None:
    folder = shutil.copytree(demonstration.folder, tmp_path / "demo")
    assert room_for_log(folder)
    assert not (folder / LOG).exists()
    assert room_for_log(folder)
    assert run_cranfield("logs", "simulate", "--sessions", "9", "-o", LOG, cwd=folder).exit_code == 0
    assert not room_for_log(folder)
    shutil.rmtree(folder / LOG)
    (folder / LOG).mkdir()
    (folder / LOG / "diary.txt").write_text("mine")
    assert not room_for_log(folder)
    assert (folder / LOG / "diary.txt").read_text() == "mine"


def test_the_folder_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    done = run_cranfield("demo", tmp_path)
    assert (done.exit_code, done.stdout) == (2, b"")
    assert "this folder is not empty, and not made by `cranfield demo`" in done.stderr


def test_again_and_without_extras(tmp_path: Path, demonstration: Demonstration) -> None:
    """Nothing is searched again; there is neither report nor log, how to get them is said, and the rest is shown."""
    folder, absent = tmp_path / "demo", tmp_path / "absent"
    shutil.copytree(demonstration.folder, folder)
    (folder / "report.html").unlink()
    shutil.rmtree(folder / LOG)
    before = {file.name: file.stat().st_ino for file in (folder / "runs").iterdir()}
    for name in ("altair", "duckdb"):
        (absent / name).mkdir(parents=True)
        (absent / name / "__init__.py").write_text(
            f"raise ModuleNotFoundError('No module named {name}', name='{name}')"
        )
    done = run_cranfield("demo", folder, environment={"PYTHONPATH": str(absent)})
    assert done.exit_code == 0
    assert "indexes and runs are up to date" in done.text
    assert {file.name: file.stat().st_ino for file in (folder / "runs").iterdir()} == before
    for extra in ("report", "logs"):
        (line,) = (line for line in done.text.splitlines() if f"pip install 'cranfield[{extra}]'" in line)
        assert line.startswith("not written: ")
    assert not (folder / "report.html").exists()
    assert not (folder / LOG).exists()
    assert "logs report" not in done.text


def test_the_small_example_in_a_folder(tmp_path: Path) -> None:
    done = run_cranfield("demo", "mine", "--small", cwd=tmp_path)
    assert (done.exit_code, "The files are in mine: try" in done.text) == (0, True)
    done = run_cranfield("evaluate", "qrels.txt", "keyword.run", "-m", "nDCG@10", cwd=tmp_path / "mine")
    assert "0.6796" in done.text  # see below
    again = run_cranfield("demo", "mine", "--small", cwd=tmp_path)
    assert (again.exit_code, "mine: this is there already" in again.stderr) == (2, True)


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
