"""`cranfield confusion`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import click

from cranfield.cli.boxes import ACTUAL_ROWS, LAYOUTS
from cranfield.cli.completion import FILE, complete_format
from cranfield.cli.confusion_tables import label_tables, label_tsv, run_tables, run_tsv, threshold_tables, threshold_tsv
from cranfield.cli.options import digits_option, level_option, qrels_format_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.tables import write_lines
from cranfield.errors import CranfieldError, DataError, UsageError
from cranfield.evaluation.confusion import RunConfusion, ThresholdConfusion, confusion, confusion_by_threshold
from cranfield.evaluation.label_confusion import LabelConfusion, label_confusion

_OF_RUNS = {
    "documents": "-N",
    "level": "-l",
    "cutoff": "-k",
    "thresholds": "--threshold",
    "sweep": "--sweep",
    "by_query": "-q",
    "qrels_format": "--qrels-format",
    "input_format": "--input-format",
}


@click.command(
    "confusion",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield confusion qrels.txt bm25.run -N 100000 -k 10",
)
@click.argument("files", nargs=-1, required=True, metavar="QRELS RUN", type=FILE)
@click.option("--labels", is_flag=True, help="The files are true and predicted labels, or one file has both.")
@click.option("-N", "documents", type=int, help="The size of the collection, without which TN is unknown.")
@level_option
@click.option("-k", "cutoff", type=int, help="The set is the first k documents of each topic.")
@click.option(
    "--threshold",
    "thresholds",
    type=float,
    multiple=True,
    help="The set is the documents with at least this score; several give a table of precision and recall, with -N "
    "also of fallout.",
)
@click.option("--sweep", type=click.IntRange(2), metavar="N", help="The same table at up to N scores of the run.")
@click.option("-q", "by_query", is_flag=True, help="Also the counts and rates of each topic.")
@click.option("--beta", type=float, default=1, show_default=True, help="The weight of recall in F.")
@click.option(
    "--layout",
    type=click.Choice(LAYOUTS),
    default=ACTUAL_ROWS,
    show_default=True,
    help="Where the matrix of the table has what is the case.",
)
@digits_option
@click.option("--percent", is_flag=True, help="Rates as percentages (table and tsv).")
@click.option(
    "--format",
    "output",
    type=click.Choice(["table", "tsv", "json"]),
    help="Default: table in a terminal, tsv elsewhere.",
)
@qrels_format_option
@click.option(
    "--input-format",
    metavar="NAME",
    shell_complete=complete_format,
    help="The format of the run, if the guess is wrong.",
)
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    labels: bool,
    documents: int | None,
    level: float,
    cutoff: int | None,
    thresholds: tuple[float, ...],
    sweep: int | None,
    by_query: bool,
    beta: float,
    layout: str,
    digits: int,
    percent: bool,
    output: str | None,
    qrels_format: str | None,
    input_format: str | None,
) -> None:
    """Draw the confusion matrix of a run: how often it was right and wrong to retrieve a document.

    The set is everything retrieved, unless -k or --threshold ends it. A document that is not judged counts as not
    relevant: in the set it is an FP. Topics are added up (micro) and averaged (macro, weighted). A topic whose set is
    empty has precision 0, so that macro precision can fall where micro precision rises.

    With --labels it shows which class is taken for which: `--labels TRUE PREDICTED` for two files of items and labels,
    `--labels FILE` for one file of items, true and predicted labels.
    """
    output = output or ("table" if sys.stdout.isatty() else "tsv")
    if percent and output == "json":
        raise UsageError("--percent is for table and tsv: json always has fractions")
    several = sweep is not None or len(thresholds) > 1
    if _is_given(context, "layout") and (several or output != "table"):
        drawn = "several thresholds have none" if several else f"{output} draws none; add --format table"
        raise UsageError(f"--layout says how the matrix is drawn, and {drawn}")
    if labels:
        _refuse_options_of_runs(context)
        if len(files) > 2:
            raise UsageError(f"--labels takes one file or two, found {len(files)}")
        _show_labels(label_confusion(*files, beta=beta), layout, output, percent, digits)
        return
    if len(files) != 2:
        raise UsageError(f"expected two files, judgments and a run, found {len(files)}; --labels compares labels")
    if sum((cutoff is not None, bool(thresholds), sweep is not None)) > 1:
        raise UsageError("a set ends at a rank (-k), at a score (--threshold) or at several (--sweep): choose one")
    common: dict[str, Any] = {
        "documents": documents,
        "level": level,
        "beta": beta,
        "qrels_format": qrels_format,
        "run_format": input_format,
    }
    if several and by_query:
        raise UsageError("-q shows topics at one threshold only")
    if several:
        with showing_progress(), _hinting_at_labels(files):
            steps = confusion_by_threshold(*files, thresholds or None, most=sweep or len(thresholds), **common)
        _show_thresholds(steps, output, percent, digits)
        return
    with showing_progress(), _hinting_at_labels(files):
        one = confusion(*files, cutoff=cutoff, threshold=thresholds[0] if thresholds else None, **common)
    _show_run(one, layout, output, by_query, percent, digits)


@contextmanager
def _hinting_at_labels(files: Sequence[str]) -> Iterator[None]:
    """Where files are no judgments and no run, but would do as labels, the error says how to compare labels."""
    try:
        yield
    except DataError as error:
        if not _are_labels(files):
            raise
        raise DataError(f"{error} Are these true and predicted labels? Then add --labels.") from None


def _are_labels(files: Sequence[str]) -> bool:
    with suppress(CranfieldError):
        label_confusion(*files)
        return True
    return False


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _refuse_options_of_runs(context: click.Context) -> None:
    given = [option for name, option in _OF_RUNS.items() if _is_given(context, name)]
    if given:
        raise UsageError(f"{', '.join(given)}: for judgments and a run, not for --labels")


def _show_run(result: RunConfusion, layout: str, output: str, by_query: bool, percent: bool, digits: int) -> None:
    if output == "json":
        content = result.to_dict()
        if not by_query:
            del content["per_query"]
        click.echo(json.dumps(content, indent=2))
        return
    if output == "table":
        write_lines(run_tables(result, layout, by_query=by_query, percent=percent, digits=digits))
    else:
        write_lines(run_tsv(result, by_query=by_query, percent=percent))
        _warn_if_incomplete(result)
    _warn(result.warnings)


def _show_thresholds(result: ThresholdConfusion, output: str, percent: bool, digits: int) -> None:
    if output == "json":
        click.echo(json.dumps(result.to_dict(), indent=2))
    elif output == "table":
        write_lines(threshold_tables(result, percent=percent, digits=digits))
    else:
        write_lines(threshold_tsv(result, percent=percent))
        _warn_if_incomplete(result[0])
        _warn(result.warnings)


def _show_labels(result: LabelConfusion, layout: str, output: str, percent: bool, digits: int) -> None:
    if output == "json":
        click.echo(json.dumps(result.to_dict(), indent=2))
        return
    if output == "table":
        write_lines(label_tables(result, layout, percent=percent, digits=digits))
    else:
        write_lines(label_tsv(result, percent=percent))
    _warn(result.warnings)


def _warn_if_incomplete(result: RunConfusion) -> None:
    if result.coverage.incomplete:
        _warn([f"{result.name}: {result.coverage.sentence()}"])


def _warn(warnings: list[str]) -> None:
    for warning in warnings:
        click.echo(f"cranfield: {warning}", err=True)
