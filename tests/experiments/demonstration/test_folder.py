"""The folder of the demonstration is a workspace, and nobody else's folder becomes one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield import read_judge_labels, read_qrels, read_topics
from cranfield.errors import UsageError
from cranfield.experiments.demonstration.folder import make_workspace, refuse_others
from cranfield.experiments.demonstration.material import Judgment, Material
from cranfield.experiments.finding import FILE
from cranfield.formats.documents import iter_documents
from cranfield.formats.scales import read_scale

DOCUMENTS = b'{"id": "sorted", "title": "Sort.", "name": "sorted", "text": "Sort."}\n'
JUDGED = (Judgment("1", "sorted", 3, "sorts"), Judgment("1", "gone", 1, "is gone"))
MATERIAL = Material(DOCUMENTS, JUDGED, JUDGED[:1])


def test_it_is_a_workspace(tmp_path: Path) -> None:
    workspace = make_workspace(MATERIAL, tmp_path / "demo")
    assert list(workspace.systems) == ["bm25", "untuned", "names", "hybrid"]
    assert workspace.root == tmp_path / "demo"
    assert [document.id for document in iter_documents(workspace.collection_place)] == ["sorted"]
    assert len(read_topics(workspace.topics_place or "")) == 50
    assert read_qrels(workspace.qrels_place or "")["1"] == {"sorted": 3}
    labels = read_judge_labels(workspace.root / "judges.tsv")
    assert (labels.judges, labels.topics) == (("first", "second"), ("1",))
    assert read_scale(workspace.scale_place or "").guideline == (workspace.root / "guideline.md").read_text()


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    assert make_workspace(MATERIAL, tmp_path).root == tmp_path


def test_another_time_only_what_differs_is_written(tmp_path: Path) -> None:
    make_workspace(MATERIAL, tmp_path)
    (tmp_path / "qrels.txt").write_text("1 0 sorted")
    (tmp_path / "guideline.md").unlink()
    (tmp_path / "notes.txt").write_text("mine")
    before = (tmp_path / "documents.jsonl").stat().st_ino
    make_workspace(MATERIAL, tmp_path)
    assert (tmp_path / "qrels.txt").read_text() == "1 0 sorted 3\n"
    assert (tmp_path / "guideline.md").is_file()
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "documents.jsonl").stat().st_ino == before


def test_the_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match="this folder is not empty, and not made by `cranfield demo`"):
        make_workspace(MATERIAL, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "demo").write_text("mine")
    with pytest.raises(UsageError, match="this is a file; the demonstration makes a folder"):
        refuse_others(tmp_path / "demo")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("k1 = 3.0", "cranfield.toml was changed since `cranfield demo` made it"),
        ("[systems.mine]\nengine = 'sqlite'", "cranfield.toml has the system mine since"),
        ("[splits]\nby = 'query'", "its topics were divided .`cranfield split`. since"),
    ],
)
def test_a_changed_workspace_is_refused_and_it_is_said_how_to_go_on(tmp_path: Path, more: str, said: str) -> None:
    make_workspace(MATERIAL, tmp_path)
    text = (tmp_path / FILE).read_text()
    (tmp_path / FILE).write_text(f"{text}\n{more}\n" if "[" in more else text.replace("k1 = 30.0", more))
    with pytest.raises(UsageError, match=rf"{said}.*`cranfield status` there .*`cranfield demo NAME` makes another"):
        make_workspace(MATERIAL, tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        make_workspace(MATERIAL, tmp_path / "nowhere" / "demo")
