"""`cranfield collection`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    files = tmp_path / "files"
    files.mkdir()
    (files / "docs.jsonl").write_text(
        '{"_id": "d1", "title": "Soup", "text": "Boil water.\\nAdd salt."}\n{"_id": "d2", "text": "Bake bread."}\n'
    )
    (files / "topics.tsv").write_text("q1\tboil water\nq2\tzabaglione\n")
    (files / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    return tmp_path


@pytest.fixture
def imported(kitchen: Path) -> Path:
    done = run_cranfield("collection", "import", "trec", "files", "-o", "kitchen", cwd=kitchen)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.text.splitlines()[0] == "kitchen"
    return kitchen


def test_stats(imported: Path) -> None:
    done = run_cranfield("collection", "stats", "kitchen", cwd=imported)
    assert (done.exit_code, done.stderr) == (0, "")
    rows = dict(line.split("\t") for line in done.text.splitlines())
    # d1 has 1 + 4 words, d2 has 2; "Soup" + "Boil water.\nAdd salt." + "Bake bread." are 4 + 21 + 11 bytes.
    assert rows == {
        "": "kitchen",
        "documents": "2",
        "bytes": "36",
        "words per document, mean": "3.5",
        "words per document, median": "3.5",
        "words per title, mean": "1.0",
        "words per title, median": "1.0",
        "words per text, mean": "3.0",
        "words per text, median": "3.0",
        "topics": "2",
        "words per text of topics, mean": "1.5",
        "topics with judgments": "1",
        "judgments": "2",
        "judgments per topic": "2.0",
        "relevant": "1",
        "relevant per topic": "1.0",
        "grades": "0, 1",
        "graded": "no",
    }


def test_stats_for_programs_and_papers(imported: Path) -> None:
    done = run_cranfield("collection", "stats", "kitchen", "files/docs.jsonl", "--format", "json", cwd=imported)
    content = json.loads(done.text)
    assert content["schema"] == "cranfield.collection-statistics/1"
    first, second = content["collections"]
    assert (first["documents"]["count"], first["judgments"]["grades"]) == (2, {"0": 1, "1": 1})
    assert (second["name"], second["topics"], second["judgments"]) == ("docs", None, None)
    done = run_cranfield("collection", "stats", "kitchen", "files/docs.jsonl", "--format", "markdown", cwd=imported)
    assert done.text.splitlines()[:3] == ["|  | kitchen | docs |", "|---|---:|---:|", "| documents | 2 | 2 |"]
    shown = run_in_terminal("collection", "stats", "kitchen", cwd=imported).splitlines()
    assert shown[1].split() == ["documents", "2"]
    assert shown[2].split() == ["size", "of", "the", "texts", "36", "B"]


def test_loose_files(kitchen: Path) -> None:
    options = ("--topics", "files/topics.tsv", "--qrels", "files/qrels.txt")
    done = run_cranfield("collection", "verify", "files/docs.jsonl", *options, cwd=kitchen)
    assert done.exit_code == 0
    assert done.text.splitlines() == [
        "files/docs.jsonl: there is no manifest to hold it against",
        "topics of which no word occurs in any document (1): q2",
        "topics with words that occur in no document (1): q2: zabaglione",
        "topics without judgments (1): q2",
    ]
    done = run_cranfield("collection", "stats", "files/docs.jsonl", "files/docs.jsonl", *options, cwd=kitchen)
    assert (done.exit_code, done.stderr) == (2, "cranfield: --topics and --qrels go with one collection\n")


def test_verify(imported: Path) -> None:
    done = run_cranfield("collection", "verify", "kitchen", cwd=imported)
    assert done.exit_code == 0
    assert [line.split(":")[0] for line in done.text.splitlines()[:3]] == [
        "documents.jsonl.gz",
        "topics.jsonl",
        "qrels.txt",
    ]
    path = imported / "kitchen" / "documents.jsonl.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()).replace(b"bread", b"dread")))
    done = run_cranfield("collection", "verify", "kitchen", cwd=imported)
    assert done.exit_code == 1
    assert done.text.startswith("documents.jsonl.gz: the documents changed since the collection was made: ")
    done = run_cranfield("collection", "verify", "kitchen", "--format", "json", cwd=imported)
    assert done.exit_code == 1
    content = json.loads(done.text)
    assert [part["problem"] is None for part in content["parts"]] == [False, True, True]
    assert content["checks"] is None
    done = run_cranfield("collection", "stats", "kitchen", cwd=imported)
    assert (done.exit_code, done.stdout) == (1, b"")
    assert "changed since the collection was made" in done.stderr


def test_show(imported: Path) -> None:
    done = run_cranfield("collection", "show", "kitchen", cwd=imported)
    assert [line.split()[:2] for line in done.text.splitlines()[1:]] == [
        ["documents", "2"],
        ["topics", "2"],
        ["judgments", "2"],
    ]
    done = run_cranfield("collection", "show", "kitchen", "--topic", "q1", "--document", "d1", cwd=imported)
    assert done.text.splitlines() == [
        "topic q1",
        "  text: boil water",
        "  judged: d1 (1), d2 (0)",
        "document d1",
        "  title: Soup",
        "  text: Boil water.",
        "  Add salt.",
    ]
    done = run_cranfield("collection", "show", "kitchen", "--topic", "q7", cwd=imported)
    assert (done.exit_code, done.stderr) == (2, "cranfield: kitchen: there is no topic 'q7'.\n")
    done = run_cranfield("collection", "show", "kitchen", "--document", "d7", cwd=imported)
    assert (done.exit_code, done.stderr) == (2, "cranfield: kitchen: there is no document 'd7' among its 2\n")


def test_files_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "docs.csv").write_bytes("id,text\nd1,café crème\n".encode("latin-1"))
    done = run_cranfield("collection", "stats", "docs.csv", cwd=tmp_path)
    assert (done.exit_code, done.stdout) == (1, b"")
    assert "docs.csv:2: byte 0xE9" in done.stderr
    assert "--encoding latin-1" in done.stderr
    done = run_cranfield("collection", "stats", "docs.csv", "--encoding", "latin-1", cwd=tmp_path)
    assert (done.exit_code, done.text.splitlines()[1]) == (0, "documents\t1")
    done = run_cranfield(
        "collection", "import", "trec", ".", "-o", "made", "--encoding", "latin-1", "--documents-format", "csv",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.exit_code == 0
    done = run_cranfield("collection", "show", "made", "--document", "d1", cwd=tmp_path)
    assert done.text.splitlines() == ["document d1", "  text: café crème"]


def test_sample_topics(kitchen: Path) -> None:
    (kitchen / "log").write_text("query\n" + "hot soup\n" * 3 + "bread\n")
    done = run_cranfield("collection", "sample-topics", "log", "-n", "2", "-o", "sampled.toml", cwd=kitchen)
    assert done.exit_code == 0
    assert done.text.splitlines()[1:] == ["log\t4\t2\t1.75\t25.0%", "sample\t2\t2\t1.50\t50.0%"]
    assert (kitchen / "sampled.toml").read_text().count("[[topic]]") == 2
    done = run_cranfield("collection", "sample-topics", "log", "-n", "3", "-o", "-", cwd=kitchen)
    assert done.exit_code == 2
    assert "3 topics cannot be drawn from 2 different queries" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "exit_code", "words"),
    [
        (["import", "trek", "files", "-o", "x"], 2, "'trek' is not one of 'cranfield', 'cisi', 'cacm'"),
        (["import", "trec", "nowhere", "-o", "x"], 2, "cranfield: nowhere: there is no such file or folder"),
        (["import", "trec", "files", "-o", "files"], 2, "cranfield: files: this is there already; give another name"),
        (
            ["import", "cisi", "files", "-o", "x"],
            1,
            "there are no documents of CISI in this folder: expected CISI.ALL*",
        ),
        (["import", "trec", "files", "-o", "x", "--grade", "a"], 2, "--grade a: expected CODE=GRADE, two numbers"),
        (
            ["import", "trec", "files", "-o", "x", "--topics", "files/qrels.txt"],
            1,
            "this looks like judgments, not like",
        ),
        (["stats", "nowhere"], 2, "cranfield: nowhere: there is no such file or folder"),
        (["stats", "ir_datasets:no-such"], 2, "ir_datasets"),
        (["verify", "files/docs.jsonl", "--topics", "nowhere"], 2, "cranfield: nowhere: there is no such file"),
    ],
)
def test_mistakes(kitchen: Path, arguments: list[str], exit_code: int, words: str) -> None:
    done = run_cranfield("collection", *arguments, cwd=kitchen)
    assert done.exit_code == exit_code
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in kitchen.iterdir()) == ["files"]


@pytest.mark.parametrize("name", ["import", "stats", "verify", "show", "sample-topics"])
def test_every_help_ends_with_an_example(name: str) -> None:
    done = run_cranfield("collection", name, "--help")
    assert done.text.rstrip().splitlines()[-1].strip().startswith("Example: cranfield collection ")


@pytest.mark.real_data
def test_the_table_on_the_page(real_data: Path, tmp_path: Path) -> None:
    names = ("cranfield", "cisi", "cacm", "time")
    for name in names:
        done = run_cranfield("collection", "import", name, real_data / "collections" / name, "-o", tmp_path / name)
        assert done.exit_code == 0
    done = run_cranfield("collection", "stats", *names, "--format", "markdown", cwd=tmp_path)
    assert done.text in (ROOT / "docs" / "collections.md").read_text()
