"""The table of results as Markdown, LaTeX, CSV and HTML."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from cranfield.report.tables import comparison_html, comparison_latex, comparison_markdown
from cranfield.report.tables.comparison_records import comma_separated
from cranfield.report.tables.results import BETTER, NEITHER, WORSE, ResultCell, ResultsTable

_MARKS = {BETTER: "▲", WORSE: "▼", NEITHER: ""}
_LATEX_MARKS = {BETTER: r"$^{\uparrow}$", WORSE: r"$^{\downarrow}$", NEITHER: ""}


def markdown(table: ResultsTable) -> Iterator[str]:
    """A table for a pull request or a readme."""

    def cell(one: ResultCell) -> str:
        return (f"**{one.shown}**" if one.best else one.shown) + _MARKS[one.mark]

    escape = comparison_markdown.escape
    yield f"| run | {' | '.join(escape(str(measure)) for measure in table.measures)} |"
    yield f"|---|{'---:|' * len(table.measures)}"
    for row in table.rows:
        yield f"| {escape(row.run)} | {' | '.join(map(cell, row.cells))} |"
    yield ""
    yield escape(_caption(table, _MARKS))


def latex(table: ResultsTable) -> Iterator[str]:
    """A table for a paper, with the rules of booktabs."""

    def cell(one: ResultCell) -> str:
        return (rf"\textbf{{{one.shown}}}" if one.best else one.shown) + _LATEX_MARKS[one.mark]

    escape = comparison_latex.escape
    yield r"% \usepackage{booktabs}"
    yield from comparison_latex.opening(_caption(table, _LATEX_MARKS, escape))
    yield rf"\begin{{tabular}}{{l{'r' * len(table.measures)}}}"
    yield r"\toprule"
    yield " & ".join(["run", *(escape(str(measure)) for measure in table.measures)]) + r" \\"
    yield r"\midrule"
    for row in table.rows:
        yield " & ".join([escape(row.run), *map(cell, row.cells)]) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{table}"


def html(table: ResultsTable) -> Iterator[str]:
    """A table to be put in a page."""

    def cell(one: ResultCell) -> str:
        return (f"<strong>{one.shown}</strong>" if one.best else one.shown) + _MARKS[one.mark]

    escape = comparison_html.escape
    yield "<table>"
    yield f"<caption>{escape(_caption(table, _MARKS))}</caption>"
    heads = "".join(f'<th scope="col">{escape(str(measure))}</th>' for measure in table.measures)
    yield f'<thead><tr><th scope="col">run</th>{heads}</tr></thead>'
    yield "<tbody>"
    for row in table.rows:
        cells = "".join(f"<td>{cell(one)}</td>" for one in row.cells)
        yield f'<tr><th scope="row">{escape(row.run)}</th>{cells}</tr>'
    yield "</tbody>"
    yield "</table>"


def csv(table: ResultsTable) -> Iterator[str]:
    """A line for each run and measure, every number in full."""

    def rows() -> Iterator[list[str]]:
        yield ["run", "measure", "mean", "lower", "upper", "adjusted_p", "mark"]
        for row in table.rows:
            for measure, cell in zip(table.measures, row.cells, strict=True):
                ends = (cell.interval.lower, cell.interval.upper) if cell.interval else (None, None)
                p = None if cell.p is None or math.isnan(cell.p) else cell.p
                texts = ["" if value is None else repr(value) for value in (cell.value, *ends, p)]
                yield [row.run, str(measure), *texts, cell.mark]

    return comma_separated(rows())


FORMATS: dict[str, Callable[[ResultsTable], Iterator[str]]] = {"md": markdown, "tex": latex, "csv": csv, "html": html}
"""By the ending of a file's name."""


def _caption(table: ResultsTable, marks: dict[str, str], escape: Callable[[str], str] = str) -> str:
    words = escape(f"Means over {table.topics}; the best of each measure in bold.")
    if table.test:
        baseline, test = escape(table.baseline), escape(table.test)
        words += f" {marks[BETTER]}, {marks[WORSE]}: significantly better, worse than {baseline} ({test})."
    return words
