"""What a single document is worth to a measure that it alone is relevant to."""

from __future__ import annotations

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints, Numbered, Strings
from cranfield.pooling.flip.ways.case import Case


def alone(case: Case, side: int, rows: Ints) -> Floats:
    """For some documents, the value of a list in which only this one is relevant, and has the best grade.

    It is measured, not worked out: a list for each rank (0: not returned), and the measure itself has the say. What
    the value is without any relevant document is taken off.
    """
    both = case.both
    longest = np.int64(both.retrieved[side].max(initial=0)) + 1
    kinds, kind = np.unique(
        both.retrieved[side][both.topic[rows]] * longest + both.rank(side)[rows], return_inverse=True
    )
    nothing = np.zeros(len(kinds))
    best, none = (
        case.measure.compute(_lists(kinds // longest, kinds % longest, nothing + grade, both.level))
        for grade in (case.stakes.best, 0.0)
    )
    of_kind: Floats = best - none
    return of_kind[kind]


def _lists(retrieved: Ints, rank: Ints, grade: Floats, level: float) -> Rankings:
    """Lists of some length with one judged document at some rank."""
    code, there = np.arange(len(rank), dtype=np.int32), np.flatnonzero(rank)
    ids = [b"%09d" % number for number in range(len(rank))]
    documents = Strings.from_list([b"d"]).take(np.zeros(len(rank), dtype=np.int64))
    return Rankings(
        Qrels(Numbered(ids, code), documents, grade),
        retrieved,
        np.zeros(len(rank), dtype=np.int64),
        code[there],
        rank[there],
        there,
        level=level,
    )
