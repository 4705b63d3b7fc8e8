r"""Cells of CSV that a spreadsheet would take for a formula, and carry out when the file is opened.

A cell that begins with `=`, `+`, `-`, `@` (or their full-width forms), a tab or a line end is written with a space
before it, as Quepid does; one that begins with spaces and then one of these gets one more, so that taking one away
gives back what there was.
"""

from __future__ import annotations

import re

_SIGNS = r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
_FORMULA, _ESCAPED = re.compile(f" *{_SIGNS}"), re.compile(f" +{_SIGNS}")


def escaped(cell: str) -> str:
    """A text as a cell that no spreadsheet takes for a formula.

    >>> escaped("=HYPERLINK(1)"), escaped("-7"), escaped("soup"), escaped(" =1")
    (' =HYPERLINK(1)', ' -7', 'soup', '  =1')
    """
    return f" {cell}" if _FORMULA.match(cell) else cell


def unescaped(cell: str) -> str:
    """The text that became such a cell.

    >>> unescaped(" -7"), unescaped("-7"), unescaped(" soup")
    ('-7', '-7', ' soup')
    """
    return cell[1:] if _ESCAPED.match(cell) else cell
