"""A project that can be searched, and somebody who does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Project, Topic
from tests.web.judging.searchable import searchable_project, write_kitchen
from tests.web.judging.searching.searcher import Searcher


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kitchen")
    write_kitchen(folder)
    return folder


@pytest.fixture(autouse=True)
def folders(kitchen: Path, tmp_path: Path, settings: Any) -> None:
    settings.COLLECTION_FOLDERS = [str(kitchen), str(tmp_path)]


@pytest.fixture
def project(db: None, kitchen: Path) -> Project:
    return searchable_project(kitchen)


@pytest.fixture
def topic(project: Project) -> Topic:
    return project.topics.get(name="q1")


@pytest.fixture
def screen(topic: Topic, ann: User) -> Searcher:
    return Searcher(topic, ann)
