"""`cranfield correlate`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.completion import FILE
from cranfield.cli.correlation_tables import SHOWN, table, tsv
from cranfield.cli.evaluator_options import EvaluatorOptions, evaluator_options
from cranfield.cli.options import digits_option, formats_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.tables import write_lines
from cranfield.errors import UsageError
from cranfield.evaluation.correlated import Correlations
from cranfield.evaluation.correlation import DEFAULT_MEASURES, correlate, correlate_scores
from cranfield.formats.files import open_source
from cranfield.formats.score_table import is_score_table
from cranfield.stats.correlation.system_correlation import DEFAULT_COEFFICIENTS, RESAMPLES
from cranfield.stats.correlation.system_orders import COEFFICIENTS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in COEFFICIENTS if name.startswith(incomplete.lower())]


@click.command(
    "correlate",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield correlate qrels.txt *.run -m AP -m nDCG@10",
)
@click.argument("files", nargs=-1, required=True, metavar="QRELS RUN... | SCORES...", type=FILE)
@evaluator_options
@click.option(
    "--qrels",
    "other_qrels",
    multiple=True,
    metavar="FILE",
    type=FILE,
    help="Other judgments, to compare with the first: the same measure by each. May be repeated.",
)
@click.option(
    "--slices",
    metavar="FILE",
    type=FILE,
    help="Slices of topics (a table with topic and slice), to compare: the same measure on each.",
)
@click.option(
    "--coefficient",
    "coefficients",
    multiple=True,
    metavar="NAME",
    shell_complete=_complete,
    help=f"One of {', '.join(COEFFICIENTS)}; may be repeated.  [default: {', '.join(DEFAULT_COEFFICIENTS)}]",
)
@click.option("-p", "p", type=float, default=0.9, show_default=True, help="How persistent the reader of rbo is.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Of tests; intervals have 1 - alpha.")
@click.option("--resamples", type=int, default=RESAMPLES, show_default=True, help="Samples of topics in the bootstrap.")
@click.option("--seed", type=int, default=0, show_default=True, help="Where random numbers begin.")
@click.option(
    "--show",
    type=click.Choice(SHOWN),
    default=SHOWN[0],
    show_default=True,
    help="Coefficients; who swaps with whom; or scores and places of all systems (json has it all).",
)
@click.option("--most", type=click.IntRange(1), default=20, show_default=True, help="Swaps in a table, of each two.")
@formats_option
@digits_option
def command(
    files: tuple[str, ...],
    options: EvaluatorOptions,
    other_qrels: tuple[str, ...],
    slices: str | None,
    coefficients: tuple[str, ...],
    p: float,
    alpha: float,
    resamples: int,
    seed: int,
    show: str,
    most: int,
    layout: str | None,
    digits: int,
) -> None:
    """How alike two measures, judgments, sets of topics or tables of scores put systems in order.

    With QRELS and RUN... it is each two measures (-m; nDCG@10 and AP if none is named). With --qrels it is the same
    measure by each two judgments, with --slices on each two slices of topics. SCORES are tables: system,score; or a
    line for each topic under the names of the systems; or what `cranfield evaluate -q` prints; each two tables, or
    measures in them, are compared.

    tau_a and tau_b are Kendall's tau, tau_ap_a (the first order is the truth) and tau_ap_b AP correlation, rbo
    rank-biased overlap. Intervals come from the bootstrap over topics where there are topics, otherwise from Fisher's z
    or the jackknife over systems. Differences of systems that swap are tested by the paired t-test.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    told: dict[str, Any] = {"p": p, "alpha": alpha, "resamples": resamples, "seed": seed}
    told["coefficients"] = coefficients or DEFAULT_COEFFICIENTS
    with showing_progress():
        if _are_scores(files, bool(options.measures or other_qrels or slices)):
            found = correlate_scores(*files, **told)
        else:
            if len(files) < 2:
                raise UsageError(f"{files[0]}: judgments without runs; expected QRELS RUN..., or tables of scores")
            found = correlate(
                files[0],
                list(files[1:]),
                options.sized_all(options.measures or DEFAULT_MEASURES),
                other_qrels=list(other_qrels),
                slices=slices,
                **told,
                **options.keywords,
            )
    if layout == "json":
        click.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=True))
    elif layout == "tsv":
        _warn(found)
        write_lines(tsv(found, show))
    else:
        write_lines(table(found, show, digits=digits, most=most))


def _are_scores(files: tuple[str, ...], about_runs: bool) -> bool:
    """Whether these are tables of scores, by the first of them; standard input is one unless runs are spoken of."""
    if files[0] == "-":
        return not about_runs
    with open_source(files[0]) as source:
        scores = is_score_table(source.head())
    if scores and about_runs:
        raise UsageError(f"{files[0]}: this is a table of scores; -m, --qrels and --slices are for QRELS RUN...")
    return scores


def _warn(found: Correlations) -> None:
    """Where only numbers are printed, say on standard error what they do not rest on."""
    for note in found.notes:
        click.echo(f"cranfield: {note}", err=True)
