"""`cranfield curve`."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

import click

from cranfield.cli.completion import FILE, KindName, complete_measure
from cranfield.cli.curve_kinds import DEFAULT_MEASURE, KINDS, Kind, kind_named
from cranfield.cli.curve_tables import tables, tsv
from cranfield.cli.options import (
    depth_option,
    digits_option,
    formats_option,
    level_option,
    profile_option,
    qrels_format_option,
    run_format_option,
)
from cranfield.cli.progress import showing_progress
from cranfield.cli.runs_to_evaluate import ToEvaluate, split_option, to_evaluate
from cranfield.cli.tables import write_lines
from cranfield.curves.bands import BANDS
from cranfield.curves.convex_hull import Hull
from cranfield.curves.ranking_roc import RocCurves
from cranfield.curves.recall_precision_curve import RecallPrecisionCurves
from cranfield.curves.result import Curves
from cranfield.curves.roc_averages import AVERAGES, DEFAULT_AVERAGE, HULL_AVERAGE
from cranfield.curves.topic_differences import DifferenceCurves
from cranfield.curves.topic_scores import ORDERS
from cranfield.errors import UsageError

_NAMES = {
    "measures": "-m",
    "at": "--at",
    "beta": "--beta",
    "documents": "-N",
    "over": "--over",
    "average": "--average",
    "fpr": "--fpr",
    "tpr": "--tpr",
    "most": "--most",
    "order": "--order",
    "bands": "--band",
    "raw": "--raw",
}
"""The options that are not for every kind."""
_WITHOUT_TOPICS = ("roc-points", "hull", "thresholds")
_MOST_IN_TABLE = 20


@click.command(
    "curve",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield curve recall-precision qrels.txt bm25.run dense.run",
)
@click.argument("kind", metavar="KIND", type=KindName(KINDS))
@click.argument("qrels", required=False, metavar="[QRELS]", type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN...]", type=FILE)
@split_option
@click.option(
    "-m",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=complete_measure,
    help="The measure, without a cutoff (cutoff: may be repeated, default nDCG; gain: nDCG with parameters; per-topic "
    f"and difference: default {DEFAULT_MEASURE}, in a workspace its first measure).",
)
@click.option(
    "--at",
    metavar="LIST",
    help="The points: ranks, recall levels, false positive rates or thresholds, such as 0,0.5,1 or 1..20. Default: in "
    "a table those worth reading, elsewhere all; 11 recall levels.",
)
@click.option("-q", "by_topic", is_flag=True, help="Also the points of each topic (tsv and json).")
@click.option("--topic", "topics", multiple=True, metavar="ID", help="The points of this topic; may be repeated.")
@click.option("--raw", is_flag=True, help="recall-precision: each topic at every rank, not interpolated (tsv).")
@click.option(
    "--beta", type=float, default=1, show_default=True, help="by-rank, thresholds: the weight of recall in F."
)
@click.option(
    "-N", "documents", type=int, help="roc, roc-points, hull: the size of the collection, all of which then counts."
)
@click.option(
    "--over",
    type=click.Choice(["judged", "retrieved"]),
    help="roc, roc-points, hull: which documents count.  [default: judged, without -N]",
)
@click.option(
    "--average",
    type=click.Choice(list(AVERAGES)),
    default=DEFAULT_AVERAGE,
    show_default=True,
    help="roc: how topics become one curve: at each false positive rate, after each number of documents, or all in one "
    f"list by score. hull always takes {HULL_AVERAGE}, whose points are ways to run a system; its areas are others.",
)
@click.option("--fpr", type=float, multiple=True, help="hull: how to reach this false positive rate; may be repeated.")
@click.option("--tpr", type=float, multiple=True, help="hull: how to reach this true positive rate; may be repeated.")
@click.option("--most", type=click.IntRange(2), help="thresholds: how many, spread evenly over the scores.")
@click.option(
    "--order", type=click.Choice(ORDERS), default="score", show_default=True, help="per-topic: how topics are sorted."
)
@click.option(
    "--band",
    "bands",
    type=click.Choice(list(BANDS)),
    multiple=True,
    help="Between what values points could lie: whatever order tied documents had, or whatever grades documents would "
    "get that are not judged.",
)
@level_option
@depth_option
@click.option("-J", "judged_only", is_flag=True, help="Drop unjudged documents before ranking.")
@click.option("-c", "complete", is_flag=True, help="Count judged topics the run lacks as 0 (trec_eval profiles).")
@profile_option
@qrels_format_option
@run_format_option
@formats_option
@digits_option
@click.pass_context
def command(
    context: click.Context,
    /,
    kind: str,
    qrels: str | None,
    runs: tuple[str, ...],
    split: str | None,
    by_topic: bool,
    topics: tuple[str, ...],
    layout: str | None,
    digits: int,
    level: float,
    depth: int | None,
    judged_only: bool,
    complete: bool,
    profile: str,
    qrels_format: str | None,
    input_format: str | None,
    **said: Any,
) -> None:
    """Print the numbers behind a curve; `cranfield plot` draws it.

    KIND is one of those listed below. QRELS and RUN are as for `cranfield evaluate`. Values are means over topics
    unless -q or --topic asks for topics. In a workspace nothing but KIND need be given: it is about all systems.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    chosen = kind_named(kind)
    _refuse_other_options(context, kind)
    by_topic = by_topic or bool(topics)
    if by_topic and kind in _WITHOUT_TOPICS:
        raise UsageError(f"-q and --topic are for curves of topics, and {kind} is of all topics together")
    if by_topic and layout == "table" and not topics and kind not in ("per-topic", "difference"):
        raise UsageError("-q has more points than a table can show; add --format tsv or json, or name topics (--topic)")
    if said["raw"] and layout != "tsv":
        raise UsageError("--raw has more points than a table can show; add --format tsv (json has them with -q)")
    every_point = said["at"] is not None
    said["at"] = None if said["at"] is None else _numbers(said["at"])
    if kind == "thresholds" and layout == "table" and not every_point:
        said["most"] = said["most"] or _MOST_IN_TABLE
    common = {
        "level": level,
        "depth": depth,
        "judged_only": judged_only,
        "complete": complete,
        "profile": profile,
        "qrels_format": qrels_format,
        "run_format": input_format,
    }
    asked = to_evaluate(qrels, runs, said["measures"], split=split)
    asked.check_topics(*topics)
    said["measures"] = _measures(chosen, said["measures"], asked)
    with showing_progress():
        found = chosen.make(asked.qrels, asked.scored(), said, common)
    for topic in topics:
        found.check_topic(topic)
    asked.looked(said["measures"] or [kind])
    if layout == "json":
        click.echo(json.dumps(_json(found, by_topic, topics), indent=2))
    elif layout == "tsv":
        if said["raw"] and isinstance(found, RecallPrecisionCurves):
            write_lines(tsv(("run", "query", "rank", "recall", "precision"), found.raw_rows(), topics))
        else:
            write_lines(tsv(found.columns, found.rows(by_topic=by_topic), topics))
        _say_what_numbers_rest_on(found)
    else:
        write_lines(tables(found, topics=topics, every_point=every_point, digits=digits))


