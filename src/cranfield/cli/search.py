"""`cranfield search`."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.completion import FILE
from cranfield.cli.reading_options import topics_reading
from cranfield.cli.search_outcome import say_outcome, topic_progress
from cranfield.cli.workspace_options import given, no_wait_option, refuse_given, refuse_no_output, system_named
from cranfield.cli.workspace_steps import search_one_system, system_configuration, topics_place, ways_said
from cranfield.data.topics import Topics
from cranfield.engines import engine_class
from cranfield.engines.configuration import Configuration, open_configuration
from cranfield.engines.journal import journal_file
from cranfield.engines.parameters import parameter_names
from cranfield.engines.search_files import SearchRequest, search_to_file
from cranfield.errors import DataError, UsageError
from cranfield.formats.collections import open_collection
from cranfield.formats.collections.reading import Reading, Ways
from cranfield.formats.topics import read_topics

INCOMPLETE = 1


@click.command("search", epilog="Example: cranfield search tantivy-index topics.tsv -o tantivy.run -k 1000")
@click.argument("engine", metavar="DIR|ENGINE.toml|SYSTEM", type=FILE)
@click.argument("topics", required=False, metavar="[TOPICS]", type=FILE)
@click.option("-o", "--output", metavar="RUN", type=FILE, help="The run to write; - is standard output.")
@click.option("-k", "k", type=click.IntRange(1), default=1000, show_default=True, help="Documents per topic.")
@click.option(
    "--fields",
    metavar="NAME,...",
    help="The fields of a topic that make its query.  [default: the first it has of title, query, text, ...]",
)
@topics_reading
@click.option("--manual", is_flag=True, help="A person had a hand in the queries: the provenance says so.")
@click.option("--tag", help="The name of the system.  [default: the name of the file]")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the engine, such as k1=0.9 or fields=title,body; may be repeated.",
)
@click.option("--concurrency", type=click.IntRange(1), metavar="N", help="How many topics to ask for at once.")
@click.option("--collection", type=FILE, help="Make sure that the index is of this collection.")
@click.option("--resume", is_flag=True, help="Go on with a search that did not end.")
@click.option("--allow-gaps", is_flag=True, help="Write the run even if topics failed; its provenance names them.")
@no_wait_option
@click.pass_context
def command(
    context: click.Context,
    engine: str,
    topics: str | None,
    output: str | None,
    k: int,
    fields: str | None,
    ways: Ways,
    manual: bool,
    tag: str | None,
    settings: tuple[str, ...],
    concurrency: int | None,
    collection: str | None,
    resume: bool,
    allow_gaps: bool,
    no_wait: bool,
) -> None:
    """Put topics to a search engine as a batch, which gives a run.

    The engine is the folder of an index, or a TOML file that says which engine it is and how it is reached. TOPICS is a
    file in any format that is recognised, or the folder of a collection that has topics.

    RUN is written when every topic has an answer. Until then what was found is in RUN.part: whatever ends the search,
    --resume goes on from there. Topics that fail are named with the reason. What the run was made of is in
    RUN.provenance.json.

    In a workspace the name of a system will do: its run goes to runs/SYSTEM.run, and its index is made if it is not
    there or out of date.
    """
    workspace = system_named(engine)
    if workspace is not None and output is None:
        refuse_given(context, engine, [name for name in context.params if name not in ("engine", "output", "no_wait")])
        with _stopping_in_order():
            complete = search_one_system(workspace, workspace.systems[engine], wait=not no_wait)
        context.exit(0 if complete else INCOMPLETE)
    if output is None:
        refuse_no_output(engine)
    if workspace is not None:
        system = workspace.systems[engine]
        found = system_configuration(workspace, system)
        if topics is None:
            topics, ways = topics_place(workspace), ways_said(workspace, ways)
        k = k if given(context, "k") else system.k
        fields = fields if given(context, "fields") else ",".join(system.fields)
    elif topics is None:
        raise click.UsageError("Missing argument 'TOPICS'. Only for a system of a workspace can it be left out.")
    else:
        found = open_configuration(engine)
    found = found.with_texts(settings)
    if concurrency is not None and "concurrency" in parameter_names(engine_class(found.kind)):
        found = found.with_settings({"concurrency": concurrency})
    asked = _topics(topics, ways, found, collection)
    request = SearchRequest(
        topics=asked,
        k=k,
        fields=tuple(name.strip() for name in fields.split(",")) if fields else (),
        manual=manual,
        collection=found.collection,
        system=tag,
    )
    journal = journal_file(output)
    if resume and not journal.exists():
        click.echo(f"there is no {journal}, so nothing to go on with: this search begins anew", err=True)
    there = output != "-" and Path(output).exists()
    with found.make() as made, topic_progress() as tell, _stopping_in_order():
        try:
            outcome = search_to_file(
                made,
                request,
                output,
                concurrency=concurrency,
                resume=resume,
                allow_gaps=allow_gaps,
                tell=tell,
                command=command_line(),
            )
        except KeyboardInterrupt:
            if journal.exists():
                click.echo(f"\nstopped: what was found is in {journal}; --resume goes on from there", err=True)
            raise click.Abort from None
    say_outcome(outcome, output, k, allow_gaps, replaced=there)
    context.exit(0 if outcome.makes_a_run(allow_gaps=allow_gaps) else INCOMPLETE)


def _topics(what: str, ways: Ways, engine: Configuration, collection: str | None) -> Topics:
    """The topics; an error if the collection that they or the user speak of is not the one in the index."""
    if Path(what).is_dir():
        opened = open_collection(what, **ways)
        if opened.topics is None:
            raise DataError(f"{what}: this collection has no topics")
        if engine.collection is not None and collection is None:
            engine.collection.check(engine.source, what, opened.content)
        found = opened.topics
    else:
        found = read_topics(what, **Reading(**ways).of_topics)
    if collection is not None:
        if engine.collection is None:
            raise UsageError(
                f"{engine.source}: it is not known which documents this engine has, so --collection cannot be checked"
            )
        engine.collection.check(engine.source, collection, open_collection(collection).content)
    return found


@contextmanager
def _stopping_in_order() -> Iterator[None]:
    """Being told to end is like Ctrl-C: what was found is kept and said."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
