"""Rankings by other rules, against sorting in plain Python."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.rankings import Rankings
from cranfield.data.reranking import Reranking
from cranfield.errors import DataError

DOCUMENTS = ["d1", "d2", "d10", "é", "a-document-with-a-long-name", "q1", "q2"]
scores = st.sampled_from([0.0, 1.0, 100.0, 100.00000001, 2.5])
runs = st.dictionaries(
    st.sampled_from(["q1", "q2", "unjudged"]),
    st.lists(st.tuples(st.sampled_from(DOCUMENTS), scores), min_size=1, unique_by=lambda pair: pair[0]).map(dict),
    min_size=1,
)
judgments = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 2), min_size=1),
    min_size=1,
)


def listed(rankings: Rankings) -> dict[str, dict[str, int]]:
    """The rank of each judged document that is retrieved, by query."""
    found: dict[str, dict[str, int]] = {query: {} for query in rankings.qrels.queries}
    for query, rank, row in zip(rankings.query, rankings.rank, rankings.judgment, strict=True):
        found[rankings.qrels.queries[query]][rankings.qrels.documents[row].decode()] = int(rank)
    return found


def expected(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], ties: str, single: bool, drops_own: bool
) -> dict[str, dict[str, int]]:
    def by_score(pair: tuple[str, float]) -> Any:
        return -float(np.float32(pair[1])) if single else -pair[1]

    found: dict[str, dict[str, int]] = {}
    for query, grades in qrels.items():
        documents = [pair for pair in run.get(query, {}).items() if not (drops_own and pair[0] == query)]
        if ties == "document-down":
            documents.sort(key=lambda pair: pair[0].encode(), reverse=True)
        elif ties == "document-up":
            documents.sort(key=lambda pair: pair[0].encode())
        documents.sort(key=by_score)
        found[query] = {name: rank for rank, (name, _) in enumerate(documents, 1) if name in grades}
    return found


@given(qrels=judgments, run=runs, ties=st.sampled_from(["document-down", "document-up", "given"]), rules=st.data())
def test_every_order_of_ties(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], ties: Any, rules: st.DataObject
) -> None:
    single, drops_own = rules.draw(st.booleans()), rules.draw(st.booleans())
    reranking = Reranking(cf.Qrels.from_dict(qrels), cf.Run.from_dict(run))
    ranked = reranking.ranked(ties=ties, single=single, drops_own=drops_own)
    assert listed(ranked) == expected(qrels, run, ties, single, drops_own)
    for query, retrieved in zip(ranked.qrels.queries, ranked.retrieved.tolist(), strict=True):
        assert retrieved == len([name for name in run.get(query, {}) if not (drops_own and name == query)])


@given(qrels=judgments, run=runs)
def test_best_and_worst_are_by_grade(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> None:
    reranking = Reranking(cf.Qrels.from_dict(qrels), cf.Run.from_dict(run))
    for order, sign in (("best", -1), ("worst", 1)):
        found = listed(reranking.ranked(ties=order))  # type: ignore[arg-type]
        for query, grades in qrels.items():
            scored = run.get(query, {})
            graded = [(-scored[name], sign * grades.get(name, 0)) for name in scored]
            by_rank = {rank: grades[name] for name, rank in found[query].items()}
            assert [by_rank.get(rank, 0) for rank in range(1, len(scored) + 1)] == [sign * g for _, g in sorted(graded)]


def test_the_same_object_where_rules_make_no_difference() -> None:
    reranking = Reranking(cf.Qrels.from_dict({"q1": {"a": 1}}), cf.Run.from_dict({"q1": {"a": 1.0, "b": 0.5}}))
    assert reranking.ranked(ties="document-up") is reranking.ranked(ties="given", single=True, drops_own=True)


def test_the_rank_column_decides() -> None:
    text = "q1 Q0 a 2 9.0 t\nq1 Q0 b 1 1.0 t\nq1 Q0 c 10 5.0 t\n"
    run = cf.read_run(io.StringIO(text), ranks=True)
    ranked = Reranking(cf.Qrels.from_dict({"q1": {"a": 1, "b": 1, "c": 1}}), run).ranked(ties="rank")
    assert listed(ranked) == {"q1": {"b": 1, "a": 2, "c": 3}}


def test_without_a_rank_column_the_order_of_the_file_decides_ties() -> None:
    run = cf.Run.from_dict({"q1": {"a": 1.0, "b": 2.0, "c": 1.0}})
    ranked = Reranking(cf.Qrels.from_dict({"q1": {"a": 1, "b": 1, "c": 1}}), run).ranked(ties="rank")
    assert listed(ranked) == {"q1": {"b": 1, "a": 2, "c": 3}}


def test_a_rank_twice() -> None:
    run = cf.read_run(io.StringIO("q1 Q0 a 1 9.0 t\nq1 Q0 b 1 1.0 t\n"), ranks=True, name="bm25")
    reranking = Reranking(cf.Qrels.from_dict({"q1": {"a": 1}}), run)
    with pytest.raises(DataError, match="bm25: documents 'a' and 'b' of query 'q1' both have rank 1, and ranks are"):
        reranking.ranked(ties="rank")


def test_a_rank_that_is_no_number() -> None:
    text = "q1 Q0 a 1 9.0 t\nq1 Q0 b first 1.0 t\n"
    assert cf.read_run(io.StringIO(text)).given_rank is None
    with pytest.raises(DataError, match="2: rank 'first' is not a finite number"):
        cf.read_run(io.StringIO(text), ranks=True)


def test_ranks_of_tables_are_kept() -> None:
    run = cf.read_run(io.StringIO("query_id\tdoc_id\tscore\trank\nq1\ta\t1\t2\nq1\tb\t2\t1\n"))
    assert run.given_rank is not None
    assert run.given_rank.tolist() == [1, 2]
