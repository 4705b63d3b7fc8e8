"""`cranfield logs precision`."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE
from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.logs.topic_options import topics_option
from cranfield.cli.options import formats_option, run_format_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.data.topics import Topics
from cranfield.errors import UsageError
from cranfield.evaluation.named_runs import named_runs
from cranfield.formats import read_run
from cranfield.logs.clicks import ENOUGH
from cranfield.logs.evidence import COEC, SOURCES
from cranfield.logs.log import Log
from cranfield.logs.precision import inferred_precision

HEADER = ("run", "topics", "precision", "low", "high", "least", "most", "known")


@click.command(
    "precision",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield logs precision shop-log old.run new.run --topics topics.tsv -k 5",
)
@log_options
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=FILE)
@topics_option
@click.option("-k", "--depth", type=click.IntRange(1), default=10, show_default=True, help="Ranks that count.")
@click.option(
    "--from", "source", type=click.Choice(SOURCES), default=COEC, show_default=True, help="What documents are worth."
)
@click.option("--at", default=1.0, show_default=True, help="From which value on a document is wanted; 1 is usual.")
@click.option(
    "--enough",
    type=click.IntRange(1),
    default=ENOUGH,
    show_default=True,
    help="Nothing is known of documents that were shown (models: looked at) less often.",
)
@plot_option("the precision of runs")
@table_option(("runs", "topics"), "runs")
@run_format_option
@formats_option
def command(
    log: Log,
    runs: tuple[str, ...],
    topics: Topics | None,
    depth: int,
    source: str,
    at: float,
    enough: int,
    plot: str | None,
    wanted: str | None,
    input_format: str | None,
    layout: str | None,
) -> None:
    """How precise are runs, by what clicks say?

    For each topic, of the first documents about which something is known, the share that is wanted at least as much as
    usual; then the mean over topics with its 95 % interval (Student, cut off at 0 and 1). `as shown` is what users of
    the log saw. What is certain is between `least` and `most`: documents whose whole interval is at or above the
    threshold, and all but those whose whole interval is below it. The numbers compare systems: what is usual depends on
    the log.
    """
    if runs and topics is None:
        raise UsageError("runs have topics: give their words by --topics, so that they are found in the log")
    with showing_progress():
        named = named_runs(list(runs)) if runs else {}
        read = [read_run(run, format=input_format, name=name) for name, run in named.items()]
        found = inferred_precision(log, read, topics=topics, depth=depth, at=at, source=source, enough=enough)
    rows = [
        (
            *(one.run, one.topics, one.precision),
            *((None, None) if one.interval is None else (one.interval.lower, one.interval.upper)),
            *(one.least, one.most, one.known),
        )
        for one in found
    ]
    if plot is not None:
        from cranfield.report.charts.run_estimates import Estimate, run_estimates

        notes = ["line: 95 % interval over topics", "wide bar: what clicks leave open about documents"]
        drawn = [Estimate(name, *numbers) for name, _, *numbers, _ in rows]
        write_plot(run_estimates(drawn, f"Precision in the first {depth} ranks, by clicks", "precision", notes), plot)
    names = list(dict.fromkeys(topic for one in found for topic in one.by_topic))
    show_sections(
        {
            "runs": Section(HEADER, rows, f"Precision in the first {depth} ranks"),
            "topics": Section(
                ("topic", *(one.run for one in found)),
                [(topic, *(one.by_topic.get(topic) for one in found)) for topic in names],
            ),
        },
        layout,
        wanted,
        usual=("runs",),
        whole={
            "depth": depth,
            "at": at,
            "from": source,
            "runs": [
                dict(zip(HEADER, row, strict=True)) | {"by_topic": dict(one.by_topic)}
                for row, one in zip(rows, found, strict=True)
            ],
        },
    )
