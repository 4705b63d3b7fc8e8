"""Text files of lines with fields between white space, read in blocks of about a megabyte.

A block is split into columns with a few array operations; only when something in it is wrong are its lines
looked at one by one, to say which line and why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import WORD, Bools, Bytes, Codes, Ints, Strings, group_heads
from cranfield.errors import DataError, FormatError
from cranfield.formats.files import Source

BLOCK = 1 << 20
_NEWLINE, _TAB, _SPACE, _COMMENT = 10, 9, 32, 35

_JSON_OR_PARQUET = re.compile(rb"\s*[{\[]\s*[\"{}\[\]]|PAR1[^\s -~]")

LineCheck = Callable[[list[bytes]], str | None]
OnProblem = Callable[[str, int, str], None]
"""Told the kind of each problem, its line and the reason; raises, or remembers it so that reading goes on."""


class Layout(NamedTuple):
    """What the lines of a format look like."""

    names: tuple[str, ...]
    """The names of the fields, for messages."""
    check: LineCheck
    """What is wrong with the fields of a line, or None."""
    more: bool = False
    """Whether further fields may follow and are ignored."""

    def problem(self, fields: list[bytes]) -> str | None:
        """What is wrong with a line, or None."""
        if self.miscounts(fields):
            wanted = len(self.names)
            only_last = len(fields) == wanted - 1 and self.check([*fields, b"1"]) is None
            missing = f" Is the {self.names[-1]} missing?" if only_last else ""
            return f"expected {wanted} fields ({' '.join(self.names)}), found {len(fields)}.{missing}"
        return self.check(fields)

    def miscounts(self, fields: list[bytes]) -> bool:
        """Whether a line has too few fields or too many."""
        return len(fields) < len(self.names) or (len(fields) > len(self.names) and not self.more)

    def fits(self, head: bytes) -> bool:
        """Whether the first line of a file (comments and blank lines apart) looks like this."""
        if _JSON_OR_PARQUET.match(head):
            return False
        return next((self.problem(fields) is None for _, fields in iter_fields(head)), False)

    def fits_mostly(self, head: bytes) -> bool:
        """Whether more lines look like this than not."""
        good = [self.problem(fields) is None for _, fields in iter_fields(head)]
        return 2 * sum(good) > len(good)

    def counts(self, head: bytes) -> bool:
        """Whether the first line has the right number of fields at least."""
        return next((not self.miscounts(fields) for _, fields in iter_fields(head)), False)

    def first_problem(self, head: bytes) -> tuple[int, str]:
        """The first line that does not look like this, and why."""
        for line, fields in iter_fields(head):
            problem = self.problem(fields)
            if problem:
                return line, problem
        return 1, f"expected {len(self.names)} fields ({' '.join(self.names)}), found none."


def iter_fields(head: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """The fields of each line that is a record, with its number."""
    for number, line in enumerate(head.split(b"\n"), 1):
        fields = line.split()
        if fields and not fields[0].startswith(b"#"):
            yield number, fields


@dataclass(eq=False, repr=False)
class Block:
    """Some consecutive lines, split into columns."""

    columns: list[Strings]
    text: Bytes
    first_line: int
    heads: Ints | None = None
    """Where runs of lines with the same first field begin, if that was asked for."""
    last: bool = False
    """Whether the file ends here, so that nothing will overwrite the buffer."""

    def __len__(self) -> int:
        return len(self.columns[0])

    def line_of(self, row: int) -> int:
        """The number in the file of the line that became this row."""
        at = int(self.columns[0].start[row])
        return self.first_line + int(np.count_nonzero(self.text[:at] == _NEWLINE))

    def lines(self) -> Codes:
        """The number in the file of each row's line."""
        newlines = np.flatnonzero(self.text == _NEWLINE)
        if len(newlines) == len(self):
            return np.arange(self.first_line, self.first_line + len(self), dtype=np.int32)
        return (np.searchsorted(newlines, self.columns[0].start) + self.first_line).astype(np.int32)


