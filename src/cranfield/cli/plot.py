"""`cranfield plot`."""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

import click

from cranfield.cli.completion import FILE, KindName
from cranfield.cli.evaluator_options import EvaluatorOptions, evaluator_options
from cranfield.cli.progress import showing_progress
from cranfield.cli.runs_to_evaluate import ToEvaluate, split_option, to_evaluate
from cranfield.curves.bands import BANDS
from cranfield.curves.roc_averages import AVERAGES
from cranfield.curves.topic_scores import ORDERS
from cranfield.errors import UsageError
from cranfield.evaluation.significance import CORRECTION_NAMES
from cranfield.report.export import FORMATS, SCALE, THEMES, Theme, description, format_of, write_chart
from cranfield.report.kinds import KINDS, Kind, kind_named
from cranfield.report.plotting import plot

_NAMES = {
    "at": "--at",
    "band": "--band",
    "form": "--form",
    "topic": "--topic",
    "highlight": "--highlight",
    "order": "--order",
    "linear": "--linear",
    "beta": "--beta",
    "over": "--over",
    "average": "--average",
    "fpr": "--fpr",
    "tpr": "--tpr",
    "baseline": "--baseline",
    "tests": "--test",
    "correction": "--correction",
    "alpha": "--alpha",
    "resamples": "--resamples",
    "seed": "--seed",
    "coefficient": "--coefficient",
}
"""The options that are not for every kind."""


@click.command(
    "plot",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield plot roc qrels.txt bm25.run dense.run -o roc.svg",
)
@click.argument("kind", metavar="KIND", type=KindName(KINDS))
@click.argument("files", nargs=-1, metavar="[QRELS] [RUN...]", type=FILE)
@split_option
@click.option(
    "-o",
    "output",
    required=True,
    metavar="FILE",
    type=FILE,
    help=f"Where to: the ending says what it is ({', '.join(FORMATS)}). html opens without a network; json is "
    "Vega-Lite.",
)
@click.option("--format", "format", type=click.Choice(FORMATS), help="What it is, if the name does not say it.")
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    help="On what ground. auto, in html, is what the reader's system asks for.  [default: light; html: auto]",
)
@click.option("--scale", type=float, default=SCALE, show_default=True, help="Pixels of a png for one of the drawing.")
@click.option("--title", help="What stands above, in place of what it says by itself.")
@click.option("--highlight", multiple=True, metavar="RUN", help="A run to show in colour, instead of the best.")
@click.option("--topic", metavar="ID", help="recall-precision, roc: the curves of this topic.")
@click.option(
    "--form",
    type=click.Choice(["averaged", "interpolated", "raw", "heat", "scatter"]),
    help="recall-precision: averaged over topics, or of one topic interpolated or raw. correlation: heat, "
    "or scatter of each two measures.",
)
@click.option("--at", metavar="LIST", help="The points: ranks or recall levels, such as 0,0.5,1 or 1..20.")
@click.option(
    "--band",
    type=click.Choice(list(BANDS)),
    help="Between what values points could lie: whatever order tied documents had, or whatever grades documents would "
    "get that are not judged.",
)
@click.option("--order", type=click.Choice(ORDERS), help="per-topic: how topics are sorted.")
@click.option("--linear", is_flag=True, help="cutoff, by-rank, gain: ranks on a linear axis.")
@click.option("--beta", type=float, help="by-rank, thresholds: the weight of recall in F.")
@click.option("--over", type=click.Choice(["judged", "retrieved"]), help="roc: which documents count, without -N.")
@click.option(
    "--average",
    type=click.Choice(list(AVERAGES)),
    help="roc: how topics become one curve, without the hull.  [default: cutoff with several runs, as the hull needs "
    "it; vertical with one]",
)
@click.option("--fpr", type=float, multiple=True, help="roc: mark this false positive rate on the hull.")
@click.option("--tpr", type=float, multiple=True, help="roc: mark this true positive rate on the hull.")
@click.option("--baseline", metavar="NAME", help="difference, scatter: the run to compare with, if not the first.")
@click.option("--test", "tests", help="difference, scatter, matrix: t, wilcoxon, sign, randomisation or bootstrap.")
@click.option("--correction", type=click.Choice(CORRECTION_NAMES), help="difference, matrix: for many comparisons.")
@click.option("--alpha", type=float, help="difference, matrix: the level of significance.")
@click.option("--resamples", type=int, help="For tests and intervals with random numbers.")
@click.option("--seed", type=int, help="The same seed gives the same numbers.")
@click.option("--coefficient", help="correlation: tau_b, tau_a, tau_ap_a, tau_ap_b, spearman, pearson or rbo.")
@evaluator_options
@click.pass_context
def command(
    context: click.Context,
    /,
    kind: str,
    files: tuple[str, ...],
    split: str | None,
    output: str,
    format: str | None,
    theme: Theme | None,
    scale: float,
    title: str | None,
    options: EvaluatorOptions,
    **said: Any,
) -> None:
    """Draw judgments and runs; `cranfield curve` prints the numbers behind curves.

    KIND is one of those listed below. QRELS and RUN are as for `cranfield evaluate`; differences are to the first run.
    -m may be repeated for means, cutoff, correlation and discount; other kinds show one measure.

    In a workspace nothing but KIND and -o need be given: it is about all systems, or the first two for scatter.
    """
    chosen = kind_named(kind)
    written = format or format_of(output)
    _refuse_other_options(context, kind)
    given = {name: value for name, value in said.items() if value not in (None, False, ())}
    if "at" in given:
        given["at"] = _numbers(given["at"])
    if "documents" in chosen.options and options.documents is not None:
        given["documents"] = options.documents
    asked = _asked(chosen, files, options.measures, split)
    if asked is not None and "topic" in given:
        asked.check_topics(given["topic"])
    measures = options.measures
    if asked is not None and chosen.of_any_measure:
        measures = asked.measures if chosen.panels else measures or asked.measures[:1]
    with showing_progress():
        chart = plot(
            kind,
            asked and asked.qrels,
            asked and asked.scored(),
            options.sized_all(measures) or None,
            title=title,
            **given,
            **_common(options),
        )
    if asked is not None:
        asked.looked(measures or (chosen.usual if chosen.measured else [kind]))
    write_chart(chart, output, format=written, theme=theme, scale=scale)
    if sys.stderr.isatty() and output != "-":
        click.echo(f"{output}: {description(chart).splitlines()[0]}", err=True)


