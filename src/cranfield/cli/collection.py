"""`cranfield collection`: import, stats, verify, show, sample-topics."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from textwrap import indent

import click

from cranfield.cli.collection_tables import check_lines, markdown, rows, shown_collection, size
from cranfield.cli.completion import FILE
from cranfield.cli.progress import showing_progress
from cranfield.cli.reading_options import collection_reading
from cranfield.cli.tables import render, write_lines
from cranfield.data.collection import Collection
from cranfield.errors import UsageError, did_you_mean
from cranfield.formats.collections.layouts import LAYOUTS
from cranfield.formats.collections.reading import Ways

STATISTICS_SCHEMA = "cranfield.collection-statistics/1"
VERIFICATION_SCHEMA = "cranfield.collection-verification/1"
CHANGED = 1

COLLECTION = FILE
documents_option = click.option("--documents", type=FILE, metavar="FILE", help="Where the documents are, if elsewhere.")
topics_option = click.option("--topics", type=FILE, metavar="FILE", help="The topics, if not those of the collection.")
qrels_option = click.option("--qrels", type=FILE, metavar="FILE", help="The judgments, if not those of the collection.")


@click.group("collection", epilog="Example: cranfield collection import cranfield cran/ -o cranfield")
def command() -> None:
    """Import, describe and verify test collections: documents, topics and judgments.

    COLLECTION is a folder that `import` made, a BEIR folder, a file or folder of documents, or ir_datasets:NAME where
    that package is installed.
    """


@command.command("import", epilog="Example: cranfield collection import cranfield cran/ -o cranfield")
@click.argument("layout", type=click.Choice(list(LAYOUTS)))
@click.argument("path", type=FILE)
@click.option("-o", "--output", "out", type=FILE, required=True, metavar="DIR", help="The folder to make.")
@click.option("--name", help="What to call the collection. Default: the name of the folder.")
@documents_option
@topics_option
@qrels_option
@collection_reading
@click.option(
    "--grade",
    "grades",
    multiple=True,
    metavar="CODE=GRADE",
    help="What a code of the judgments means, in place of what the layout says; may be repeated.",
)
def import_command(
    layout: str,
    path: str,
    out: str,
    name: str | None,
    documents: str | None,
    topics: str | None,
    qrels: str | None,
    ways: Ways,
    grades: tuple[str, ...],
) -> None:
    """Make a collection of the files in PATH, which are laid out like one that is known.

    DIR gets documents.jsonl.gz, topics.jsonl, qrels.txt, and collection.json with the hash of each: whatever changes
    later is noticed.
    """
    from pathlib import Path

    from cranfield.formats.collections import import_collection

    with showing_progress():
        made = import_collection(
            layout,
            path,
            out,
            name=name or Path(out).resolve().name,
            documents=documents,
            topics=topics,
            qrels=qrels,
            grades=dict(map(_grade, grades)),
            **ways,
        )
    write_lines(shown_collection(made))


def _grade(given: str) -> tuple[float, float]:
    code, _, grade = given.partition("=")
    try:
        return float(code), float(grade)
    except ValueError:
        raise UsageError(f"--grade {given}: expected CODE=GRADE, two numbers such as -1=4") from None


@command.command("stats", epilog="Example: cranfield collection stats cranfield cisi --format markdown")
@click.argument("collections", nargs=-1, required=True, type=COLLECTION, metavar="COLLECTION...")
@topics_option
@qrels_option
@collection_reading
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "tsv", "json", "markdown"]),
    help="Default: table in a terminal, tsv elsewhere.",
)
def stats_command(
    collections: tuple[str, ...], topics: str | None, qrels: str | None, ways: Ways, layout: str | None
) -> None:
    """Describe collections in numbers: documents, their size and length, topics, judgments.

    A word is letters and digits that stand together; sizes are those of the texts in UTF-8.
    """
    from cranfield.evaluation.collection_statistics import collection_statistics

    if len(collections) > 1 and (topics or qrels):
        raise UsageError("--topics and --qrels go with one collection")
    with showing_progress():
        found = [collection_statistics(_open(one, topics, qrels, ways)) for one in collections]
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if layout == "json":
        content = {"schema": STATISTICS_SCHEMA, "collections": [one.to_dict() for one in found]}
        click.echo(json.dumps(content, indent=2, ensure_ascii=False))
        return
    header, table = rows(found, exact=layout == "tsv")
    if layout == "table":
        write_lines([render(header, table)])
    else:
        write_lines(markdown(header, table) if layout == "markdown" else map("\t".join, [header, *table]))


@command.command("verify", epilog="Example: cranfield collection verify cranfield")
@click.argument("collection", type=COLLECTION)
@topics_option
@qrels_option
@collection_reading
@click.option("--format", "layout", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.pass_context
def verify_command(
    context: click.Context, collection: str, topics: str | None, qrels: str | None, ways: Ways, layout: str
) -> None:
    """Say whether a collection is still what it was, and whether its topics fit its documents.

    Every part is read and hashed again; the exit code is 1 if one has changed. Then the topics: words that occur in no
    document, topics with nothing relevant, judged topics and documents that are not there.
    """
    from pathlib import Path

    from cranfield.evaluation.collection_checks import check_collection
    from cranfield.formats.collections import PartVerified, verify_collection
    from cranfield.formats.collections.manifest import FILE as MANIFEST

    verified: list[PartVerified] = []
    with showing_progress():
        if (Path(collection) / MANIFEST).is_file():
            verified = verify_collection(Path(collection))
        broken = [part for part in verified if part.problem is not None]
        opened = None if broken else _open(collection, topics, qrels, ways)
        fits = opened is not None and (opened.topics is not None or opened.qrels is not None)
        checks = check_collection(opened) if opened is not None and fits else None
    if layout == "json":
        content = {
            "schema": VERIFICATION_SCHEMA,
            "parts": [
                {"name": one.name, "file": one.part.path, "sha256": one.part.sha256, "problem": one.problem}
                for one in verified
            ],
            "checks": checks.to_dict() if checks else None,
        }
        click.echo(json.dumps(content, indent=2, ensure_ascii=False))
    else:
        lines = [f"{one.part.path}: {one.problem or f'as it was ({size(one.part.bytes)})'}" for one in verified]
        write_lines(lines or [f"{collection}: there is no manifest to hold it against"])
        if checks is not None:
            write_lines(check_lines(checks))
    context.exit(CHANGED if broken else 0)


@command.command("show", epilog="Example: cranfield collection show cranfield --topic 1")
@click.argument("collection", type=COLLECTION)
@topics_option
@qrels_option
@collection_reading
@click.option("--topic", metavar="ID", help="Show this topic and its judgments.")
@click.option("--document", metavar="ID", help="Show this document.")
def show_command(
    collection: str, topics: str | None, qrels: str | None, ways: Ways, topic: str | None, document: str | None
) -> None:
    """Show what a collection is made of, or one of its topics or documents."""
    with showing_progress():
        opened = _open(collection, topics, qrels, ways)
        lines = shown_collection(opened) if topic is None and document is None else []
        if topic is not None:
            lines += _topic(opened, topic)
        if document is not None:
            lines += _document(opened, document)
    write_lines(lines)


def _topic(collection: Collection, name: str) -> list[str]:
    if collection.topics is None or name not in collection.topics:
        known = collection.topics or ()
        raise UsageError(f"{collection.name}: there is no topic {name!r}{did_you_mean(name, known)}")
    judged = collection.qrels[name] if collection.qrels is not None and name in collection.qrels.queries else {}
    best_first = sorted(judged.items(), key=lambda pair: -pair[1])
    return [
        f"topic {name}",
        *_fields(collection.topics[name].fields),
        *([f"  judged: {', '.join(f'{document} ({grade})' for document, grade in best_first)}"] if judged else []),
    ]


def _document(collection: Collection, name: str) -> list[str]:
    for document in collection.documents():
        if document.id == name:
            return [f"document {name}", *_fields(document.fields)]
    raise UsageError(f"{collection.name}: there is no document {name!r} among its {collection.count}")


def _fields(fields: Mapping[str, object]) -> list[str]:
    return [indent(f"{name}: {value}", "  ") for name, value in fields.items()]


def _open(collection: str, topics: str | None, qrels: str | None, ways: Ways) -> Collection:
    from cranfield.formats.collections import open_collection

    return open_collection(collection, topics=topics, qrels=qrels, **ways)


@command.command("sample-topics", epilog="Example: cranfield collection sample-topics log.tsv -n 50 -o topics.jsonl")
@click.argument("log", type=FILE)
@click.option("-n", "size", type=int, default=50, show_default=True, help="How many topics.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed draws others.")
@click.option("-o", "--output", "out", type=FILE, required=True, metavar="FILE", help="Where to: .jsonl or .toml.")
def sample_command(log: str, size: int, seed: int, out: str) -> None:
    """Draw topics from a query log: different queries, each as likely as it was asked often.

    LOG has a query on each line, or is a table with tabs and a column called query. Queries that differ in case and
    white space only are one. From a log that `cranfield logs import` made, `cranfield topics sample` draws in the same
    way and in others, with weights, and leaves out queries that few people put.
    """
    from cranfield.evaluation.topic_sampling import sample_topics
    from cranfield.formats.query_log import read_query_counts
    from cranfield.formats.topics import write_topics

    with showing_progress():
        sample = sample_topics(read_query_counts(log), size, seed=seed)
    write_topics(sample.topics, out)
    table = [
        [name, str(mix.queries), str(mix.different), f"{mix.words:.2f}", f"{mix.asked_once:.1%}"]
        for name, mix in (("log", sample.log), ("sample", sample.sample))
    ]
    header = ["", "queries", "different", "words per query", "asked once"]
    write_lines([render(header, table)] if sys.stdout.isatty() else map("\t".join, [header, *table]))
