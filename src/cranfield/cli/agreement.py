"""`cranfield agreement`."""

from __future__ import annotations

import json
import sys

import click

from cranfield.cli.agreement_tables import tables, tsv
from cranfield.cli.completion import FILE, complete_measure
from cranfield.cli.options import digits_option, formats_option, run_format_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.tables import write_lines
from cranfield.errors import UsageError
from cranfield.evaluation.agreement import agreement
from cranfield.evaluation.judges import DEFAULT_MEASURE
from cranfield.stats.agreement.disagreement_weights import WEIGHTS
from cranfield.stats.agreement.krippendorff_alpha import LEVELS

NOTHING_COMPARED = 1
"""The exit code where no coefficient has a value."""


class _TakesRuns(click.Command):
    """A command whose option --runs takes all words up to the next option, so that `--runs *.run` does what it says."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # a shell asks how to go on
            return super().parse_args(ctx, args)
        words: list[str] = []
        taking = False
        for word in args:
            if word == "--runs":
                taking = True
                continue
            taking = taking and not (word.startswith("-") and word != "-")
            words += ["--runs", word] if taking else [word]
        if "--runs" in args and "--runs" not in words:
            raise click.UsageError("--runs needs the names of one run or more behind it", ctx)
        return super().parse_args(ctx, words)


@click.command(
    "agreement",
    cls=_TakesRuns,
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield agreement ann.qrels bob.qrels --runs *.run -m AP",
)
@click.argument("files", nargs=-1, required=True, metavar="LABELS...", type=FILE)
@click.option(
    "--weights", type=click.Choice(WEIGHTS), help="Kappa and AC2: disagreements count by how far apart labels are."
)
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="nominal",
    show_default=True,
    help="Alpha: what may be said of labels: same or not, order, differences, ratios.",
)
@click.option(
    "--scale", metavar="A,B,...", help="All categories, lowest first, where they are words or some were not used."
)
@click.option("--by-topic", is_flag=True, help="Also each topic.")
@click.option("--by-pair", is_flag=True, help="Also Cohen's kappa of each two judges.")
@click.option("--most", type=click.IntRange(1), default=20, show_default=True, help="Pairs of judges in a table.")
@click.option(
    "--runs",
    multiple=True,
    metavar="RUN...",
    type=FILE,
    help="Rank these runs by the labels of each judge alone; all files up to the next option.",
)
@click.option(
    "-m",
    "measure",
    default=DEFAULT_MEASURE,
    show_default=True,
    metavar="MEASURE",
    shell_complete=complete_measure,
    help="The measure by which --runs are ranked.",
)
@click.option(
    "--confidence", type=float, default=0.95, show_default=True, metavar="SHARE", help="Of intervals, such as 0.95."
)
@click.option(
    "--resamples", type=int, default=2000, show_default=True, help="Samples of items behind each interval; 0 for none."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of these samples.")
@formats_option
@run_format_option
@digits_option
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    weights: str | None,
    level: str,
    scale: str | None,
    by_topic: bool,
    by_pair: bool,
    most: int,
    runs: tuple[str, ...],
    measure: str,
    confidence: float,
    resamples: int,
    seed: int,
    layout: str | None,
    input_format: str | None,
    digits: int,
) -> int:
    """How far judges agree, beyond what chance gives; and whether it matters for the order of systems.

    LABELS is one file with the labels of all judges (task,worker,label; TREC judgments with the judge in the second
    column; a book of query, document and a column for each judge), or a file for each judge (judgments, or item and
    label).

    Percent agreement; Bennett's S, which is kappa with P(E) = 1/k, 0.5 for two categories; Cohen's kappa and Scott's pi
    of two judges, Fleiss' kappa of more; Krippendorff's alpha; Gwet's AC1 (AC2, with weights). Intervals come from
    samples of items. A value that is not defined is shown as -, or empty, with the reason; where none is defined, as
    with one judge, the exit code is 1.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    given = context.get_parameter_source("measure") is click.core.ParameterSource.COMMANDLINE
    if given and not runs:
        raise UsageError("-m is the measure by which runs are ranked; add --runs")
    with showing_progress():
        result = agreement(
            list(files),
            weights=weights,
            level=level,
            scale=None if scale is None else [name.strip() for name in scale.split(",")],
            runs=list(runs) or None,
            measure=measure,
            run_format=input_format,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
        )
    if by_topic and result.labels.topics is None:
        raise UsageError("--by-topic: these labels are of items, and no topics are named")
    if layout == "json":
        content = result.to_dict()
        for key, wanted in (("by_topic", by_topic), ("by_pair", by_pair)):
            if not wanted:
                del content[key]
        click.echo(json.dumps(content, indent=2))
    elif layout == "table":
        write_lines(tables(result, by_topic=by_topic, by_pair=by_pair, digits=digits, most=most))
    else:
        write_lines(tsv(result, by_topic=by_topic, by_pair=by_pair))
        for note in result.notes:
            click.echo(f"cranfield: {note}", err=True)
    return NOTHING_COMPARED if all(one.undefined for one in result.coefficients.values()) else 0
