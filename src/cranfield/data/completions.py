"""Rankings as they would be if documents that nobody judged had been judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints, Strings

_RANKS = 1 << 17
"""How many ranks are completed together, if nothing is said: few enough to stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class CompletedRankings(Rankings):
    """Rankings in which some holes have a grade.

    A document in such a hole has a row like a judged one. What the judgments say of each query (R, the ideal ranking)
    is a matter apart: there may be more of them, or fewer, than the holes that were filled.
    """

    grades: Floats = field(default_factory=lambda: np.zeros(0))
    """By `judgment`: the grades of the judgments, and the one of all filled holes."""
    also_relevant: Ints | None = None
    """For each query, how many more documents are relevant than the judgments have, whatever the level."""

    @cached_property
    def grade(self) -> Floats:
        return self.grades[self.judgment]

    def relevant(self, rel: float | None) -> Ints:
        known = super().relevant(rel)
        return known if self.also_relevant is None else known + self.also_relevant


def parts(r: Rankings, ranks: int = _RANKS) -> Iterator[tuple[slice, Rankings]]:
    """The rankings, queries of about so many ranks at a time, with rows for judged documents alone."""
    if not len(r):
        return
    ends = np.cumsum(r.retrieved + 1)
    rows, judgments = r.offset, r.qrels.offset
    begin = 0
    while begin < len(r):
        so_far = int(ends[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, so_far + ranks, "right")))
        here = np.arange(rows[begin], rows[end])
        here = here[r.grade[here] >= 0]
        yield (
            slice(begin, end),
            replace(
                r,
                qrels=_judgments(r.qrels, begin, end),
                retrieved=r.retrieved[begin:end],
                tied=r.tied[begin:end],
                query=r.query[here] - np.int32(begin),
                rank=r.rank[here],
                judgment=r.judgment[here] - judgments[begin],
                costs=None,
                ties=None,
            ),
        )
        begin = end


def _judgments(qrels: Qrels, begin: int, end: int) -> Qrels:
    """The judgments of some queries."""
    rows = slice(int(qrels.offset[begin]), int(qrels.offset[end]))
    query = Strings.from_list(qrels.query_ids[begin:end]).take(qrels.query[rows] - begin)
    return Qrels(query, qrels.documents.take(rows), qrels.grade[rows], name=qrels.name)


def filled(r: Rankings, first: Ints | int, last: Ints, grade: float) -> CompletedRankings:
    """The rankings with a grade in every hole from one rank to another; the judgments stay as they are.

    >>> r = filled(Rankings.from_grades([None, 1, None, None]), 1, np.array([3]), 2)
    >>> r.rank.tolist(), r.grade.tolist(), r.relevant(1).tolist()
    ([1, 2, 3], [2.0, 1.0, 2.0], [1])
    """
    begin = np.broadcast_to(first, len(r))
    filled_size = np.maximum(last - begin + 1, 0)
    before = r.count(r.rank < begin[r.query]).astype(np.int64)
    here = np.clip(r.rank - begin[r.query], -1, filled_size[r.query])
    inside = np.bincount(r.query[(here >= 0) & (here < filled_size[r.query])], minlength=len(r))
    size = np.diff(r.offset) - inside + filled_size
    start = np.cumsum(size) - size
    query = np.repeat(np.arange(len(r), dtype=np.int32), size)
    rank = np.arange(len(query)) - (start + before - begin)[query]
    judgment = np.full(len(query), len(r.qrels))
    # A judged document stands in the stretch that is filled, or above or below it.
    number = np.arange(len(r.rank)) - r.offset[r.query]
    above, below = here < 0, here == filled_size[r.query]
    place = start[r.query] + before[r.query] + here
    place = np.where(above, start[r.query] + number, place)
    place = np.where(below, start[r.query] + number + (filled_size - inside)[r.query], place)
    rank[place], judgment[place] = r.rank, r.judgment
    return CompletedRankings(
        r.qrels,
        r.retrieved,
        r.tied,
        query,
        rank,
        judgment,
        level=r.level,
        recall_rounding=r.recall_rounding,
        grades=np.append(r.qrels.grade, grade),
    )


def with_judgments(qrels: Qrels, more: Ints, grade: float) -> Qrels:
    """The judgments and, for each query, so many more of this grade; these have no names of their own.

    >>> qrels = Qrels.from_dict({"q1": {"d1": 1}, "q2": {"d2": 0}})
    >>> with_judgments(qrels, np.array([2, 0]), 3).grade.tolist()
    [1.0, 3.0, 3.0, 0.0]
    """
    size = np.diff(qrels.offset)
    place = np.arange(len(qrels)) + np.repeat(np.cumsum(more) - more, size)
    row = np.zeros(len(qrels) + int(more.sum()), dtype=np.int64)
    grades = np.full(len(row), float(grade))
    row[place], grades[place] = np.arange(len(qrels)), qrels.grade
    larger = qrels.with_grades(grades)
    larger.documents = qrels.documents.take(row)
    larger.query = np.repeat(np.arange(len(size), dtype=np.int32), size + more)
    larger.offset = np.append(0, np.cumsum(size + more))
    return larger
