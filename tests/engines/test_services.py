"""Where servers for tests are looked for, and what happens where there are none."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.engines import services
from tests.engines.faulty_server import closed_port


@pytest.fixture
def noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that `make services` writes, as yet not there, on a machine with no servers of its own."""
    for name in ("CRANFIELD_TEST_POSTGRES", "CRANFIELD_REQUIRE_ALL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(services, "_NOTED", tmp_path / "environment")
    return tmp_path / "environment"


def test_servers_are_found_where_they_were_noted(noted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        there = f"postgresql://cranfield@127.0.0.1:{listening.getsockname()[1]}/postgres?a=b"
        noted.write_text(f"CRANFIELD_TEST_POSTGRES={there}\n")
        assert services.address("postgres") == there
    monkeypatch.setenv("CRANFIELD_TEST_POSTGRES", "dbname=mine")
    assert services.address("postgres") == "dbname=mine"


def test_a_server_that_was_noted_and_does_not_run(noted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted.write_text(f"CRANFIELD_TEST_POSTGRES=postgresql://127.0.0.1:{closed_port()}/postgres\n")
    with pytest.raises(pytest.skip.Exception, match="postgres does not run, though it was noted to be at postgresql"):
        services.address("postgres")
    monkeypatch.setenv("CRANFIELD_REQUIRE_ALL", "1")
    with pytest.raises(pytest.fail.Exception, match="nothing may be skipped: `make services` starts it"):
        services.address("postgres")


def test_a_server_that_does_not_run_is_a_reason_to_skip(noted: Path) -> None:
    with pytest.raises(pytest.skip.Exception, match="postgres does not run: `make services` starts it"):
        services.address("postgres")


def test_where_nothing_may_be_skipped_it_is_a_failure(noted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_REQUIRE_ALL", "1")
    with pytest.raises(pytest.fail.Exception, match="postgres does not run"):
        services.address("postgres")


def test_a_server_that_cannot_be_had_is_skipped_everywhere(noted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_REQUIRE_ALL", "1")
    noted.write_text("CRANFIELD_TEST_POSTGRES_MISSING=PostgreSQL is not installed\n")
    with pytest.raises(pytest.skip.Exception, match="PostgreSQL is not installed: `make services`"):
        services.address("postgres")
