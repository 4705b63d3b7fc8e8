"""`cranfield report`."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.completion import FILE
from cranfield.cli.evaluator_options import EvaluatorOptions, evaluator_options
from cranfield.cli.progress import progress_bar
from cranfield.errors import UsageError
from cranfield.evaluation.significance import CORRECTION_NAMES
from cranfield.stats.significance.paired_tests import PAIRED_TESTS


@click.command(
    "report",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield report qrels.txt bm25.run dense.run -o report.html --open",
)
@click.argument("qrels", type=FILE)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FILE)
@evaluator_options
@click.option(
    "-o",
    "output",
    metavar="FILE",
    type=FILE,
    required=True,
    help="The page to write, which ends in .html; - is standard output.",
)
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
@click.option(
    "--baseline",
    metavar="RUN",
    type=FILE,
    help="What runs are compared with: a file, or the name of one of the runs.  [default: the first]",
)
@click.option(
    "--topics",
    metavar="FILE",
    type=FILE,
    help="What topics ask: a file in any format, such as lines of identifier, tab and text, or a collection.",
)
@click.option(
    "--documents",
    "titles",
    metavar="FILE",
    type=FILE,
    help="What documents are called: a file in any format, such as lines of identifier, tab and title, or a "
    "collection.",
)
@click.option("--title", metavar="TEXT", help="What stands at the top.")
@click.option(
    "--tables", metavar="FOLDER", type=FILE, help="Also write the results as .md, .tex, .csv and .html there."
)
@click.option(
    "--test",
    type=click.Choice(list(PAIRED_TESTS)),
    default="t",
    show_default=True,
    help="What decides whether a difference is significant.",
)
@click.option(
    "--correction",
    type=click.Choice(CORRECTION_NAMES),
    default="holm",
    show_default=True,
    help="For many comparisons: all measures and runs are one family.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The level of significance.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same numbers.")
def command(
    qrels: str,
    runs: tuple[str, ...],
    options: EvaluatorOptions,
    output: str,
    show: bool,
    baseline: str | None,
    topics: str | None,
    titles: str | None,
    title: str | None,
    tables: str | None,
    test: str,
    correction: str,
    alpha: float,
    seed: int,
) -> None:
    """Write a report that opens in any browser, without a network: one HTML file with everything in it.

    What is better and how sure that is, in words; the results, plots, every topic with the rankings of two runs side by
    side, what fails and why, the quality of the data, and what the numbers were made of. Without -m it shows nDCG@10,
    AP and Judged@10.
    """
    from cranfield.report.html.summary import summarise
    from cranfield.report.html.write import write_report

    if show and output == "-":
        raise UsageError("--open needs a file to open: give its name with -o")
    with progress_bar(patience=0.0) as progress:
        contents = write_report(
            qrels,
            list(runs),
            output,
            baseline=baseline,
            measures=options.sized_all(options.measures) or None,
            topics=topics,
            documents=titles,
            title=title,
            tables=tables,
            command=command_line(),
            progress=progress,
            tests=test,
            correction=correction,
            alpha=alpha,
            seed=seed,
            **options.keywords,
        )
    if output == "-":
        return
    if sys.stderr.isatty():
        click.echo(f"{output}: {summarise(contents).headline}", err=True)
    where = Path(output).resolve()
    if show and not webbrowser.open(where.as_uri()):
        click.echo(f"cranfield: no browser could be started; open {where.as_uri()}", err=True)
        sys.exit(1)
