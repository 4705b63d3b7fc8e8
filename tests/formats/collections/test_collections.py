"""Collections on disk: made, opened, changed, verified; and the layouts they come in."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from cranfield.errors import CranfieldError, DataError, ParameterError, UsageError
from cranfield.formats.collections import import_collection, open_collection, verify_collection

DOCUMENTS = (
    b'{"id": "d1", "title": "Soup", "text": "Boil."}\n{"id": "d2", "text": "Bake.", "year": 1962, "tags": ["a"]}\n'
)
TOPICS = "q1\tboil water\nq2\tbake\n"
QRELS = "q1 0 d1 2\nq2 0 d2 1\nq1 0 d2 -1\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "docs.jsonl.gz").write_bytes(gzip.compress(DOCUMENTS))
    (folder / "topics.tsv").write_text(TOPICS)
    (folder / "qrels.txt").write_text(QRELS)
    return folder


@pytest.fixture
def kitchen(files: Path, tmp_path: Path) -> Path:
    import_collection("trec", files, tmp_path / "kitchen")
    return tmp_path / "kitchen"


def test_import_and_open(kitchen: Path) -> None:
    collection = open_collection(kitchen)
    assert [(document.id, dict(document.fields)) for document in collection.documents()] == [
        ("d1", {"title": "Soup", "text": "Boil."}),
        ("d2", {"text": "Bake.", "year": 1962, "tags": ["a"]}),
    ]
    assert collection.topics is not None
    assert collection.topics.queries() == {"q1": "boil water", "q2": "bake"}
    assert collection.qrels is not None
    assert collection.qrels.to_dict() == {"q1": {"d1": 2, "d2": -1}, "q2": {"d2": 1}}
    assert (collection.name, collection.count) == ("files", 2)
    manifest = json.loads((kitchen / "collection.json").read_text())
    assert (manifest["schema"], manifest["version"], manifest["source"]) == ("cranfield.collection", 1, "trec")
    assert manifest["documents"]["sha256"] == collection.sha256
    assert manifest["documents"]["bytes"] == (kitchen / "documents.jsonl.gz").stat().st_size
    assert {name: manifest[name]["count"] for name in ("documents", "topics", "qrels")} == {
        "documents": 2,
        "topics": 2,
        "qrels": 3,
    }
    assert sorted(path.name for path in kitchen.parent.iterdir()) == ["files", "kitchen"]


def test_the_hash_does_not_depend_on_the_format(files: Path, kitchen: Path, tmp_path: Path) -> None:
    bare = open_collection(files / "docs.jsonl.gz", topics=files / "topics.tsv", qrels=files / "qrels.txt")
    imported = open_collection(kitchen)
    assert bare.sha256 == imported.sha256
    assert bare.topics is not None
    assert imported.topics is not None
    assert bare.topics.sha256 == imported.topics.sha256
    assert bare.name == "docs"


def test_two_files_of_one_part_must_be_told_apart(files: Path, tmp_path: Path) -> None:
    (files / "documents.jsonl").write_bytes(DOCUMENTS)
    with pytest.raises(DataError) as caught:
        import_collection("trec", files, tmp_path / "made")
    assert str(caught.value) == (
        f"{files}: the documents of a TREC collection may be docs.jsonl.gz or documents.jsonl. "
        f"Say which: --documents {files}/docs.jsonl.gz"
    )
    (files / "topics.toml").write_text('[[topic]]\nid = "q1"\ntitle = "boil"\n')
    with pytest.raises(DataError, match=r"may be topics\.toml or topics\.tsv"):
        import_collection("trec", files, tmp_path / "made", documents=files / "documents.jsonl")
    made = import_collection(
        "trec", files, tmp_path / "made", documents=files / "documents.jsonl", topics=files / "topics.toml"
    )
    assert made.topics is not None
    assert made.topics.queries() == {"q1": "boil"}


def test_how_files_are_read_may_be_said(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "soup.tsv").write_bytes("d1\tcafé\n".encode("latin-1"))
    (folder / "topics").write_bytes("1 0 café 1\n".encode("latin-1"))
    made = import_collection(
        "trec", folder, tmp_path / "made",
        documents_format="text", topics_format="numbered", encoding="latin-1", ids="path",
    )  # fmt: skip
    assert [(document.id, dict(document.fields)) for document in made.documents()] == [
        ("soup.tsv", {"text": "d1\tcafé"})
    ]
    assert made.topics is not None
    assert made.topics.queries() == {"1": "0 café 1"}
    loose = open_collection(folder / "docs", documents_format="text", encoding="latin-1", ids="path")
    assert loose.sha256 == made.sha256


def test_ways_to_read_are_refused_where_there_is_only_one(kitchen: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        open_collection(kitchen, encoding="latin-1")
    assert str(caught.value) == (
        f"--encoding latin-1 is of no use here: {kitchen}/collection.json says how this collection is read"
    )
    (tmp_path / "latin.tsv").write_bytes("q1\tcafé\n".encode("latin-1"))
    other = open_collection(kitchen, topics=tmp_path / "latin.tsv", encoding="latin-1")
    assert other.topics is not None
    assert other.topics.queries() == {"q1": "café"}
    with pytest.raises(UsageError, match="--ids path is of no use here: CISI has a format of its own"):
        import_collection("cisi", tmp_path, tmp_path / "made", ids="path")


def change(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    assert old in content
    content = content.replace(old, new)
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def test_a_changed_document_is_noticed(kitchen: Path) -> None:
    size = (kitchen / "documents.jsonl.gz").stat().st_size
    change(kitchen / "documents.jsonl.gz", b"Bake.", b"Bakf.")
    if (kitchen / "documents.jsonl.gz").stat().st_size == size:
        with pytest.raises(
            DataError, match="files: the documents changed since the collection was made: their SHA-256"
        ):
            list(open_collection(kitchen).documents())
    else:
        with pytest.raises(
            DataError, match=r"documents.jsonl.gz changed since the collection was made: it had \d+ bytes"
        ):
            open_collection(kitchen)
    problems = {part.name: part.problem for part in verify_collection(kitchen)}
    assert problems["documents"] is not None
    assert problems["documents"].startswith("the documents changed since the collection was made: their SHA-256 was ")
    assert (problems["topics"], problems["qrels"]) == (None, None)


def test_a_changed_document_of_the_same_size_is_noticed_when_it_is_read(kitchen: Path) -> None:
    change(kitchen / "documents.jsonl.gz", b"Bake.", b"Bakf.")
    manifest = json.loads((kitchen / "collection.json").read_text())
    manifest["documents"]["bytes"] = (kitchen / "documents.jsonl.gz").stat().st_size
    (kitchen / "collection.json").write_text(json.dumps(manifest))
    collection = open_collection(kitchen)
    with pytest.raises(
        DataError, match="files: the documents changed since the collection was made: their SHA-256 was"
    ):
        list(collection.documents())


@pytest.mark.parametrize(
    ("file", "old", "new", "part", "words"),
    [
        (
            "topics.jsonl",
            b"boil",
            b"fry",
            "topics",
            "the topics changed since the collection was made: their SHA-256 was",
        ),
        ("qrels.txt", b"q2 0 d2 1\n", b"", "qrels", "the qrels changed since the collection was made: there were 3, "),
        (
            "qrels.txt",
            b"q2 0 d2 1\n",
            b"q2 0 d2 2\n",
            "qrels",
            "the qrels changed since the collection was made: their",
        ),
        ("topics.jsonl", b"{", b"[", "topics", "the topics can no longer be read: "),
    ],
)
def test_other_changes_are_noticed(kitchen: Path, file: str, old: bytes, new: bytes, part: str, words: str) -> None:
    change(kitchen / file, old, new)
    found = {one.name: one.problem for one in verify_collection(kitchen) if one.problem}
    assert list(found) == [part]
    assert str(found[part]).startswith(words)
    with pytest.raises(CranfieldError):
        open_collection(kitchen)


def test_packing_and_order_of_fields_are_no_change(kitchen: Path) -> None:
    lines = [json.loads(line) for line in gzip.decompress((kitchen / "documents.jsonl.gz").read_bytes()).splitlines()]
    turned = "".join(json.dumps(dict(reversed(line.items()))) + "\n" for line in lines)
    (kitchen / "documents.jsonl.gz").write_text(turned)
    assert all(part.problem is None for part in verify_collection(kitchen))


def test_a_part_that_is_gone(kitchen: Path) -> None:
    (kitchen / "topics.jsonl").unlink()
    with pytest.raises(DataError, match=r"the topics are missing: there is no topics.jsonl\. Restore it"):
        open_collection(kitchen)
    assert [part.name for part in verify_collection(kitchen) if part.problem] == ["topics"]


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        ("{", "this is no JSON"),
        ("[]", "expected the manifest of a collection, with the schema 'cranfield.collection'"),
        (
            '{"schema": "cranfield.collection", "version": 2}',
            "in version 2; this cranfield reads version 1",
        ),
        ('{"schema": "cranfield.collection", "version": 1}', "the manifest lacks a name or documents"),
        (
            '{"schema": "cranfield.collection", "version": 1, "name": "x", "documents": {"path": "d"}}',
            "expected documents with path, format, count, sha256, bytes",
        ),
        (
            '{"schema": "cranfield.collection", "version": 1, "name": "x", "documents": {"path": "../../d", '
            '"format": "jsonl", "count": 1, "sha256": "", "bytes": 1}}',
            "the documents are at '../../d', which is outside the folder",
        ),
    ],
)
def test_manifests_that_cannot_be_used(kitchen: Path, manifest: str, words: str) -> None:
    (kitchen / "collection.json").write_text(manifest)
    with pytest.raises(DataError, match=words) as error:
        open_collection(kitchen)
    assert "collection.json" in str(error.value)


def test_nothing_is_left_of_an_import_that_fails(files: Path, tmp_path: Path) -> None:
    (files / "docs.jsonl.gz").write_bytes(gzip.compress(DOCUMENTS + b'{"id": "d1"}\n'))
    with pytest.raises(DataError, match="'d1' is there twice"):
        import_collection("trec", files, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["files"]


def test_wrong_usage(files: Path, kitchen: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown layout 'trek'\. Did you mean trec\? There are: cranfield, cisi"):
        import_collection("trek", files, tmp_path / "out")
    with pytest.raises(UsageError, match="this is there already; give another name, or remove it first"):
        import_collection("trec", files, kitchen)
    with pytest.raises(UsageError, match="there is no folder"):
        import_collection("trec", files, tmp_path / "no" / "such")
    with pytest.raises(UsageError, match="nowhere: there is no such file or folder"):
        import_collection("trec", tmp_path / "nowhere", tmp_path / "out")
    with pytest.raises(UsageError, match="nowhere: there is no such file or folder"):
        open_collection(tmp_path / "nowhere")
    with pytest.raises(DataError, match=r"no documents of Cranfield in this folder: expected cran\.all\.1400\* or "):
        import_collection("cranfield", files, tmp_path / "out")
    shutil.copy(files / "docs.jsonl.gz", files / "CISI.ALL.gz")
    (files / "CISI.REL").write_text("1 d1 7 0\n")
    with pytest.raises(
        ParameterError, match=r"CISI.REL: the judgments have the code 7; grades are known of 0\. Say what"
    ):
        import_collection("cisi", files, tmp_path / "out")


def test_files_that_are_elsewhere_and_codes(files: Path, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("id,title\nq1,soup\n")
    shutil.move(files / "qrels.txt", tmp_path / "judged")
    made = import_collection(
        "trec",
        files,
        tmp_path / "out",
        name="mine",
        topics=tmp_path / "other.csv",
        qrels=tmp_path / "judged",
        grades={2: 1, -1: 0},
    )
    assert made.name == "mine"
    assert made.topics is not None
    assert made.topics.queries() == {"q1": "soup"}
    assert made.qrels is not None
    assert made.qrels.to_dict() == {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 1}}


def test_beir(tmp_path: Path) -> None:
    folder = tmp_path / "scifact"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "title": "A", "text": "b", "metadata": {}}\n')
    (folder / "queries.jsonl").write_text(
        '{"_id": "1", "text": "one"}\n{"_id": "2", "text": "of the training split"}\n'
    )
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n2\td1\t1\n")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\td1\t1\n")
    for collection in (open_collection(folder), import_collection("beir", folder, tmp_path / "out")):
        assert collection.topics is not None
        assert collection.topics.queries() == {"1": "one"}
        assert collection.qrels is not None
        assert collection.qrels.to_dict() == {"1": {"d1": 1}}
        assert collection.notes == ("Topics without judgments in test.tsv are left out: 1.",)
        assert (collection.name, collection.count) == ("scifact", 1)
    other = open_collection(folder, qrels=folder / "qrels" / "train.tsv")
    assert other.qrels is not None
    assert other.qrels.queries == ("2",)
