"""The files of a divided workspace."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cranfield.errors import DataError, UsageError
from cranfield.experiments.ledger import read_ledger
from cranfield.experiments.split_files import part_file, read_split, why_split_is_stale
from cranfield.experiments.splits import Shares
from cranfield.experiments.splitting import SplitRequest, split_workspace
from cranfield.experiments.workspace import Workspace
from cranfield.experiments.workspace_file import read_workspace
from cranfield.formats import read_qrels
from cranfield.formats.topics import read_topics
from tests.experiments.divided import TOML, divided_words, make_words


def divide(folder: Path, request: SplitRequest, *, force: bool = False) -> Workspace:
    split_workspace(read_workspace(folder), request, what="cranfield split", force=force)
    return read_workspace(folder)


def test_every_part_has_its_topics_and_judgments(tmp_path: Path) -> None:
    workspace = divide(make_words(tmp_path / "words"), SplitRequest(seed=1, folds=7))
    record = read_split(workspace)
    assert record.counts == {"train": 10, "validation": 4, "test": 6}  # .5, .2 and .3 of 20
    assert record.judgments == {"train": 20, "validation": 8, "test": 12}  # two each
    seen: list[str] = []
    for part in ("train", "validation", "test"):
        topics = read_topics(part_file(workspace, part, "topics"))
        assert set(topics) == set(read_qrels(part_file(workspace, part)).queries)
        seen += topics
    assert sorted(seen) == sorted(read_topics(workspace.root / "topics.jsonl"))
    assert [len(fold) for fold in record.folds] == [2] * 7  # 14 topics that are not test


def test_comments_stay_and_the_split_is_written_beside_them(tmp_path: Path) -> None:
    folder = make_words(tmp_path / "words")
    workspace = divide(folder, SplitRequest(seed=1))
    text = (folder / "cranfield.toml").read_text()
    assert text.startswith(TOML)
    assert workspace.splits == {
        "by": "query", "seed": 1, "train": 0.5, "validation": 0.2, "test": 0.3, "folder": "splits",
    }  # fmt: skip
    again = divide(folder, SplitRequest(seed=2, shares=Shares(0.5, 0.0, 0.5), stratify="kind"), force=True)
    assert (folder / "cranfield.toml").read_text().startswith(TOML)
    assert again.splits == {
        "by": "query", "seed": 2, "train": 0.5, "validation": 0.0, "test": 0.5, "stratify": "kind", "folder": "splits",
    }  # fmt: skip


def test_the_order_of_topics_and_judgments_does_not_matter(tmp_path: Path) -> None:
    made = []
    for name in ("forwards", "backwards"):
        folder = make_words(tmp_path / name)
        if name == "backwards":
            for file in ("topics.jsonl", "qrels.txt"):
                lines = (folder / file).read_text().splitlines(keepends=True)
                (folder / file).write_text("".join(reversed(lines)))
        workspace = divide(folder, SplitRequest(seed=5))
        made.append({part: sorted(read_topics(part_file(workspace, part, "topics"))) for part in ("train", "test")})
    assert made[0] == made[1]


def test_groups_are_kept_in_proportion(tmp_path: Path) -> None:
    workspace = divide(make_words(tmp_path / "words"), SplitRequest(shares=Shares(0.5, 0.0, 0.5), stratify="kind"))
    topics = read_topics(part_file(workspace, "test", "topics"))
    assert sorted(topic.fields["kind"] for topic in topics.values()) == ["even"] * 5 + ["odd"] * 5  # 10 of each, halved


def test_what_was_divided_is_divided_again_only_if_asked(tmp_path: Path) -> None:
    workspace = divided_words(tmp_path / "words")
    with pytest.raises(UsageError, match=r"this workspace is divided already. --force does it anew"):
        split_workspace(workspace, SplitRequest(), what="")
    before = {file.name: file.read_bytes() for file in workspace.splits_folder.iterdir() if file.name != "split.json"}
    divide(workspace.root, SplitRequest(seed=1), force=True)
    assert before == {
        file.name: file.read_bytes() for file in workspace.splits_folder.iterdir() if file.name != "split.json"
    }
    entries = read_ledger(workspace.ledger).in_order
    assert [entry.kind for entry in entries] == ["split", "split"]  # nothing is forgotten
    assert read_split(workspace).ledger == entries[-1].sha256


def test_mistakes_are_said(tmp_path: Path) -> None:
    folder = make_words(tmp_path / "words")
    workspace = read_workspace(folder)
    with pytest.raises(UsageError, match=r"--stratify kid: no query has such a field. Did you mean kind\?"):
        split_workspace(workspace, SplitRequest(stratify="kid"), what="")
    with pytest.raises(UsageError, match="--stratify title: every query has another value"):
        split_workspace(workspace, SplitRequest(stratify="title"), what="")
    with pytest.raises(UsageError, match="what is divided is query or document, not 'querry'"):
        SplitRequest(by="querry")
    (folder / "qrels.txt").write_text("other 0 d1 1\n")
    with pytest.raises(DataError, match="none of the 20 topics has judgments"):
        split_workspace(workspace, SplitRequest(), what="")
    assert not workspace.ledger.exists()


def test_topics_without_judgments_belong_to_no_part(tmp_path: Path) -> None:
    folder = make_words(tmp_path / "words")
    with (folder / "topics.jsonl").open("a") as file:
        file.write(json.dumps({"_id": "unjudged", "title": "w1"}) + "\n")
    record = read_split(divide(folder, SplitRequest(seed=1)))
    assert record.unjudged == ("unjudged",)
    assert sum(record.counts.values()) == 20


def test_a_part_that_is_empty_or_was_edited_is_refused(tmp_path: Path) -> None:
    workspace = divide(make_words(tmp_path / "words"), SplitRequest(shares=Shares(0.5, 0.0, 0.5)))
    with pytest.raises(UsageError, match="the part validation is empty"):
        part_file(workspace, "validation")
    with pytest.raises(UsageError, match=r"there is no part 'tets'. Did you mean test\?"):
        part_file(workspace, "tets")
    (workspace.splits_folder / "train.qrels.txt").unlink()
    with pytest.raises(DataError, match=r"train.qrels.txt: cannot be read: No such file"):
        part_file(workspace, "train")
    (workspace.splits_folder / "split.json").write_text("[]")
    with pytest.raises(DataError, match=r"split.json: this is no record of a split"):
        read_split(workspace)
    shutil.rmtree(workspace.splits_folder)
    with pytest.raises(UsageError, match="the topics are not divided"):
        read_split(workspace)


def test_judgments_that_changed_since_are_noticed(tmp_path: Path) -> None:
    workspace = divided_words(tmp_path / "words")
    assert why_split_is_stale(workspace) is None
    with (workspace.root / "qrels.txt").open("a") as file:
        file.write("t1 0 long2 0\n")
    assert why_split_is_stale(workspace) == (
        "the judgments changed since the workspace was divided: `cranfield split --force` does it anew"
    )


def test_a_file_that_has_the_table_in_another_form_is_left_alone(tmp_path: Path) -> None:
    folder = make_words(tmp_path / "words")
    file = folder / "cranfield.toml"
    file.write_text("splits = {by = 'query'}\n" + file.read_text())
    before = file.read_bytes()
    with pytest.raises(DataError, match="this cannot be put there without touching the rest; do it by hand"):
        divide(folder, SplitRequest(), force=True)
    assert file.read_bytes() == before
