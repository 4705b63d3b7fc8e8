"""Plain tables for people."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence, Set

import click

from cranfield.data.strings import encode

_GAP = "  "


def terminal_width(unknown: int = 100) -> int:
    """How many columns a line may have."""
    import shutil

    return shutil.get_terminal_size((unknown, 24)).columns


def wrapped(text: str, indent: str = "") -> list[str]:
    """Lines that fit in the terminal; `p = .05` stays together."""
    together = re.sub(r"\bp ([=<]) ", "p\u00a0\\1\u00a0", text)
    lines = textwrap.wrap(
        together,
        terminal_width(),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\u00a0", " ") for line in lines]


def in_bold(text: str) -> str:
    """The text in bold type, in a terminal that has it."""
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else click.style(text, bold=True)


def render(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: int = 1,
    bold: Set[tuple[int, int]] = frozenset(),
) -> str:
    """Columns under their headers; the first `left` columns are flush left, the others flush right.

    `bold` names cells (row, column) that stand out in a terminal. A table that is too wide for the terminal comes in
    blocks, one below the other, each with the first `left` columns.

    >>> print(render(["run", "AP"], [["bm25", "0.25"]]))
    run     AP
    bm25  0.25
    """
    widths = [max(len(row[at]) for row in [header, *rows]) for at in range(len(header))]

    def line(cells: Sequence[str], number: int, block: Sequence[int]) -> str:
        padded = []
        for at in block:
            text = cells[at].ljust(widths[at]) if at < left else cells[at].rjust(widths[at])
            padded.append(in_bold(text) if (number, at) in bold else text)
        return _GAP.join(padded).rstrip()

    room = terminal_width(unknown=sys.maxsize) if sys.stdout.isatty() else sys.maxsize
    return "\n\n".join(
        "\n".join([line(header, -1, block), *(line(row, number, block) for number, row in enumerate(rows))])
        for block in split(widths, left, room)
    )


def split(widths: Sequence[int], left: int, room: int) -> list[list[int]]:
    """Which columns stand side by side where a line has so much room: the first `left`, and as many more as fit.

    >>> split([5, 6, 6, 6], 1, room=21)
    [[0, 1, 2], [0, 3]]

    The last column does not stand alone, if the block before it can spare one for which there is room.

    >>> split([5, 6, 6, 6, 6], 1, room=29)
    [[0, 1, 2], [0, 3, 4]]
    """

    def fits(block: Sequence[int]) -> bool:
        return sum(widths[one] for one in block) + len(_GAP) * (len(block) - 1) <= room

    first = list(range(left))
    blocks = [first]
    for at in range(left, len(widths)):
        block = [*blocks[-1], at]
        if fits(block) or blocks[-1] == first:
            blocks[-1] = block
        else:
            blocks.append([*first, at])
    if len(blocks) > 1 and len(blocks[-1]) == left + 1 and len(blocks[-2]) > left + 2:
        fuller = [*first, blocks[-2][-1], *blocks[-1][left:]]
        if fits(fuller):
            blocks[-2].pop()
            blocks[-1] = fuller
    return blocks


def write_lines(lines: Iterable[str]) -> None:
    """Write to standard output. Identifiers may hold any bytes, so bytes it is."""
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
