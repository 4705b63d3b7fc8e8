"""The ledger: what is written, what is noticed, and that branches merge."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from cranfield.experiments.ledger import Entry, RunSeen, TopicsSeen, add_entry, read_ledger
from cranfield.experiments.looks import Looks


def look(folder: Path, run: str = "bm25", measures: tuple[str, ...] = ("AP",)) -> Entry:
    seen = (RunSeen(run, f"hash of {run}"),)
    return add_entry(folder, Entry("look", "cranfield evaluate", TopicsSeen.of("test", ["t1"]), "", seen, measures))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ledger of a split and three looks, one after the other."""
    place = tmp_path / "ledger"
    add_entry(place, Entry("split", "cranfield split", TopicsSeen.of("test", ["t1"]), ""))
    for name in ("bm25", "dense", "hybrid"):
        look(place, name)
    return place


def kinds(folder: Path, **more: list[str]) -> list[tuple[str, str]]:
    return [(one.kind, one.entry) for one in read_ledger(folder).problems(**more)]


def test_entries_are_chained_and_shown_in_order(folder: Path) -> None:
    ledger = read_ledger(folder)
    assert ledger.problems() == []
    entries = ledger.in_order
    assert [entry.kind for entry in entries] == ["split", "look", "look", "look"]
    assert [entry.parents for entry in entries[1:]] == [(before.sha256,) for before in entries[:-1]]
    assert ledger.heads == (entries[-1].sha256,)
    assert [entry.runs[0].name for entry in ledger.looks] == ["bm25", "dense", "hybrid"]


def test_the_name_of_an_entry_is_the_hash_of_its_content(folder: Path) -> None:
    """Oracle: SHA-256 of the JSON with sorted keys and nothing between them, as docs/experiments.md says it."""
    import hashlib

    for file in folder.iterdir():
        text = json.dumps(json.loads(file.read_text()), sort_keys=True, separators=(",", ":"))
        assert file.stem == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_an_edited_entry_is_found_wherever_it_stands(folder: Path) -> None:
    for entry in read_ledger(folder).in_order:
        file = folder / f"{entry.sha256[:16]}.json"
        before = file.read_text()
        file.write_text(before.replace('"time": "2', '"time": "1'))
        assert kinds(folder) == [("edited", file.stem)]
        file.write_text("no JSON")
        assert kinds(folder) == [("edited", file.stem)]
        file.write_text(before)
        assert kinds(folder) == []


def test_white_space_and_ends_of_lines_are_no_edits(folder: Path) -> None:
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert kinds(folder) == []


def test_a_deleted_entry_is_missed_by_the_next_and_the_last_by_who_quotes_it(folder: Path) -> None:
    entries = read_ledger(folder).in_order
    for entry in entries[:-1]:
        file = folder / f"{entry.sha256[:16]}.json"
        before = file.read_bytes()
        file.unlink()
        assert ("missing", file.stem) in kinds(folder)
        file.write_bytes(before)
    last = folder / f"{entries[-1].sha256[:16]}.json"
    last.unlink()
    assert kinds(folder) == []
    assert kinds(folder, quoted=[entries[-1].sha256]) == [("missing", last.stem)]


def test_a_ledger_that_is_gone_is_missed_by_the_split(folder: Path) -> None:
    first = read_ledger(folder).in_order[0].sha256
    assert kinds(folder, known=[first]) == []
    for file in folder.iterdir():
        file.unlink()
    assert kinds(folder, known=[first]) == [("missing", first[:16])]


def test_an_entry_that_begins_a_chain_of_its_own_is_unlinked(folder: Path, tmp_path: Path) -> None:
    first = read_ledger(folder).in_order[0].sha256
    stranger = look(tmp_path / "elsewhere", "stranger")
    name = f"{stranger.sha256[:16]}.json"
    (folder / name).write_bytes((tmp_path / "elsewhere" / name).read_bytes())
    assert kinds(folder, known=[first]) == [("unlinked", stranger.sha256[:16])]
    look(folder, "after")  # which has both as parents: still it did not begin here
    assert kinds(folder, known=[first]) == [("unlinked", stranger.sha256[:16])]


def test_two_entries_at_once_are_two_heads_and_the_next_joins_them(folder: Path, tmp_path: Path) -> None:
    both = []
    for branch in ("a", "b"):
        copy = tmp_path / branch
        copy.mkdir()
        for file in folder.iterdir():
            (copy / file.name).write_bytes(file.read_bytes())
        both.append((copy, look(copy, branch)))
    for copy, entry in both:
        name = f"{entry.sha256[:16]}.json"
        (folder / name).write_bytes((copy / name).read_bytes())
    ledger = read_ledger(folder)
    assert set(ledger.heads) == {entry.sha256 for _, entry in both}
    assert ledger.problems() == []
    assert set(look(folder, "after").parents) == {entry.sha256 for _, entry in both}
    assert len(read_ledger(folder).heads) == 1


def git(folder: Path, *arguments: str) -> str:
    identity = {f"GIT_{who}_{what}": "test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["git", "-C", str(folder), "-c", "init.defaultBranch=main", *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **identity, "GIT_CONFIG_NOSYSTEM": "1"},
    )
    return done.stdout


def test_two_branches_merge_without_conflict_and_verify(folder: Path) -> None:
    root = folder.parent
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "begun")
    git(root, "switch", "--quiet", "-c", "other")
    there = [look(folder, "theirs"), look(folder, "theirs again")]
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "theirs")
    git(root, "switch", "--quiet", "main")
    assert len(read_ledger(folder).entries) == 4
    here = look(folder, "ours")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "ours")
    git(root, "merge", "--quiet", "--no-edit", "other")
    ledger = read_ledger(folder)
    assert len(ledger.entries) == 7
    assert ledger.problems(known=[ledger.in_order[0].sha256]) == []
    assert set(ledger.heads) == {there[-1].sha256, here.sha256}
    assert {run.name for entry in ledger.looks for run in entry.runs} >= {"ours", "theirs", "theirs again"}
    # And an entry that is lost in a merge is missed.
    (folder / f"{there[0].sha256[:16]}.json").unlink()
    assert [one.kind for one in read_ledger(folder).problems()] == ["missing"]


def test_looks_count_different_runs_and_measures_once(folder: Path) -> None:
    look(folder, "bm25")  # once more
    look(folder, "bm25", ("AP", "nDCG@10", "Judged@10"))  # one measure more, and one that is no reason to choose
    found = Looks(tuple(read_ledger(folder).looks), ())
    # bm25 AP, bm25 nDCG@10, dense AP, hybrid AP
    assert found.comparisons() == 4
    assert found.comparisons(baseline="hash of dense") == 3
    assert found.comparisons("hash of dense", [("hash of new", "AP"), ("hash of bm25", "AP")]) == 4
    assert found.sentence == "test topics looked at 5 times, by these runs: bm25 (3), dense (1), hybrid (1)"


def test_versions_of_a_run_are_told_apart(tmp_path: Path) -> None:
    for sha256 in ("1", "2"):
        entry = Entry("look", "", TopicsSeen.of("test", ["t1"]), "", (RunSeen("bm25", sha256),), ("AP",))
        add_entry(tmp_path, entry)
    found = Looks(tuple(read_ledger(tmp_path).looks), ())
    assert found.sentence.endswith("bm25 (2, in 2 versions)")
    assert found.comparisons() == 2
