"""`cranfield index`."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE, complete_engine
from cranfield.cli.progress import showing_progress
from cranfield.cli.reading_options import documents_reading
from cranfield.cli.workspace_options import no_wait_option, refuse_given, refuse_no_output, system_named
from cranfield.cli.workspace_steps import index_system, say_index
from cranfield.engines.configuration import engine_settings
from cranfield.engines.indexing import build_index, collection_to_index
from cranfield.formats.collections.reading import Ways


@click.command("index", epilog="Example: cranfield index documents.jsonl --engine tantivy -o tantivy-index")
@click.argument("collection", metavar="COLLECTION|SYSTEM", type=FILE)
@click.option(
    "--engine",
    default="tantivy",
    show_default=True,
    metavar="NAME|FILE",
    shell_complete=complete_engine,
    help="The engine (`cranfield engines` lists them), or a TOML file that says which and how it is reached.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the engine, such as k1=0.9 or fields=title,body; may be repeated.",
)
@documents_reading
@click.option("-o", "--output", type=FILE, metavar="DIR", help="The folder of the index.")
@click.option("--force", is_flag=True, help="Replace DIR even if what is there is no index, or is up to date.")
@no_wait_option
@click.pass_context
def command(
    context: click.Context,
    collection: str,
    engine: str,
    settings: tuple[str, ...],
    ways: Ways,
    output: str | None,
    force: bool,
    no_wait: bool,
) -> None:
    """Index the documents of a collection with a search engine.

    COLLECTION is a folder that `collection import` made, a BEIR folder, a file or folder of documents, or
    ir_datasets:NAME. DIR gets the files of the engine and index.json: which documents, by their hash, which engine and
    which parameters. It appears when the index is complete; an index that is there is replaced then. Secrets come from
    environment variables: --set password.env=NAME.

    In a workspace the name of a system will do: engine, parameters and the folder are those of cranfield.toml. Systems
    that differ only in what is free for every query have one index.
    """
    workspace = system_named(collection)
    if workspace is not None:
        refuse_given(
            context, collection, [name for name in context.params if name not in ("collection", "force", "no_wait")]
        )
        index_system(workspace, workspace.systems[collection], force=force, wait=not no_wait)
        return
    if output is None:
        refuse_no_output(collection)
    kind, parameters = engine_settings(engine, settings)
    with showing_progress():
        record = build_index(collection_to_index(collection, **ways), kind, parameters, output, force=force)
    say_index(record, output)
