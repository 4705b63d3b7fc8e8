"""A workspace that is divided again, or whose split and ledger are not what they were: what commands say of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.experiments.ledger import Entry, RunSeen, TopicsSeen, add_entry, read_ledger
from cranfield.experiments.split_files import read_split
from cranfield.experiments.splits import Shares, split
from cranfield.experiments.splitting import SplitRequest
from cranfield.experiments.workspace import Workspace
from tests.cli.running import Done, run_cranfield, run_in_terminal
from tests.experiments.divided import divided_words

LOOK = ("evaluate", "flat", "--split", "test", "-m", "AP")


@pytest.fixture
def words(tmp_path: Path) -> Workspace:
    return divided_words(tmp_path / "words")


def run(workspace: Workspace, *arguments: str) -> Done:
    done = run_cranfield(*arguments, cwd=workspace.root)
    assert "Traceback" not in done.stderr
    return done


def topics_of(workspace: Workspace, part: str) -> set[str]:
    lines = (workspace.splits_folder / f"{part}.topics.jsonl").read_text().splitlines()
    return {json.loads(line)["_id"] for line in lines}


def next_of(workspace: Workspace) -> list[str | None]:
    found = json.loads(run(workspace, "status", "--format", "json").stdout)
    return [one["command"] for one in found["next"]]


def test_what_is_not_said_is_as_it_was(tmp_path: Path) -> None:
    request = SplitRequest(shares=Shares(0.4, 0.3, 0.3), seed=7, stratify="kind", folds=2)
    words = divided_words(tmp_path / "words", request)
    before, files = read_split(words), (words.root / "cranfield.toml").read_bytes()
    assert run(words, "split", "--force").exit_code == 0
    after = read_split(words)
    assert (after.files, after.folds, after.stratify, after.shares) == (
        before.files,
        before.folds,
        "kind",
        {"train": 0.4, "validation": 0.3, "test": 0.3},
    )
    assert (words.root / "cranfield.toml").read_bytes() == files
    assert run(words, "split", "--force", "--seed", "8", "--stratify", "", "--folds", "0").exit_code == 0
    other = read_split(words)
    assert (other.seed, other.stratify, other.folds, other.shares) == (8, None, (), after.shares)
    assert other.files != before.files


def test_a_setting_of_the_wrong_kind_is_said_with_its_line(words: Workspace) -> None:
    file = words.root / "cranfield.toml"
    file.write_text(file.read_text().replace("seed = 1", 'seed = "one"'))
    done = run(words, "split", "--force")
    assert done.exit_code == 1
    line = file.read_text().splitlines().index('seed = "one"') + 1
    assert f"cranfield.toml:{line}: splits.seed is 'one'; expected a whole number" in done.stderr


def test_topics_that_were_looked_at_are_named_when_they_are_no_test_topics_any_more(words: Workspace) -> None:
    assert run(words, *LOOK).exit_code == 0
    looked_at = topics_of(words, "test")
    done = run(words, "split", "--force", "--seed", "2")
    moved = sorted(looked_at & (topics_of(words, "train") | topics_of(words, "validation")))
    assert moved
    assert read_split(words).looked_at == tuple(moved)
    assert f"looked at as test topics before, and now among training or validation: {', '.join(moved[:5])}" in (
        done.stderr
    )
    again = run(words, "split", "--force", "--seed", "1")
    assert "looked at as test topics" not in again.stderr
    assert read_split(words).looked_at == ()


def test_test_topics_on_which_parameters_were_tuned_are_named(words: Workspace) -> None:
    assert run(words, "tune", "bm25", "--param", "b=0.0,1.0", "-o", "plot.json").exit_code == 0
    tuned_on = topics_of(words, "train") | topics_of(words, "validation")
    assert "tuned on" not in run(words, *LOOK).stderr
    done = run(words, "split", "--force", "--seed", "2")
    now_test = sorted(tuned_on & topics_of(words, "test"))
    assert now_test
    said = f"parameters were tuned on topics that are test topics now: {', '.join(now_test[:5])}"
    assert said in done.stderr
    assert "few topics: validation 4, test 6." in done.stderr
    assert said in run(words, *LOOK).stderr
    assert "tuned on" not in run(words, "evaluate", "flat").stderr
    assert "tuned on" not in run(words, "split", "--force", "--seed", "1").stderr
    # By document all topics are in all parts, and what was tuned by this division is no reason to warn.
    assert said.partition(":")[0] in run(words, "split", "--force", "--by", "document").stderr
    for entry in words.ledger.iterdir():
        entry.unlink()
    assert run(words, "split", "--force").exit_code == 0
    assert run(words, "tune", "bm25", "--param", "b=0.0,1.0", "-o", "plot.json").exit_code == 0
    assert "tuned on" not in run(words, *LOOK).stderr


def test_dividing_documents_moves_no_topic(words: Workspace) -> None:
    assert run(words, "evaluate", "flat", "--split", "all").exit_code == 0
    done = run(words, "split", "--force", "--by", "document")
    assert "now among training or validation" not in done.stderr
    assert read_split(words).looked_at == ()


def test_looks_count_for_the_topics_that_were_looked_at(words: Workspace) -> None:
    run(words, *LOOK)
    # A test set of which none was looked at: that of another seed that has no topic in common with the first.
    first = topics_of(words, "test")
    names = [f"t{number}" for number in range(1, 21)]
    seed = next(seed for seed in range(2, 500) if first.isdisjoint(split(names, seed=seed).parts["test"]))
    run(words, "split", "--force", "--seed", str(seed))
    assert first.isdisjoint(topics_of(words, "test"))
    said = run(words, "evaluate", "flat").stderr
    assert "test topics not looked at yet; looks at other topics, which were test topics before: 1" in said
    run(words, *LOOK)
    assert "test topics looked at once, by these runs: flat (1); looks at" in run(words, "evaluate", "flat").stderr
    run(words, "split", "--force", "--seed", "1")
    assert json.loads(run(words, "ledger", "--format", "json").stdout)["looks"]["times"] == 1


def test_an_entry_from_before_topics_were_named_still_counts(words: Workspace) -> None:
    """Such an entry has its own hash, and nobody knows that it was about other topics."""
    entry = add_entry(words.ledger, Entry("look", "old", TopicsSeen("test", 6, "00"), "", (RunSeen("flat", "00"),)))
    assert "names" not in entry.to_dict()["topics"]
    assert run(words, "ledger", "verify").exit_code == 0
    assert "test topics looked at once, by these runs: flat (1)" in run(words, "evaluate", "flat").stderr


def test_status_says_what_to_do_about_the_split_and_the_ledger(words: Workspace) -> None:
    assert run(words, "report").exit_code == 0
    assert next_of(words) == [None]
    file = words.splits_folder / "train.qrels.txt"
    before = file.read_bytes()
    file.write_bytes(before + b"t1 0 more 1\n")
    assert next_of(words) == ["cranfield split --force"]
    shown = " ".join(run_in_terminal("status", cwd=words.root).split())
    assert shown.count("train.qrels.txt: this is not what `cranfield split` wrote") == 1
    assert "nothing: all is up to date" not in shown
    file.write_bytes(before)
    (entry,) = words.ledger.iterdir()
    entry.write_text("no JSON")
    assert next_of(words) == ["cranfield ledger verify"]
    assert "the ledger is damaged" in " ".join(run_in_terminal("status", cwd=words.root).split())


def test_a_problem_is_said_once(words: Workspace) -> None:
    (words.root / "topics.jsonl").write_text("")
    shown = " ".join(run_in_terminal("status", cwd=words.root).split())
    assert shown.count("the file is empty") == 1
    assert shown.endswith("next: put right what is wrong with topics")


@pytest.mark.parametrize(
    "command",
    [
        ["update"], ["report"], ["export-ltr"], ["evaluate"], ["compare", "bm25", "flat"], ["failures"],
        ["tune", "bm25", "--param", "b=0.0,1.0", "-o", "plot.json"],
    ],
)  # fmt: skip
def test_judgments_that_changed_since_are_warned_of(words: Workspace, command: list[str]) -> None:
    assert "changed since" not in run(words, *command).stderr
    with (words.root / "qrels.txt").open("a") as file:
        file.write("t1 0 long2 0\n")
    done = run(words, *command)
    assert done.exit_code == 0
    assert done.stderr.count("the judgments changed since the workspace was divided") == 1


def test_an_entry_has_the_same_name_in_the_ledger_and_in_its_verification(words: Workspace) -> None:
    run(words, *LOOK)
    divided, look = (words.ledger / f"{name}.json" for name in read_ledger(words.ledger).names_in_order)
    look.write_text(look.read_text().replace('"flat"', '"bm25"'))
    (row,) = [line for line in run(words, "ledger").text.splitlines() if line.startswith(f"{look.stem}\t")]
    assert row.endswith(f"\tdamaged: cranfield {' '.join(LOOK)}")
    assert f"{look.stem}: edited" in run(words, "ledger", "verify").text
    divided.write_text("{")
    assert f"{divided.stem}: edited: it cannot be read" in run(words, "ledger", "verify").text
    last = run(words, "ledger").text.splitlines()[-1]
    assert last.startswith(f"{divided.stem}\t\t\t\t\tdamaged: ")
    found = json.loads(run(words, "ledger", "--format", "json").stdout)
    assert list(found["unreadable"]) == [divided.stem]
    assert [entry["name"] for entry in found["entries"]] == [look.stem]
