"""`cranfield pool next` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.data.judging import events_from_qrels
from cranfield.data.pool import Pool
from cranfield.formats.judging_events import event_line
from cranfield.formats.pools import write_pool
from tests.cli.running import Done, run_cranfield
from tests.pooling.made_runs import run_of

LISTS = {"one": ["d4", "d3", "d2"], "two": ["d1", "d8"]}
TEXTS = {"d1": "soup", "d2": "soup bowl", "d3": "engine", "d4": "engine wheel", "d9": "bowl"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_pool(Pool.from_dict({"q1": ["d1", "d2", "d3", "d4", "d9"], "q2": ["d2"]}), tmp_path / "pool.tsv")
    for name, documents in LISTS.items():
        cf.write_run(run_of({"q1": documents}, name), tmp_path / f"{name}.run")
    lines = [json.dumps({"id": name, "text": text}) for name, text in TEXTS.items()]
    (tmp_path / "documents.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "topics.tsv").write_text("q1\tsoup\nq2\tbowl\n")
    return tmp_path


def ask(folder: Path, *options: str) -> Done:
    return run_cranfield("pool", "next", "pool.tsv", *options, cwd=folder)


def documents(done: Done) -> list[str]:
    assert done.exit_code == 0, done.stderr
    header, *lines = done.text.splitlines()
    assert header == "topic\tplace\tdocument"
    return [line.split("\t")[2] for line in lines if line.startswith("q1\t")]


def test_as_the_pool_has_them(folder: Path) -> None:
    done = ask(folder, "-n", "2")
    assert done.text == "topic\tplace\tdocument\nq1\t1\td1\nq1\t2\td2\nq2\t1\td2\n"
    assert json.loads(ask(folder, "--format", "json", "--topic", "q2").text) == [
        {"topic": "q2", "place": 1, "document": "d2"}
    ]


def test_judgments_as_qrels_or_as_events_steer_it_alike(folder: Path) -> None:
    """d4 of run one is not relevant, so run two is asked: 1/2 against 1/3. Nothing is in no run but d9, last."""
    qrels = cf.Qrels.from_dict({"q1": {"d4": 0}, "q2": {"d2": 1}})
    cf.write_qrels(qrels, folder / "judged.qrels")
    told = events_from_qrels(qrels, time="2026-03-01T09:30:00Z", assessor="ann")
    (folder / "events.jsonl").write_bytes(b"".join(map(event_line, told)))
    runs = ("one.run", "two.run", "--order", "bandit-max-mean")
    for file in ("judged.qrels", "events.jsonl"):
        done = ask(folder, *runs, "--judgments", file)
        assert documents(done) == ["d1", "d3", "d2", "d9"]
        assert "2 of the 6 documents are in none of the runs: they come last" in done.stderr
        assert "q2" not in done.text


def test_nothing_is_judged_yet(folder: Path) -> None:
    (folder / "events.jsonl").touch()
    assert documents(ask(folder, "--judgments", "events.jsonl"))[0] == "d1"


def test_all_is_judged(folder: Path) -> None:
    (folder / "judged.qrels").write_text("q2 0 d2 1\nq2 0 d7 1\n")
    done = ask(folder, "--topic", "q2", "--judgments", "judged.qrels")
    assert (done.exit_code, done.text) == (0, "topic\tplace\tdocument\n")
    assert "everything is judged" in done.stderr
    assert "1 judgments are of documents that are not in the pool" in done.stderr


def test_documents_of_ones_own_come_first(folder: Path) -> None:
    (folder / "mine.txt").write_text("q1 d9\nq1 d3\n")
    assert documents(ask(folder, "one.run", "--order", "depth", "--first", "mine.txt"))[:2] == ["d9", "d3"]


def test_active_learning_keeps_what_documents_say(folder: Path) -> None:
    active = ("--order", "active", "--collection", "documents.jsonl", "--topics", "topics.tsv")
    assert documents(ask(folder, *active))[:2] == ["d1", "d2"]
    kept = (folder / "pool.tsv.terms").read_bytes()
    (folder / "judged.qrels").write_text("q1 0 d1 0\nq1 0 d3 1\n")
    assert documents(ask(folder, *active, "--judgments", "judged.qrels"))[0] == "d4"
    assert (folder / "pool.tsv.terms").read_bytes() == kept
    changed = (folder / "documents.jsonl").read_text().replace("soup bowl", "nothing at all")
    (folder / "documents.jsonl").write_text(changed)
    assert documents(ask(folder, *active))[1] != "d2"
    assert (folder / "pool.tsv.terms").read_bytes() != kept


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--order", "rfr"), 2, "there is no order 'rfr'. Did you mean rrf?"),
        (("--order", "rrf"), 2, "the order rrf asks runs which documents are next: name their files"),
        (("one.run",), 2, "--order pool asks no runs: leave them out, or name another order"),
        (("--order", "active"), 2, "Missing option '--collection'"),
        (("--order", "active", "--collection", "documents.jsonl"), 2, "this collection has no topics of its own"),
        (("--topic", "q3"), 2, "there is no topic 'q3' in this pool"),
        (("--judgments", "pool.tsv"), 1, "pool.tsv"),
        (("--judgments", "missing.jsonl"), 2, "missing.jsonl"),
        (("strange.run", "--order", "depth"), 1, "strange: none of its 1 topics (other) is one of the pool"),
    ],
)
def test_what_does_not_fit(folder: Path, options: tuple[str, ...], code: int, message: str) -> None:
    cf.write_run(run_of({"other": ["d1"]}, "strange"), folder / "strange.run")
    done = ask(folder, *options)
    assert (done.exit_code, done.text) == (code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
