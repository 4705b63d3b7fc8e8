"""`cranfield web project bundle` and `restore`: a project as one file, and back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from uuid import UUID

import click

from cranfield.cli.completion import FILE
from cranfield.cli.pool.judgments_given import rule_option
from cranfield.cli.pool.pool_inputs import refuse_overwriting
from cranfield.cli.progress import showing_progress
from cranfield.cli.reading_options import collection_reading
from cranfield.errors import UsageError
from cranfield.formats.collections.reading import Ways

if TYPE_CHECKING:
    from cranfield.web.projects.models import Project


@click.command("bundle", epilog="Example: cranfield web project bundle Soups soups.zip")
@click.argument("project")
@click.argument("file", type=FILE)
@click.option("--without-texts", is_flag=True, help="Of documents the hashes alone: who opens it needs the collection.")
@rule_option
@click.option("--force", is_flag=True, help="Write it in the place of a file that is there.")
def bundle_command(project: str, file: str, without_texts: bool, rule: str, force: bool) -> None:
    """Write PROJECT, by name or identifier, to FILE with all that was ever judged in it.

    The same project gives the same bytes. `cranfield pool verify-bundle FILE` holds them against each other.
    """
    from cranfield.web.exchange.bundling import write_bundle
    from cranfield.web.loading import database_errors

    refuse_overwriting(file, force=force)
    with showing_progress(), database_errors():
        write_bundle(_named(project), file, texts=not without_texts, rule=rule)
    click.echo(f"wrote {file}", err=True)


@click.command("restore", epilog="Example: cranfield web project restore soups.zip")
@click.argument("file", type=FILE)
@click.option("--collection", type=FILE, help="What has the texts of the documents, if the bundle has not.")
@collection_reading
def restore_command(file: str, collection: str | None, ways: Ways) -> None:
    """Make the project again that the bundle FILE is of, and print its identifier: all of it, or nothing.

    Those who judged come as accounts that nobody can log in to, under their pseudonyms; administrators manage it.
    """
    from cranfield.formats.collections.opening import open_collection
    from cranfield.web.exchange.restoring import restore_bundle
    from cranfield.web.loading import database_errors

    with showing_progress(), database_errors():
        opened = None if collection is None else open_collection(os.fspath(collection), **ways)
        project = restore_bundle(file, collection=opened)
    click.echo(f"restored {project.name}", err=True)
    click.echo(str(project.pk))


def _named(name: str) -> Project:
    """The project of this name or identifier."""
    from cranfield.errors import did_you_mean
    from cranfield.web.projects.models import Project

    try:
        found = list(Project.objects.filter(pk=UUID(name)))
    except ValueError:
        found = list(Project.objects.filter(name=name))
    if len(found) > 1:
        raise UsageError(f"there are {len(found)} projects named {name!r}: give its identifier (web project list)")
    if not found:
        near = did_you_mean(name, Project.objects.values_list("name", flat=True))
        raise UsageError(f"there is no project {name!r}{near}")
    return found[0]
