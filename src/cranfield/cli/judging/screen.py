"""What is on the screen while one judges: rows of text, for a window of any size.

A row is made of pieces, each a text and how it looks. Only here do they become what a terminal is sent, and every text
is made safe on the way.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from cranfield.cli.judging.safe_text import clip, one_line, safe, width, wrap
from cranfield.data.scale import Scale
from cranfield.pooling.judging_session import Progress

SMALLEST = (40, 14)
"""Columns and rows without which there is no judging."""

_LEAST_PAGE = 4
"""Lines of the document for which definitions make room."""

PLAIN, BOLD, DIM, BAR, MARK = "", "1", "2", "7", "1;4"
_COLOURED_MARK = "1;4;33"

Piece = tuple[str, str]
"""A text, and how it looks."""
Row = list[Piece]


@dataclass(frozen=True)
class View:
    """All that a screen shows; nothing of systems or ranks."""

    scale: Scale
    topic: str
    title: str
    need: Sequence[str]
    """What the topic says beyond its title."""
    document: str
    paragraphs: Sequence[Piece]
    """What the document says."""
    here: Progress
    all: Progress
    number: int
    """Of the topic, among those of the pool."""
    topics: int
    said: str = ""
    """What the assessor has said of the document before."""
    message: str = ""
    prompt: str = ""
    """What is asked for in a line of text; empty while there is nothing."""
    typed: str = ""
    first: int = 0
    """The first line of the document that is to be seen."""
    wide: bool = False
    """Whether the document has the room that the topic and the definitions have otherwise."""
    words: re.Pattern[str] | None = None
    lines: dict[int, list[Row]] = field(default_factory=dict)
    """The lines of the document by the width that they were made for."""

    def document_lines(self, columns: int) -> list[Row]:
        if columns not in self.lines:
            self.lines[columns] = [
                _marked(line, style, self.words)
                for text, style in self.paragraphs
                for line in wrap(safe(text), columns)
            ]
        return self.lines[columns]


@dataclass(frozen=True)
class Screen:
    """The rows of a window, and how the document is divided over it."""

    rows: list[Row]
    page: int
    """How many lines of the document there is room for."""
    last: int
    """The first line to be seen when the end of the document is."""


def draw(view: View, columns: int, rows: int, *, rule: str = "─") -> Screen:
    """The screen of a document that is being judged."""
    if columns < SMALLEST[0] or rows < SMALLEST[1]:
        return _too_small(columns, rows)
    above = [_bar(view, columns), *_topic(view, columns, max(2, rows // 5))]
    below = [*_grades(view, columns), _status(view, columns), _help_line(view, columns)]
    page = rows - len(above) - len(below) - 2
    if page < _LEAST_PAGE and not view.wide:
        return draw(replace(view, wide=True), columns, rows, rule=rule)
    lines = view.document_lines(columns)
    last = max(0, len(lines) - page)
    first = min(max(view.first, 0), last)
    shown = [*lines[first : first + page], *([[]] * page)][:page]
    heading = _between(rule, columns, f" {one_line(view.document)} ", _position(first, page, len(lines)))
    return Screen([*above, heading, *shown, [(rule * columns, DIM)], *below], page, last)


def draw_text(title: str, text: str, foot: str, first: int, columns: int, rows: int) -> Screen:
    """A text that is read and left again: help, a guideline, a topic."""
    if columns < SMALLEST[0] or rows < SMALLEST[1]:
        return _too_small(columns, rows)
    lines = wrap(safe(text), columns)
    page = rows - 2
    last = max(0, len(lines) - page)
    first = min(max(first, 0), last)
    shown: list[Row] = [[(line, BOLD if line.startswith("#") else PLAIN)] for line in lines[first : first + page]]
    more = "space: more   " if first < last else ""
    head, tail = ([(_filled(f" {each}", columns), BAR)] for each in (title, f"{more}{foot}"))
    return Screen([head, *shown, *([[]] * (page - len(shown))), tail], page, last)


def to_terminal(rows: Sequence[Row]) -> Iterator[str]:
    """Rows as a terminal is sent them."""
    colours = not os.environ.get("NO_COLOR")
    for row in rows:
        pieces = []
        for text, style in row:
            code = _COLOURED_MARK if style == MARK and colours else style
            pieces.append(f"\x1b[0;{code}m{one_row(text)}\x1b[0m" if code else one_row(text))
        yield "".join(pieces)


def one_row(text: str) -> str:
    """A text that stays in its row, whatever it is."""
    return safe(text).replace("\n", " ")


def _bar(view: View, columns: int) -> Row:
    left = f" topic {one_line(view.topic)} ({view.number} of {view.topics})"
    here, everything = view.here, view.all
    right = f"{here.done} of {here.total} done here, {everything.done:,} of {everything.total:,} in all "
    if width(left) + width(right) + 2 > columns:
        right = f"{here.done}/{here.total}  {everything.done}/{everything.total} "
    left = clip(left, columns - width(right) - 1)
    return [(left + " " * (columns - width(left) - width(right)) + right, BAR)]


def _topic(view: View, columns: int, room: int) -> Iterator[Row]:
    yield [(clip(one_line(view.title), columns), BOLD)]
    if view.wide:
        return
    lines = [line for text in view.need for line in wrap(one_line(text), columns)]
    for number, line in enumerate(lines[:room], 1):
        yield [(_cut(line, columns) if number == room < len(lines) else line, PLAIN)]


def _cut(line: str, columns: int) -> str:
    """The last line there is room for, of a topic that says more."""
    ending = " … (t: all)"
    return clip(line, columns - width(ending)).removesuffix("…").rstrip() + ending


def _grades(view: View, columns: int) -> Iterator[Row]:
    grades = view.scale.grades
    if view.wide:
        names = "   ".join(f"{grade.key} {one_line(grade.name)}" for grade in grades)
        yield from ([(line, BOLD)] for line in wrap(names, columns)[:2])
        return
    room = min(max(width(one_line(grade.name)) for grade in grades), columns // 3)
    for grade in grades:
        name = clip(one_line(grade.name), room)
        begin = f" {grade.key}  {name}{' ' * (room - width(name))}  "
        yield [(begin, BOLD), (clip(one_line(grade.definition), columns - width(begin)), PLAIN)]


def _status(view: View, columns: int) -> Row:
    if view.prompt:
        label, typed = clip(view.prompt, columns * 2 // 3), safe(view.typed)
        while width(typed) > columns - width(label) - 2:  # its end is what one is typing
            typed = typed[1:]
        return [(f"{label} ", BOLD), (typed, PLAIN), (" ", BAR)]
    return [(clip(one_line(view.message or view.said), columns), PLAIN if view.message else BOLD)]


def _help_line(view: View, columns: int) -> Row:
    keys = "s skip  u unsure  n note  z undo  b back  space page  / words  ? help  q quit"
    if view.prompt:
        keys = "enter: done   escape: leave it"
    if width(keys) + 1 > columns:
        keys = "s u n z b space / ?:help q:quit"
    return [(_filled(f" {keys}", columns), BAR)]


def _between(rule: str, columns: int, left: str, right: str) -> Row:
    """A rule with something at both ends."""
    left = clip(left, columns - width(right) - 5)
    middle = rule * max(0, columns - width(left) - width(right) - 4)
    return [(rule * 2, DIM), (left, BOLD), (middle, DIM), (right, PLAIN), (rule * 2, DIM)]


def _position(first: int, page: int, lines: int) -> str:
    if lines <= page:
        return f" {lines} {'line' if lines == 1 else 'lines'}, all "
    ending = ", end" if first + page >= lines else ", space: more"
    return f" lines {first + 1}-{min(first + page, lines)} of {lines}{ending} "


def _marked(line: str, style: str, words: re.Pattern[str] | None) -> Row:
    """A line with the words that are looked for standing out."""
    if words is None:
        return [(line, style)]
    pieces: Row = []
    end = 0
    for found in words.finditer(line):
        pieces += [(line[end : found.start()], style), (found[0], MARK)]
        end = found.end()
    return [piece for piece in [*pieces, (line[end:], style)] if piece[0]]


def _filled(text: str, columns: int) -> str:
    shown = clip(text, columns)
    return shown + " " * (columns - width(shown))


def _too_small(columns: int, rows: int) -> Screen:
    words = f"the window is too small: {SMALLEST[0]} columns and {SMALLEST[1]} rows at least; q quits"
    shown: list[Row] = [[(line, PLAIN)] for line in wrap(words, max(columns, 1))[:rows]]
    return Screen([*shown, *([[]] * (rows - len(shown)))], 1, 0)
