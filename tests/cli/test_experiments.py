"""`cranfield split`, `tune` and `ledger` as a user types them, and the looks that evaluations leave."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cranfield.cli.main import cli
from cranfield.cli.runs_to_evaluate import to_evaluate
from cranfield.evaluation.evaluator import Evaluator
from cranfield.experiments.ledger import read_ledger
from cranfield.experiments.splitting import SplitRequest
from cranfield.experiments.tuned_on import note_tuning
from cranfield.experiments.workspace import Workspace
from cranfield.experiments.workspace_file import read_workspace
from tests.cli.running import Done, run_cranfield
from tests.experiments.divided import divided_words, make_words


@pytest.fixture
def words(tmp_path: Path) -> Workspace:
    return divided_words(tmp_path / "words")


def run(workspace: Workspace, *arguments: str) -> Done:
    done = run_cranfield(*arguments, cwd=workspace.root)
    assert "Traceback" not in done.stderr
    return done


def test_split_shows_the_parts(tmp_path: Path) -> None:
    folder = make_words(tmp_path / "words")
    done = run_cranfield("split", "--seed", "1", "--folds", "2", cwd=folder)
    assert done.text.splitlines() == [
        "part\tfile\ttopics\tjudgments",
        "train\tsplits/train.qrels.txt\t10\t20",
        "validation\tsplits/validation.qrels.txt\t4\t8",
        "test\tsplits/test.qrels.txt\t6\t12",
    ]
    assert "folds of training and validation topics: 7, 7" in done.stderr
    assert run_cranfield("split", cwd=folder).exit_code == 2
    found = json.loads(run_cranfield("split", "--force", "--format", "json", cwd=folder).stdout)
    assert found["schema"] == "cranfield.split/1"
    assert found["counts"] == {"train": 10, "validation": 4, "test": 6}


def test_split_outside_a_workspace_and_with_wrong_shares(tmp_path: Path) -> None:
    done = run_cranfield("split", cwd=tmp_path)
    assert (done.exit_code, done.stdout) == (2, b"")
    assert "this is no workspace" in done.stderr
    done = run_cranfield("split", "--train", ".9", cwd=make_words(tmp_path / "words"))
    assert done.exit_code == 2
    assert "add up to 1.4; expected 1" in done.stderr


def test_tune_says_the_best_draws_and_adds_it(words: Workspace) -> None:
    done = run(words, "tune", "bm25", "--param", "b=0.0,1.0", "-m", "AP", "--folds", "2", "--add", "tuned")
    assert done.exit_code == 0, done.stderr
    # By the arithmetic of tests.experiments.divided.
    assert done.text.splitlines() == ["trial\tb\tAP training and validation", "1\t0.0\t1.0", "2\t1.0\t0.5"]
    said = " ".join(done.stderr.split())
    assert "best by AP on 14 training and validation topics: b = 0 (1.0000)" in said
    assert "AP 1.0000 in 2-fold cross-validation" in said
    assert "no test topic was looked at" in said
    assert (words.root / "tuning/bm25.html").read_bytes().startswith(b"<!DOCTYPE html>")
    added = read_workspace(words.root).system("tuned")
    assert dict(added.parameters) == {"b": 0.0, "stem": False}
    assert run(words, "tune", "bm25", "--param", "b=0.0,1.0", "--add", "tuned").exit_code == 2
    assert run(words, "search", "tuned").exit_code == 0
    assert (words.root / "runs/tuned.run").read_text().replace("tuned", "flat") == (
        words.root / "runs/flat.run"
    ).read_text()


def test_tune_says_what_is_wrong(words: Workspace) -> None:
    for arguments, said in (
        (["nobody", "--param", "b=0,1"], "there is no system 'nobody'"),
        (["bm25", "--param", "b=1..0"], "the range ends"),
        (["bm25", "--param", "c=1..2"], "has no parameter 'c'"),
        (["bm25", "--param", "b=0,1", "-m", "APP"], "unknown measure 'APP'"),
        (["bm25", "--param", "b=0,1", "--folds", "99"], "99 folds of 14"),
        (["bm25", "--param", "b=0,1", "-o", "surface.gif"], "ends in .svg, .png, .pdf, .html, .json"),
    ):
        done = run(words, "tune", *arguments)
        assert (done.exit_code, done.stdout) == (2, b""), done.stderr
        assert said in done.stderr


def test_evaluations_are_of_the_validation_topics_unless_said(words: Workspace) -> None:
    done = run(words, "evaluate", "-m", "num_q", "flat")
    assert done.text.splitlines()[1] == "flat\tNumQ\tall\t4"
    assert "validation: 4 of 20 topics; --split names another part" in done.stderr
    assert "test topics not looked at yet" in done.stderr
    for part, count in (("train", 10), ("validation", 4), ("test", 6), ("all", 20)):
        assert run(words, "evaluate", "--split", part, "-m", "num_q", "flat").text.split()[-1] == str(count)
    assert len(read_ledger(words.ledger).looks) == 2  # test, all


@pytest.mark.parametrize("command", [["explain", "AP", "flat", "--query"], ["evaluate", "flat", "--topic"]])
def test_a_topic_of_another_part_is_said_to_be_there(words: Workspace, command: list[str]) -> None:
    topic = json.loads((words.root / "splits" / "train.topics.jsonl").read_text().splitlines()[0])["_id"]
    with contextlib.chdir(words.root):
        done = CliRunner().invoke(cli, [*command, topic])
        assert str(done.exception) == f"topic {topic} is in the part train, and this is about validation: --split train"
        assert CliRunner().invoke(cli, [*command, topic, "--split", "train"]).exit_code == 0


def test_a_report_doubts_what_was_tuned_on_its_topics(words: Workspace) -> None:
    with contextlib.chdir(words.root):
        asked = to_evaluate(None, ["flat"], ["AP"])
        found = Evaluator(asked.qrels, "AP").evaluate_all(asked.scored())
        assert asked.doubts(found) == ()
        note_tuning(words, found["flat"].queries[:1], "AP", command="cranfield tune bm25 --add tuned")
        (doubt,) = asked.doubts(found)
    assert doubt.startswith("parameters were tuned on these topics (cranfield tune bm25 --add tuned): ")


def test_every_command_that_looks_is_noted_and_says_how_often(words: Workspace) -> None:
    commands = (
        ["evaluate", "--split", "test"],
        ["compare", "bm25", "flat", "--split", "test", "-m", "AP"],
        ["report", "--split", "test", "-m", "AP"],
        ["evaluate", "qrels.txt", "runs/flat.run"],
        ["evaluate", "splits/test.qrels.txt", "runs/flat.run"],
    )
    for command in commands:
        assert run(words, *command).exit_code == 0
    looks = read_ledger(words.ledger).looks
    assert [look.what for look in looks] == [" ".join(["cranfield", *command]) for command in commands]
    assert [[seen.name for seen in look.runs] for look in looks[:2]] == [["bm25", "flat"]] * 2
    assert looks[1].measures == ("AP",)
    assert {look.topics.count for look in looks} == {6}
    done = run(words, "evaluate")
    assert "test topics looked at 5 times, by these runs: bm25 (3), flat (5)" in done.stderr
    page = (words.root / "report.html").read_text()
    assert "test topics looked at 3 times, by these runs: bm25 (3), flat (3)" in page
    assert f"ledger head {looks[2].sha256}" in page


def test_other_judgments_are_no_look(words: Workspace, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text((words.root / "qrels.txt").read_text())
    assert run(words, "evaluate", str(other), "runs/flat.run").exit_code == 0
    assert run(words, "evaluate", "splits/train.qrels.txt", "runs/flat.run").exit_code == 0
    assert not read_ledger(words.ledger).looks


def test_by_document_the_other_documents_do_not_count(tmp_path: Path) -> None:
    words = divided_words(tmp_path / "words", SplitRequest(by="document", seed=1))
    # Of each topic one document is relevant: where it is in the part, it stands first without those of other parts,
    # unless the short one is there too, which bm25 (b = .9) has above it.
    documents = set((words.splits_folder / "test.documents.txt").read_text().split())
    longs = {number for number in range(1, 21) if f"long{number}" in documents}
    judged = {name.removeprefix("long").removeprefix("short") for name in documents}
    expected = sum(0.5 if f"short{number}" in documents else 1.0 for number in longs) / len(judged)
    done = run(words, "evaluate", "bm25", "-m", "AP", "--split", "test")
    assert float(done.text.split()[-1]) == pytest.approx(expected)
    assert run(words, "compare", "bm25", "flat", "-m", "AP", "--split", "test").exit_code == 0
    assert [seen.name for look in read_ledger(words.ledger).looks for seen in look.runs] == ["bm25", "bm25", "flat"]
    assert all(seen.sha256 for look in read_ledger(words.ledger).looks for seen in look.runs)


def test_compare_corrects_for_the_looks_when_asked(words: Workspace) -> None:
    (words.root / "runs/other.run").write_text(
        (words.root / "runs/flat.run").read_text().replace("t1 Q0 long1", "t1 Q0 x")
    )

    def compared(*more: str) -> dict[str, float]:
        done = run(words, "compare", "bm25", "flat", "--split", "test", "--test", "sign", "--format", "json", *more)
        (row,) = [one for one in json.loads(done.stdout)["comparisons"] if one["measure"] == "AP"]
        return {name: row["tests"]["sign"][name] for name in ("p", "adjusted_p")}

    # All six test topics are better: the sign test has p = 2 / 2^6.
    assert compared("-m", "AP") == {"p": 0.03125, "adjusted_p": 0.03125}
    run(words, "evaluate", "runs/other.run", "--split", "test", "-m", "AP", "-m", "nDCG@10")
    # Seen: AP of flat, AP and nDCG@10 of the other one. Bonferroni: times 3.
    assert compared("-m", "AP", "--correct-looks")["adjusted_p"] == pytest.approx(3 * 0.03125)
    # With nDCG@10 of flat they are four.
    assert compared("-m", "AP", "-m", "nDCG@10", "--correct-looks")["adjusted_p"] == pytest.approx(4 * 0.03125)
    done = run(words, "compare", "--correct-looks")
    assert done.exit_code == 2
    assert "this comparison does not look at test topics" in done.stderr


def test_ledger_shows_every_look(words: Workspace) -> None:
    run(words, "evaluate", "flat", "--split", "test", "-m", "AP")
    split, look = read_ledger(words.ledger).in_order
    assert run(words, "ledger").text.splitlines() == [
        "entry\ttime\ttopics\truns\tmeasures\twhat",
        f"{split.sha256[:16]}\t{split.time}\t6 test\t\t\tcranfield split",
        f"{look.sha256[:16]}\t{look.time}\t6 test\tflat {look.runs[0].sha256[:8]}\tAP\t"
        "cranfield evaluate flat --split test -m AP",
    ]
    found = json.loads(run(words, "ledger", "--format", "json").stdout)
    assert found["looks"]["times"] == 1
    assert found["looks"]["heads"] == [look.sha256]
    assert [entry["kind"] for entry in found["entries"]] == ["split", "look"]


def test_ledger_verify_finds_what_was_done_to_it(words: Workspace) -> None:
    run(words, "evaluate", "flat", "--split", "test", "-m", "AP")
    run(words, "report", "--split", "test", "-m", "AP")
    _, first, last = read_ledger(words.ledger).in_order
    done = run(words, "ledger", "verify")
    assert done.exit_code == 0
    assert done.text.startswith("the ledger is whole: entries 3, looks 2\n")
    file = words.ledger / f"{first.sha256[:16]}.json"
    before = file.read_text()
    file.write_text(before.replace('"flat"', '"bm25"'))
    done = run(words, "ledger", "verify")
    assert done.exit_code == 1
    assert f"{file.stem}: edited" in done.text
    assert "the ledger is damaged" in run(words, "evaluate", "flat").stderr
    file.unlink()
    done = run(words, "ledger", "verify", "--format", "json")
    assert done.exit_code == 1
    assert [(one["kind"], one["entry"]) for one in json.loads(done.stdout)["problems"]] == [("missing", file.stem)]
    file.write_text(before)
    (words.ledger / f"{last.sha256[:16]}.json").unlink()
    done = run(words, "ledger", "verify")
    assert done.exit_code == 1
    assert f"{last.sha256[:16]}: missing: there is no such entry, and a report quotes it" in done.text
    assert run(words, "ledger", "verify", "no.html").exit_code == 1
