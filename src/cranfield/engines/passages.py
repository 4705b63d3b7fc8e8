"""Which document a passage is of, and where in it: by a separator, a pattern, or a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Ints, Strings, decode, encode, number
from cranfield.data.values import shown
from cranfield.errors import DataError, FormatError, UsageError
from cranfield.formats.files import Readable, open_source
from cranfield.formats.numbers import parse_numbers


class Passages(NamedTuple):
    """For each passage its document, and its place there: the lower, the earlier."""

    documents: Strings
    place: Ints


def split_at(passages: Strings, separator: str) -> Passages:
    """The document is what stands before the last separator; a passage without one is a document of its own.

    >>> found = split_at(Strings.from_list([b"d1#2", b"d1#10", b"a#b#1", b"d7"]), "#")
    >>> found.documents.tolist(), found.place.tolist()
    ([b'd1', b'd1', b'a#b', b'd7'], [2, 10, 1, 0])
    """
    sought = encode(separator)
    if not sought:
        raise UsageError("the separator between document and passage is empty")
    own = passages.compact()
    text = own.data[: len(own.data) - len(sought)]
    here = np.ones(len(text), dtype=np.bool_)
    for at, byte in enumerate(sought):
        here &= own.data[at : at + len(text)] == byte
    found = np.flatnonzero(here)
    before_end = np.searchsorted(found, own.start + own.length - len(sought), side="right") - 1
    last = found[np.maximum(before_end, 0)] if len(found) else np.zeros(len(own), dtype=np.int64)
    there = (before_end >= 0) & (last >= own.start)
    if not there.any():
        raise DataError(
            f"no passage has {separator!r} in its identifier, as {shown(passages[0])}: say how passages are named "
            "(--separator, --pattern or --mapping)"
        )
    length = np.where(there, last - own.start, own.length)
    if (length == 0).any():
        row = int(np.flatnonzero(length == 0)[0])
        raise DataError(f"passage {shown(passages[row])} has no document before {separator!r}")
    after = np.where(there, own.start + length + len(sought), own.start + own.length)
    rest = Strings(own.data, after, own.start + own.length - after)
    return Passages(Strings(own.data, own.start, length), _places(rest))


def matched(passages: Strings, pattern: str) -> Passages:
    """The document is what the first group of a pattern matches, or the group `document`; `passage` is the place.

    >>> found = matched(Strings.from_list([b"p10-of-d1", b"p9-of-d1"]), r"p(?P<passage>\\d+)-of-(?P<document>.+)")
    >>> found.documents.tolist(), found.place.tolist()
    ([b'd1', b'd1'], [10, 9])
    """
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise UsageError(f"the pattern {pattern!r} is no regular expression: {error}") from None
    if not compiled.groups:
        raise UsageError(f"the pattern {pattern!r} has no group (in brackets) that says which part is the document")
    group = "document" if "document" in compiled.groupindex else 1
    documents, rests = [], []
    for passage in passages.tolist():
        found = compiled.fullmatch(decode(passage))
        if found is None or not found[group]:
            raise DataError(f"passage {shown(passage)} does not match the pattern {pattern!r}")
        documents.append(encode(found[group]))
        rests.append(encode(found["passage"] or "") if "passage" in compiled.groupindex else passage)
    return Passages(Strings.from_list(documents), _places(Strings.from_list(rests)))


def looked_up(passages: Strings, table: Mapping[str, str]) -> Passages:
    """The document is what a table says; passages of a document are in the order of the table."""
    order = {encode(passage): (encode(document), place) for place, (passage, document) in enumerate(table.items())}
    found = []
    for passage in passages.tolist():
        if passage not in order:
            raise DataError(f"passage {shown(passage)} is not in the table of passages and documents")
        found.append(order[passage])
    return Passages(Strings.from_list([document for document, _ in found]), np.array([place for _, place in found]))


def read_mapping(what: Readable) -> dict[str, str]:
    """A table of passages and their documents, a line for each, with a tab between.

    >>> import io
    >>> read_mapping(io.StringIO("p1\\td1\\np2\\td1\\n"))
    {'p1': 'd1', 'p2': 'd1'}
    """
    table: dict[str, str] = {}
    with open_source(what) as source:
        for line, cells in _cells(source.name, iter(source.stream)):
            if cells[0] in table:
                raise FormatError(f"passage {cells[0]!r} is there twice", source=source.name, line=line)
            table[cells[0]] = cells[1]
        if not table:
            raise DataError(f"{source.name}: the file is empty; expected lines of passage, tab, document")
    return table


def _cells(name: str, lines: Iterator[bytes]) -> Iterator[tuple[int, Sequence[str]]]:
    for number_of_line, line in enumerate(lines, 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in decode(line).rstrip("\r\n").split("\t")]
        if len(cells) != 2 or not all(cells):
            raise FormatError(
                f"expected a passage and a document with a tab between, found {len(cells)} fields",
                source=name,
                line=number_of_line,
            )
        yield number_of_line, cells


def _places(rests: Strings) -> Ints:
    """What the rest of each identifier says of its place: a number where all have one, and else byte order."""
    given = rests.take(rests.length > 0)
    values, bad = parse_numbers(given)
    if len(bad) == 0:
        places = np.zeros(len(rests), dtype=np.int64)
        places[rests.length > 0] = values.astype(np.int64)
        return places
    return number(rests).code.astype(np.int64)
