"""`cranfield evaluate`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from cranfield.cli import trec_output
from cranfield.cli.completion import FILE, complete_format, complete_measure
from cranfield.cli.progress import showing_progress
from cranfield.cli.score_tables import tables, tsv
from cranfield.cli.tables import write_lines
from cranfield.errors import UsageError
from cranfield.evaluation.best_possible import best_possible
from cranfield.evaluation.evaluator import DEFAULT_MEASURES, RELEVANCE, Evaluator
from cranfield.evaluation.result import Evaluation, RunEvaluation
from cranfield.measures import Measure, parse_all
from cranfield.measures.profiles import PROFILES
from cranfield.measures.profiles import profile as find_profile


@click.command(
    "evaluate",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield evaluate qrels.txt bm25.run dense.run -m nDCG@10 -m AP",
)
@click.argument("qrels", type=FILE)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FILE)
@click.option(
    "-m",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=complete_measure,
    help="A measure, in any spelling; may be repeated.",
)
@click.option("-q", "by_query", is_flag=True, help="Also the values of each topic.")
@click.option("-c", "complete", is_flag=True, help="Count judged topics the run lacks as 0 (trec_eval profiles).")
@click.option("-n", "no_summary", is_flag=True, help="No values over all topics.")
@click.option("-l", "level", type=float, default=1, show_default=True, help="The least grade that is relevant.")
@click.option("-M", "depth", type=int, help="Look at the first M documents of each topic only.")
@click.option("-N", "documents", type=int, help="The size of the collection, for accuracy and others.")
@click.option("-J", "judged_only", is_flag=True, help="Drop unjudged documents before ranking.")
@click.option(
    "-R",
    "relevance",
    type=click.Choice(list(RELEVANCE)),
    default="qrels",
    show_default=True,
    help="What the judgments are.",
)
@click.option(
    "--intents",
    metavar="FILE",
    type=FILE,
    help="How likely each subtopic is meant (query subtopic probability), for diversity measures. Default: all alike.",
)
@click.option(
    "--costs",
    metavar="FILE",
    type=FILE,
    help="What it costs to read documents ([query] document cost), for user models such as TBG. Default: 1 each.",
)
@click.option("--default-cost", type=float, help="What a document costs that --costs does not list.")
@click.option(
    "-Z", "reference", metavar="FILE", type=FILE, help="Show deviations from the means in FILE instead of values."
)
@click.option(
    "--profile", type=click.Choice(list(PROFILES)), default="cranfield", show_default=True, help="Whose semantics."
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "tsv", "json", "trec"]),
    help="Default: table in a terminal, tsv elsewhere. `trec` prints trec_eval's lines.",
)
@click.option(
    "--qrels-format",
    metavar="NAME",
    shell_complete=complete_format,
    help="The format of the judgments, if the guess is wrong.",
)
@click.option(
    "--input-format",
    metavar="NAME",
    shell_complete=complete_format,
    help="The format of the runs, if the guess is wrong.",
)
@click.option("--digits", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimal places in the table.")
@click.option("--best", is_flag=True, help="Also the most that any run could score, given the judgments.")
@click.option("--percent", is_flag=True, help="Values up to 1 as percentages (table and tsv).")
def command(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    by_query: bool,
    complete: bool,
    no_summary: bool,
    level: float,
    depth: int | None,
    documents: int | None,
    judged_only: bool,
    relevance: str,
    intents: str | None,
    costs: str | None,
    default_cost: float | None,
    reference: str | None,
    profile: str,
    layout: str | None,
    qrels_format: str | None,
    input_format: str | None,
    digits: int,
    best: bool,
    percent: bool,
) -> None:
    """Score runs against judgments.

    QRELS and RUN are files in any known format, packed with gzip or not; - is standard input. Without -m the table
    shows nDCG@10, AP, RR, P@10, R@1000 and Judged@10, and `--format trec` shows trec_eval's official measures.

    `cranfield evaluate --profile trec_eval-10 --format trec` takes trec_eval's place.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    chosen = find_profile(profile)
    if layout == "trec" and len(runs) > 1:
        raise UsageError(f"--format trec shows one run at a time, found {len(runs)}; tsv and json take several")
    if best and layout == "trec":
        raise UsageError("--format trec shows one run and nothing beside it; --best goes with table, tsv and json")
    if percent and layout in ("trec", "json"):
        raise UsageError(f"--percent is for table and tsv: {layout} always has fractions")
    if percent and reference is not None:
        raise UsageError("--percent is for shares, and -Z shows deviations")
    names: Sequence[str | Measure] = measures or (("official",) if layout == "trec" else DEFAULT_MEASURES)
    if not measures and relevance != "qrels":
        names = ("qrels_jg",) if relevance == "qrels_jg" else ("prefs",)
    wanted = trec_output.columns([str(name) for name in names], chosen) if layout == "trec" else []
    if layout == "trec":
        names = [column.measure for column in wanted if column.measure is not None]
    if documents is not None:
        names = [_with_documents(measure, documents) for measure in parse_all(names)]
    with showing_progress():
        evaluator = Evaluator(
            qrels,
            names,
            profile=chosen,
            level=level,
            depth=depth,
            judged_only=judged_only,
            complete=complete,
            relevance=relevance,
            intents=intents,
            costs=costs,
            default_cost=default_cost,
            qrels_format=qrels_format,
            run_format=input_format,
        )
        if not by_query:
            _refuse_to_show_nothing(evaluator.measures, not no_summary)
        ideal = [best_possible(evaluator)] if best else []
        results = [*evaluator.evaluate_all(list(runs)).values(), *ideal]
    if reference is not None:
        from cranfield.evaluation.zscores import read_reference, standardise

        means = read_reference(reference)
        results = [standardise(result, means) for result in results]
    if layout in ("trec", "tsv"):
        _warn_of_incomplete_runs(results)
    if layout != "json":
        _warn_of_measures(Evaluation(tuple(results)))
    if layout == "trec":
        wanted = [
            column._replace(measure=column.measure and evaluator.adapt(_with_documents(column.measure, documents)))
            for column in wanted
        ]
        write_lines(trec_output.lines(results[0], wanted, by_query=by_query, summary=not no_summary))
    elif layout == "json":
        click.echo(json.dumps(_json(results, by_query, not no_summary), indent=2, ensure_ascii=True))
    elif layout == "tsv":
        write_lines(tsv(results, by_query=by_query, summary=not no_summary, percent=percent))
    else:
        write_lines(tables(results, by_query=by_query, summary=not no_summary, digits=digits, percent=percent))


