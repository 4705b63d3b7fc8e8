"""Engines that are asked, and texts of what they find."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import pytest

from cranfield.data.documents import Document as CollectedDocument
from cranfield.engines import configuration
from cranfield.engines.indexing import build_index
from cranfield.errors import EngineError
from cranfield.formats.collections import open_collection
from cranfield.formats.documents import write_documents
from cranfield.formats.documents.store import DocumentStore
from cranfield.web.judging import found_documents, searching
from cranfield.web.judging.models import SearchQuery
from cranfield.web.projects.models import Project, Topic
from tests.web.judging.making import make_assessor
from tests.web.judging.searchable import KITCHEN, searchable_project, write_kitchen
from tests.web.judging.searching.searcher import Searcher


class TestEngines:
    def test_an_engine_is_opened_once_whoever_asks(
        self, screen: Searcher, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        searching.close_all()
        opened: list[object] = []
        real = configuration.open_configuration

        def watched(path: Path) -> configuration.Configuration:
            opened.append(path)
            return real(path)

        monkeypatch.setattr(configuration, "open_configuration", watched)
        found: list[list[str]] = []
        threads = [threading.Thread(target=lambda: found.append(searching.ask(project, "soup", 5))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(opened) == 1
        assert len(found) == 8
        assert len(set(map(tuple, found))) == 1

    def test_an_index_that_was_made_anew_is_opened_anew(self, db: None, tmp_path: Path) -> None:
        write_kitchen(tmp_path)
        project = searchable_project(tmp_path)
        assert "d9" not in searching.ask(project, "leek", 5)
        write_documents([*KITCHEN, CollectedDocument("d9", {"text": "Leek."})], tmp_path / "docs.jsonl")
        build_index(open_collection(tmp_path / "docs.jsonl"), "sqlite", {}, tmp_path / "index")
        assert searching.ask(project, "leek", 5) == ["d9"]

    @pytest.mark.parametrize(
        ("engine", "log"),
        [
            ("none", "there is no such file or folder"),
            ("docs.jsonl", "no TOML"),
            ("down.toml", "127.0.0.1"),
            ("broken.toml", "ZeroDivisionError|division by zero"),
            ("/etc", "outside of"),
            ("unlisted.toml", "runs programs"),
        ],
    )
    def test_an_engine_that_cannot_be_asked_becomes_words(
        self, screen: Searcher, project: Project, kitchen: Path, engine: str, log: str, caplog: Any, settings: Any
    ) -> None:
        (kitchen / "down.toml").write_text(
            'engine = "opensearch"\nurl = "http://127.0.0.1:9"\nindex = "x"\nretries = 0\n'
        )
        (kitchen / "unlisted.toml").write_text('engine = "command"\nprogram = ["true"]\n')
        settings.ENGINE_FILES = [str(kitchen / "broken.toml")]
        (kitchen / "broken.toml").write_text(
            'engine = "python"\nfunction = "tests.web.judging.searching.test_engines:fail"\n'
        )
        Project.objects.filter(pk=project.pk).update(engine=engine)
        with caplog.at_level("WARNING"):
            error = screen.post("search", status=400, query="soup")["error"]
        assert error.startswith("the search engine ")
        assert str(kitchen) not in error
        assert "127.0.0.1" not in error
        assert caplog.records
        assert re.search(log, caplog.text)
        assert not SearchQuery.objects.exists()

    def test_managers_read_why(self, topic: Topic, project: Project) -> None:
        manager = Searcher(topic, make_assessor(project, "max", "manager"))
        manager.post("search", query="soup")
        Project.objects.filter(pk=project.pk).update(engine="none")
        assert "none: there is no such file or folder" in manager.post("search", 400, query="soup")["error"]
        Project.objects.filter(pk=project.pk).update(engine="index", collection="none")
        for name in ("search", "search-open"):
            assert "no such file" in manager.post(name, 400, query="soup", document="d1")["error"]

    def test_one_that_is_busy_says_so(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(searching, "PATIENCE", 0.01)
        with searching._engine(project.engine), pytest.raises(EngineError, match="busy"):
            searching.ask(project, "soup", 5)

    def test_a_project_without_an_engine(self, screen: Searcher, project: Project) -> None:
        Project.objects.filter(pk=project.pk).update(engine="")
        assert "no engine to search with" in screen.post("search", status=400, query="soup")["error"]


def fail(query: str, k: int) -> dict[str, float]:
    return {"d1": 1 / 0}


class TestTexts:
    def test_a_collection_is_read_once(self, project: Project, kitchen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert set(found_documents.documents_named(project, ["d1", "d9"])) == {"d1"}
        found_documents._makings.clear()  # as in another process, or after a start
        monkeypatch.setattr("cranfield.formats.collections.open_collection", None)
        assert set(found_documents.documents_named(project, ["d1", "d2"])) == {"d1", "d2"}

    def test_one_that_changed_is_read_again(self, db: None, tmp_path: Path) -> None:
        write_kitchen(tmp_path)
        project = searchable_project(tmp_path)
        assert found_documents.documents_named(project, ["d9"]) == {}
        write_documents([CollectedDocument("d9", {"text": "Leek."})], tmp_path / "docs.jsonl")
        found_documents._makings.clear()
        assert found_documents.documents_named(project, ["d9"])["d9"].text == "Leek."

    def test_while_it_is_read_that_is_said(
        self, screen: Searcher, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_kitchen(tmp_path)
        Project.objects.filter(pk=project.pk).update(collection=str(tmp_path / "docs.jsonl"))
        monkeypatch.setattr(found_documents, "_WAIT", 0.01)
        go_on = threading.Event()
        real = DocumentStore.build

        def slowly(*arguments: Any, **named: Any) -> Any:
            go_on.wait(30)
            return real(*arguments, **named)

        monkeypatch.setattr(DocumentStore, "build", slowly)
        assert "being made ready" in screen.post("search", status=400, query="soup")["error"]
        go_on.set()
        for making in list(found_documents._makings.values()):
            making.join(30)
        assert len(screen.post("search", query="soup")["results"]) == 3

    def test_a_collection_that_cannot_be_read_becomes_words(
        self, screen: Searcher, project: Project, tmp_path: Path
    ) -> None:
        (tmp_path / "twice.jsonl").write_text('{"id": "d1", "text": "a"}\n{"id": "d1", "text": "b"}\n')
        for place in (str(tmp_path / "twice.jsonl"), "none.jsonl", "/etc/passwd"):
            Project.objects.filter(pk=project.pk).update(collection=place)
            error = screen.post("search", status=400, query="soup")["error"]
            assert error == "the documents of the collection cannot be read; tell the manager"

    def test_what_was_judged_is_shown_again_as_it_was(self, screen: Searcher, topic: Topic, tmp_path: Path) -> None:
        screen.judge("d1", 2)
        write_documents([CollectedDocument("d1", {"text": "Another text."})], tmp_path / "docs.jsonl")
        Project.objects.filter(pk=topic.project.pk).update(collection=str(tmp_path / "docs.jsonl"))
        assert "Brown the onions" in screen.open("d1")["item"]["document"]["html"]
