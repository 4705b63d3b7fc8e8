"""`cranfield explain`."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from cranfield.cli.completion import FILE, complete_measure
from cranfield.cli.evaluator_options import EvaluatorOptions, options_for_one_value
from cranfield.cli.options import digits_option, formats_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.runs_to_evaluate import split_option, to_evaluate
from cranfield.cli.tables import in_bold, render, wrapped, write_lines
from cranfield.errors import UsageError
from cranfield.evaluation.explaining.explain import explain
from cranfield.evaluation.explaining.explanation import ExplainedDifference, Explanation
from cranfield.evaluation.explaining.explanation_layout import shown_documents
from cranfield.evaluation.explaining.explanation_text import layout as blocks_of
from cranfield.evaluation.explaining.explanation_text import text_lines
from cranfield.evaluation.explaining.layout_parts import Grid, Line


@click.command(
    "explain",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield explain nDCG@10 qrels.txt bm25.run --query 301",
)
@click.argument("measure", shell_complete=complete_measure)
@click.argument("qrels", required=False, metavar="[QRELS]", type=FILE)
@click.argument("run", required=False, metavar="[RUN]", type=FILE)
@click.option("--query", required=True, metavar="ID", help="The topic whose value is explained.")
@click.option("--against", type=FILE, metavar="RUN", help="Show which documents make the difference to this run.")
@click.option(
    "--swap",
    "swaps",
    nargs=2,
    type=int,
    multiple=True,
    metavar="RANK RANK",
    help="Exchange the documents at two ranks, to see what would change; may be repeated.",
)
@click.option(
    "--judge",
    "judgments",
    multiple=True,
    metavar="DOC=GRADE",
    help="Give a document, retrieved or judged, another grade, to see what would change; may be repeated. "
    "A negative grade: not judged.",
)
@click.option(
    "--rows",
    metavar="N",
    help="Show the first N ranks, or all. Default: the first 10, and of those below the 40 that count most; tsv all.",
)
@split_option
@options_for_one_value
@formats_option
@digits_option
def command(
    measure: str,
    qrels: str | None,
    run: str | None,
    query: str,
    against: str | None,
    swaps: tuple[tuple[int, int], ...],
    judgments: tuple[str, ...],
    rows: str | None,
    split: str | None,
    options: EvaluatorOptions,
    layout: str | None,
    digits: int,
) -> None:
    """Show the arithmetic behind the value of one topic.

    The table has a line for each document, with the columns that the formula of the measure uses and what the document
    adds to the value; below it are the ideal list, if there is one, and the steps to the value. Of a large run only
    the lines of the topic are looked at.

    In a workspace the judgments need not be given, the name of a system stands for its run, and without one it is the
    first system: `cranfield explain AP bm25 --query 301`.

    tsv has the table alone, json everything.
    """
    chosen = layout or ("table" if sys.stdout.isatty() else "tsv")
    shown = _rows(rows)
    if os.path.isfile(measure):
        raise UsageError(f"the measure comes first: cranfield explain MEASURE QRELS RUN; {measure} is a file")
    grades = _judgments(judgments)
    (one,) = options.sized_all([measure]) if options.documents is not None else (measure,)
    asked = to_evaluate(qrels, [] if run is None else [run], [], most=1, split=split)
    asked.check_topics(query)
    asked = asked if against is None else asked.beside(against)
    explained, *other = asked.scored()
    with showing_progress():
        found: Explanation | ExplainedDifference = explain(
            asked.qrels,
            explained,
            one,
            query,
            against=other[0] if other else None,
            swap=swaps,
            judge=grades,
            **options.keywords,
        )
    asked.looked([found.measure], [query])
    if chosen == "json":
        click.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=True))
    elif chosen == "tsv":
        for block in blocks_of(found, digits=digits):
            if isinstance(block, Line) and block.kind in ("title", "note"):
                click.echo(f"cranfield: {block.text}", err=True)
        write_lines(_tsv(found, "all" if shown is None else shown))
    else:
        write_lines(_table(found, digits, shown))


def _rows(text: str | None) -> int | str | None:
    if text is None or text == "all":
        return text
    if not text.isdecimal():
        raise UsageError(f"--rows: expected a number of ranks or all, found {text!r}")
    return int(text)


def _judgments(texts: Iterable[str]) -> dict[str, float]:
    grades: dict[str, float] = {}
    for document, grade in map(_judgment, texts):
        if document in grades:
            raise UsageError(f"--judge: {document} is given two grades, {grades[document]:g} and {grade:g}; give one")
        grades[document] = grade
    return grades


def _judgment(text: str) -> tuple[str, float]:
    document, _, grade = text.rpartition("=")
    try:
        number = float(grade)
    except ValueError:
        number = math.nan
    if not document or not math.isfinite(number):
        raise UsageError(f"--judge: expected DOC=GRADE, a document and a number such as d9=2, found {text!r}")
    return document, number


# For people


def _table(found: Explanation | ExplainedDifference, digits: int, rows: int | str | None) -> Iterator[str]:
    yield from text_lines(blocks_of(found, digits=digits, rows=rows), _line, _grid)


def _line(line: Line) -> Iterable[str]:
    if line.kind == "formula":
        return [f"    {line.text}"]
    return map(in_bold, wrapped(line.text)) if line.kind == "title" else wrapped(line.text)


def _grid(grid: Grid) -> Iterable[str]:
    return [render(grid.header, grid.rows, left=grid.left)]


# For programs


def _tsv(found: Explanation | ExplainedDifference, rows: int | str) -> Iterator[str]:
    """The table of documents, with all digits."""
    if isinstance(found, ExplainedDifference):
        yield from _tsv_of_difference(found, rows)
        return
    last = {"sum": ["share"], "rank": ["adds", "without"], "": []}[found.shares]
    yield "\t".join(["rank", "document", "grade", "tied", *found.columns, *last])
    shown = shown_documents(found, 0, rows)
    more = 0.0
    for row in found.rows:
        if row.document not in shown:
            more += row.share or 0.0
            continue
        cells = [row.cells.get(column) for column in found.columns]
        ends = [row.share, row.without][: len(last)]
        yield "\t".join(map(_cell, (row.rank, row.document, row.grade, int(row.tied), *cells, *ends)))
    if last:
        sums = {"more": more + found.others, "rest": found.rest}
        for name, value in sums.items():
            if value:
                blank = [""] * (2 + len(found.columns))
                yield "\t".join(["", name, *blank, _cell(value), *[""] * (len(last) - 1)])


def _tsv_of_difference(found: ExplainedDifference, rows: int | str) -> Iterator[str]:
    adds = "share" if found.run.shares == "sum" else "adds"
    yield "\t".join(["document", "grade", "difference", "rank", "against_rank", adds, f"against_{adds}"])
    documents = found.documents
    shown = len(documents) if rows == "all" else int(rows)
    for one in documents[:shown]:
        cells = (one.document, one.grade, one.difference, one.rank, one.against_rank, one.share, one.against_share)
        yield "\t".join(map(_cell, cells))
    for name, value in (("more", math.fsum(one.difference for one in documents[shown:])), ("rest", found.rest)):
        if value:
            yield "\t".join([name, "", _cell(value), *[""] * 4])


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return "" if value is None else str(value)
