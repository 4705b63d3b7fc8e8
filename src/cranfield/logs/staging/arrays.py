"""One array of JSON objects as rows, a part of the file at a time."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator

from cranfield.errors import FormatError
from cranfield.formats.files import Source
from cranfield.logs.staging.lines import Lines, Refused, not_utf8

_LONGEST = 64 << 20
"""So many characters one element may have; what does not end before is broken."""
_BLANK = " \t\r\n"
_DECODE = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode
"""Says where an element ends; numbers of any length stay as they are."""


def is_array(head: bytes) -> bool:
    """Whether a file that begins like this is an array."""
    return head.lstrip(b" \t\r\n").startswith(b"[")


class _Text:
    """What is left of a source as text, of which a part is in memory; bytes that are no UTF-8 stay as they were."""

    def __init__(self, source: Source, size: int) -> None:
        self._source, self._size = source, size
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._line, self._column = 1, 1
        self.here, self.at, self.ended = "", 0, False

    def more(self) -> None:
        """Read on; what has been passed is let go."""
        block = bytearray(self._size)
        got = self._source.readinto(memoryview(block))
        self.ended = got < self._size
        passed = self.here[: self.at]
        self._line, self._column = _moved(self._line, self._column, passed)
        self.here = self.here[self.at :] + self._decoder.decode(bytes(block[:got]), final=self.ended)
        self.at = 0

    def next(self) -> str:
        """The next character that is not blank, without passing it; none at the end."""
        while True:
            while self.at < len(self.here) and self.here[self.at] in _BLANK:
                self.at += 1
            if self.at < len(self.here) or self.ended:
                return self.here[self.at : self.at + 1]
            self.more()

    def element(self) -> str:
        """The element that begins here."""
        while True:
            try:
                end = _DECODE(self.here, self.at)[1]
                if end < len(self.here) or self.ended:  # a number may go on
                    found, self.at = self.here[self.at : end], end
                    return found
            except RecursionError:
                raise self.broken("an element has too many brackets within brackets") from None
            except json.JSONDecodeError as error:
                if self.ended or len(self.here) - self.at > _LONGEST:
                    problem = error.msg.removesuffix(" starting at")
                    raise self.broken(f"{problem[0].lower()}{problem[1:]}", error.pos) from None
            self.more()

    def broken(self, problem: str, at: int | None = None) -> FormatError:
        """An error that says where the array is broken."""
        line, column = _moved(self._line, self._column, self.here[: self.at if at is None else at])
        return FormatError(
            f"column {column}: the JSON array is broken here: {problem}. Mend it, or write one object to a line: then "
            "only what is broken is left out",
            source=self._source.name,
            line=line,
        )


def batches(source: Source, size: int) -> Iterator[Lines]:
    """All elements, numbered from 1; about so many bytes at a time."""
    text = _Text(source, size)
    text.next()
    text.at += 1
    number, length, rows = 1, 0, list[str]()
    if text.next() != "]":
        while True:
            rows.append(text.element())
            length += len(rows[-1])
            if length >= size:
                yield _lines(rows, number)
                number, length, rows = number + len(rows), 0, []
            after = text.next()
            if after == "]":
                break
            if after != ",":
                raise text.broken(f"expected a comma or ], found {after!r}" if after else "the file ends before the ]")
            text.at += 1
            text.next()
    text.at += 1
    if text.next():
        raise text.broken("there is more after the ] that ends it")
    if rows:
        yield _lines(rows, number)


def _lines(rows: list[str], first: int) -> Lines:
    import pyarrow as pa

    numbers, texts, refused = list[int](), list[str](), list[Refused]()
    for number, row in enumerate(rows, first):
        try:
            row.encode()
        except UnicodeEncodeError:
            refused.append(not_utf8(number, row.encode(errors="surrogateescape")))
        else:
            numbers.append(number)
            texts.append(row)
    table = pa.table({"line": pa.array(numbers, pa.int64()), "raw": pa.array(texts, pa.large_string())})
    return Lines(table, refused, len(rows))


def _moved(line: int, column: int, passed: str) -> tuple[int, int]:
    """Line and column after some more text."""
    ends = passed.count("\n")
    return (line + ends, len(passed) - passed.rfind("\n")) if ends else (line, column + len(passed))
