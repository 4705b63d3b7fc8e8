"""`cranfield web project`."""

from __future__ import annotations

import os
from typing import Any

import click

from cranfield.cli.collection_and_topics import collection_and_topics
from cranfield.cli.completion import FILE
from cranfield.cli.listing import show
from cranfield.cli.options import formats_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.reading_options import collection_reading
from cranfield.cli.web_bundles import bundle_command, restore_command
from cranfield.data.scale import GRADED
from cranfield.experiments.finding import find_workspace
from cranfield.formats.collections.reading import Ways
from cranfield.formats.document_lists import read_pool_or_list
from cranfield.formats.scales import read_scale

PROJECTS_SCHEMA = "cranfield.judging-projects/1"


@click.group("project", epilog="Example: cranfield web project list")
def project_command() -> None:
    """Projects: create, list, bundle, restore."""


project_command.add_command(bundle_command)
project_command.add_command(restore_command)


@project_command.command(
    "create", epilog="Example: cranfield web project create Soups --pool pool.tsv --overlap 2 --manager anna"
)
@click.argument("name")
@click.option(
    "--pool",
    required=True,
    type=FILE,
    help="What is to be judged: a pool, a list of topics and documents, a run, or judgments.",
)
@click.option("--collection", type=FILE, help="The documents.  [default: those of the workspace]")
@click.option("--topics", type=FILE, help="The topics.  [default: those of the workspace, or of the collection]")
@click.option("--scale", metavar="NAME|TOML", type=FILE, help="binary, graded (0 to 3), or a file of your own grades.")
@click.option("--manager", metavar="NAME", help="The account that manages it.  [default: administrators alone]")
@click.option("--overlap", type=click.IntRange(1, 100), default=1, show_default=True, help="Assessors to a document.")
@click.option(
    "--overlap-share",
    type=click.FloatRange(0, 1),
    default=1.0,
    show_default=True,
    help="The share of the pool that several judge; others have one assessor.",
)
@click.option(
    "--order",
    type=click.Choice(["pool", "random"]),
    default="pool",
    show_default=True,
    help="As the pool has it, or another order for each assessor.",
)
@click.option(
    "--repeat-share",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="The share that an assessor is shown again, silently.",
)
@click.option("--lease-minutes", type=click.IntRange(1), default=30, show_default=True, help="How long one has it.")
@click.option(
    "--mode",
    type=click.Choice(["grades", "pairs"]),
    default="grades",
    show_default=True,
    help="Grade one document at a time, or say which of two is better.",
)
@click.option("--per-document", type=click.IntRange(1), help="In mode pairs: the pairs each is in.  [default: all]")
@click.option("--engine", type=FILE, default="", help="What assessors search with: an index, or a file about one.")
@click.option("--description", default="", help="A line for those who judge.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="Of what is drawn.  [default: any]")
@click.option("--leave-out", is_flag=True, help="Leave out what the topics or the collection do not have.")
@collection_reading
def create_command(
    name: str,
    pool: str,
    collection: str | None,
    topics: str | None,
    scale: str | None,
    manager: str | None,
    leave_out: bool,
    seed: int | None,
    engine: str,
    ways: Ways,
    **settings: Any,
) -> None:
    """Make a project called NAME of a pool, and print its identifier.

    In a workspace the documents, topics and scale are those of cranfield.toml. An error leaves nothing behind.
    """
    from cranfield.web.accounts.operating import account_named
    from cranfield.web.loading import database_errors
    from cranfield.web.projects.creating import create_project

    workspace = find_workspace()
    place = scale or (workspace.scale_place if workspace is not None else None)
    with showing_progress(), database_errors():
        found, asked = collection_and_topics(collection, topics, ways, workspace)
        project, brought = create_project(
            name,
            pool=read_pool_or_list(pool),
            topics=asked,
            collection=found,
            scale=GRADED if place is None else read_scale(place),
            by=None if manager is None else account_named(manager),
            leave_out=leave_out,
            engine=os.path.abspath(engine) if engine else "",
            collection_place=_on_disk(collection or (workspace.collection_place if workspace is not None else "")),
            **settings,
            **({} if seed is None else {"seed": seed}),
        )
    click.echo(f"{name}: {brought}", err=True)
    click.echo(str(project.pk))


def _on_disk(place: str) -> str:
    return os.path.abspath(place) if os.path.exists(place) else ""


@project_command.command("list", epilog="Example: cranfield web project list --format json")
@formats_option
def list_command(layout: str | None) -> None:
    """List the projects, with how far they are."""
    from cranfield.web.loading import database_errors
    from cranfield.web.projects.listing import list_projects

    with database_errors():
        projects = list_projects()
    show(
        layout,
        ["id", "name", "state", "topics", "wanted", "judged", "assessors"],
        [
            [
                *(each.id, each.name, "open" if each.open else "closed"),
                *map(str, (each.topics, each.wanted, each.judged, each.assessors)),
            ]
            for each in projects
        ],
        {"schema": PROJECTS_SCHEMA, "projects": [each.to_dict() for each in projects]},
    )
