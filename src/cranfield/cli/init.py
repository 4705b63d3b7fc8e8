"""`cranfield init`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cranfield.cli.completion import FILE, complete_engine, complete_measure
from cranfield.cli.progress import showing_progress
from cranfield.cli.reading_options import collection_reading
from cranfield.cli.status import next_commands
from cranfield.cli.workspace_options import nearer
from cranfield.errors import UsageError
from cranfield.experiments.beginning import COLLECTION, MEASURES, begin_workspace, refuse_workspace, usual_engine
from cranfield.experiments.staleness import WorkspaceStatus, status
from cranfield.formats.collections.layouts import LAYOUTS
from cranfield.formats.collections.opening import is_beir
from cranfield.formats.collections.reading import Ways

GUESSES = {
    "collection": (COLLECTION, "documents", "documents.*"),
    "topics": ("topics.*", "queries.*"),
    "qrels": ("qrels.*",),
}
"""How files are called that are taken without being named."""


@click.command("init", epilog="Example: cranfield init soup --from beir/scifact")
@click.argument("folder", default=".", metavar="[DIR]", type=FILE)
@click.option(
    "--from",
    "source",
    metavar="PLACE",
    type=FILE,
    help="Copy a collection into the workspace: a folder (BEIR, or made by `collection import`), a file of documents, "
    "or ir_datasets:NAME.",
)
@click.option("--layout", type=click.Choice(list(LAYOUTS)), help="The layout that --from comes in, if it is another.")
@click.option("--collection", metavar="PLACE", type=FILE, help="Use a collection, or a file of documents, where it is.")
@click.option("--topics", metavar="FILE", type=FILE, help="The topics, if the collection has none of its own.")
@click.option("--qrels", metavar="FILE", type=FILE, help="The judgments, if the collection has none of its own.")
@collection_reading
@click.option("--name", help="What the workspace is called.  [default: the name of the folder]")
@click.option(
    "-m",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=complete_measure,
    help=f"A measure; may be repeated.  [default: {', '.join(MEASURES)}]",
)
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="[NAME=]ENGINE",
    shell_complete=complete_engine,
    help="A system; may be repeated.  [default: bm25]",
)
def command(
    folder: str,
    source: str | None,
    layout: str | None,
    collection: str | None,
    topics: str | None,
    qrels: str | None,
    ways: Ways,
    name: str | None,
    measures: tuple[str, ...],
    systems: tuple[str, ...],
) -> None:
    """Begin a workspace: a folder with cranfield.toml, which says what is searched, asked, judged and compared.

    What is not given is looked for in DIR: documents, topics and qrels under these names. On a terminal you are asked
    for what is not found there. Everything can be changed later, in cranfield.toml.
    """
    root = Path(folder)
    refuse_workspace(root)
    if source is not None and collection is not None:
        raise UsageError("--from copies a collection and --collection uses one where it is: give one of them")
    if layout is not None and source is None:
        raise UsageError("--layout says how --from comes; a collection in this layout has to be copied")
    if source is None and collection is None:
        collection = _guess(root, "collection") or _ask("Where are the documents (a folder, a file, ir_datasets:NAME)?")
        if not collection:
            raise UsageError("a workspace needs documents: name them with --collection, or copy them with --from")
    loose = Path(collection or source or "").is_file()
    topics = topics or _guess(root, "topics") or (_ask("Where are the topics?") if loose else None)
    qrels = qrels or _guess(root, "qrels") or (_ask("Where are the judgments?") if loose else None)
    with showing_progress():
        workspace = begin_workspace(
            root,
            collection=collection,
            topics=topics,
            qrels=qrels,
            name=name,
            measures=measures or MEASURES,
            systems=dict(_system(text) for text in systems or (usual_engine(),)),
            source=source,
            layout=layout,
            **ways,
        )
        found = status(workspace)
    click.echo(f"wrote {nearer(workspace.file)}", err=True)
    _say(found)


def _guess(folder: Path, part: str) -> str | None:
    """A file or folder that is called like this part, if there is one and no other."""
    if is_beir(folder):
        return str(folder) if part == "collection" else None
    for pattern in GUESSES[part]:
        found = sorted(folder.glob(pattern)) if folder.is_dir() else []
        if len(found) == 1:
            return str(found[0])
    return None


def _ask(question: str) -> str | None:
    """The answer to a question, on a terminal; nothing, if there is nobody to ask or nothing is typed."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    answer: str = click.prompt(question, default="", show_default=False, err=True, prompt_suffix=" ")
    return answer.strip() or None


def _system(text: str) -> tuple[str, str]:
    """The name and the engine of `NAME=ENGINE`; an engine alone is its own name."""
    name, sign, engine = text.partition("=")
    return name.strip(), (engine if sign else name).strip()


def _say(found: WorkspaceStatus) -> None:
    for what, one in found.materials.items():
        click.echo(f"{what}: {one.content.count:,}" if one.content else f"{what}: {one.problem}", err=True)
    where = "" if found.workspace.root == Path.cwd() else f" in {nearer(found.workspace.root)}"
    for typed, does in next_commands(found):
        click.echo(f"next{where}: {typed}  {does}" if typed else f"next: {does}", err=True)
