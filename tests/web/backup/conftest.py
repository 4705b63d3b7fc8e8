from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.installation import Installation, postgres_database


@pytest.fixture(scope="session")
def filled_once(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(tmp_path_factory.mktemp("installation")).filled()


@pytest.fixture
def filled(filled_once: Installation, tmp_path: Path) -> Installation:
    """An installation on SQLite with judgments."""
    return Installation(Path(shutil.copytree(filled_once.folder, tmp_path / "filled")))


@pytest.fixture(scope="session")
def backup(filled_once: Installation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of it."""
    file = tmp_path_factory.mktemp("backup") / "backup.sqlite3"
    done = filled_once.web("backup", file)
    assert (done.exit_code, done.text, done.stderr) == (0, "", f"wrote {file}\n")
    return file


@pytest.fixture
def empty(tmp_path: Path) -> Installation:
    """An installation on SQLite that was never started."""
    (tmp_path / "empty").mkdir(mode=0o700)
    return Installation(tmp_path / "empty")


@pytest.fixture
def on_postgres(tmp_path: Path) -> Iterator[Installation]:
    """An installation on PostgreSQL, without tables."""
    (tmp_path / "postgres").mkdir(mode=0o700)
    with postgres_database() as url:
        yield Installation(tmp_path / "postgres", url)
