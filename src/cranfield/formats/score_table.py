"""Tables of scores of systems, however they are laid out: a score for each system, or for each system and topic.

- `system,score`, or a column for each of several measures: `system,AP,P@10`; two columns need no header.
- Topics x systems: a header with the names of the systems, a line for each topic. A first column may name the topics;
  its heading is `topic`, `query`, `qid` or the like, or empty, or its cells are no numbers. Otherwise lines are topics.
- One score a line: columns named `system`, `topic`, `score` and perhaps `measure`, in any order. What `cranfield
  evaluate -q` prints is such a table. The topic `all` is a mean, and is left out where there are topics.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.data.shapes import QRELS, folded
from cranfield.data.strings import Floats, decode, encode
from cranfield.errors import DataError, FormatError
from cranfield.formats.cells import Row, iter_rows
from cranfield.formats.files import Readable, open_source
from cranfield.formats.numbers import parse_number

_SYSTEM = ("system", "run", "name", "model", "system_id", "run_id", "runid", "run_tag", "tag")
_TOPIC = QRELS["query_id"].names
_DOCUMENT = QRELS["doc_id"].names
_MEASURE = ("measure", "metric")
_SCORE = ("score", "value")
_MEAN = "all"
_EXPECTED = (
    "expected scores of systems: 'system,score', a line for each topic under the names of the systems, or columns "
    "named system, topic and score"
)


class ScoreTable(NamedTuple):
    """The scores of systems by one measure."""

    name: str
    """Of the file."""
    measure: str | None
    """The heading of the column, where a file has several or names one."""
    systems: list[str]
    topics: list[str] | None
    """None where there is one score for each system."""
    numbered: bool
    """Whether topics have no names but the numbers of their lines."""
    scores: Floats
    """Topics x systems, or one for each system."""


def read_score_tables(what: Readable) -> list[ScoreTable]:
    """The scores in a file: a table for each measure there is in it.

    >>> import io
    >>> (table,) = read_score_tables(io.StringIO("topic,bm25,dense\\n401,0.2,0.3\\n402,0.4,0.5\\n"))
    >>> table.systems, table.topics, table.scores.tolist()
    (['bm25', 'dense'], ['401', '402'], [[0.2, 0.3], [0.4, 0.5]])
    >>> [table.measure for table in read_score_tables(io.StringIO("system,AP,RR\\nbm25,0.2,0.4\\n"))]
    ['AP', 'RR']
    """
    with open_source(what) as source:
        rows = list(iter_rows(source))
        if not rows:
            raise DataError(f"{source.name}: the file is empty")
        sheet = _Sheet(source.name, rows)
        header = sheet.header
        if header is None:
            if len(rows[0][1]) != 2 or parse_number(encode(rows[0][1][1])) is None:
                raise FormatError(
                    f"{_EXPECTED}; found {','.join(rows[0][1])[:60]!r}", source=source.name, line=rows[0][0]
                )
            return sheet.by_system(0, [1], [None])
        names = [folded(cell) for cell in header]
        system = _find(names, _SYSTEM)
        if system is None:
            return [sheet.matrix()]
        topic, measure, score = _find(names, _TOPIC), _find(names, _MEASURE), _find(names, _SCORE)
        if topic is not None or measure is not None:
            if score is None:
                raise DataError(f"{source.name}: no column for the score; give it one named score (or value)")
            return sheet.one_a_line(system, topic, measure, score)
        columns = [at for at in range(len(header)) if at != system]
        if not columns:
            raise DataError(f"{source.name}: systems have no scores; {_EXPECTED}")
        return sheet.by_system(system, columns, [header[at] for at in columns] if score is None else [None])


def is_score_table(head: bytes) -> bool:
    """Whether a file that begins like this is a table of scores, rather than judgments.

    >>> is_score_table(b"run1,run2\\n0.1,0.2\\n"), is_score_table(b"bm25\\t0.25\\n")
    (True, True)
    >>> is_score_table(b"q1 0 d1 1\\n"), is_score_table(b"query_id,doc_id,relevance\\nq1,d1,1\\n")
    (False, False)
    """
    lines = [line for line in decode(head).splitlines()[:20] if line.strip()][:2]
    delimiter = next((mark for mark in "\t," if lines and mark in lines[0]), None)
    cells = [line.split() if delimiter is None else next(csv.reader([line], delimiter=delimiter)) for line in lines]
    if not cells or len(cells[0]) < 2:
        return False
    names = [folded(cell) for cell in cells[0]]
    if set(names) & set(_DOCUMENT):
        return False
    if _find(names, _SYSTEM) is not None and not any(map(_is_number, names)):
        return True
    if len(names) == 2 and not _is_number(names[0]) and _is_number(names[1]):
        return True
    named = names[0] in (*_TOPIC, "") or not any(map(_is_number, names))
    return named and len(cells) == 2 and len(cells[1]) == len(names) and all(map(_is_number, cells[1][1:]))


class _Sheet:
    def __init__(self, name: str, rows: list[Row]) -> None:
        self.name = name
        names = [folded(cell) for cell in rows[0][1]]
        is_header = names[0] in (*_TOPIC, *_SYSTEM, "") or not any(map(_is_number, names))
        self.header = rows[0][1] if is_header else None
        self.rows = rows[1:] if is_header else rows
        width = len(rows[0][1])
        for line, cells in rows:
            if len(cells) != width:
                raise FormatError(f"expected {width} cells, found {len(cells)}", source=name, line=line)
        if not self.rows:
            raise DataError(f"{name}: the file names its columns and has no scores")

    def by_system(self, system: int, columns: Sequence[int], measures: Sequence[str | None]) -> list[ScoreTable]:
        """A line for each system."""
        systems = self._distinct(((line, cells[system]) for line, cells in self.rows), "system")
        return [
            ScoreTable(self.name, measure, systems, None, False, np.array([self._number(row, at) for row in self.rows]))
            for at, measure in zip(columns, measures, strict=True)
        ]

    def matrix(self) -> ScoreTable:
        """A line for each topic, a column for each system."""
        assert self.header is not None
        first = self.header[0]
        numbers = all(_is_number(cells[0]) for _, cells in self.rows)
        has_topics = folded(first) in (*_TOPIC, "") or not numbers
        begin = 1 if has_topics else 0
        systems = self._distinct(((1, cell) for cell in self.header[begin:]), "system")
        scores = np.array([[self._number(row, at) for at in range(begin, len(self.header))] for row in self.rows])
        named = ((line, cells[0] if has_topics else str(number)) for number, (line, cells) in enumerate(self.rows, 1))
        topics = self._distinct(named, "topic")
        return ScoreTable(self.name, None, systems, topics, not has_topics, scores.reshape(len(topics), -1))

    def one_a_line(self, system: int, topic: int | None, measure: int | None, score: int) -> list[ScoreTable]:
        """A line for each system, topic and measure."""
        found: dict[str | None, dict[str, dict[str, float]]] = {}
        for row in self.rows:
            line, cells = row
            of = found.setdefault(cells[measure] if measure is not None else None, {}).setdefault(cells[system], {})
            where = cells[topic] if topic is not None else _MEAN
            if where in of:
                reason = f"system {cells[system]!r} has a score for topic {where!r} already. Keep one of them."
                raise FormatError(reason, source=self.name, line=line)
            of[where] = self._number(row, score)
        return [self._table(name, systems) for name, systems in found.items()]

    def _table(self, measure: str | None, scores: dict[str, dict[str, float]]) -> ScoreTable:
        topics = list(dict.fromkeys(topic for of in scores.values() for topic in of if topic != _MEAN))
        if not topics:
            return ScoreTable(
                self.name, measure, list(scores), None, False, np.array([of[_MEAN] for of in scores.values()])
            )
        for system, of in scores.items():
            lacking = next((topic for topic in topics if topic not in of), None)
            if lacking is not None:
                beside = f" by {measure}" if measure else ""
                raise DataError(
                    f"{self.name}: system {system!r} has no score{beside} for topic {lacking!r}, which others have. "
                    f"Give it one (0, if nothing was retrieved), or leave the topic out."
                )
        table = np.array([[of[topic] for of in scores.values()] for topic in topics])
        return ScoreTable(self.name, measure, list(scores), topics, False, table)

    def _distinct(self, names: Iterator[tuple[int, str]], kind: str) -> list[str]:
        seen: dict[str, int] = {}
        for line, name in names:
            if not name:
                raise FormatError(f"a {kind} has no name", source=self.name, line=line)
            if name in seen:
                raise FormatError(f"there is a second {kind} {name!r}. Rename one.", source=self.name, line=line)
            seen[name] = line
        return list(seen)

    def _number(self, row: Row, at: int) -> float:
        line, cells = row
        value = parse_number(encode(cells[at]))
        if value is None:
            found = f"{cells[at]!r} is not a score" if cells[at] else "the score is missing"
            column = f"column {self.header[at]!r}" if self.header and self.header[at] else f"column {at + 1}"
            reason = f"{column}: {found}. Every system needs a number for every topic."
            raise FormatError(reason, source=self.name, line=line)
        return value


def _find(names: Sequence[str], known: Sequence[str]) -> int | None:
    return next((names.index(name) for name in known if name in names), None)


def _is_number(cell: str) -> bool:
    return parse_number(encode(cell)) is not None
