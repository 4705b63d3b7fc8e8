"""Documents, topics and judgments of a workspace, in every way a collection can come."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.errors import CranfieldError, DataError
from cranfield.experiments import materials
from cranfield.experiments.staleness import status
from cranfield.experiments.workspace import Workspace
from cranfield.experiments.workspace_file import read_workspace
from cranfield.formats.collections import open_collection, save_collection
from tests.experiments.kitchen import HEAD, QRELS, SYSTEMS, TEXTS, TOPICS, make_kitchen

LOOSE = HEAD
ITS_OWN = 'version = 1\ncollection = "collection"\n'


def loose(folder: Path) -> Workspace:
    return read_workspace(make_kitchen(folder))


def recorded(folder: Path) -> Workspace:
    make_kitchen(folder, SYSTEMS, ITS_OWN)
    found = open_collection(folder / "documents.jsonl", topics=folder / "topics.tsv", qrels=folder / "qrels.txt")
    save_collection(found, folder / "collection", name="kitchen", source="test")
    return read_workspace(folder)


def beir(folder: Path) -> Workspace:
    make_kitchen(folder, SYSTEMS, ITS_OWN)
    (folder / "collection" / "qrels").mkdir(parents=True)
    documents = [{"_id": f"d{number}", "title": "", "text": text} for number, text in enumerate(TEXTS)]
    queries = [dict(zip(("_id", "text"), line.split("\t"), strict=True)) for line in TOPICS.splitlines()]
    for name, lines in (("corpus", documents), ("queries", [*queries, {"_id": "7", "text": "not judged"}])):
        (folder / "collection" / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    rows = [
        "query-id\tcorpus-id\tscore",
        *("\t".join(line.split()[i] for i in (0, 2, 3)) for line in QRELS.splitlines()),
    ]
    (folder / "collection" / "qrels" / "test.tsv").write_text("\n".join(rows) + "\n")
    return read_workspace(folder)


WAYS = [loose, recorded, beir]


@pytest.mark.parametrize("way", WAYS)
def test_counts_and_hashes_are_those_of_the_parts_themselves(way, tmp_path: Path) -> None:
    workspace = way(tmp_path)
    found = status(workspace)
    assert found.problems == {}
    counts = {name: one.content.count for name, one in found.materials.items() if one.content}
    assert counts == {"documents": len(TEXTS), "topics": 3, "judgments": 7}
    assert materials.documents_content(workspace) == materials.collection(workspace).content
    assert materials.topics_content(workspace).sha256 == materials.topics(workspace).sha256
    assert Path(materials.qrels(workspace)).is_file()


@pytest.mark.parametrize("way", WAYS)
def test_what_was_noted_is_what_is_read(way, tmp_path: Path) -> None:
    workspace = way(tmp_path)
    first = status(workspace)
    assert (tmp_path / ".cranfield" / "contents.json").is_file()
    assert status(workspace) == first
    (tmp_path / ".cranfield" / "contents.json").write_text("{")
    assert status(workspace) == first


@pytest.mark.parametrize("way", WAYS)
def test_a_change_is_noticed_though_something_was_noted(way, tmp_path: Path) -> None:
    workspace = way(tmp_path)
    before = status(workspace)
    for place in (materials.qrels(workspace), "topics.tsv", "collection/topics.jsonl", "collection/queries.jsonl"):
        file = tmp_path / place
        if file.is_file():
            file.write_bytes(file.read_bytes().replace(b"tomato", b"potato").replace(b"d0", b"d6"))
    after = status(workspace)
    for name in ("topics", "judgments"):
        old, new = before.materials[name], after.materials[name]
        assert new.problem or new.content != old.content
        assert ("changed since the collection was made" in new.problem) == (way is recorded)


def test_documents_of_a_collection_with_a_manifest(tmp_path: Path) -> None:
    workspace = recorded(tmp_path)
    file = tmp_path / "collection" / "documents.jsonl.gz"
    file.write_bytes(file.read_bytes() + b" ")
    with pytest.raises(DataError, match="changed since the collection was made: it had"):
        materials.documents_content(workspace)
    file.unlink()
    with pytest.raises(DataError, match="the documents are missing"):
        materials.documents_content(workspace)


@pytest.mark.parametrize("part", ["topics", "qrels"])
def test_a_collection_without_topics_or_judgments(part: str, tmp_path: Path) -> None:
    lines = [line for line in HEAD.splitlines() if not line.startswith(part)]
    workspace = read_workspace(make_kitchen(tmp_path, SYSTEMS, "\n".join(lines) + "\n"))
    with pytest.raises(CranfieldError, match=rf"cranfield.toml:3: collection: it has no .* name their file as {part}"):
        getattr(materials, part)(workspace)


def test_nothing_is_written_where_nothing_can_be(tmp_path: Path) -> None:
    workspace = loose(tmp_path)
    (tmp_path / ".cranfield").write_text("a file is in the way")
    assert status(workspace).problems == {}
