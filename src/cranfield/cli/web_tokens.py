"""`cranfield web token`: tokens for programs, made and revoked by whoever runs the judging application."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import click

from cranfield.cli.listing import show
from cranfield.cli.options import formats_option
from cranfield.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from cranfield.web.projects.models import Project

SCHEMA = "cranfield.judging-tokens/1"


@click.group("token", epilog="Example: cranfield web token create 'Hot soups' nightly-export")
def token_command() -> None:
    """Tokens for programs: create, list, revoke. Managers make their own in the application."""


@token_command.command("create", epilog="Example: cranfield web token create 'Hot soups' nightly-export > token")
@click.argument("project")
@click.argument("name")
@click.option("--write", "may_write", is_flag=True, help="May add to the pool and import labels, besides reading.")
def create_command(project: str, name: str, may_write: bool) -> None:
    """Make a token for PROJECT, its name or id, and print it: now, and never again. NAME says what it is for."""
    from cranfield.web.accounts.tokens import make_token
    from cranfield.web.loading import database_errors

    with database_errors():
        found = _project(project)
        token, secret = make_token(found, None, name, may_write=may_write)
    what = "reads and writes" if may_write else "reads"
    click.echo(f"Token {token.pk} {what} in {found.name} ({found.pk}). It is shown now and never again:", err=True)
    click.echo(secret)


@token_command.command("list", epilog="Example: cranfield web token list --format json")
@formats_option
def list_command(layout: str | None) -> None:
    """List the tokens of all projects; of their secrets nothing is known."""
    from cranfield.web.accounts.models import ApiToken
    from cranfield.web.loading import database_errors

    with database_errors():
        tokens = [
            {
                "number": token.pk,
                "project": token.project.name,
                "name": token.name,
                "writes": token.may_write,
                "by": None if token.user is None else token.user.username,
                "last_used": None if token.last_used_at is None else f"{token.last_used_at:%Y-%m-%d %H:%M}",
                "revoked": token.revoked_at is not None,
            }
            for token in ApiToken.objects.select_related("project", "user").order_by("pk")
        ]
    show(
        layout,
        ["number", "project", "name", "writes", "by", "last used", "revoked"],
        [[_cell(value, key) for key, value in token.items()] for token in tokens],
        {"schema": SCHEMA, "tokens": tokens},
    )


@token_command.command("revoke", epilog="Example: cranfield web token revoke 3")
@click.argument("number", type=int)
def revoke_command(number: int) -> None:
    """Revoke the token with this NUMBER: programs that use it are turned away from now on."""
    from cranfield.web.accounts.models import ApiToken
    from cranfield.web.accounts.tokens import revoke
    from cranfield.web.loading import database_errors

    with database_errors():
        token = ApiToken.objects.select_related("project").filter(pk=number).first()
        if token is None:
            raise UsageError(f"there is no token {number}; `cranfield web token list` has all")
        revoke(token, None)
    click.echo(f"token {number} is revoked", err=True)


def _project(named: str) -> Project:
    """A project by its id or its name."""
    from cranfield.web.projects.models import Project

    try:
        found = list(Project.objects.filter(pk=UUID(named)))
    except ValueError:
        found = list(Project.objects.filter(name=named).order_by("created_at"))
    if len(found) > 1:
        ids = ", ".join(str(project.pk) for project in found)
        raise UsageError(f"{len(found)} projects are called {named!r}; give one of their ids: {ids}")
    if not found:
        known = list(Project.objects.values_list("name", flat=True))
        raise UsageError(f"there is no project {named!r}{did_you_mean(named, known)}")
    return found[0]


def _cell(value: object, key: str) -> str:
    if value is None:
        return "the operator" if key == "by" else "never"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
