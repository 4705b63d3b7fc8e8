"""Judgments and a run joined. Oracle for the ranks: Python's own sort."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run

documents = st.sampled_from(["a", "b", "ab", "B", "long-name-1", "long-name-2", "é"])
scores = st.sampled_from([0.0, 1.0, 100.0, 100.00000001, 100.00000002, -3.5, 1e300, 2e300])
results = st.dictionaries(
    st.sampled_from(["q1", "q2", "q10", "unjudged"]), st.dictionaries(documents, scores, min_size=1), min_size=1
)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("ascending", [False, True])
@given(run=results, judged=st.sets(documents, min_size=1))
def test_ranks_and_ties(single: bool, ascending: bool, run: dict[str, dict[str, float]], judged: set[str]) -> None:
    qrels = Qrels.from_dict({query: dict.fromkeys(sorted(judged), 1) for query in ("q1", "q10", "q2", "q3")})
    joined = Rankings.join(qrels, Run.from_dict(run), single=single, ties_ascending=ascending)
    with np.errstate(over="ignore"):
        value = {s: np.float32(s) if single else s for of in run.values() for s in of.values()}
    for number, query in enumerate(qrels.queries):
        returned = run.get(query, {})
        by_document = sorted(returned, key=lambda d: d.encode(), reverse=not ascending)
        ranking = sorted(by_document, key=lambda d: -value[returned[d]])
        expected = [rank for rank, document in enumerate(ranking, 1) if document in judged]
        rows = joined.query == number
        assert joined.rank[rows].tolist() == expected
        assert joined.retrieved[number] == len(returned)
        shared = [d for d in returned if sum(value[s] == value[returned[d]] for s in returned.values()) > 1]
        assert joined.tied[number] == len(shared)


def test_cutting_and_condensing() -> None:
    rankings = Rankings.from_grades([2, None, -1, 0, 1])
    cut = rankings.cut(4)
    assert (cut.retrieved.tolist(), cut.rank.tolist()) == ([4], [1, 3, 4])
    condensed = rankings.condensed()
    assert (condensed.retrieved.tolist(), condensed.rank.tolist()) == ([3], [1, 2, 3])
    assert condensed.grade.tolist() == [2, 0, 1]
