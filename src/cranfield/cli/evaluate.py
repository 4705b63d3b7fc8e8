"""`cranfield evaluate`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from cranfield.cli import trec_output
from cranfield.cli.command_line import command_line
from cranfield.cli.completion import FILE
from cranfield.cli.doubt_options import DoubtOptions, doubt_options
from cranfield.cli.engine_options import EngineOptions, engine_options
from cranfield.cli.evaluator_options import EvaluatorOptions, evaluator_options
from cranfield.cli.options import digits_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.runs_to_evaluate import split_option, to_evaluate
from cranfield.cli.score_tables import Show, notes_below, shown_number, tables, tsv
from cranfield.cli.tables import write_lines
from cranfield.errors import UsageError, did_you_mean
from cranfield.evaluation.evaluator import DEFAULT_MEASURES, Evaluator
from cranfield.evaluation.result import Evaluation, RunEvaluation
from cranfield.measures import Measure
from cranfield.measures.profiles import profile as find_profile

if TYPE_CHECKING:
    from cranfield.spark.evaluating import SparkEvaluator


@click.command(
    "evaluate",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield evaluate qrels.txt bm25.run dense.run -m nDCG@10 -m AP",
)
@click.argument("qrels", required=False, metavar="[QRELS]", type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN...]", type=FILE)
@evaluator_options
@split_option
@click.option("-q", "by_query", is_flag=True, help="Also the values of each topic.")
@click.option(
    "--topic",
    "topics",
    multiple=True,
    metavar="ID",
    help="Also the values of this topic; may be repeated. Means stay those of all topics.",
)
@click.option("-n", "no_summary", is_flag=True, help="No values over all topics.")
@click.option(
    "-Z", "reference", metavar="FILE", type=FILE, help="Show deviations from the means in FILE instead of values."
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "tsv", "json", "trec"]),
    help="Default: table in a terminal, tsv elsewhere. `trec` prints trec_eval's lines.",
)
@digits_option
@click.option("--best", is_flag=True, help="Also the most that any run could score, given the judgments.")
@click.option("--percent", is_flag=True, help="Values up to 1 as percentages (table and tsv).")
@doubt_options
@engine_options()
@click.option(
    "--per-query",
    metavar="FOLDER",
    help="With --engine spark: also write the values of each topic of each run, as Parquet.",
)
def command(
    qrels: str | None,
    runs: tuple[str, ...],
    options: EvaluatorOptions,
    split: str | None,
    by_query: bool,
    topics: tuple[str, ...],
    no_summary: bool,
    reference: str | None,
    layout: str | None,
    digits: int,
    best: bool,
    percent: bool,
    doubts: DoubtOptions,
    engine: EngineOptions,
    per_query: str | None,
) -> None:
    """Score runs against judgments.

    QRELS and RUN are files in any known format, packed with gzip or not; - is standard input. Without -m the table
    shows nDCG@10, AP, RR, P@10, R@1000 and Judged@10, and `--format trec` shows trec_eval's official measures.

    In a workspace judgments, runs and measures need not be given, and the name of a system stands for its run.

    `cranfield evaluate --profile trec_eval-10 --format trec` takes trec_eval's place.

    With --engine spark all runs are evaluated in one job, to the same values. QRELS and RUN are TREC's text (.gz, too)
    or Parquet: files, folders, patterns, or addresses that Spark reads (s3a://, hdfs://).
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    by_query = by_query or bool(topics)
    chosen = find_profile(options.profile)
    asked = to_evaluate(qrels, runs, options.measures, split=split)
    asked.check_topics(*topics)
    if layout != "trec" and options.relevance == "qrels":
        options = options._replace(measures=asked.measures)
    if layout == "trec" and len(asked.runs) > 1:
        raise UsageError(f"--format trec shows one run at a time, found {len(asked.runs)}; tsv and json take several")
    if best and layout == "trec":
        raise UsageError("--format trec shows one run and nothing beside it; --best goes with table, tsv and json")
    if percent and layout in ("trec", "json"):
        raise UsageError(f"--percent is for table and tsv: {layout} always has fractions")
    if percent and reference is not None:
        raise UsageError("--percent is for shares, and -Z shows deviations")
    doubts.check(layout, standardised=reference is not None, by_query=by_query)
    if engine.on_spark and best:
        raise UsageError("--best needs all judgments in one place, and has no answer on Spark: leave it out")
    if per_query is not None and not engine.on_spark:
        raise UsageError("--per-query is about Spark: add --engine spark; `-q --format tsv` shows the same here")
    names: Sequence[str | Measure] = options.measures or (("official",) if layout == "trec" else DEFAULT_MEASURES)
    if not options.measures and options.relevance != "qrels":
        names = ("qrels_jg",) if options.relevance == "qrels_jg" else ("prefs",)
    wanted = trec_output.columns([str(name) for name in names], chosen) if layout == "trec" else []
    if layout == "trec":
        names = [column.measure for column in wanted if column.measure is not None]
    with showing_progress():
        evaluator = _evaluator(engine, per_query, needs_values=by_query or reference is not None)(
            asked.qrels,
            options.sized_all(names),
            **options.keywords,
            **doubts.keywords,
            provenance=layout == "json",
        )
        if topics:
            _check_topics(topics, evaluator.qrels.queries)
        if not by_query:
            _refuse_to_show_nothing(evaluator.measures, not no_summary)
        found = evaluator.evaluate_all(asked.scored())
        asked.done(found)
        results = list(found.values())
        if best:
            from cranfield.evaluation.best_possible import best_possible

            assert isinstance(evaluator, Evaluator)
            results.append(best_possible(evaluator))
    if reference is not None:
        from cranfield.evaluation.zscores import read_reference, standardise

        means = read_reference(reference, hashed=layout == "json")
        results = [standardise(result, means) for result in results]
    if topics:
        results = [result.listing(topics) for result in results]
    evaluation = Evaluation(tuple(results))
    if layout in ("trec", "tsv"):
        _say_what_runs_lack(evaluation)
    if layout == "tsv":
        _say(*evaluation.tie_notes(), *evaluation.depth_notes())
    if layout in ("tsv", "trec") and doubts.ties != "docid":
        _say_what_ties_leave_open(results, doubts.ties)
    if layout != "json":
        _say(*(f"{measures}: {warning}" for measures, warning in evaluation.measure_notes()))
    if layout in ("table", "tsv") and not by_query:
        _say_what_has_no_mean(evaluation.measures)
    if layout == "trec":
        wanted = [
            column._replace(measure=column.measure and evaluator.adapt(options.sized(column.measure)))
            for column in wanted
        ]
        write_lines(trec_output.lines(results[0], wanted, by_query=by_query, summary=not no_summary))
    elif layout == "json":
        click.echo(_json(results, by_query, not no_summary))
    elif doubts.intervals:
        _write_intervals(results, layout, partial(shown_number, digits=digits, percent=percent))
    elif layout == "tsv":
        write_lines(tsv(results, by_query=by_query, summary=not no_summary, percent=percent))
    else:
        write_lines(tables(results, by_query=by_query, summary=not no_summary, digits=digits, percent=percent))


def _refuse_to_show_nothing(measures: Sequence[Measure], summary: bool) -> None:
    if not summary:
        raise UsageError("-n leaves nothing to show; add -q for the values of each topic")
    if all(measure.definition.aggregate == "none" for measure in measures):
        raise UsageError(f"{', '.join(map(str, measures))} has no mean; add -q for the values of each topic")


def _evaluator(
    engine: EngineOptions, per_query: str | None, *, needs_values: bool
) -> Callable[..., Evaluator | SparkEvaluator]:
    if not engine.on_spark:
        return Evaluator
    from cranfield.spark.evaluating import SparkEvaluator

    return partial(SparkEvaluator, cluster=engine.cluster, per_query=per_query, needs_values=needs_values)


def _check_topics(topics: Sequence[str], known: Sequence[str]) -> None:
    for topic in topics:
        if topic not in known:
            hint = did_you_mean(topic, known)
            raise UsageError(f"--topic: {topic!r} is none of the {len(known)} judged topics{hint}")


def _say(*notes: str) -> None:
    """Say on standard error what belongs beside the numbers."""
    for note in notes:
        click.echo(f"cranfield: {note}", err=True)


def _say_what_runs_lack(evaluation: Evaluation) -> None:
    """Where only numbers are printed, say on standard error what they do not rest on."""
    runs = (run for run in evaluation.values() if run.coverage.incomplete)
    _say(*(f"{run.name}: {run.coverage.sentence()}" for run in runs))


def _say_what_ties_leave_open(results: Sequence[RunEvaluation], ties: str) -> None:
    from cranfield.cli import tie_tables

    tied = [result for result in results if result.ties]
    _say(*(tie_tables.expected_notes(tied) if ties == "expected" else tie_tables.notes(tied)))


def _say_what_has_no_mean(measures: Sequence[Measure]) -> None:
    without = [str(measure) for measure in measures if measure.definition.aggregate == "none"]
    if without:
        _say(f"{', '.join(without)} has no mean; add -q for the values of each topic")


def _write_intervals(results: Sequence[RunEvaluation], layout: str, show: Show) -> None:
    from cranfield.cli import interval_tables

    found = [(result, result.intervals()) for result in results if not result.ideal]
    rows = [(result, measure, of[measure]) for measure in found[0][1] for result, of in found]
    if layout == "tsv":
        _say(*interval_tables.notes(result for result, _ in found))
        write_lines(interval_tables.lines(rows))
    else:
        write_lines([*interval_tables.tables(rows, show), *notes_below(Evaluation(tuple(results)))])


def _json(results: list[RunEvaluation], by_query: bool, summary: bool) -> str:
    import json

    whole = Evaluation(tuple(results)).to_dict()
    whole["provenance"]["command"] = command_line()
    for run in whole["runs"]:
        for values in (run, run.get("residuals"), run.get("ties")):
            if values and not by_query:
                del values["per_query"]
            if values and not summary:
                del values["mean"]
    return json.dumps(whole, indent=2, ensure_ascii=True)