def _asked(chosen: Kind, files: tuple[str, ...], measures: tuple[str, ...], split: str | None) -> ToEvaluate | None:
    """The judgments and runs of a drawing; None where it is about measures alone, and none are given."""
    if chosen.most_runs == 0 and not files:
        return None
    qrels = files[0] if files else None
    return to_evaluate(qrels, files[1:], measures, most=chosen.most_runs or None, split=split)


def _refuse_other_options(context: click.Context, kind: str) -> None:
    """An error if an option says nothing about this kind of drawing."""
    for name, option in _NAMES.items():
        given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if given and name not in KINDS[kind].options:
            fitting = ", ".join(other for other, one in KINDS.items() if name in one.options)
            raise UsageError(f"{option} says nothing about {kind}; it is for {fitting}")


def _common(options: EvaluatorOptions) -> dict[str, Any]:
    """The options of an evaluation that say something: a drawing may not know all of them."""
    usual = {"level": 1, "relevance": "qrels", "profile": "cranfield", "judged_only": False, "complete": False}
    return {name: value for name, value in options.keywords.items() if value != usual.get(name)}


def _numbers(text: str) -> list[float]:
    """The numbers of a list such as 0,0.5,1 or 1..20."""
    found: list[float] = []
    for part in (piece.strip() for piece in text.split(",")):
        bounds = re.fullmatch(r"(\d+)\.\.(\d+)", part)
        try:
            found += range(int(bounds[1]), int(bounds[2]) + 1) if bounds else [float(part)]
        except ValueError:
            raise UsageError(
                f"--at {text}: expected numbers with commas between them, or a range such as 1..20; found {part!r}"
            ) from None
    return found


def _kinds() -> str:
    width = max(map(len, KINDS))
    return "\n".join(f"{name:<{width}}  {kind.meaning}" for name, kind in KINDS.items())


command.help = f"{inspect.cleandoc(command.help or '')}\n\n\b\n{_kinds()}"
