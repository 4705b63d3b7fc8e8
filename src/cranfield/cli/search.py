"""`cranfield search`."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.completion import FILE
from cranfield.cli.progress import progress_bar
from cranfield.cli.reading_options import topics_reading
from cranfield.cli.tables import wrapped
from cranfield.data.topics import Topics
from cranfield.engines import engine_class
from cranfield.engines.configuration import Configuration, open_configuration
from cranfield.engines.journal import journal_file
from cranfield.engines.parameters import parameter_names
from cranfield.engines.search_files import SearchRequest, search_to_file
from cranfield.engines.searching import SearchOutcome, Tell
from cranfield.errors import DataError, UsageError
from cranfield.formats.collections import open_collection
from cranfield.formats.collections.reading import Reading, Ways
from cranfield.formats.topics import read_topics

INCOMPLETE = 1
_NAMED = 10
"""How many topics that failed for one reason are all named."""


@click.command("search", epilog="Example: cranfield search tantivy-index topics.tsv -o tantivy.run -k 1000")
@click.argument("engine", metavar="DIR|ENGINE.toml", type=FILE)
@click.argument("topics", type=FILE)
@click.option("-o", "--output", required=True, metavar="RUN", type=FILE, help="The run to write; - is standard output.")
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
@click.pass_context
def command(
    context: click.Context,
    engine: str,
    topics: str,
    output: str,
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
) -> None:
    """Put topics to a search engine as a batch, which gives a run.

    The engine is the folder of an index, or a TOML file that says which engine it is and how it is reached. TOPICS is a
    file in any format that is recognised, or the folder of a collection that has topics.

    RUN is written when every topic has an answer. Until then what was found is in RUN.part: whatever ends the search,
    --resume goes on from there. Topics that fail are named with the reason. What the run was made of is in
    RUN.provenance.json.
    """
    found = open_configuration(engine).with_texts(settings)
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
    with found.make() as made, _progress() as tell, _stopping_in_order():
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
    _say(outcome, output, k, allow_gaps, replaced=there)
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
def _progress() -> Iterator[Tell | None]:
    with progress_bar() as show:
        yield None if show is None else lambda done, all_of: show(f"{done} of {all_of} topics", done / all_of)


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


def _say(outcome: SearchOutcome, output: str, k: int, allow_gaps: bool, *, replaced: bool) -> None:
    """On standard error: what came of it, what failed, and what to do."""
    for reason, topics in _by_reason(outcome).items():
        _say_why(topics, reason)
    speed = outcome.queries_per_second
    said = [f"{len(outcome.topics) - len(outcome.failures)} of {len(outcome.topics)} topics answered"]
    said += [f"{outcome.resumed} of them before"] * bool(outcome.resumed)
    said += [] if speed is None else [f"{speed:,.1f} queries a second"]
    if latency := outcome.latency:
        said.append(f"latency median {_time(latency.median)}, p95 {_time(latency.p95)}, p99 {_time(latency.p99)}")
    said += [f"fewer than {k} documents for {outcome.fewer}"] * bool(outcome.fewer)
    said += [f"none for {outcome.empty}"] * bool(outcome.empty)
    said += [f"put in the order of the scores for {outcome.put_in_order}"] * bool(outcome.put_in_order)
    click.echo("\n".join(wrapped("; ".join(said))), err=True)
    click.echo("\n".join(wrapped(_where(outcome, output, allow_gaps, replaced))), err=True)


def _say_why(topics: Sequence[str], reason: str) -> None:
    """Which topics failed for a reason; its first line in the width of the terminal, the lines of a program as it wrote
    them."""
    named = topics if len(topics) <= _NAMED else topics[:3]
    more = f" and {len(topics) - len(named)} more" if len(named) < len(topics) else ""
    of = "topic" if len(topics) == 1 else f"{len(topics)} topics"
    first, *quoted = reason.splitlines()
    click.echo("\n".join([*wrapped(f"{of} {', '.join(named)}{more}: {first}"), *quoted]), err=True)


def _where(outcome: SearchOutcome, output: str, allow_gaps: bool, replaced: bool) -> str:
    """Where the run is, or why there is none and what to do."""
    if outcome.makes_a_run(allow_gaps=allow_gaps):
        instead = " (in the place of the one that was there)" if replaced else ""
        gaps = "" if outcome.complete else ", incomplete: its provenance names the topics that are missing"
        return f"run: {output}{instead}{gaps}"
    if outcome.complete:
        return (
            "no run was written: no document was found for any topic. Are these the topics for this index, and the "
            "right fields of them (--fields)?"
        )
    failed = "every topic failed" if len(outcome.failures) == len(outcome.topics) else "topics failed"
    there = journal_file(output)
    kept = f"; what was found is in {there}, and --resume asks for the rest" if there.exists() else ""
    without = "; --allow-gaps writes it without them" if outcome.makes_a_run(allow_gaps=True) else ""
    return f"no run was written: {failed}{kept}{without}"


def _by_reason(outcome: SearchOutcome) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for topic, reason in outcome.failures.items():
        reasons.setdefault(reason, []).append(topic)
    return reasons


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"
