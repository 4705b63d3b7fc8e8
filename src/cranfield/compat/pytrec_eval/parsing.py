"""Reading runs and judgments as pytrec_eval does: from lines of text to dicts of dicts.

Lines are split into columns many at a time, and the dicts filled when someone looks into them (`columns`, `held`).
Where anything is unusual they are read once more, line by line: there is one place that says what is wrong, and where.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from cranfield.compat.pytrec_eval.columns import read_columns
from cranfield.compat.pytrec_eval.failures import LineError, RepetitionError, WrongTypeError
from cranfield.compat.pytrec_eval.held import Unread
from cranfield.data.strings import decode, encode
from cranfield.formats import trec_qrels, trec_run
from cranfield.formats.files import open_source
from cranfield.formats.lines import Layout

Lines = Iterable[str] | Iterable[bytes]

_UTF_8 = frozenset({"utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii"})


class _Kind(NamedTuple):
    """What distinguishes runs and judgments."""

    argument: str
    layout: Layout
    number: str
    """The name of the field that is a number."""
    convert: Callable[[str], float]
    verb: str
    """What happened to a document that is in it."""


def parse_run(f_run: Lines) -> dict[str, dict[str, float]]:
    """A run from lines of `query Q0 document rank score tag`: `{query: {document: score}}`.

    The queries, and the documents of each, are in the order of the lines. A document that is returned twice for a
    query is an error, and so is a line with more or fewer fields; lines without any are passed over.

    >>> parse_run(["q1 Q0 d1 1 0.5 tag", "q1 Q0 d2 2 0.25 tag"])["q1"]
    {'d1': 0.5, 'd2': 0.25}
    """
    run: dict[str, dict[str, float]] = _parse(f_run, _RUN)
    return run


def parse_qrel(f_qrel: Lines) -> dict[str, dict[str, int]]:
    """Judgments from lines of `query iteration document grade`: `{query: {document: grade}}`; see `parse_run`.

    Whole numbers become int, others float.

    >>> parse_qrel(["q1 0 d1 2", "q1 0 d2 0.5"])["q1"]
    {'d1': 2, 'd2': 0.5}
    """
    qrels: dict[str, dict[str, int]] = _parse(f_qrel, _QREL)
    return qrels


def _grade(text: str) -> float:
    try:
        return int(text)
    except ValueError:
        value = float(text)
        return int(value) if value.is_integer() else value


_RUN = _Kind("f_run", trec_run.LAYOUT._replace(more=False), "score", float, "returned")
_QREL = _Kind("f_qrel", trec_qrels.LAYOUT, "grade", _grade, "judged")


def _parse(lines: Any, kind: _Kind) -> Any:
    if isinstance(lines, (str, bytes)) or not isinstance(lines, Iterable):
        raise _not_lines(lines, kind)
    name = str(getattr(lines, "name", kind.argument))
    can_begin_again = _at_the_beginning(lines)
    if not can_begin_again:
        lines = _held(lines)
    whole = lines if can_begin_again else io.BytesIO(encode("\n".join(map(str.strip, lines))))
    with open_source(whole) as source:
        queries = read_columns(source, kind.layout, kind.number)
    if queries is not None:
        read = ((decode(query), Unread(piece, at)) for ids, piece in queries for at, query in enumerate(ids))
        return defaultdict(dict, read)
    if can_begin_again:
        lines.seek(0)
    return _line_by_line(lines, kind, name)


def _at_the_beginning(lines: Any) -> bool:
    """Whether these are a file whose bytes can be read, from which nothing has been read yet."""
    if isinstance(lines, io.TextIOWrapper):
        plain = isinstance(lines.buffer, io.BufferedReader) and lines.encoding.lower() in _UTF_8
    else:
        plain = isinstance(lines, io.BufferedReader)
    try:
        return plain and lines.seekable() and lines.tell() == 0
    except OSError:  # some lines were taken with next()
        return False


def _held(lines: Iterable[Any]) -> list[str]:
    """The lines as text, in a list that can be gone through twice."""
    held = [decode(line) if isinstance(line, bytes) else line for line in lines]
    for at, line in enumerate(held, 1):
        if not isinstance(line, str):
            raise WrongTypeError(f"line {at} is {type(line).__name__} {line!r:.60}, not text")
    return held


def _line_by_line(lines: Iterable[str | bytes], kind: _Kind, name: str) -> Any:
    read: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for at, line in enumerate(lines, 1):
        fields = (decode(line) if isinstance(line, bytes) else line).split()
        if not fields:
            continue
        raw = [encode(field) for field in fields]
        if kind.layout.miscounts(raw):
            raise LineError(str(kind.layout.problem(raw)), source=name, line=at)
        query, document, number = fields[0], fields[2], fields[kind.layout.names.index(kind.number)]
        try:
            value = kind.convert(number)
        except (ValueError, OverflowError):
            raise LineError(f"{kind.number} {number!r:.80} is not a number", source=name, line=at) from None
        documents = read[query]
        if document in documents:
            reason = f"document {document!r:.80} is {kind.verb} twice for query {query!r:.80}. Keep one of the lines."
            raise RepetitionError(reason, source=name, line=at)
        documents[document] = value
    return read


def _not_lines(given: Any, kind: _Kind) -> Exception:
    if not isinstance(given, (str, bytes)):
        return WrongTypeError(f"{kind.argument} is {type(given).__name__}, not an open file or a list of lines")
    advice = f". Open the file: open({given!r})" if len(given) <= 200 and len(given.splitlines()) == 1 else ""
    return LineError(f"{kind.argument} is a text, not an open file or a list of lines{advice}")
