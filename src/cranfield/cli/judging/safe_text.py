"""Text that a terminal can show: nothing in it moves the cursor, and what it measures is what it takes.

Documents hold anything. A control character or an escape sequence in one must not reach the terminal, where it could
hide text, write elsewhere or answer in place of the assessor; marks that turn the direction of writing, or the width of
the character before them, would spoil the lines.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import chain

TAB = 4

_LINE_ENDS = str.maketrans({"\r": "\n", "\v": "\n", "\f": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"})
_PICTURES = 0x2400
"""Where the pictures of the first control characters begin: ESC is shown as one small letter."""
_DROPPED = frozenset("\ufe0e\ufe0f\u00ad\ufeff")
"""Marks that have no width themselves and change that of others, or are seen only at ends of lines."""


def safe(text: str) -> str:
    """A text without anything that is no character to be seen; ends of lines stay, all of one kind.

    >>> safe("a\\x1b[31mred\\x07\\r\\nend\\u202e")
    'a␛[31mred␇\\nend'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text.replace("\r\n", "\n").translate(_LINE_ENDS).expandtabs(TAB)))


def one_line(text: str) -> str:
    """A text without anything that is no character to be seen, in one line.

    >>> one_line("two\\n  lines")
    'two lines'
    """
    return _based(" ".join(safe(text).split()))


@lru_cache(maxsize=4096)
def _shown(character: str) -> str:
    """What stands for a character on the screen."""
    category = unicodedata.category(character)
    if category == "Zs":  # of any width
        return " "
    if character == "\n" or not (category[0] == "C" or character in _DROPPED):
        return character
    if category == "Cc":
        return chr(_PICTURES + ord(character)) if ord(character) < 0x20 else "\N{REPLACEMENT CHARACTER}"
    # Marks of direction and joiners are left out; half a pair, and what no standard has, is shown as such.
    return "" if category == "Cf" or character in _DROPPED else "\N{REPLACEMENT CHARACTER}"


def width(text: str) -> int:
    """How many columns a text takes.

    >>> width("soup"), width("スープ"), width("e\\u0301")
    (4, 6, 1)
    """
    return len(text) if text.isascii() else sum(map(_columns, text))


@lru_cache(maxsize=4096)
def _columns(character: str) -> int:
    """Of one character; where terminals differ, as many as any of them takes."""
    if unicodedata.category(character) in ("Mn", "Me") or "\u1160" <= character <= "\u11ff":  # vowels join in Korean
        return 0
    flag = "\U0001f1e6" <= character <= "\U0001f1ff"
    return 2 if flag or unicodedata.east_asian_width(character) in "WF" else 1


def clip(text: str, columns: int) -> str:
    """As much of a line as has room, with an ellipsis where something is left out.

    >>> clip("a long line", 7), clip("スープ", 5)
    ('a long…', 'スー…')
    """
    if width(text) <= columns:
        return text
    room, kept = columns - 1, []
    for character in text:
        room -= _columns(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept) + "…" if columns > 0 else ""


def wrap(text: str, columns: int) -> list[str]:
    """The lines of a safe text, none wider than there are columns; broken at spaces where there are any.

    >>> wrap("one two three\\n  indented", 7)
    ['one two', 'three', '  inden', 'ted']
    """
    return [piece for line in text.split("\n") for piece in _wrap_line(_based(line.rstrip()), columns)]


def _wrap_line(line: str, columns: int) -> list[str]:
    pieces, begin, end, used, space = [], 0, 0, 0, -1
    indent = len(line) - len(line.lstrip(" "))
    while end < len(line):
        used += _columns(line[end])
        if used > columns and end > begin:
            cut = end if line[end] == " " or space <= begin else space
            pieces.append(line[begin:cut].rstrip(" "))
            while cut < len(line) and line[cut] == " ":
                cut += 1
            begin, end, used, space = cut, cut, 0, -1
            continue
        if line[end] == " " and end >= indent:
            space = end
        end += 1
    if begin < len(line) or not pieces:
        pieces.append(line[begin:])
    return pieces


def _based(line: str) -> str:
    """A line in which every word begins with a character of its own, and not with a mark on what is before it."""
    if line.isascii():
        return line
    before = chain(" ", line)
    return "".join(
        f"\N{DOTTED CIRCLE}{each}" if previous == " " and _columns(each) == 0 else each
        for previous, each in zip(before, line, strict=False)
    )
