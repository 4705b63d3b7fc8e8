"""`cranfield failures`."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

FILES = ("qrels.txt", "keyword.run", "semantic.run")


@pytest.fixture
def folder() -> Path:
    return Path(str(resources.files("cranfield.cli") / "small_example"))


def test_a_terminal_shows_tables(folder: Path) -> None:
    shown = run_in_terminal("failures", *FILES, "--missed-below", "3", "--rows", "2", cwd=folder)
    assert shown.startswith("The hardest quarter of 6 topics, by nDCG@10:\n\ntopic ")
    # Oracle: (0.5241 + 0.9440) / 2 from `cranfield evaluate -q`.
    assert "dessert-without-oven  0.7340" in shown
    assert "Topics on which the runs disagree most:" in shown
    assert "None of 2 runs has " in shown
    assert "more; --missed shows all)" in shown


def test_the_texts_of_a_collection(folder: Path, tmp_path: Path) -> None:
    topics = {line.split()[0] for line in (folder / "qrels.txt").read_text().splitlines()}
    (tmp_path / "topics.tsv").write_text("".join(f"{topic}\task {topic}\n" for topic in topics))
    (tmp_path / "docs.tsv").write_text("d1\tsoup\n")
    assert run_cranfield("collection", "import", "trec", tmp_path, "-o", tmp_path / "made").exit_code == 0
    shown = run_in_terminal("failures", *FILES, "--topics", str(tmp_path / "made"), cwd=folder)
    assert "dessert-without-oven  ask dessert-wit" in shown
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "d1.txt").write_text("soup")
    done = run_cranfield("failures", *FILES, "--topics", tmp_path / "texts", cwd=folder)
    assert done.exit_code == 1
    assert done.stderr.endswith("texts: there are no topics in this folder. Name the file that has them.\n")


def test_topics_in_another_encoding(folder: Path, tmp_path: Path) -> None:
    topics = {line.split()[0] for line in (folder / "qrels.txt").read_text().splitlines()}
    (tmp_path / "topics.tsv").write_text("".join(f"{topic}\tfür {topic}\n" for topic in topics), encoding="latin-1")
    asked = ("failures", *FILES, "--format", "json", "--topics", tmp_path / "topics.tsv")
    wrong = run_cranfield(*asked, cwd=folder)
    assert (wrong.exit_code, "--encoding latin-1" in wrong.stderr) == (1, True)
    found = json.loads(run_cranfield(*asked, "--encoding", "latin-1", cwd=folder).text)
    assert {topic["text"] for topic in found["topics"]} == {f"für {topic}" for topic in topics}


def test_tsv_has_a_line_for_each_topic(folder: Path) -> None:
    done = run_cranfield("failures", *FILES, "-m", "AP", cwd=folder)
    header, *lines = done.text.splitlines()
    assert header.split("\t")[:3] == ["topic", "mean", "spread"]
    assert len(lines) == 6
    means = [float(line.split("\t")[1]) for line in lines]
    assert means == sorted(means)
    assert "what hard topics have in common is not thereby the reason" in done.stderr


def test_missed_documents_alone(folder: Path) -> None:
    done = run_cranfield("failures", *FILES, "--missed", "--missed-below", "1", cwd=folder)
    header, *lines = done.text.splitlines()
    assert header == "topic\tdocument\tgrade\tbest_rank\tbest_run\tat_best"
    assert all(int(line.split("\t")[3] or 2) > 1 for line in lines)


def test_json(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("quick-pasta\tpasta that is quick\n")
    done = run_cranfield("failures", *FILES, "--topics", tmp_path / "topics.tsv", "--format", "json", cwd=folder)
    whole = json.loads(done.stdout)
    assert whole["schema"] == "cranfield.failures/1"
    assert {topic["topic"]: topic["words"] for topic in whole["topics"]}["quick-pasta"] == 4
    assert whole["runs"] == ["keyword", "semantic"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("-m", "NumRet"), 2, "cranfield: NumRet: no topic fails by it"),
        (("--missed-below", "0"), 2, "cranfield: the number of documents (--missed-below, missed_below=)"),
        (("--topics", "none.tsv"), 2, "cranfield: none.tsv: there is no such file"),
        (("-R", "qrels_prefs", "-m", "prefs_simp"), 2, "cranfield: failures are looked at by plain judgments"),
    ],
)
def test_wrong_input(folder: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    done = run_cranfield("failures", *FILES, *arguments, cwd=folder)
    assert words in done.stderr
    assert done.exit_code == code
    assert "Traceback" not in done.stderr
