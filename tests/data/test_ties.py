"""Which documents are tied. Oracle: Python's own sort and groupby."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.ties import TieGroups

documents = st.sampled_from("abcdefg")
scores = st.sampled_from([0.0, 1.0, 1.00000001, 2.0])
runs = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "unjudged"]), st.dictionaries(documents, scores, min_size=1), min_size=1
)
QRELS = Qrels.from_dict({query: {"a": 1, "b": 0, "c": -1, "d": 2} for query in ("q1", "q2", "q3")})


def groups_of(ties: TieGroups | None) -> list[tuple[int, int, int]]:
    assert ties is not None
    return list(zip(ties.query.tolist(), ties.first.tolist(), ties.last.tolist(), strict=True))


def by_hand(run: dict[str, dict[str, float]], *, single: bool = False) -> list[tuple[int, int, int]]:
    """(query, first rank, last rank) of each tie of judged queries."""
    found = []
    for number, query in enumerate(("q1", "q2", "q3")):
        value = [float(np.float32(score)) if single else score for score in run.get(query, {}).values()]
        rank = 1
        for _, tied in groupby(sorted(value, reverse=True)):
            size = len(list(tied))
            found += [(number, rank, rank + size - 1)] if size > 1 else []
            rank += size
    return found


@given(run=runs, single=st.booleans())
def test_ties_are_found_where_a_run_is_joined(run: dict[str, dict[str, float]], single: bool) -> None:
    joined = Rankings.join(QRELS, Run.from_dict(run), single=single, keep_ties=True)
    assert groups_of(joined.ties) == by_hand(run, single=single)
    assert Rankings.join(QRELS, Run.from_dict(run)).ties is None


@given(run=runs, depth=st.integers(1, 6))
def test_ties_across_a_rank_and_what_is_left_above_it(run: dict[str, dict[str, float]], depth: int) -> None:
    joined = Rankings.join(QRELS, Run.from_dict(run), keep_ties=True)
    assert joined.ties is not None
    across = [first <= depth < last for _, first, last in by_hand(run)]
    assert joined.ties.across(depth).tolist() == across
    assert joined.ties.across(np.full(3, depth)).tolist() == across
    kept = [(q, first, min(last, depth)) for q, first, last in by_hand(run) if min(last, depth) > first]
    assert groups_of(joined.cut(depth).ties) == kept


@given(run=runs)
def test_ties_close_up_where_unjudged_documents_are_dropped(run: dict[str, dict[str, float]]) -> None:
    judged = {query: {d: score for d, score in of.items() if d in "abd"} for query, of in run.items()}
    joined = Rankings.join(QRELS, Run.from_dict(run), keep_ties=True)
    assert groups_of(joined.condensed().ties) == by_hand(judged)


@given(run=runs)
def test_the_tie_of_each_place(run: dict[str, dict[str, float]]) -> None:
    joined = Rankings.join(QRELS, Run.from_dict(run), keep_ties=True)
    assert joined.ties is not None
    found = joined.ties.at(joined.query, joined.rank).tolist()
    groups = by_hand(run)
    for query, rank, at in zip(joined.query.tolist(), joined.rank.tolist(), found, strict=True):
        inside = [number for number, (q, first, last) in enumerate(groups) if q == query and first <= rank <= last]
        assert [at] == (inside or [-1])


def test_parts_of_a_run() -> None:
    one = TieGroups(*(np.array([value], dtype=np.int32) for value in (2, 1, 2)))
    other = TieGroups(*(np.array([value], dtype=np.int32) for value in (0, 3, 4)))
    assert groups_of(TieGroups.joined([one, other])) == [(0, 3, 6), (2, 1, 2)]
    assert groups_of(TieGroups.joined([TieGroups.none(), one])) == [(2, 1, 2)]
    assert TieGroups.joined([one, None]) is None
