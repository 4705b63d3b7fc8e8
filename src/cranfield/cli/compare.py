"""`cranfield compare`."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.comparison_tables import tables, tsv
from cranfield.cli.completion import FILE
from cranfield.cli.engine_options import EngineOptions, engine_options
from cranfield.cli.evaluator_options import EvaluatorOptions, evaluator_options
from cranfield.cli.progress import showing_progress
from cranfield.cli.runs_to_evaluate import split_option, to_evaluate
from cranfield.cli.tables import write_lines
from cranfield.data.strings import encode
from cranfield.evaluation.compare import Evaluating, compare
from cranfield.evaluation.comparison import Comparison
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.requirements import Requirement, parse_requirement
from cranfield.evaluation.significance import CORRECTION_NAMES, QUESTIONS, Question
from cranfield.formats.writing import writing
from cranfield.report.tables.comparison_html import html_table
from cranfield.report.tables.comparison_latex import latex
from cranfield.report.tables.comparison_markdown import markdown
from cranfield.report.tables.comparison_records import comma_separated, records
from cranfield.report.tables.comparison_words import outcome
from cranfield.stats.significance.paired_tests import PAIRED_TESTS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

GATE_FAILED = 3
"""The exit code where a requirement is not met."""


def _complete_test(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    done, comma, last = incomplete.rpartition(",")
    return [CompletionItem(f"{done}{comma}{name}") for name in PAIRED_TESTS if name.startswith(last.lower())]


@click.command(
    "compare",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield compare qrels.txt old.run new.run -m nDCG@10 -m AP",
)
@click.argument("qrels", required=False, metavar="[QRELS]", type=FILE)
@click.argument("baseline", required=False, metavar="[BASELINE]", type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN...]", type=FILE)
@evaluator_options
@split_option
@click.option(
    "--test",
    "tests",
    multiple=True,
    metavar="TEST,...",
    shell_complete=_complete_test,
    help=f"{', '.join(PAIRED_TESTS)}; several with commas. Sentences are about the first.  [default: t]",
)
@click.option(
    "--alternative",
    type=click.Choice(QUESTIONS),
    default="two-sided",
    show_default=True,
    help="What is asked: is the run different, better, worse?",
)
@click.option(
    "--correction",
    type=click.Choice(CORRECTION_NAMES),
    default="holm",
    show_default=True,
    help="For many comparisons: all measures and runs are one family. bh: Benjamini and Hochberg.",
)
@click.option(
    "--correct-looks",
    is_flag=True,
    help="Count every look at the test topics that is in the ledger as a comparison: Bonferroni over all of them.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The level of significance.")
@click.option("--resamples", type=int, default=10_000, show_default=True, help="For tests with random numbers.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same numbers.")
@click.option("--all-pairs", is_flag=True, help="Compare every run with every other, not only with the baseline.")
@click.option("--tukey", is_flag=True, help="Also all systems at once: two-way ANOVA, randomised Tukey HSD, letters.")
@click.option("--check", is_flag=True, help="Also look at what the tests assume; nothing is changed by it.")
@click.option("--rope", type=float, help="Also how probable it is that a run is better by more than this.")
@click.option("--change", multiple=True, metavar="TEXT", help="What was changed: once, or once for each run.")
@click.option(
    "--require",
    "requirements",
    multiple=True,
    metavar="REQUIREMENT",
    help="What runs must fulfil, such as 'AP drop <= 0.01' or 'AP non-inferior margin 0.02'; may be repeated.",
)
@click.option("--slices", metavar="FILE", type=FILE, help="A table of topics and their slices (query,slice).")
@click.option("--summary", metavar="FILE", type=FILE, help="Also write the Markdown summary to a file.")
@click.option("-q", "by_query", is_flag=True, help="Also the differences on each topic (tsv, csv: these alone).")
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "tsv", "csv", "json", "latex", "markdown", "html"]),
    help="Default: table in a terminal, tsv elsewhere.",
)
@click.option("--digits", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimal places in tables.")
@engine_options()
def command(
    qrels: str | None,
    baseline: str | None,
    runs: tuple[str, ...],
    options: EvaluatorOptions,
    split: str | None,
    tests: tuple[str, ...],
    alternative: Question,
    correction: str,
    correct_looks: bool,
    alpha: float,
    resamples: int,
    seed: int,
    all_pairs: bool,
    tukey: bool,
    check: bool,
    rope: float | None,
    change: tuple[str, ...],
    requirements: tuple[str, ...],
    slices: str | None,
    summary: str | None,
    by_query: bool,
    layout: str | None,
    digits: int,
    engine: EngineOptions,
) -> int:
    """Say whether runs are better than a baseline, and how sure that is.

    Topics are matched by their names, and a difference is run minus baseline. Without -m the measures of the
    requirements are compared, or else nDCG@10, AP and Judged@10.

    In a workspace nothing need be given: the first system is the baseline of the others. Names of systems stand for
    their runs, and what differs between them is said; a warning, if it is more than one thing.

    With --require it is a gate: the exit code is 3 where a run does not fulfil a requirement, on all topics or in one
    of the slices. A requirement is a measure and one of: drop <= NUMBER, relative drop <= NUMBER%, rise >= NUMBER,
    >= NUMBER [significantly], improves [significantly], non-inferior margin NUMBER, equivalent margin NUMBER. With
    `in SLICE` at the end it is about one slice only, with `in all` about all topics together.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    given = [] if baseline is None else [baseline, *runs]
    asked = to_evaluate(qrels, given, options.measures, needed=("QRELS", "BASELINE", "RUN..."), split=split)
    if not requirements:
        options = options._replace(measures=asked.measures)
    runs_to_score = asked.scored()
    with showing_progress():
        found = compare(
            asked.qrels,
            runs_to_score[0],
            runs_to_score[1:],
            options.sized_all(options.measures) or None,
            tests=",".join(tests) if tests else "t",
            alternative=alternative,
            correction="bonferroni" if correct_looks else correction,
            family=asked.comparisons if correct_looks else None,
            alpha=alpha,
            resamples=resamples,
            seed=seed,
            change=change or asked.changes() or None,
            all_pairs=all_pairs,
            tukey=tukey,
            check=check,
            rope=rope,
            slices=slices,
            requirements=[_sized(parse_requirement(text), options) for text in requirements],
            **options.keywords,
            provenance=layout == "json",
            evaluator=_on_spark(engine) if engine.on_spark else Evaluator,
        )
    asked.done(found.evaluation)
    if summary is not None:
        with writing(summary) as out:
            out.write(encode("\n".join(markdown(found, by_query=by_query, digits=digits)) + "\n"))
    _show(found, layout, by_query, digits)
    return GATE_FAILED if found.passed is False else 0