def iter_blocks(
    source: Source,
    layout: Layout,
    *,
    stop: int | None = None,
    whole_groups: bool = False,
    fields: Sequence[int] | None = None,
    size: int = BLOCK,
    on_problem: OnProblem | None = None,
) -> Iterator[Block]:
    """The file in blocks of whole lines. A line that is wrong raises, or is told to `on_problem` and passed over.

    With `whole_groups` a block never ends in the middle of a run of lines with the same first field; the buffer
    grows as far as that takes. `stop` reads only so many bytes, `fields` says which fields become columns (all, if
    nothing is said; the first must be among them). The columns share one buffer, which the next block overwrites.
    """
    fields = range(len(layout.names)) if fields is None else fields
    data = np.zeros(size + WORD + 1, dtype=np.uint8)
    scratch = _scratch(data)
    kept = 0
    line = 1
    left = stop
    while True:
        room = len(data) - WORD - 1 - kept
        want = room if left is None else min(room, left)
        got = source.readinto(data[kept : kept + want].data) if want else 0
        left = None if left is None else left - got
        filled = kept + got
        last = got < want or left == 0
        if last and filled and data[filled - 1] != _NEWLINE:
            data[filled] = _NEWLINE
            filled += 1
        end = behind_last_newline(data[:filled])
        if end:
            block = _split(data[:end], data, scratch, layout, fields, source.name, line, on_problem)
            if last:
                block = replace(block, last=True)
            if whole_groups:
                block = _whole_groups(block)
                end = len(block.text)
            if len(block):
                yield block
        if last:
            return
        line += _count(data[:end], _NEWLINE, scratch)
        kept = filled - end
        if end:
            data[:kept] = data[end:filled].copy()
        else:
            data = np.concatenate([data, np.zeros(len(data), dtype=np.uint8)])
            scratch = _scratch(data)


def _scratch(data: Bytes) -> Bools:
    """Room for two answers about each byte: to fetch new memory for each question takes longer than to answer it."""
    return np.empty((2, len(data)), dtype=np.bool_)


def _count(text: Bytes, byte: int, scratch: Bools) -> int:
    return int(np.count_nonzero(np.equal(text, byte, out=scratch[1, : len(text)])))


def behind_last_newline(text: Bytes) -> int:
    """The place just behind the last newline, 0 if there is none."""
    end = len(text)
    while end > 0:
        begin = max(0, end - 4096)
        at = np.flatnonzero(text[begin:end] == _NEWLINE)
        if len(at):
            return begin + int(at[-1]) + 1
        end = begin
    return 0


def _whole_groups(block: Block) -> Block:
    """The block up to its last run of lines with the same first field, which may go on in the next block."""
    first = block.columns[0]
    heads = group_heads(first)
    if block.last:
        return replace(block, heads=heads)
    head = int(heads[-1]) if len(heads) > 1 else 0
    end = behind_last_newline(block.text[: int(first.start[head])]) if head else 0
    columns = [column.take(slice(0, head)) for column in block.columns]
    return Block(columns, block.text[:end], block.first_line, heads[:-1])


def _split(
    text: Bytes,
    data: Bytes,
    scratch: Bools,
    layout: Layout,
    fields: Sequence[int],
    source: str,
    line: int,
    on_problem: OnProblem | None,
) -> Block:
    """Split a block of whole lines into columns, or say what is wrong with it."""
    columns = _split_regular(text, data, scratch, len(layout.names), fields)
    if columns is None:
        columns = _split_any(text, data, layout, fields)
    if columns is None:
        if on_problem is None:
            raise _first_problem(text, layout, source, line)
        _blank_problems(text, layout, line, on_problem)
        columns = _split_any(text, data, layout, fields)
    assert columns is not None, "without the lines that are wrong a block can be split"
    return Block(columns, text, line)


