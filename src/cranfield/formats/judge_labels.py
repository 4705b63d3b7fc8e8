"""Labels of several judges: all in one file, or a file for each.

One file has lines of `task worker label`; or TREC judgments with the judge in the second column (qrels_jg); or a table
whose header names the columns; or a book, with a column for each judge behind query and document. Of several files each
has the labels of one judge: judgments in any format, or lines of `item label`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from types import ModuleType
from typing import NamedTuple

import numpy as np

from cranfield.data.judge_labels import JudgeLabels
from cranfield.data.shapes import JUDGE_LABELS, folded
from cranfield.data.strings import Strings, encode
from cranfield.errors import DataError, FormatError, UsageError
from cranfield.formats import FORMATS, module, run_name
from cranfield.formats.cells import Row, iter_rows
from cranfield.formats.files import Readable, Source, open_source
from cranfield.formats.labels import ONE_LABEL, labels_of

_TOPIC, _ITEM, _JUDGE, _LABEL = JUDGE_LABELS.columns
_TABLES = ("beir", "tsv", "csv", "quepid", "quepid-book")
"""Formats of judgments that have their columns named, which is looked at here."""


class _Label(NamedTuple):
    """One label, and where it stands."""

    line: int
    topic: str
    item: str
    judge: str
    label: str


def read_judge_labels(*files: Readable) -> JudgeLabels:
    """The labels of several judges, from one file that has them all or from a file for each judge.

    >>> import io
    >>> read_judge_labels(io.StringIO("task,worker,label\\nt1,ann,yes\\nt1,bob,no\\n")).judges
    ('ann', 'bob')
    >>> read_judge_labels(io.StringIO("query,docid,Ann,Bob\\ncats,d1,3,2\\ncats,d2,,0\\n")).judges
    ('Ann', 'Bob')
    """
    if not files:
        raise UsageError("there is no file of labels to read")
    if len(files) == 1:
        with open_source(files[0]) as source:
            return _all_judges(source, run_name(files[0]))
    short = [run_name(file) for file in files]
    by_judge: dict[str, JudgeLabels] = {}
    for file, name in zip(files, short, strict=True):
        if short.count(name) > 1:
            name = os.fspath(file) if isinstance(file, (str, os.PathLike)) else f"{name}-{len(by_judge) + 1}"
        if name in by_judge:
            raise UsageError(f"{name}: the file is given twice; each file has the labels of one judge")
        by_judge[name] = read_labels_of_one(file, name)
    return JudgeLabels.joined(by_judge)


def read_labels_of_one(file: Readable, name: str) -> JudgeLabels:
    """The labels of one judge, from a file of judgments or of items and labels."""
    with open_source(file) as source:
        return _one_judge(source, name)


def _one_judge(source: Source, name: str) -> JudgeLabels:
    _refuse_empty(source)
    chosen = _judgments(source, FORMATS["qrels"])
    if chosen is not None:
        qrels = chosen.read_qrels(source, name=name)
        if qrels.judged_twice:
            query, document = qrels.judged_twice
            raise DataError(
                f"{source.name}: document {document!r} is judged more than once for query {query!r}, under different "
                f"values of the second column. Of several files each has the labels of one judge; judges that are "
                f"named in the second column stand in one file."
            )
        return JudgeLabels.from_qrels(qrels)
    otherwise = (
        "Of several files each has the labels of one judge: item and label, or judgments (query iteration document "
        "grade). Labels with their judges (task worker label) stand in one file."
    )
    labelled = labels_of(source, ONE_LABEL, otherwise)
    items, labels = (
        Strings.from_list([encode(text) for text in column]) for column in (labelled.items, *labelled.labels)
    )
    judge = Strings.from_list([encode(name)]).take(np.zeros(len(items), dtype=np.int64))
    return JudgeLabels(items, judge, labels, name=name)


def _all_judges(source: Source, name: str) -> JudgeLabels:
    _refuse_empty(source)
    chosen = _judgments(source, (name for name in FORMATS["qrels"] if name not in _TABLES))
    if chosen is not None:
        return JudgeLabels.from_qrels(chosen.read_qrels(source, name=name))
    rows = iter_rows(source)
    first = next(rows)
    names = [folded(cell) for cell in first[1]]
    if all(set(names).intersection(column.names) for column in (_ITEM, _JUDGE, _LABEL)):
        return _collect(_named(rows, first[1], source.name), source.name, name, topics=_names_topics(first[1]))
    if names[0] in _TOPIC.names and len(names) > 2 and names[1] in _ITEM.names:
        return _collect(_columns_of_judges(rows, first[1], 2, source.name), source.name, name, topics=True)
    if names[0] in _ITEM.names and len(names) > 1:
        return _collect(_columns_of_judges(rows, first[1], 1, source.name), source.name, name, topics=False)
    if len(first[1]) != 3:
        reason = (
            f"expected 3 cells (task worker label), or a first line that names the columns, found {len(first[1])}. "
            f"Judgments have 4 (query judge document grade), the last one a number."
        )
        raise FormatError(reason, source=source.name, line=first[0])
    plain = _named(chain([first], rows), [_ITEM.name, _JUDGE.name, _LABEL.name], source.name)
    return _collect(plain, source.name, name, topics=False)


def _refuse_empty(source: Source) -> None:
    if not source.head().strip():
        raise DataError(f"{source.name}: the file is empty")


def _judgments(source: Source, formats: Iterable[str]) -> ModuleType | None:
    """The one of these formats of judgments that the file is in."""
    candidates = (module(name, "qrels") for name in formats)
    return next((candidate for candidate in candidates if candidate.recognise(source.head())), None)


def _names_topics(header: list[str]) -> bool:
    return any(folded(cell) in _TOPIC.names for cell in header)


def _named(rows: Iterable[Row], header: list[str], source: str) -> Iterator[_Label]:
    """The labels of a table with a label in each row."""
    matched = JUDGE_LABELS.match(header, source)
    item, judge, label = (header.index(matched[column.name]) for column in (_ITEM, _JUDGE, _LABEL))
    topic = header.index(matched[_TOPIC.name]) if _TOPIC.name in matched else None
    for line, cells in rows:
        _check_width(cells, header, source, line)
        row = _Label(line, "" if topic is None else cells[topic], cells[item], cells[judge], cells[label])
        if "" in row[1 if topic is not None else 2 :]:
            missing = next(theirs for theirs in matched.values() if not cells[header.index(theirs)])
            raise FormatError(f"{missing} is missing. Complete the line or leave it out.", source=source, line=line)
        yield row


def _columns_of_judges(rows: Iterable[Row], header: list[str], begin: int, source: str) -> Iterator[_Label]:
    """The labels of a table with a row for each item and a column for each judge, empty where there is no label."""
    judges = header[begin:]
    twice = next((judge for judge in judges if judges.count(judge) > 1), None)
    if twice is not None:
        raise DataError(f"{source}: there are two columns named {twice!r}. Rename one of them.")
    for line, cells in rows:
        _check_width(cells, header, source, line)
        if not all(cells[:begin]):
            missing = header[cells.index("")]
            raise FormatError(f"{missing} is missing. Complete the line or leave it out.", source=source, line=line)
        topic = cells[0] if begin == 2 else ""
        for judge, label in zip(judges, cells[begin:], strict=True):
            if begin == 2 and "|" in label:  # so Quepid writes them
                reason = (
                    f"the cell of {judge!r} holds several labels, {label!r}; expected one, or none. Keep one of them."
                )
                raise FormatError(reason, source=source, line=line)
            if label:
                yield _Label(line, topic, cells[begin - 1], judge, label)


def _check_width(cells: list[str], header: list[str], source: str, line: int) -> None:
    if len(cells) != len(header):
        wanted = ",".join(header) if len(header) < 9 else f"{','.join(header[:8])},..."
        raise FormatError(f"expected {len(header)} cells ({wanted}), found {len(cells)}", source=source, line=line)


def _collect(labels: Iterable[_Label], source: str, name: str, *, topics: bool) -> JudgeLabels:
    rows = list(labels)
    if not rows:
        raise DataError(f"{source}: the file names its columns and has no labels")
    lines, *columns = zip(*rows, strict=True)
    topic, item, judge, label = (Strings.from_list([encode(text) for text in column]) for column in columns)
    read = JudgeLabels(item, judge, label, topic if topics else None, name=name)
    return read.checked(source=source, line=np.array(lines, dtype=np.int32))
