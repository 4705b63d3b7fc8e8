"""Plain tables for people."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence, Set

import click


def render(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: int = 1,
    bold: Set[tuple[int, int]] = frozenset(),
) -> str:
    """Columns under their headers; the first `left` columns are flush left, the others flush right.

    `bold` names cells (row, column) that stand out in a terminal.

    >>> print(render(["run", "AP"], [["bm25", "0.25"]]))
    run     AP
    bm25  0.25
    """
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        bold = frozenset()
    widths = [max(len(row[at]) for row in [header, *rows]) for at in range(len(header))]

    def line(cells: Sequence[str], number: int) -> str:
        padded = []
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            text = cell.ljust(width) if at < left else cell.rjust(width)
            padded.append(click.style(text, bold=True) if (number, at) in bold else text)
        return "  ".join(padded).rstrip()

    return "\n".join([line(header, -1), *(line(row, number) for number, row in enumerate(rows))])