def _refuse_other_options(context: click.Context, kind: str) -> None:
    """An error if an option says nothing about this kind of curve."""
    for name, option in _NAMES.items():
        given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if given and name not in KINDS[kind].options:
            fitting = ", ".join(other for other, one in KINDS.items() if name in one.options)
            raise UsageError(f"{option} says nothing about {kind}; it is for {fitting}")


def _measures(chosen: Kind, named: tuple[str, ...], asked: ToEvaluate) -> tuple[str, ...]:
    """The measures of a curve; where any will do and none is named, the first of the workspace."""
    usual = () if chosen.usual is None else (chosen.usual,)
    return named or (asked.measures[:1] if chosen.usual == DEFAULT_MEASURE else ()) or usual


def _numbers(text: str) -> list[float]:
    """The numbers of a list such as 0,0.5,1 or 1..20."""

    def read(part: str) -> Iterator[float]:
        bounds = re.fullmatch(r"(\d+)\.\.(\d+)", part)
        if bounds:
            first, last = int(bounds[1]), int(bounds[2])
            if not first <= last <= first + 100_000:
                raise UsageError(f"--at {text}: a range runs upwards and has at most 100000 values; found {part}")
            yield from range(first, last + 1)
            return
        try:
            yield float(part)
        except ValueError:
            raise UsageError(
                f"--at {text}: expected numbers with commas between them, or a range such as 1..20; found {part!r}"
            ) from None

    return list(chain.from_iterable(read(part.strip()) for part in text.split(",")))


def _json(curves: Curves, by_topic: bool, topics: tuple[str, ...]) -> dict[str, Any]:
    whole = curves.to_dict(by_topic=by_topic)
    for run in whole["runs"] if topics else ():
        if "per_query" in run:
            run["per_query"] = {topic: run["per_query"][topic] for topic in topics if topic in run["per_query"]}
    return whole


def _say_what_numbers_rest_on(curves: Curves) -> None:
    """Where only numbers are printed, say on standard error what they do not rest on, and how they were averaged."""
    for name, coverage in curves.about.coverage.items():
        if coverage.incomplete:
            click.echo(f"cranfield: {name}: {coverage.sentence()}", err=True)
    if isinstance(curves, RocCurves | Hull):
        click.echo(f"cranfield: {curves.average_sentence}", err=True)
    elif isinstance(curves, DifferenceCurves):
        for note in curves.alike:
            click.echo(f"cranfield: {note}", err=True)


def _kinds() -> str:
    width = max(map(len, KINDS))
    return "\n".join(f"{name:<{width}}  {kind.meaning}" for name, kind in KINDS.items())


command.help = f"{inspect.cleandoc(command.help or '')}\n\n\b\n{_kinds()}"