def _with_documents(measure: Measure, documents: int | None) -> Measure:
    """The measure with the size of the collection, if it takes that and says neither it nor what excludes it."""
    excluded = {"documents", *measure.definition.alternatives}.intersection(dict(measure.given))
    takes = "documents" in measure.definition.parameters and not excluded
    return measure(documents=documents) if takes and documents is not None else measure


def _refuse_to_show_nothing(measures: Sequence[Measure], summary: bool) -> None:
    if not summary:
        raise UsageError("-n leaves nothing to show; add -q for the values of each topic")
    if all(measure.definition.aggregate == "none" for measure in measures):
        raise UsageError(f"{', '.join(map(str, measures))} has no mean; add -q for the values of each topic")


def _warn_of_incomplete_runs(results: list[RunEvaluation]) -> None:
    """Where only numbers are printed, say on standard error what they do not rest on."""
    for result in results:
        if result.coverage.incomplete:
            click.echo(f"cranfield: {result.name}: {result.coverage.sentence()}", err=True)


def _warn_of_measures(evaluation: Evaluation) -> None:
    """Say on standard error what belongs beside the values of some measures; the same is said once."""
    said: dict[str, list[str]] = {}
    for measure, warning in evaluation.warnings.items():
        said.setdefault(warning, []).append(measure)
    for warning, measures in said.items():
        click.echo(f"cranfield: {', '.join(measures)}: {warning}", err=True)


def _json(results: list[RunEvaluation], by_query: bool, summary: bool) -> dict[str, object]:
    whole = Evaluation(tuple(results)).to_dict()
    if results[0].standardised:
        whole["standardised"] = True
    for run in whole["runs"]:
        if not by_query:
            del run["per_query"]
        if not summary:
            del run["mean"]
    return whole
