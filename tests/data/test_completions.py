"""Rankings with grades in their holes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.completions import filled, parts, with_judgments
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from tests.data.test_holes import LISTS, rankings


def rows(r: Rankings) -> list[tuple[int, int, float]]:
    return list(zip(r.query.tolist(), r.rank.tolist(), r.grade.tolist(), strict=True))


@given(lists=LISTS, data=st.data())
def test_holes_from_one_rank_to_another_are_filled(lists: list[list[int | None]], data: st.DataObject) -> None:
    ((_, r),) = parts(rankings(lists))
    first = [data.draw(st.integers(1, len(ranks) + 1)) for ranks in lists]
    last = [data.draw(st.integers(0, len(ranks))) for ranks in lists]
    found = filled(r, np.array(first), np.array(last), 7)
    expected = [
        (query, at + 1, 7.0 if grade is None or grade < 0 else grade)
        for query, ranks in enumerate(lists)
        for at, grade in enumerate(ranks)
        if (grade is not None and grade >= 0) or first[query] <= at + 1 <= last[query]
    ]
    assert rows(found) == expected
    assert rows(found.cut(2)) == [row for row in expected if row[1] <= 2]
    assert found.relevant(1).tolist() == r.relevant(1).tolist()


@given(lists=LISTS, ranks=st.integers(1, 20))
def test_parts_make_up_the_whole(lists: list[list[int | None]], ranks: int) -> None:
    r = rankings(lists)
    found = [(part, where) for where, part in parts(r, ranks)]
    assert [query for _, where in found for query in range(where.start, where.stop)] == list(range(len(lists)))
    together = [(query + where.start, rank, grade) for part, where in found for query, rank, grade in rows(part)]
    assert together == [row for row in rows(r) if row[2] >= 0]
    assert [name for part, _ in found for name in part.qrels.queries] == list(r.qrels.queries)
    assert np.concatenate([part.qrels.grade for part, _ in found]).tolist() == r.qrels.grade.tolist()


def test_no_rankings_have_no_parts() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert (
        list(parts(Rankings(Qrels.from_dict({}), nothing, nothing, nothing.astype(np.int32), nothing, nothing))) == []
    )


def test_more_judgments() -> None:
    qrels = Qrels.from_dict({"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}})
    assert qrels.count(1).tolist() == [1, 1]
    more = with_judgments(qrels, np.array([0, 2]), 3)
    assert more.count(1).tolist() == [1, 3]
    assert more.grade.tolist() == [1, 0, 2, 3, 3]
    assert more.query.tolist() == [0, 0, 1, 1, 1]
    assert more.offset.tolist() == [0, 2, 5]
    assert len(more.documents) == 5
    assert qrels.count(1).tolist() == [1, 1]
