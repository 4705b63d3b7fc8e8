"""Datasets of ir_datasets by name. Nothing is fetched: a tiny dataset of local files is registered with the package."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import DataError, MissingExtraError, UsageError
from cranfield.formats.collections import open_collection
from cranfield.formats.topics import read_topics

NAME = "cranfield-test/tiny"


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[str]:
    package = pytest.importorskip("ir_datasets")
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.formats import TrecQrels, TsvDocs, TsvQueries

    class Local:
        """A file that is there already, as the package wants to see it."""

        def __init__(self, name: str, content: str) -> None:
            self._path = tmp_path / name
            self._path.write_text(content)

        def path(self, force: bool = True) -> str:
            return str(self._path)

        def stream(self) -> Any:
            return self._path.open("rb")

    dataset = Dataset(
        TsvDocs(Local("docs.tsv", "d1\tBoil water.\nd2\tBake bread.\n")),
        TsvQueries(Local("queries.tsv", "q1\thow to boil\n")),
        TrecQrels(Local("qrels.txt", "q1 0 d1 2\nq1 0 d2 0\n"), {0: "no", 2: "yes"}),
    )
    package.registry.register(NAME, dataset)
    yield f"ir_datasets:{NAME}"
    del package.registry._registered[NAME]


def test_a_dataset_is_a_collection(tiny: str) -> None:
    collection = open_collection(tiny)
    assert [(document.id, dict(document.fields)) for document in collection.documents()] == [
        ("d1", {"text": "Boil water."}),
        ("d2", {"text": "Bake bread."}),
    ]
    assert collection.topics is not None
    assert collection.qrels is not None
    assert collection.topics.queries() == {"q1": "how to boil"}
    assert collection.qrels.to_dict() == {"q1": {"d1": 2, "d2": 0}}
    assert (collection.name, collection.count) == ("cranfield-test-tiny", 2)
    assert read_topics(tiny).queries() == {"q1": "how to boil"}


def test_names_that_are_not_there(tiny: str) -> None:
    with pytest.raises(UsageError, match=f"no dataset of this name. Did you mean {NAME}"):
        open_collection("ir_datasets:cranfield-test/tyny")


def test_a_dataset_that_cannot_be_fetched(tiny: str, tmp_path: Path) -> None:
    (tmp_path / "docs.tsv").unlink()
    with pytest.raises(DataError, match="ir_datasets could not give it: "):
        list(open_collection(tiny).documents())


def test_the_package_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'cranfield\[datasets\]'"):
        open_collection("ir_datasets:cranfield")
