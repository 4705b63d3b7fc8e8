"""The page on which managers make tokens, and the commands for operators."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner
from django.test import Client

from cranfield.cli.web_tokens import token_command
from cranfield.errors import UsageError
from cranfield.web.accounts.models import ApiToken, AuditEntry, User, digest
from cranfield.web.accounts.tokens import PREFIX, make_token
from cranfield.web.projects.models import Membership, Project
from tests.web.api.making import judged_project
from tests.web.judging.making import make_assessor, make_project


@pytest.fixture
def project(db: None) -> Project:
    return judged_project()


@pytest.fixture
def manager(project: Project) -> Client:
    client = Client()
    client.force_login(make_assessor(project, "mara", Membership.Role.MANAGER))
    return client


def test_a_token_is_shown_once_and_works(project: Project, manager: Client) -> None:
    page = f"/projects/{project.pk}/tokens/"
    assert "There is no token yet" in manager.get(page).content.decode()
    shown = manager.post(page, {"name": "nightly <export>"}).content.decode()
    [secret] = re.findall(rf'value="({PREFIX}[\w-]{{32}})"', shown)
    assert "nightly &lt;export&gt;" in shown
    again = manager.get(page).content.decode()
    assert secret not in again
    assert "never" in again
    token = ApiToken.objects.get()
    assert (token.secret_hash, token.may_write, token.user) == (
        digest(secret),
        False,
        User.objects.get(username="mara"),
    )
    program = Client(headers={"authorization": f"Bearer {secret}"})
    assert program.get("/api/projects").status_code == 200
    assert re.search(r"<td>\d{4}-\d\d-\d\d \d\d:\d\d</td>\s*<td><form", manager.get(page).content.decode()), "last used"
    assert not [entry for entry in AuditEntry.objects.all() if secret in str(entry.details)]


def test_a_token_is_revoked(project: Project, manager: Client) -> None:
    token, secret = make_token(project, User.objects.get(username="mara"), "crowd", may_write=True)
    page = manager.get(f"/projects/{project.pk}/tokens/").content.decode()
    assert "read and write" in page
    done = manager.post(f"/projects/{project.pk}/tokens/{token.pk}/revoke/", follow=True).content.decode()
    assert "turned away from now on" in done
    assert "revoked 20" in done
    assert Client(headers={"authorization": f"Bearer {secret}"}).get("/api/projects").status_code == 401
    manager.post(f"/projects/{project.pk}/tokens/{token.pk}/revoke/")
    assert [entry.what for entry in AuditEntry.objects.order_by("at")] == ["token made", "token revoked"]


@pytest.mark.parametrize("name", ["", " ", "n" * 81])
def test_a_token_has_a_name(project: Project, manager: Client, name: str) -> None:
    assert manager.post(f"/projects/{project.pk}/tokens/", {"name": name}).status_code == 400
    assert not ApiToken.objects.exists()


def test_the_page_in_and_out_leads_there(project: Project, manager: Client) -> None:
    address = f"/projects/{project.pk}/tokens/"
    assert f'href="{address}"' in manager.get(f"/projects/{project.pk}/exchange/").content.decode()


def operator(*arguments: str) -> tuple[str, str]:
    """`cranfield web token`: what it prints, and what else it says; as the test's own database has it."""
    done = CliRunner().invoke(token_command, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout, done.stderr


def test_tokens_of_the_operator(project: Project) -> None:
    secret, said = operator("create", "Soups", "export", "--write")
    token = ApiToken.objects.get()
    assert token.secret_hash == digest(secret.strip())
    assert f"Token {token.pk} reads and writes in Soups" in said
    assert Client(headers={"authorization": f"Bearer {secret.strip()}"}).get("/api/projects").status_code == 200
    assert f"token {token.pk} is revoked" in operator("revoke", str(token.pk))[1]
    assert Client(headers={"authorization": f"Bearer {secret.strip()}"}).get("/api/projects").status_code == 401
    _, said = operator("create", str(project.pk), "reader")
    assert "reads in Soups" in said
    first, second = operator("list", "--format", "tsv")[0].splitlines()[1:]
    assert first.split("\t")[1:5] == ["Soups", "export", "yes", "the operator"]
    assert (first.split("\t")[-1], second.split("\t")[-2:]) == ("yes", ["never", "no"])
    tokens = json.loads(operator("list", "--format", "json")[0])
    assert tokens["schema"] == "cranfield.judging-tokens/1"
    assert [one["name"] for one in tokens["tokens"]] == ["export", "reader"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("create", "Soup", "export"), "there is no project 'Soup'. Did you mean Soups?"),
        (("create", "0b7ff3b4-8a0b-4cb4-a4a3-6b0d6a6f6a01", "export"), "there is no project '0b7ff3b4"),
        (("create", "Soups", "n" * 81), "at most 80 characters"),
        (("create", "Soups", " "), "that says what it is for"),
        (("revoke", "7"), "there is no token 7"),
    ],
)
def test_mistakes_of_the_operator(project: Project, arguments: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        operator(*arguments)
    assert not ApiToken.objects.exists()


def test_two_projects_of_one_name(project: Project) -> None:
    other = make_project()
    with pytest.raises(UsageError, match=f"2 projects are called 'Soups'; give one of their ids: .*{other.pk}"):
        operator("create", "Soups", "export")
