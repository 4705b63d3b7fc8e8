"""`cranfield evaluate`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence

import click
import numpy as np

from cranfield.cli import trec_output
from cranfield.cli.completion import FILE, complete_format, complete_measure
from cranfield.cli.progress import showing_progress
from cranfield.cli.tables import render
from cranfield.data.strings import encode
from cranfield.errors import UsageError
from cranfield.evaluation.evaluator import DEFAULT_MEASURES, RELEVANCE, Evaluator
from cranfield.evaluation.result import Evaluation, RunEvaluation
from cranfield.measures import Measure, parse_all
from cranfield.measures.profiles import PROFILES
from cranfield.measures.profiles import profile as find_profile

MOST_RUNS_SIDE_BY_SIDE = 6


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
@click.option("-N", "documents", type=int, help="The number of documents in the collection (for utility).")
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
    reference: str | None,
    profile: str,
    layout: str | None,
    qrels_format: str | None,
    input_format: str | None,
    digits: int,
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
            qrels_format=qrels_format,
            run_format=input_format,
        )
        if not by_query:
            _refuse_to_show_nothing(evaluator.measures, not no_summary)
        results = list(evaluator.evaluate_all(list(runs)).values())
    if reference is not None:
        from cranfield.evaluation.zscores import read_reference, standardise

        means = read_reference(reference)
        results = [standardise(result, means) for result in results]
    if layout in ("trec", "tsv"):
        _warn_of_incomplete_runs(results)
    if layout == "trec":
        wanted = [
            column._replace(measure=column.measure and evaluator.adapt(_with_documents(column.measure, documents)))
            for column in wanted
        ]
        _write(trec_output.lines(results[0], wanted, by_query=by_query, summary=not no_summary))
    elif layout == "json":
        click.echo(json.dumps(_json(results, by_query, not no_summary), indent=2, ensure_ascii=True))
    elif layout == "tsv":
        _write(_tsv(results, by_query, not no_summary))
    else:
        _write(tables(results, by_query=by_query, summary=not no_summary, digits=digits))


def _with_documents(measure: Measure, documents: int | None) -> Measure:
    takes = documents is not None and "documents" in measure.definition.parameters
    return measure(documents=documents) if takes else measure


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


def _write(lines: Iterator[str]) -> None:
    """Identifiers may hold any bytes, so bytes it is."""
    out = sys.stdout.buffer
    block: list[str] = []
    for line in lines:
        block.append(line)
        if len(block) == 5000:
            out.write(encode("\n".join(block) + "\n"))
            block.clear()
    if block:
        out.write(encode("\n".join(block) + "\n"))
    out.flush()


def _label(result: RunEvaluation, measure: Measure) -> str:
    return f"Z({measure})" if result.standardised else str(measure)


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


def _tsv(results: list[RunEvaluation], by_query: bool, summary: bool) -> Iterator[str]:
    yield "run\tmeasure\tquery\tvalue"
    for result in results:
        if by_query:
            for row in np.flatnonzero(result.listed).tolist():
                for measure, values in result.columns.items():
                    value = values[row]
                    text = value if isinstance(value, str) else _number(float(value), measure)
                    yield f"{result.name}\t{_label(result, measure)}\t{result.queries[row]}\t{text}"
        if summary:
            for measure, values in result.columns.items():
                if not isinstance(values, list):
                    text = _number(result.mean[str(measure)], measure)
                    yield f"{result.name}\t{_label(result, measure)}\tall\t{text}"


def _number(value: float, measure: Measure, digits: int | None = None) -> str:
    if measure.definition.counts and value.is_integer():
        return str(int(value))
    return repr(value) if digits is None else f"{value:.{digits}f}"


def tables(results: list[RunEvaluation], *, by_query: bool, summary: bool, digits: int = 4) -> Iterator[str]:
    """Values by topic, means, and a line for each run that says how far judgments and run meet."""
    if by_query:
        yield _by_query(results, digits)
        yield ""
    if summary:
        yield _summary(results, digits)
        yield ""
    evaluation = Evaluation(tuple(results))
    for names, sentence in evaluation.coverage_sentences():
        yield f"{names}: {sentence}" if len(results) > 1 else sentence
    depths = {result.coverage.most_documents for result in results}
    if len(depths) > 1 and results[0].settings["depth"] is None:
        yield (
            f"Note: the runs differ in depth, {min(depths)} to {max(depths)} documents a topic; "
            f"-M {min(depths)} compares them at the same depth."
        )


def _by_query(results: list[RunEvaluation], digits: int) -> str:
    """One run: topics down, measures across. Several: topics and measures down, runs across."""
    measures = list(results[0].columns)
    if len(results) == 1:
        result = results[0]
        rows = [
            [result.queries[row], *(_cell(result, measure, row, digits) for measure in measures)]
            for row in np.flatnonzero(result.listed).tolist()
        ]
        return render(["topic", *(_label(result, measure) for measure in measures)], rows)
    places = [{query: row for row, query in enumerate(r.queries) if r.listed[row]} for r in results]
    topics = sorted({query for place in places for query in place}, key=encode)
    rows = [
        [topic, _label(results[0], measure)]
        + [_cell(r, measure, place.get(topic), digits) for r, place in zip(results, places, strict=True)]
        for topic in topics
        for measure in measures
    ]
    return render(["topic", "measure", *(result.name for result in results)], rows, left=2)


def _cell(result: RunEvaluation, measure: Measure, row: int | None, digits: int) -> str:
    if row is None:
        return "-"
    value = result.columns[measure][row]
    return value if isinstance(value, str) else _number(float(value), measure, digits)


def _highest(cells: list[str]) -> str:
    """The highest of some numbers as they are shown, so that what looks the same is the same."""
    return max(cells, key=float)


def _summary(results: list[RunEvaluation], digits: int) -> str:
    measures = [m for m, values in results[0].columns.items() if not isinstance(values, list)]
    cells = [[_number(r.mean[str(m)], m, digits) for r in results] for m in measures]
    best = {
        (row, at)
        for row, measure in enumerate(measures)
        for at in range(len(results))
        if measure.definition.more_is_better and cells[row][at] == _highest(cells[row]) and len(set(cells[row])) > 1
    }
    labels = [_label(results[0], measure) for measure in measures]
    if len(results) <= MOST_RUNS_SIDE_BY_SIDE:
        header = ["measure", *(result.name for result in results)]
        table = [[label, *row] for label, row in zip(labels, cells, strict=True)]
        return render(header, table, bold={(row, at + 1) for row, at in best})
    table = [[result.name, *(row[at] for row in cells)] for at, result in enumerate(results)]
    return render(["run", *labels], table, bold={(at, row + 1) for row, at in best})
