"""What of the server managers can name, and what they read of it when something is wrong."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from cranfield.engines.index_record import FILE
from cranfield.errors import UsageError
from cranfield.web import instance
from cranfield.web.projects.models import Project
from cranfield.web.search_places import allowed, checked_engine
from tests.web.judging.making import make_assessor, make_project
from tests.web.judging.searchable import write_kitchen

PROGRAMS = {
    "command.toml": 'engine = "command"\nprogram = ["touch", "ran"]\n',
    "python.toml": 'engine = "python"\nfunction = "os:getcwd"\n',
    "hybrid.toml": 'engine = "hybrid"\nfolder = "x"\n[[parts]]\nengine = "sqlite"\n[[parts]]\nengine = "command"\n'
    'program = ["true"]\n',
    "dense.toml": 'engine = "dense"\nfolder = "x"\nencode = "os:getcwd"\n',
}
SECRET = "kept-from-everybody"


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with the installation in it, as `cranfield judge` makes one."""
    monkeypatch.setenv(instance.FOLDER, str(tmp_path / ".cranfield" / "judging"))
    settings.COLLECTION_FOLDERS, settings.ENGINE_FILES = [str(tmp_path)], []
    (instance.folder() / instance.KEY_FILE).write_text(SECRET)
    for name, content in PROGRAMS.items():
        (tmp_path / name).write_text(content)
    return tmp_path


@pytest.fixture
def project(db: None) -> Project:
    return make_project()


@pytest.fixture
def manager(project: Project) -> Client:
    client = Client()
    client.force_login(make_assessor(project, "max", "manager"))
    return client


class TestHidden:
    @pytest.mark.parametrize("name", [".cranfield/judging/secret-key", ".git/config", "docs/.env", "link", "there"])
    def test_nothing_that_is_hidden_can_be_named(self, workspace: Path, name: str) -> None:
        for folder in (".git", "docs"):
            (workspace / folder).mkdir()
        for hidden in (".git/config", "docs/.env"):
            (workspace / hidden).write_text("x")
        (workspace / "link").symlink_to(workspace / ".cranfield" / "judging" / "secret-key")
        (workspace / "there").symlink_to(workspace / ".git")
        with pytest.raises(UsageError, match="hidden"):
            allowed(name)

    def test_nor_the_folder_of_the_installation_whatever_it_is_called(
        self, workspace: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(instance.FOLDER, str(workspace / "judging"))
        (instance.folder() / "uploads").mkdir()
        for name in ("judging", "judging/uploads", str(workspace / "judging")):
            with pytest.raises(UsageError, match="lies outside"):
                allowed(name)

    def test_a_folder_that_the_operator_named_may_lie_in_a_hidden_one(self, workspace: Path, settings: Any) -> None:
        folder = workspace / ".data" / "docs"
        folder.mkdir(parents=True)
        settings.COLLECTION_FOLDERS = [str(folder)]
        (folder / "docs.jsonl").write_text("{}")
        assert allowed("docs.jsonl") == folder / "docs.jsonl"

    def test_what_was_uploaded_is_no_engine(self, manager: Client, project: Project, workspace: Path) -> None:
        """A file that is judgments to one reader and TOML to the other."""
        file = io.BytesIO(f'q1 0 d1 = "1"\nengine = "command"\nprogram = ["touch", "{workspace}/ran"]\n'.encode())
        file.name = "qrels.txt"
        given = {"file": file, "assessor": "x", "surplus": "keep"}
        manager.post(reverse("exchange", args=[project.pk]), given)
        uploads = [*(instance.folder() / "uploads").glob("*.content"), workspace / ".cranfield" / "x.content"]
        uploads[-1].write_text('engine = "command"\nprogram = ["true"]\n')
        for kept in uploads:
            Project.objects.filter(pk=project.pk).update(engine=str(kept.relative_to(workspace)))
            topic = project.topics.get(name="q1")
            asked = json.dumps({"topic": str(topic.pk), "query": "soup"})
            response = manager.post(reverse("judge-search", args=[project.pk]), asked, content_type="application/json")
            assert response.status_code == 400
            assert "lies outside" in response.json()["error"]
        assert not (workspace / "ran").exists()


class TestPrograms:
    @pytest.mark.parametrize("name", PROGRAMS)
    def test_engines_that_run_programs_are_refused(self, workspace: Path, name: str) -> None:
        with pytest.raises(UsageError, match=rf"^{name}: the engine .* CRANFIELD_ENGINES"):
            checked_engine(name)

    def test_an_index_of_one_too(self, workspace: Path) -> None:
        write_kitchen(workspace)
        record = json.loads((workspace / "index" / FILE).read_text())
        record |= {"engine": "command", "settings": {"program": ["true"]}}
        (workspace / "index" / FILE).write_text(json.dumps(record))
        with pytest.raises(UsageError, match="runs programs"):
            checked_engine("index")

    def test_those_that_the_operator_listed_are_taken(self, workspace: Path, settings: Any) -> None:
        settings.ENGINE_FILES = [str(workspace / "command.toml")]
        assert checked_engine("command.toml") == str(workspace / "command.toml")


class TestErrors:
    def test_nothing_of_a_file_is_quoted_nor_where_it_lies(self, workspace: Path, caplog: Any) -> None:
        (workspace / "notes.jsonl").write_text(f"{SECRET}\n")
        (workspace / "notes.toml").write_text(f'engine = "opensearch"\nurl = "http://a:{SECRET}@127.0.0.1"\n')
        for check, name in ((checked_engine, "notes.jsonl"), (checked_engine, "notes.toml"), (checked_engine, ".")):
            with pytest.raises(UsageError) as caught:
                check(name)
            assert SECRET not in str(caught.value)
            assert str(workspace) not in str(caught.value)

    @pytest.mark.parametrize("field", ["pool_place", "documents_place", "topics_place"])
    def test_nor_on_the_page_of_a_new_project(self, manager: Client, workspace: Path, field: str, caplog: Any) -> None:
        (workspace / "notes.txt").write_text(f"q1 Q0 d1 1 {SECRET} run\n" * 3)
        (workspace / "pool.txt").write_text("q1 d1\n")
        (workspace / "docs.jsonl").write_text('{"id": "d1", "text": "soup"}\n')
        (workspace / "topics.tsv").write_text("q1\tsoup\n")
        places = {"pool_place": "pool.txt", "documents_place": "docs.jsonl", "topics_place": "topics.tsv"}
        given = {"name": "p", "scale": "binary", "mode": "grades", "order": "pool", "overlap": "1"}
        given |= {"overlap_share": "1", "repeat_share": "0", "gold_every": "10", "lease_minutes": "30"}
        given |= {"break_minutes": "45", "seed": "0"}
        sound = manager.post(reverse("project-new"), given | places)
        assert sound.status_code == 302, sound.content.decode()
        page = manager.post(reverse("project-new"), given | places | {field: "notes.txt"}).content.decode()
        assert "notes.txt" in page
        assert "server&#x27;s log says why" in page
        assert SECRET not in page
        assert str(workspace) not in page
        assert "notes.txt" in caplog.text
