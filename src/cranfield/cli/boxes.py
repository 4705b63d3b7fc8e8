"""Matrices drawn with lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cranfield.evaluation.confusion_matrix import Count, Matrix, Rate

ACTUAL_ROWS, ACTUAL_COLUMNS = "actual-rows", "actual-columns"
LAYOUTS = (ACTUAL_ROWS, ACTUAL_COLUMNS)
_LONGEST_LABEL = 24

Cell = Sequence[str]
"""The lines of a cell."""


def boxed(rows: Sequence[Sequence[Cell]]) -> list[str]:
    """Rows of cells with lines between them; the first column is flush left, the others flush right.

    >>> print("\\n".join(boxed([[[""], ["no"]], [["yes"], ["7", "70%"]]])))
    ┌─────┬─────┐
    │     │  no │
    ├─────┼─────┤
    │ yes │   7 │
    │     │ 70% │
    └─────┴─────┘
    """
    widths = [max(len(line) for cell in column for line in cell) for column in zip(*rows, strict=True)]

    def rule(left: str, middle: str, right: str) -> str:
        return left + middle.join("─" * (width + 2) for width in widths) + right

    def lines(row: Sequence[Cell]) -> Iterator[str]:
        for number in range(max(map(len, row))):
            texts = [cell[number] if number < len(cell) else "" for cell in row]
            first, *others = (text.rjust(width) for text, width in zip(texts, widths, strict=True))
            yield f"│ {' │ '.join([first.lstrip().ljust(widths[0]), *others])} │"

    drawn = [rule("┌", "┬", "┐")]
    for number, row in enumerate(rows):
        if number:
            drawn.append(rule("├", "┼", "┤"))
        drawn += lines(row)
    return [*drawn, rule("└", "┴", "┘")]


def drawn(matrix: Matrix, layout: str, room: int, marks: Sequence[Sequence[str]] = ()) -> list[str]:
    """A matrix with counts and totals, the actual classes in rows or in columns.

    With enough room it has lines and shares of the actual class, and `marks` stand before the counts, in the order of
    the matrix. With less, a matrix without marks has numbers for the names of its columns, and with too little for that
    it is not drawn.
    """
    down, across, counts, shares = matrix.actual, matrix.predicted, matrix.counts, matrix.shares
    corner = "actual \\ predicted"
    if layout == ACTUAL_COLUMNS:
        down, across, counts = across, down, matrix.transposed.counts
        shares, marks = tuple(zip(*shares, strict=True)), tuple(zip(*marks, strict=True))
        corner = "predicted \\ actual"
    down, across = tuple(map(_short, down)), tuple(map(_short, across))
    totals = [*map(_total, counts), _total(sum(counts, ()))]
    last = ["total", *map(_total, zip(*counts, strict=True)), totals[-1]]
    whole: list[list[Cell]] = [[[corner], *([label] for label in across), ["total"]]]
    for at, row in enumerate(counts):
        texts = [f"{mark} {_shown(n)}" for mark, n in zip(marks[at], row, strict=True)] if marks else map(_shown, row)
        cells = [[text, _percent(share)] for text, share in zip(texts, shares[at], strict=True)]
        whole.append([[down[at]], *cells, [totals[at]]])
    lines = boxed([*whole, [[text] for text in last]])
    if len(lines[0]) > room and not marks:
        numbered = [
            [f"{at + 1} {down[at]}", *("." if n == 0 else _shown(n) for n in row), totals[at]]
            for at, row in enumerate(counts)
        ]
        lines = _aligned([[corner, *map(str, range(1, len(across) + 1)), "total"], *numbered, last])
    return lines if len(lines[0]) <= room or marks else []


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells with one space between them."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        " ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


def _shown(count: Count) -> str:
    return "?" if count is None else str(count)


def _percent(share: Rate) -> str:
    """A share with one place; what is not quite nothing or not quite all does not look so."""
    if share is None:
        return ""
    if 0 < share < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= share < 1 else f"{share:.1%}"


def _total(counts: Sequence[Count]) -> str:
    known = [count for count in counts if count is not None]
    return str(sum(known)) if len(known) == len(counts) else "?"
