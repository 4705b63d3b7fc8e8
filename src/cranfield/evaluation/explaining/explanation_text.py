"""An explanation as plain text, and as a piece of HTML for notebooks."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Sequence

from cranfield.evaluation.explaining.difference_layout import layout_of_difference
from cranfield.evaluation.explaining.explanation import ExplainedDifference, Explanation
from cranfield.evaluation.explaining.explanation_layout import layout_of_one
from cranfield.evaluation.explaining.layout_parts import Block, Grid, Line


def layout(thing: Explanation | ExplainedDifference, *, digits: int = 4, rows: int | str | None = None) -> list[Block]:
    """The parts of an explanation from top to bottom, for the terminal, for Python and for a notebook alike.

    `rows` says how many ranks are shown: a number, `all`, or, if nothing is said, the first ten and of those below the
    forty that count most.
    """
    if isinstance(thing, ExplainedDifference):
        return list(layout_of_difference(thing, digits, rows))
    return list(layout_of_one(thing, digits, rows))


def plain_text(thing: Explanation | ExplainedDifference) -> str:
    """The explanation as it is printed in Python."""
    return "\n".join(text_lines(layout(thing), _line, aligned))


def text_lines(
    blocks: Iterable[Block], line: Callable[[Line], Iterable[str]], grid: Callable[[Grid], Iterable[str]]
) -> Iterator[str]:
    """Blocks one below the other, drawn by these functions; steps stand together, and so do notes."""
    before = None
    for block in blocks:
        kind = block.kind if isinstance(block, Line) else "table"
        if before is not None and (before, kind) not in _TOGETHER:
            yield ""
        before = kind
        if isinstance(block, Line):
            yield from line(block)
        else:
            yield from filter(None, [block.title])
            yield from grid(block)


_TOGETHER = {
    ("symbols", "symbols"),
    ("step", "step"),
    ("legend", "legend"),
    ("legend", "note"),
    ("note", "note"),
    ("title", ""),
}


def _line(line: Line) -> list[str]:
    return [f"    {line.text}" if line.kind == "formula" else line.text]


def aligned(grid: Grid) -> Iterator[str]:
    """The rows of a table in columns."""
    rows: list[Sequence[str]] = [grid.header, *grid.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.ljust(width) if at < grid.left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def page(thing: Explanation | ExplainedDifference) -> str:
    """The explanation in HTML; it takes its colours from where it is shown."""
    return "".join(_html_table(block) if isinstance(block, Grid) else _html_line(block) for block in layout(thing))


def _html_line(line: Line) -> str:
    tag = {"title": "strong", "formula": "code", "legend": "small", "note": "small"}.get(line.kind, "span")
    return f'<div style="margin:0.2em 0"><{tag}>{html.escape(line.text)}</{tag}></div>'


def _html_table(grid: Grid) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        sides = ["left" if at < grid.left else "right" for at in range(len(cells))]
        inside = zip(sides, map(html.escape, cells), strict=True)
        return "".join(f'<{tag} style="text-align:{side}">{cell}</{tag}>' for side, cell in inside)

    head = line(grid.header, "th")
    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in grid.rows)
    caption = f"<div>{html.escape(grid.title)}</div>" if grid.title else ""
    return f"{caption}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