def _on_spark(engine: EngineOptions) -> Evaluating:
    from cranfield.spark.evaluating import SparkEvaluator

    return partial(SparkEvaluator, cluster=engine.cluster)


def _sized(requirement: Requirement, options: EvaluatorOptions) -> Requirement:
    return replace(requirement, measure=options.sized(requirement.measure))


def _show(found: Comparison, layout: str, by_query: bool, digits: int) -> None:
    if layout == "json":
        whole = found.to_dict(by_query=by_query)
        whole["provenance"]["command"] = command_line()
        click.echo(json.dumps(whole, indent=2, ensure_ascii=True, allow_nan=False))
        return
    if layout in ("tsv", "csv", "latex", "html"):
        _say_what_the_numbers_lack(found)
    show: dict[str, Any] = {
        "table": lambda: tables(found, by_query=by_query, digits=digits),
        "markdown": lambda: markdown(found, by_query=by_query, digits=digits),
        "tsv": lambda: tsv(found, by_query=by_query),
        "csv": lambda: comma_separated(records(found, by_query=by_query)),
        "html": lambda: html_table(found, digits=digits),
        "latex": lambda: latex(found, digits=digits),
    }
    write_lines(show[layout]())


def _say_what_the_numbers_lack(found: Comparison) -> None:
    """Where only numbers are printed, say on standard error how many comparisons there were, and what failed."""
    for name, run in found.evaluation.items():
        if run.coverage.incomplete:
            click.echo(f"cranfield: {name}: {run.coverage.sentence()}", err=True)
    for note in (*found.run_notes, found.family_sentence, *found.test_notes):
        click.echo(f"cranfield: {note}", err=True)
    for verdict in found.verdicts:
        if not verdict.met:
            click.echo(
                f"cranfield: {verdict.run}, {verdict.where}: {verdict.requirement.text}: {verdict.status} "
                f"({verdict.found})",
                err=True,
            )
    if found.verdicts:
        click.echo(f"cranfield: {outcome(found)}", err=True)
