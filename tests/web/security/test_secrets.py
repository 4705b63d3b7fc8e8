"""No secret in the repository, in a log, or where others can read it."""

from __future__ import annotations

import logging
import re
import stat
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from cranfield.errors import UsageError
from cranfield.web import instance
from cranfield.web.accounts.models import FailedLogin, User
from cranfield.web.accounts.tokens import make_token
from cranfield.web.logs import WithoutSecrets
from tests.web.judging.making import make_project

ROOT = Path(__file__).parents[3]
LOOKS_SECRET = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY|django-insecure|(?:SECRET_KEY|[a-z_]*_TOKEN|DB_PASSWORD)\s*=\s*['\"][^'\"{]{12,}['\"]"
)


def test_no_secret_in_the_repository() -> None:
    folders = [ROOT / name for name in ("src", "tests", "docs", "tools", "examples", "requirements")]
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in TEXTS and file.is_file()]
    assert len(files) > 500
    found = [file for file in files if LOOKS_SECRET.search(file.read_text("utf-8", "replace"))]
    assert found == [Path(__file__)], "this file alone, which says what secrets look like"
    assert not [file for file in files if settings.SECRET_KEY in file.read_text("utf-8", "replace")]


TEXTS = {".py", ".md", ".toml", ".txt", ".sh", ".yml", ".html", ".js", ".json", ".service", ".conf"}
assert LOOKS_SECRET.search("django-insecure-abc")


def test_every_installation_has_a_key_of_its_own_which_only_its_owner_reads(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
    keys = [instance.secret_key(folder) for folder in folders]
    assert keys[0] != keys[1]
    assert keys == [instance.secret_key(folder) for folder in folders], "it stays"
    for folder in folders:
        assert [path.name for path in folder.iterdir()] == [instance.KEY_FILE]
        assert stat.S_IMODE((folder / instance.KEY_FILE).stat().st_mode) == 0o600


def test_the_folder_is_for_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(instance.FOLDER, str(tmp_path / "new"))
    assert stat.S_IMODE(instance.folder().stat().st_mode) == 0o700


def test_an_empty_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / instance.KEY_FILE).touch()
    with pytest.raises(UsageError, match="secret-key: is empty; delete it"):
        instance.secret_key(tmp_path)


def test_an_address_of_a_database_that_is_wrong_does_not_show_its_password(tmp_path: Path) -> None:
    for url in ("mysql://anna:very-secret@host/name", "postgres://anna:very-secret@host:port/name"):
        with pytest.raises(
            UsageError, match="DATABASE_URL: expected postgres://USER:PASSWORD@HOST:PORT/NAME"
        ) as raised:
            instance.database(tmp_path, url)
        assert "very-secret" not in str(raised.value)


def test_a_login_leaves_no_password_and_no_name_in_the_log(db: None, caplog: pytest.LogCaptureFixture) -> None:
    User.objects.create_user("anna", password="the right one, really")
    with caplog.at_level(logging.DEBUG):
        for name, password in (("anna", "a wrong one, sadly"), ("the right one, really", "anna")):
            Client().post("/login/", {"username": name, "password": password})
        Client().post("/login/", {"username": "anna", "password": "the right one, really"})
    lines = [logging.Formatter().format(record) for record in caplog.records]
    carried = [str(record.__dict__) for record in caplog.records if record.name.startswith("cranfield")]
    logged = "\n".join(lines + carried)
    assert "a login from 127.0.0.1 failed" in logged
    assert not [secret for secret in ("wrong one", "right one", "anna") if secret in logged]
    assert not [row for row in FailedLogin.objects.values() if "right one" in str(row)]


def test_a_program_leaves_no_token_in_the_log(db: None, caplog: pytest.LogCaptureFixture) -> None:
    """Not in messages, and of what records carry along only in the request, which nothing writes out."""
    _, secret = make_token(make_project(), None, "a program")
    with caplog.at_level(logging.DEBUG):
        for given in (secret, "cranfield_made-up"):
            client = Client(headers={"authorization": f"Bearer {given}"})
            for path in ("/api/projects", "/api/soup", f"/api/{given}", f"/{given}/"):
                client.get(path)
                client.post(path, {"a": given})
    assert [record for record in caplog.records if "/api/soup" in record.getMessage()]
    for record in caplog.records:
        assert WithoutSecrets().filter(record)
        assert secret not in record.getMessage()
        assert "made-up" not in record.getMessage()


def test_links_are_logged_without_their_secrets() -> None:
    record = logging.makeLogRecord({"msg": "%s: %s", "args": ("Forbidden", "/choose-password/MQ/abc-def/?next=x")})
    assert WithoutSecrets().filter(record)
    assert record.getMessage() == "Forbidden: /choose-password/…"


def test_tokens_are_logged_without_their_secrets() -> None:
    record = logging.makeLogRecord({"msg": "%s", "args": ("GET /api/cranfield_a-b_c?x='Bearer soup' bearer stew",)})
    assert WithoutSecrets().filter(record)
    assert record.getMessage() == "GET /api/cranfield_…'Bearer …' bearer …"
