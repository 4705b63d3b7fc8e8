"""`failures`, `explain`, `curve` and `plot` in a workspace: without paths they show what they show with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.experiments.ledger import read_ledger
from cranfield.experiments.splitting import SplitRequest
from cranfield.experiments.workspace import Workspace
from tests.cli.running import Done, run_cranfield, run_in_terminal
from tests.experiments.divided import divided_words, make_words

BOTH = ("qrels.txt", "runs/bm25.run", "runs/flat.run")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_words(tmp_path_factory.mktemp("whole") / "words")
    assert run_cranfield("update", cwd=folder).exit_code == 0
    return folder


@pytest.fixture
def words(tmp_path: Path) -> Workspace:
    return divided_words(tmp_path / "words")


def run(folder: Path, *arguments: str) -> Done:
    done = run_cranfield(*arguments, cwd=folder)
    assert done.exit_code == 0, done.stderr
    return done


@pytest.mark.parametrize(
    ("without", "paths"),
    [
        (["failures"], ["failures", *BOTH, "-m", "AP", "--topics", "topics.jsonl"]),
        (["explain", "AP", "--query", "t3"], ["explain", "AP", *BOTH[:2], "--query", "t3"]),
        (
            ["explain", "AP", "flat", "--against", "bm25", "--query", "t3"],
            ["explain", "AP", BOTH[0], BOTH[2], "--against", BOTH[1], "--query", "t3"],
        ),
        (["curve", "per-topic"], ["curve", "per-topic", *BOTH, "-m", "AP"]),
        (["curve", "gain", "flat"], ["curve", "gain", BOTH[0], BOTH[2], "-m", "nDCG"]),
        (["plot", "means", "-o", "-", "--format", "json"],
         ["plot", "means", *BOTH, "-m", "AP", "-m", "nDCG@10", "-o", "-", "--format", "json"]),
    ],
)  # fmt: skip
def test_the_same_with_and_without_paths(whole: Path, without: list[str], paths: list[str]) -> None:
    assert run(whole, *without).stdout == run(whole, *paths).stdout != b""


def test_failures_show_what_topics_ask(whole: Path) -> None:
    # bm25 and flat disagree on every topic alike.
    shown = run_in_terminal("failures", cwd=whole)
    assert any(line.split()[:2] == ["t1", "w1"] for line in shown.splitlines())
    header, first, *_ = run(whole, "failures", "bm25").text.splitlines()
    assert header.endswith("\ttraits\ttext")
    topic, *_, text = first.split("\t")
    assert text == topic.replace("t", "w")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["explain", "AP", "bm25", "flat", "--query", "t1"], "one run is looked at, found 2: bm25, flat"),
        (["plot", "difference", "flat", "-o", "x.svg"], "difference needs 2 runs or more, found 1"),
        (["plot", "discount", "flat", "-o", "x.svg"], "discount is about measures alone"),
        (["failures", "--split", "test"], "the topics are not divided"),
    ],
)
def test_wrong_requests(whole: Path, arguments: list[str], said: str) -> None:
    done = run_cranfield(*arguments, cwd=whole)
    assert (done.exit_code, done.stdout) == (2, b"")
    assert said in done.stderr


@pytest.mark.parametrize(
    "arguments", [["failures"], ["explain", "AP", "--query", "1"], ["curve", "roc"], ["plot", "roc", "-o", "x.svg"]]
)
def test_outside_of_a_workspace_paths_are_needed(tmp_path: Path, arguments: list[str]) -> None:
    done = run_cranfield(*arguments, cwd=tmp_path)
    assert done.exit_code == 2
    assert "Missing argument 'QRELS'. Only in a workspace" in done.stderr


def test_looks_at_test_topics_are_noted_and_others_are_none(words: Workspace) -> None:
    done = run(words.root, "failures", "flat")
    assert "validation: 4 of 20 topics; --split names another part" in done.stderr
    assert not read_ledger(words.ledger).looks
    test = [json.loads(line)["_id"] for line in (words.splits_folder / "test.topics.jsonl").read_text().splitlines()]
    commands = (
        ["failures", "flat", "--split", "test"],
        ["explain", "RR", "flat", "--against", "bm25", "--split", "test", "--query", test[0]],
        ["curve", "difference", "--split", "test"],
        ["curve", "roc", "splits/test.qrels.txt", "runs/flat.run"],
        ["plot", "box", "--split", "all", "-o", "box.svg"],
    )
    for command in commands:
        run(words.root, *command)
    looks = read_ledger(words.ledger).looks
    assert [look.what for look in looks] == [" ".join(["cranfield", *command]) for command in commands]
    assert [look.measures for look in looks] == [("AP",), ("RR",), ("AP",), ("roc",), ("AP",)]
    assert [look.topics.count for look in looks] == [6, 1, 6, 6, 6]
    assert [[seen.name for seen in look.runs] for look in looks] == [
        ["flat"], ["flat", "bm25"], ["bm25", "flat"], ["flat"], ["bm25", "flat"],
    ]  # fmt: skip


def test_by_document_the_other_documents_do_not_count(tmp_path: Path) -> None:
    words = divided_words(tmp_path / "words", SplitRequest(by="document", seed=1))
    documents = set((words.splits_folder / "test.documents.txt").read_text().split())
    number = next(one for one in range(1, 21) if len({f"long{one}", f"short{one}"} & documents) == 1)
    done = run(words.root, "explain", "AP", "bm25", "--split", "test", "--query", f"t{number}")
    shown = {line.split("\t")[1] for line in done.text.splitlines()[1:]}
    assert shown == {f"long{number}", f"short{number}"} & documents