def _blank_problems(text: Bytes, layout: Layout, line: int, on_problem: OnProblem) -> None:
    """Report each line that is wrong and overwrite it with spaces, so that line numbers stay right."""
    bounds = np.concatenate(([0], np.flatnonzero(text == _NEWLINE) + 1))
    for number, kind, problem in iter_problems(text.tobytes(), layout, line):
        text[bounds[number - line] : bounds[number - line + 1] - 1] = _SPACE
        on_problem(kind, number, problem)


def _split_regular(text: Bytes, data: Bytes, scratch: Bools, width: int, fields: Sequence[int]) -> list[Strings] | None:
    """For blocks in which one space or tab stands between any two fields and every line has all fields."""
    blank = np.less_equal(text, _SPACE, out=scratch[0, : len(text)])
    if blank[0] or np.logical_and(blank[1:], blank[:-1], out=scratch[1, : len(text) - 1]).any():
        return None
    ends = np.flatnonzero(blank)
    lines, over = divmod(len(ends), width)
    newlines = _count(text, _NEWLINE, scratch)
    if over or newlines != lines or not lines:
        return None
    if _count(text, _SPACE, scratch) + _count(text, _TAB, scratch) + newlines != len(ends):
        return None
    by_line = ends.reshape(lines, width)
    if not (text[by_line[:, -1]] == _NEWLINE).all():
        return None
    first = np.empty(lines, dtype=np.int64)
    first[0] = 0
    first[1:] = by_line[:-1, -1] + 1
    if (text[first] == _COMMENT).any():
        return None
    columns = []
    for field in fields:
        begin = by_line[:, field - 1] + 1 if field else first
        columns.append(Strings(data, begin, by_line[:, field] - begin))
    return columns


def _split_any(text: Bytes, data: Bytes, layout: Layout, fields: Sequence[int]) -> list[Strings] | None:
    """For any white space, blank lines, comment lines and lines with more fields than needed."""
    if (text == 0).any():
        return None
    blank = (text == _SPACE) | ((text >= _TAB) & (text <= 13))
    edge = np.empty(len(text), dtype=np.bool_)
    edge[0] = not blank[0]
    np.logical_and(blank[:-1], ~blank[1:], out=edge[1:])
    begin = np.flatnonzero(edge)
    edge[0] = False
    np.logical_and(~blank[:-1], blank[1:], out=edge[1:])
    end = np.flatnonzero(edge)
    newlines = np.flatnonzero(text == _NEWLINE)
    upto = np.searchsorted(begin, newlines)
    first = np.concatenate(([0], upto[:-1]))
    used = upto > first
    first, upto = first[used], upto[used]
    if len(first):
        used = text[begin[first]] != _COMMENT
        first, upto = first[used], upto[used]
    count = upto - first
    wanted = len(layout.names)
    if len(count) and (count.min() < wanted or (count.max() > wanted and not layout.more)):
        return None
    return [Strings(data, begin[first + k], end[first + k] - begin[first + k]) for k in fields]


def _first_problem(text: Bytes, layout: Layout, source: str, line: int) -> DataError:
    for number, _, problem in iter_problems(text.tobytes(), layout, line):
        return FormatError(problem, source=source, line=number)
    raise AssertionError("a block that cannot be split has a line that is wrong")


def iter_problems(text: bytes, layout: Layout, line: int) -> Iterator[tuple[int, str, str]]:
    """Each line that is wrong, with its number, the kind of problem and the reason."""
    for number, content in enumerate(text.split(b"\n"), line):
        if b"\0" in content:
            yield number, "nul", "a NUL byte: this does not look like a text file"
            continue
        fields = content.split()
        if fields and not fields[0].startswith(b"#"):
            problem = layout.problem(fields)
            if problem:
                yield number, "fields" if layout.miscounts(fields) else "number", problem


def empty(source: str, layout: Layout) -> DataError:
    """The error for a file without a single record."""
    return DataError(f"{source}: the file has no records; expected lines of {' '.join(layout.names)}")
