"""`cranfield web`: what whoever runs the judging application does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cranfield.cli.completion import FILE
from cranfield.cli.judging_web import data_folder, data_option
from cranfield.cli.listing import show
from cranfield.cli.options import formats_option
from cranfield.cli.web_projects import project_command
from cranfield.cli.web_tokens import token_command

if TYPE_CHECKING:
    from cranfield.web.accounts.models import User

CHECK_SCHEMA = "cranfield.judging-check/1"
USERS_SCHEMA = "cranfield.judging-users/1"
NOT_FINE = 1


_ASKS_FOR_HELP = f"{__name__}.help"


class _Web(click.Group):
    """Knows whether one of its commands is only asked for its help, which needs no installation."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_ASKS_FOR_HELP] = "--help" in args
        return super().parse_args(ctx, args)


@click.group("web", cls=_Web, epilog="Example: cranfield web backup judging.sqlite3")
@data_option
@click.pass_context
def command(context: click.Context, data: str | None) -> None:
    """Look after the judging application: its database, backups, accounts, projects, tokens.

    Every command may be given while the application runs. DATABASE_URL names a PostgreSQL database; without it the
    database is SQLite, in the folder of the installation.
    """
    from cranfield.web.loading import load, refuse_no_installation

    if context.meta[_ASKS_FOR_HELP]:
        return
    folder = data_folder(data)
    if context.invoked_subcommand != "migrate":
        refuse_no_installation(folder)
    load(folder)


@command.command("migrate", epilog="Example: cranfield web migrate")
def migrate_command() -> None:
    """Bring the tables of the database to this version; no judgment is changed by that.

    SQLite's database is kept as it was in a file beside it.
    """
    from cranfield.web.loading import database_errors
    from cranfield.web.schema import migrate

    with database_errors():
        done, kept = migrate()
    if kept is not None:
        click.echo(f"the database as it was: {kept}", err=True)
    click.echo(f"{len(done)} migrations" if done else "nothing to do", err=True)


@command.command("check", epilog="Example: cranfield web check")
@formats_option
@click.pass_context
def check_command(context: click.Context, layout: str | None) -> None:
    """Say whether the installation is as it should be. The exit code is 1 if anything is not."""
    from cranfield.web.checking import check_installation

    found = check_installation()
    show(
        layout,
        ["what", "fine", "said"],
        [[one.what, "yes" if one.fine else "no", one.said] for one in found],
        {"schema": CHECK_SCHEMA, "findings": [{"what": one.what, "fine": one.fine, "said": one.said} for one in found]},
    )
    context.exit(0 if all(one.fine for one in found) else NOT_FINE)


@command.command("backup", epilog="Example: cranfield web backup judging-2026-11-15.sqlite3")
@click.argument("file", type=FILE)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def backup_command(file: str, force: bool) -> None:
    """Write everything that is in the database to FILE, as it is at one moment, while people go on judging.

    Of SQLite that is a SQLite database, of PostgreSQL lines of JSON, packed with gzip.
    """
    from cranfield.web.backup.making import make_backup
    from cranfield.web.loading import database_errors

    with database_errors():
        make_backup(Path(file), replace=force)
    click.echo(f"wrote {file}", err=True)


@command.command("restore", epilog="Example: cranfield web restore judging-2026-11-15.sqlite3 --force")
@click.argument("file", type=FILE)
@click.option("--force", is_flag=True, help="Replace what is in the database.")
def restore_command(file: str, force: bool) -> None:
    """Put what is in a backup in the place of what is in the database: all of it, or nothing changes.

    A backup of SQLite can be restored into PostgreSQL, and the other way round: that is how to move. Everybody has to
    log in again.
    """
    from cranfield.web.backup.restoring import restore
    from cranfield.web.loading import database_errors

    with database_errors():
        kept = restore(Path(file), replace=force)
    if kept is not None:
        click.echo(f"what was there before: {kept}", err=True)
    click.echo(f"restored {file}", err=True)


@command.group("user", epilog="Example: cranfield web user add anna --administrator")
def user_command() -> None:
    """Accounts: add, password, list, close, open."""


@user_command.command("add", epilog="Example: cranfield web user add anna --administrator")
@click.argument("name")
@click.option("--administrator", is_flag=True, help="May do everything, in every project.")
@click.option("--address", metavar="URL", help="Where the application is.  [default: where it was started last]")
def add_command(name: str, administrator: bool, address: str | None) -> None:
    """Make an account, and print a link by which its owner chooses a password."""
    from cranfield.web.accounts.operating import add_user
    from cranfield.web.loading import database_errors

    with database_errors():
        user = add_user(name, administrator=administrator)
        _print_link(user, address)


@user_command.command("password", epilog="Example: cranfield web user password anna")
@click.argument("name")
@click.option("--address", metavar="URL", help="Where the application is.  [default: where it was started last]")
def password_command(name: str, address: str | None) -> None:
    """Print a link by which somebody chooses a new password. The old one is good until they do."""
    from cranfield.web.accounts.operating import account_named
    from cranfield.web.loading import database_errors

    with database_errors():
        _print_link(account_named(name), address)


@user_command.command("list", epilog="Example: cranfield web user list --format json")
@formats_option
def list_command(layout: str | None) -> None:
    """List the accounts, with the projects they are in."""
    from cranfield.web.accounts.operating import list_users
    from cranfield.web.loading import database_errors

    with database_errors():
        users = list_users()
    show(
        layout,
        ["name", "administrator", "open", "last login", "projects"],
        [
            [
                user.name,
                "yes" if user.administrator else "no",
                "yes" if user.open else "no",
                user.last_login or "never",
                ", ".join(f"{project} ({role})" for project, role in user.projects) or "none",
            ]
            for user in users
        ],
        {"schema": USERS_SCHEMA, "users": [user.to_dict() for user in users]},
    )


@user_command.command("close", epilog="Example: cranfield web user close anna")
@click.argument("name")
def close_command(name: str) -> None:
    """Keep somebody out, from now on. What they judged stays."""
    _set_open(name, False)


@user_command.command("open", epilog="Example: cranfield web user open anna")
@click.argument("name")
def open_command(name: str) -> None:
    """Let somebody in again whose account was closed."""
    _set_open(name, True)


def _set_open(name: str, is_open: bool) -> None:
    from cranfield.web.accounts.operating import account_named, set_open
    from cranfield.web.loading import database_errors

    with database_errors():
        set_open(account_named(name), is_open)


def _print_link(user: User, address: str | None) -> None:
    from cranfield.web.accounts.password_links import password_path
    from cranfield.web.addresses import known_address

    click.echo(f"This link is good once, within three days. {user.username} chooses a password by it:", err=True)
    click.echo((address or known_address()).rstrip("/") + password_path(user))


command.add_command(project_command)
command.add_command(token_command)
