"""`cranfield web`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.web.installation import ROOT, Installation


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path / "judging")


def test_accounts_are_made_listed_closed_and_opened(installation: Installation) -> None:
    _, anna, berta, again, odd, password, closed, listed, opened, unknown, tsv, check = installation.several(
        ("migrate",),
        ("user", "add", "anna", "--administrator"),
        ("user", "add", "berta", "--address", "https://judging.example.org"),
        ("user", "add", "ANNA"),
        ("user", "add", "two words"),
        ("user", "password", "anna"),
        ("user", "close", "berta"),
        ("user", "list", "--format", "json"),
        ("user", "open", "berta"),
        ("user", "password", "ana"),
        ("user", "list"),
        ("check",),
    )
    assert anna.text.startswith("http://127.0.0.1:8000/choose-password/")
    assert "anna chooses a password by it" in anna.stderr
    assert berta.text.startswith("https://judging.example.org/choose-password/")
    assert (again.exit_code, "there is an account 'ANNA' already" in again.stderr) == (2, True)
    assert (odd.exit_code, "'two words': Enter a valid username" in odd.stderr) == (2, True)
    assert password.exit_code == closed.exit_code == opened.exit_code == 0
    assert json.loads(listed.text) == {
        "schema": "cranfield.judging-users/1",
        "users": [
            {"name": "anna", "administrator": True, "open": True, "last_login": None, "projects": []},
            {"name": "berta", "administrator": False, "open": False, "last_login": None, "projects": []},
        ],
    }
    assert (unknown.exit_code, "there is no account 'ana'. Did you mean anna?" in unknown.stderr) == (2, True)
    assert tsv.text == (
        "name\tadministrator\topen\tlast login\tprojects\nanna\tyes\tyes\tnever\tnone\nberta\tno\tyes\tnever\tnone\n"
    )
    assert check.exit_code == 0, check.text
    noted = [row[2] for row in installation.rows("accounts_auditentry")]
    assert sorted(noted) == ["account closed", "account made", "account made", "account opened"]


def test_check_says_what_is_wrong(installation: Installation) -> None:
    installation.folder.mkdir(mode=0o755)
    (plain,) = installation.several(("check", "--format", "json"))
    assert plain.exit_code == 1
    found = {one["what"]: one for one in json.loads(plain.text)["findings"]}
    assert found["folder"]["said"].endswith(f"others can use it: chmod 700 {installation.folder}")
    assert "migrations to go: cranfield web migrate" in found["tables"]["said"]
    assert found["secret key"]["fine"]
    assert found["settings"] == {"what": "settings", "fine": True, "said": "for this machine alone: no TLS"}


def test_an_installation_that_is_not_there_is_a_slip(installation: Installation) -> None:
    check, restore, help_page = installation.several(
        ("check",), ("project", "restore", "soups.zip"), ("user", "list", "--help")
    )
    for done in (check, restore):
        assert done.exit_code == 2
        assert f"{installation.folder}: there is no installation of the judging application" in done.stderr
    assert (help_page.exit_code, "List the accounts" in help_page.text) == (0, True)
    assert not installation.folder.exists()


def test_tables_that_are_not_there_are_made_by_migrate(installation: Installation) -> None:
    installation.folder.mkdir(mode=0o700)
    (listed,) = installation.several(("user", "list"))
    assert listed.exit_code == 1
    assert "migrations to go: run `cranfield web migrate`" in listed.stderr


def test_links_and_the_check_speak_of_where_the_application_was_last(installation: Installation) -> None:
    installation.folder.mkdir(mode=0o700)
    (installation.folder / "address").write_text("http://teamhost:8777/\n")
    _, added, check = installation.several(("migrate",), ("user", "add", "anna", "--administrator"), ("check",))
    assert added.text.startswith("http://teamhost:8777/choose-password/")
    assert check.exit_code == 1
    assert "settings\tno\tno TLS at http://teamhost:8777/" in check.text


def test_settings_behind_tls_are_clean(installation: Installation) -> None:
    """Oracle: Django's own `check --deploy`, which `check` puts to the settings of the page about deployment."""
    page = (ROOT / "docs" / "judging" / "deployment.md").read_text()
    lines = [
        line.removeprefix("Environment=") for line in page.splitlines() if line.startswith("Environment=CRANFIELD_")
    ]
    environment = dict(line.split("=", 1) for line in lines)
    assert environment["CRANFIELD_TLS"] == "1"
    environment["CRANFIELD_JUDGING"] = str(installation.folder)
    _, added, check = installation.several(
        ("migrate",), ("user", "add", "anna", "--administrator"), ("check",), **environment
    )
    assert added.text.startswith(f"https://{environment['CRANFIELD_HOSTS'].split()[0]}/choose-password/")
    assert "settings\tyes\tas they should be behind TLS" in check.text
    assert check.exit_code == 0, check.text
