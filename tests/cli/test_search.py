"""`cranfield index`, `cranfield search` and `cranfield engines` as a user meets them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.engines import ENGINES
from cranfield.evaluation.provenance.beside_run import why_incomplete
from tests.cli.running import Done, run_cranfield, run_in_terminal
from tests.engines.local_server import Answer, Request, serving

DOCUMENTS = "".join(
    json.dumps({"id": f"d{number}", "title": f"recipe {number}", "text": text}) + "\n"
    for number, text in enumerate(
        ["hot soup with bread", "cold soup", "fresh bread", "a salad of tomatoes", "tomato soup", "bread and butter"]
    )
)
TOPICS = "10\thot soup\n9\tbread\n100\ttomato salad\n"

ENGINE = '''
"""An engine for tests: it answers after a moment, and not at all for queries that the file `down` names."""
import pathlib, time

def answer(query, k):
    time.sleep(0.1)
    down = pathlib.Path("down")
    if down.exists() and query in down.read_text():
        raise ConnectionError("nobody there")
    return [(f"{query.split()[-1]}-{rank}", 1 / (rank + 0.1)) for rank in range(1, 4)]
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "documents.jsonl").write_text(DOCUMENTS)
    (tmp_path / "topics.tsv").write_text(TOPICS)
    (tmp_path / "engine.py").write_text(ENGINE)
    (tmp_path / "engine.toml").write_text('engine = "python"\nfunction = "engine.py:answer"\n')
    (tmp_path / "many.tsv").write_text("".join(f"{number}\tquery {number}\n" for number in range(20, 0, -1)))
    return tmp_path


def test_documents_and_topics_in_another_encoding(folder: Path) -> None:
    (folder / "latin.jsonl").write_bytes(
        '{"id": "d1", "text": "café"}\n{"id": "d2", "text": "tea"}\n'.encode("latin-1")
    )
    (folder / "latin.tsv").write_bytes("1\tcafé\n".encode("latin-1"))
    done = run_cranfield("index", "latin.jsonl", "--engine", "bm25", "-o", "index", cwd=folder)
    assert (done.exit_code, done.stderr.startswith("cranfield: latin.jsonl:1: byte 0xE9, the 26. of ")) == (1, True)
    latin = ("--encoding", "latin-1")
    done = run_cranfield("index", "latin.jsonl", "--engine", "bm25", *latin, "-o", "index", cwd=folder)
    assert done.exit_code == 0, done.stderr
    done = run_cranfield("search", "index", "latin.tsv", "-o", "-", cwd=folder)
    assert (done.exit_code, done.stderr.startswith("cranfield: latin.tsv:1: byte 0xE9, the 6. of ")) == (1, True)
    done = run_cranfield("search", "index", "latin.tsv", *latin, "-o", "-", cwd=folder)
    assert done.text.split()[:3] == ["1", "Q0", "d1"]


def test_documents_that_are_files(folder: Path) -> None:
    for name in ("a", "b"):
        (folder / "docs" / name).mkdir(parents=True)
        (folder / "docs" / name / "1.txt").write_text(f"soup {name}")
    done = run_cranfield("index", "docs", "--engine", "bm25", "-o", "index", cwd=folder)
    assert done.exit_code == 1
    assert "docs/b/1.txt: document '1' is there twice (first at docs/a/1.txt)" in done.stderr
    assert "--ids path" in done.stderr
    done = run_cranfield("index", "docs", "--engine", "bm25", "--ids", "path", "-o", "index", cwd=folder)
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize("engine", ["bm25", "tantivy", "sqlite"])
def test_a_document_that_is_there_twice(folder: Path, engine: str) -> None:
    (folder / "twice.jsonl").write_text(
        '{"id": "a", "text": "x"}\n{"id": "b", "text": "y"}\n{"id": "a", "text": "z"}\n'
    )
    done = run_cranfield("index", "twice.jsonl", "--engine", engine, "-o", "index", cwd=folder)
    assert (done.exit_code, done.stderr) == (
        1,
        "cranfield: twice.jsonl:3: document 'a' is there twice (first at line 1). Keep one of them.\n",
    )
    assert not (folder / "index").exists()


def test_index_and_search(folder: Path) -> None:
    done = run_cranfield("index", "documents.jsonl", "--engine", "bm25", "--set", "k1=0.9", "-o", "index", cwd=folder)
    assert (done.exit_code, done.stdout) == (0, b"")
    assert done.stderr.startswith("6 documents of documents in index (")
    done = run_cranfield("search", "index", "topics.tsv", "-o", "bm25.run", "-k", "2", "--manual", cwd=folder)
    assert done.exit_code == 0, done.stderr
    assert "3 of 3 topics answered" in done.stderr
    assert done.stderr.endswith("run: bm25.run\n")
    lines = [line.split() for line in (folder / "bm25.run").read_text().splitlines()]
    assert list(dict.fromkeys(line[0] for line in lines)) == ["10", "9", "100"]  # as in the file of topics
    assert lines[0][2] == "d0"
    assert {line[5] for line in lines} == {"bm25"}
    record = json.loads((folder / "bm25.run.provenance.json").read_text())
    assert (record["schema"], record["system"], record["queries"]) == ("cranfield.run", "bm25", "manual")
    assert record["engine"]["kind"] == "bm25"
    assert record["engine"]["parameters"]["k1"] == 0.9
    assert (
        record["collection"]["sha256"]
        == json.loads((folder / "index" / "index.json").read_text())["collection"]["sha256"]
    )
    assert record["topics"]["sha256"] == cf.read_topics(folder / "topics.tsv").sha256
    assert (record["complete"], record["failures"], record["k"]) == (True, {}, 2)
    assert not (folder / "bm25.run.part").exists()


def test_what_is_free_for_every_query_can_be_set_when_searching(folder: Path) -> None:
    run_cranfield("index", "documents.jsonl", "--engine", "bm25", "-o", "index", cwd=folder)
    for name, settings in {"usual": [], "flat": ["--set", "b=0"]}.items():
        done = run_cranfield("search", "index", "topics.tsv", "-o", f"{name}.run", *settings, cwd=folder)
        assert done.exit_code == 0, done.stderr
    assert (folder / "usual.run").read_text() != (folder / "flat.run").read_text()


def test_fields_and_formats(folder: Path) -> None:
    (folder / "topics.jsonl").write_text('{"id": "1", "title": "soup", "description": "with bread"}\n')
    for name, fields in {"short.jsonl": "title", "long.jsonl": "title,description"}.items():
        done = run_cranfield("search", "engine.toml", "topics.jsonl", "-o", name, "--fields", fields, cwd=folder)
        assert done.exit_code == 0, done.stderr
    assert "soup-1" in cf.read_run(folder / "short.jsonl")["1"]
    assert "bread-1" in cf.read_run(folder / "long.jsonl")["1"]


def test_a_killed_search_is_gone_on_with(folder: Path) -> None:
    whole = run_cranfield("search", "engine.toml", "many.tsv", "-o", "whole.run", "--tag", "x", cwd=folder)
    assert whole.exit_code == 0, whole.stderr
    command = [sys.executable, "-m", "cranfield", "search", "engine.toml", "many.tsv", "-o", "killed.run", "--tag", "x"]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
    found = topics_in(folder / "killed.run.part", at_least=4)
    process.kill()
    assert process.wait(timeout=30) == -signal.SIGKILL
    assert not (folder / "killed.run").exists()

    again = run_cranfield("search", "engine.toml", "many.tsv", "-o", "killed.run", "--tag", "x", cwd=folder)
    assert again.exit_code == 2
    assert "topics of a search that did not end: go on with --resume" in again.stderr
    other = run_cranfield("search", "engine.toml", "many.tsv", "-o", "killed.run", "-k", "2", "--resume", cwd=folder)
    assert other.exit_code == 2
    assert "was begun with k 1000, this search has 2" in other.stderr

    done = run_cranfield("search", "engine.toml", "many.tsv", "-o", "killed.run", "--tag", "x", "--resume", cwd=folder)
    assert done.exit_code == 0, done.stderr
    assert (folder / "killed.run").read_bytes() == (folder / "whole.run").read_bytes()
    record = json.loads((folder / "killed.run.provenance.json").read_text())
    assert found <= record["topics_resumed"] < 20
    assert record["latency"]["answers"] == 20
    assert not (folder / "killed.run.part").exists()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_search_that_is_told_to_stop(folder: Path, how: signal.Signals) -> None:
    command = [sys.executable, "-m", "cranfield", "search", "engine.toml", "many.tsv", "-o", "stopped.run"]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    topics_in(folder / "stopped.run.part", at_least=2)
    process.send_signal(how)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "stopped: what was found is in stopped.run.part; --resume goes on from there" in said
    assert "Traceback" not in said
    done = run_cranfield("search", "engine.toml", "many.tsv", "-o", "stopped.run", "--resume", cwd=folder)
    assert done.exit_code == 0, done.stderr
    assert "of them before" in done.stderr


def topics_in(journal: Path, at_least: int) -> int:
    """Wait until so many topics are written down."""
    for _ in range(3000):
        found = journal.read_bytes().count(b"\n") - 1 if journal.exists() else 0
        if found >= at_least:
            return found
        time.sleep(0.01)
    raise AssertionError(f"no {at_least} topics in {journal}")


def test_topics_that_fail(folder: Path) -> None:
    (folder / "down").write_text("bread\ntomato salad\n")
    done = run_cranfield("search", "engine.toml", "topics.tsv", "-o", "x.run", cwd=folder)
    assert done.exit_code == 1
    assert not (folder / "x.run").exists()
    said = " ".join(done.stderr.split())
    assert "2 topics 9, 100: " in said
    assert "nobody there" in said
    assert "1 of 3 topics answered" in said
    assert "no run was written: topics failed; what was found is in x.run.part, and --resume asks for the rest" in said

    gaps = run_cranfield("search", "engine.toml", "topics.tsv", "-o", "x.run", "--resume", "--allow-gaps", cwd=folder)
    assert gaps.exit_code == 0
    assert "incomplete" in gaps.stderr
    record = json.loads((folder / "x.run.provenance.json").read_text())
    assert record["complete"] is False
    assert list(record["failures"]) == ["9", "100"]
    assert cf.read_run(folder / "x.run").queries == ("10",)
    (folder / "qrels.txt").write_text("10 0 soup-1 1\n9 0 bread-1 1\n")
    scored = run_cranfield("evaluate", "qrels.txt", "x.run", cwd=folder)
    assert "cranfield: x: the run is incomplete: its search failed for 2 of 3 topics (9, 100)\n" in scored.stderr

    (folder / "down").unlink()
    full = run_cranfield("search", "engine.toml", "topics.tsv", "-o", "x.run", "--resume", cwd=folder)
    assert full.exit_code == 0, full.stderr
    assert json.loads((folder / "x.run.provenance.json").read_text())["complete"] is True
    assert why_incomplete(folder / "x.run") is None
    assert cf.read_run(folder / "x.run").queries == ("10", "100", "9")


def test_topics_for_which_nothing_is_found(folder: Path) -> None:
    (folder / "engine.py").write_text("def answer(query, k):\n    return []\n")
    for _ in range(2):  # the second time there is nothing in the way
        done = run_cranfield("search", "engine.toml", "topics.tsv", "-o", "x.run", cwd=folder)
        assert done.exit_code == 1
        assert "no run was written: no document was found for any topic" in " ".join(done.stderr.split())
        assert not list(folder.glob("x.run*"))


def test_topics_that_all_fail(folder: Path) -> None:
    (folder / "fails.toml").write_text('engine = "command"\nprogram = ["sh", "-c", "echo no disk >&2; exit 3"]\n')
    done = run_cranfield("search", "fails.toml", "many.tsv", "-o", "x.run", cwd=folder)
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        "20 topics 20, 19, 18 and 17 more: the command sh ended with status 3:",
        "  no disk",
        "0 of 20 topics answered",
        "no run was written: every topic failed",
    ]
    assert not list(folder.glob("x.run*"))


def test_a_program_that_leaves_a_topic_out(folder: Path) -> None:
    (folder / "program.toml").write_text('engine = "command"\nprogram = ["echo", "9 Q0 d1 1 2.5 x"]\n')
    done = run_cranfield("search", "program.toml", "topics.tsv", "-o", "x.run", cwd=folder)
    assert done.exit_code == 1
    assert "2 topics 10, 100: the run that the command wrote has no line for it" in done.stderr
    assert "1 of 3 topics answered" in done.stderr
    empty = run_cranfield("search", "program.toml", "topics.tsv", "-o", "y.run", "--set", "missing=empty", cwd=folder)
    assert empty.exit_code == 0, empty.stderr
    assert "3 of 3 topics answered" in empty.stderr
    assert "none for 2" in empty.stderr


def test_a_run_that_is_there_is_replaced_and_that_is_said(folder: Path) -> None:
    first, second = (
        run_cranfield("search", "engine.toml", "topics.tsv", "-o", "x.run", *more, cwd=folder)
        for more in ([], ["--resume"])
    )
    assert first.stderr.endswith("run: x.run\n")
    assert second.stderr.startswith("there is no x.run.part, so nothing to go on with: this search begins anew\n")
    assert second.stderr.endswith("run: x.run (in the place of the one that was there)\n")


def test_answers_of_two_systems_are_not_mixed(folder: Path) -> None:
    answering = threading.Event()

    def answer(request: Request) -> Answer:
        if request.parameters["q"] == "tomato salad" and not answering.is_set():
            return Answer({"error": "not now"}, 400)
        return Answer([{"id": f"{request.parameters['index']}-1", "score": "2.5"}])

    def search(index: str, *more: str) -> Done:
        text = f'engine = "http"\nurl = "{url}/?q={{{{query}}}}&index={index}"\nscore = "score"\n'
        (folder / "http.toml").write_text(text)
        return run_cranfield("search", "http.toml", "topics.tsv", "-o", "x.run", *more, cwd=folder)

    with serving(answer) as url:
        assert search("A").exit_code == 1
        answering.set()
        mixed = search("B", "--resume")
        assert mixed.exit_code == 2
        assert 'index=A", this search has' in mixed.stderr
        assert 'index=B": ask for the same' in mixed.stderr
        # How long to wait may change.
        assert search("A", "--resume", "--set", "timeout=7").exit_code == 0
    assert [line.split()[2] for line in (folder / "x.run").read_text().splitlines()] == ["A-1"] * 3
    record = json.loads((folder / "x.run.provenance.json").read_text())
    assert record["engine"]["parameters"]["url"] == f"{url}/?q={{{{query}}}}&index=A"


def test_indexing_that_is_interrupted(folder: Path) -> None:
    os.mkfifo(folder / "waits.jsonl")
    command = [sys.executable, "-m", "cranfield", "index", "waits.jsonl", "--engine", "bm25", "-o", "index"]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    with open(folder / "waits.jsonl", "wb"):  # opens when the command has begun to read, and says nothing
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert (process.returncode, said.strip()) == (130, "cranfield: interrupted")
    assert not list(folder.glob("*index*"))


def test_in_a_pipe(folder: Path) -> None:
    done = run_cranfield("search", "engine.toml", "topics.tsv", "-o", "-", "-k", "1", cwd=folder)
    assert [line.split()[2] for line in done.text.splitlines()] == ["soup-1", "bread-1", "salad-1"]
    assert not list(folder.glob("*.part")) + list(folder.glob("*.provenance.json"))


def test_several_at_once(folder: Path) -> None:
    one, many = (
        run_cranfield(
            "search", "engine.toml", "many.tsv", "-o", f"c{n}.run", "--tag", "x", "--concurrency", n, cwd=folder
        )
        for n in ("1", "8")
    )
    assert (one.exit_code, many.exit_code) == (0, 0), many.stderr
    assert (folder / "c1.run").read_bytes() == (folder / "c8.run").read_bytes()
    assert json.loads((folder / "c8.run.provenance.json").read_text())["concurrency"] == 8


def test_an_index_of_another_collection(folder: Path) -> None:
    run_cranfield("index", "documents.jsonl", "--engine", "bm25", "-o", "index", cwd=folder)
    same = run_cranfield("search", "index", "topics.tsv", "-o", "x.run", "--collection", "documents.jsonl", cwd=folder)
    assert same.exit_code == 0, same.stderr
    (folder / "other.jsonl").write_text(DOCUMENTS.replace("hot soup", "lukewarm soup"))
    other = run_cranfield("search", "index", "topics.tsv", "-o", "y.run", "--collection", "other.jsonl", cwd=folder)
    assert other.exit_code == 1
    assert "index: this index belongs to another collection" in other.stderr
    unknown = run_cranfield(
        "search", "engine.toml", "topics.tsv", "-o", "y.run", "--collection", "other.jsonl", cwd=folder
    )
    assert unknown.exit_code == 2
    assert "it is not known which documents this engine has" in unknown.stderr


def test_topics_of_a_collection(folder: Path) -> None:
    beir = folder / "beir"
    beir.mkdir()
    (beir / "corpus.jsonl").write_text('{"_id": "d1", "title": "", "text": "hot soup"}\n')
    (beir / "queries.jsonl").write_text('{"_id": "1", "text": "soup"}\n')
    run_cranfield("index", "beir", "--engine", "bm25", "-o", "index", cwd=folder)
    done = run_cranfield("search", "index", "beir", "-o", "x.run", cwd=folder)
    assert done.exit_code == 0, done.stderr
    (beir / "corpus.jsonl").write_text('{"_id": "d1", "title": "", "text": "cold soup"}\n')
    done = run_cranfield("search", "index", "beir", "-o", "y.run", cwd=folder)
    assert done.exit_code == 1
    assert "this index belongs to another collection" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["search", "missing", "topics.tsv", "-o", "x"], 2, "missing: there is no such file or folder"),
        (["search", "topics.tsv", "engine.toml", "-o", "x"], 1, "topics.tsv: this is no TOML"),
        (["search", "engine.toml", "missing.tsv", "-o", "x"], 2, "missing.tsv"),
        (["search", "engine.toml", "topics.tsv", "-o", "no/x"], 2, "there is no folder"),
        (["search", "engine.toml", "topics.tsv", "-o", "."], 2, "this is a directory"),
        (["search", "engine.toml", "topics.tsv", "-o", "x", "--fields", "titel"], 2, "has a field 'titel'"),
        (["search", "engine.toml", "topics.tsv", "-o", "x", "--set", "funktion=a:b"], 2, "has no parameter 'funktion'"),
        (["search", "engine.toml", "topics.tsv"], 2, "Missing option '-o'"),
        (["index", "documents.jsonl", "--engine", "bm52", "-o", "x"], 2, "unknown engine 'bm52'. Did you mean bm25"),
        (["index", "missing.jsonl", "-o", "x"], 2, "missing.jsonl"),
        (["index", "documents.jsonl", "--engine", "engine.toml", "-o", "x"], 1, "the engine python does not index"),
        (["index", "documents.jsonl", "--engine", "bm25", "-o", "."], 2, "this folder is no index"),
        (["engines", "bm52"], 2, "unknown engine 'bm52'. Did you mean bm25?"),
    ],
)
def test_wrong_usage(folder: Path, arguments: list[str], code: int, message: str) -> None:
    before = sorted(os.listdir(folder))
    done = run_cranfield(*arguments, cwd=folder)
    assert (done.exit_code, "Traceback" in done.stderr) == (code, False), done.stderr
    assert message in done.stderr
    assert sorted(os.listdir(folder)) == before


def test_engines_are_listed_and_described() -> None:
    listed = run_cranfield("engines").text
    assert [line.split("\t")[0] for line in listed.splitlines()][:3] == ["tantivy", "bm25", "sqlite"]
    described = run_in_terminal("engines", "bm25")
    assert "k1" in described
    assert "parameter" in described
    (one,) = json.loads(run_cranfield("engines", "http", "--format", "json").text)["engines"]
    known = {parameter["name"]: (parameter["kind"], parameter["default"]) for parameter in one["parameters"]}
    assert known["url"] == ("text", "needed")
    assert known["timeout"] == ("number", "30.0")
    assert known["verify"] == ("true or false", "true")
    assert known["headers"] == ("table", "")
    assert "There are: tantivy, bm25, sqlite" in run_cranfield("engines", "foo").stderr


@pytest.mark.parametrize("name", ENGINES)
def test_parameters_are_described_without_python(name: str) -> None:
    described = run_cranfield("engines", name).text
    assert not re.search(r"Mapping|Sequence|None|True|False|\bstr\b|\bint\b|\|", described)
