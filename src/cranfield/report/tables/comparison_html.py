"""Comparisons as an HTML table, to be put in a page."""

from __future__ import annotations

import html
from collections.abc import Iterator

from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.report.tables.comparison_cells import best_means, columns


def html_table(comparison: Comparison, *, digits: int) -> Iterator[str]:
    """A table with a group of rows for each measure, the best means in bold, and a caption that explains the marks."""
    found, best = columns(comparison, digits), best_means(comparison, digits)

    def mean(row: Compared, value: float) -> str:
        text = f"{value:.{digits}f}"
        return f"<strong>{text}</strong>" if text == best.get(row.measure) else text

    yield "<table>"
    yield f"<caption>{_caption(comparison, in_bold=bool(best))}</caption>"
    heads = "".join(f'<th scope="col">{escape(column.header)}</th>' for column in found)
    yield f'<thead><tr><th scope="col">run</th><th scope="col">mean</th>{heads}</tr></thead>'
    for measure in comparison.measures:
        yield f'<tbody><tr><th scope="rowgroup" colspan="{len(found) + 2}">{escape(str(measure))}</th></tr>'
        shown: set[tuple[str, float]] = set()
        for row in (row for row in comparison.rows if row.measure == measure):
            if (row.baseline, row.baseline_mean) not in shown:
                shown.add((row.baseline, row.baseline_mean))
                shown_mean, empty = mean(row, row.baseline_mean), "<td></td>" * len(found)
                yield f'<tr><th scope="row">{escape(row.baseline)}</th><td>{shown_mean}</td>{empty}</tr>'
            star = "*" if row.significant else ""
            cells = "".join(
                f"<td>{escape(column.cell(row))}{star if column.kind == 'difference' else ''}</td>" for column in found
            )
            yield f'<tr><th scope="row">{escape(row.run)}</th><td>{mean(row, row.mean)}</td>{cells}</tr>'
        yield "</tbody>"
    yield "</table>"


def _caption(comparison: Comparison, *, in_bold: bool) -> str:
    topics = sorted({len(row.topics) for row in comparison.rows})
    number = str(topics[0]) if len(topics) == 1 else f"{topics[0]} to {topics[-1]}"
    words = [f"Means over {number} topic{'s' * (topics[-1] != 1)}, and differences to the run above."]
    if comparison.first_test is not None:
        words.append(f"{comparison.family_sentence} ({comparison.first_test.test}).")
        words.append("*: significant.")
    if in_bold:
        words.append("Bold: the best mean.")
    return escape(" ".join(words))


def escape(text: str) -> str:
    """Text in which nothing is a mark.

    >>> escape('<b>"a" & b</b>')
    '&lt;b&gt;&quot;a&quot; &amp; b&lt;/b&gt;'
    """
    return html.escape(text)
