"""Labels as other programs write them, one after the other, on their way into judgments or judging events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.judging import JudgingEvent, imported_event_id
from cranfield.data.strings import Strings, encode
from cranfield.errors import DataError
from cranfield.formats.records import Records

_BATCH = 1 << 14
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


class GivenLabel(NamedTuple):
    """What somebody said of a document, and where that stands in a file."""

    place: int
    topic: str
    document: str
    assessor: str
    grade: float | None
    """None: it was skipped."""
    reason: str | None = None
    time: str | None = None
    active_ms: int | None = None


def finite_number(text: str) -> float | None:
    """The number that a cell holds; None if it is none, or more than a double can hold.

    >>> finite_number("2"), finite_number("0.5"), finite_number("nan"), finite_number("1e999")
    (2.0, 0.5, None, None)
    """
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if np.isfinite(value) else None


def label_records(labels: Iterable[GivenLabel], *, assessors: bool) -> Iterator[Records]:
    """The labels that are grades, as records of judgments; with `assessors` these are the iterations."""
    graded = (label for label in labels if label.grade is not None)
    while batch := list(islice(graded, _BATCH)):
        ids = {"query_id": [label.topic for label in batch], "doc_id": [label.document for label in batch]}
        if assessors:
            ids["iteration"] = [label.assessor for label in batch]
        yield Records(
            Columns(
                {name: Strings.from_list([encode(text) for text in column]) for name, column in ids.items()},
                {"relevance": np.array([label.grade for label in batch], dtype=np.float64)},
            ),
            np.array([label.place for label in batch], dtype=np.int32),
        )


def label_events(labels: Iterable[GivenLabel], *, time: str, source: str) -> Iterator[JudgingEvent]:
    """The events that labels would have come from. What has no time of its own was done at `time`.

    The same labels give the same events, identifiers and all. A name with white space in it has `_` there.
    """
    for label in labels:
        who, when = "_".join(label.assessor.split()), label.time or time
        try:
            yield JudgingEvent(
                imported_event_id(when, who, label.topic, label.document),
                when,
                who,
                label.topic,
                label.document,
                "skip" if label.grade is None else "grade",
                grade=_whole(label.grade),
                reason=label.reason,
                active_ms=label.active_ms,
                input="import",
            )
        except DataError as error:
            raise DataError(f"{source}: {label.place}: {error}") from None


def _whole(grade: float | None) -> float | None:
    return int(grade) if grade is not None and grade.is_integer() else grade
