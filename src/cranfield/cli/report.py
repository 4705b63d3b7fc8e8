"""`cranfield report`."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import Any

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.completion import FILE
from cranfield.cli.evaluator_options import EvaluatorOptions, evaluator_options
from cranfield.cli.progress import progress_bar
from cranfield.cli.reading_options import encoding_option
from cranfield.cli.runs_to_evaluate import split_option, to_evaluate
from cranfield.cli.workspace_options import nearer
from cranfield.cli.workspace_steps import say_stale_split
from cranfield.errors import UsageError
from cranfield.evaluation.significance import CORRECTION_NAMES
from cranfield.formats.files import telling_progress
from cranfield.stats.significance.paired_tests import PAIRED_TESTS


@click.command(
    "report",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield report qrels.txt bm25.run dense.run -o report.html --open",
)
@click.argument("qrels", required=False, metavar="[QRELS]", type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN...]", type=FILE)
@evaluator_options
@split_option
@click.option(
    "-o",
    "output",
    metavar="FILE",
    type=FILE,
    help="The page to write, which ends in .html; - is standard output.  [in a workspace: report.html]",
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
@encoding_option
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
@click.pass_context
def command(
    context: click.Context,
    qrels: str | None,
    runs: tuple[str, ...],
    options: EvaluatorOptions,
    split: str | None,
    output: str | None,
    show: bool,
    baseline: str | None,
    topics: str | None,
    titles: str | None,
    encoding: str | None,
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

    In a workspace nothing need be given: it is about all systems, and `cranfield update` keeps it up to date.
    """
    from cranfield.report.html.summary import summarise
    from cranfield.report.html.write import write_report

    asked = to_evaluate(qrels, runs, options.measures, split=split)
    options = options._replace(measures=asked.measures)
    home = asked.workspace if output is None else None
    if output is None:
        if home is None:
            raise click.UsageError("Missing option '-o'. Only in a workspace can it be left out.")
        output = nearer(home.report)
    if show and output == "-":
        raise UsageError("--open needs a file to open: give its name with -o")
    with progress_bar(patience=0.0) as progress, telling_progress(None):
        contents = write_report(
            asked.qrels,
            asked.scored(),
            output,
            baseline=None if baseline is None else asked.baseline(baseline),
            measures=options.sized_all(options.measures) or None,
            topics=topics or asked.topic_texts(),
            documents=titles or asked.documents_file(),
            encoding=encoding or asked.encoding,
            title=title or (asked.workspace.name if asked.workspace else None),
            tables=tables,
            command=command_line(),
            covers=asked.covers,
            doubts=asked.doubts,
            notes=asked.notes,
            progress=progress,
            tests=test,
            correction=correction,
            alpha=alpha,
            seed=seed,
            **options.keywords,
        )
    if asked.workspace is not None:
        say_stale_split(asked.workspace)
    if output == "-":
        return
    if home is not None:
        from cranfield.experiments.report_record import note_report

        inputs = [asked.qrels, *asked.runs, *([asked.run(baseline)] if baseline else [])]
        note_report(
            home,
            options_given(context),
            inputs,
            all_systems=len(asked.runs) == len(home.systems) and not runs,
            own_judgments=asked.own_qrels,
            undivided=asked.own_qrels and asked.part is None,
        )
    address = Path(output).resolve().as_uri()
    click.echo(f"{output}: {summarise(contents).headline}\n{address}", err=True)
    if show and not webbrowser.open(address):
        click.echo(f"cranfield: no browser could be started; open {address}", err=True)
        sys.exit(1)


def options_given(context: click.Context) -> dict[str, Any]:
    """The options that are not as they are without being given, but for where the report goes."""
    usual = {each.name: each.get_default(context) for each in context.command.params}
    given = {name: value for name, value in context.params.items() if name not in ("output", "show")}
    return {name: value for name, value in given.items() if value not in (usual.get(name), None, ())}
