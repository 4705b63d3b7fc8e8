"""What documents cost: looked up for a run, kept beside the ranks, and refused where it is impossible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.costs import Costs, CostsByRank
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.errors import DataError, UsageError

QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d1": 1}}
RUN = {"q1": {"d3": 4, "d9": 3, "d2": 2, "d1": 1}, "q2": {"d2": 2, "d1": 1}}
COSTS = {"d1": 10, "d2": 20, "d3": 30, "d9": 90}
TOTAL = "P(value=ETC)@{}"  # the cost of the first k documents


def total(k: int, **options: Any) -> dict[str, float]:
    found: dict[str, float] = cf.evaluate(QRELS, RUN, TOTAL.format(k), **options)[TOTAL.format(k)]
    return found


def test_costs_of_documents_and_of_documents_for_queries() -> None:
    assert total(2, costs=COSTS) == {"q1": 30 + 90, "q2": 20 + 10}
    by_query = {"q1": COSTS, "q2": {"d2": 1, "d1": 2}}
    assert total(2, costs=by_query) == {"q1": 30 + 90, "q2": 1 + 2}
    assert total(2, costs=Costs.from_dict(COSTS)) == {"q1": 30 + 90, "q2": 20 + 10}


def test_documents_below_the_list_cost_the_default_or_the_mean() -> None:
    mean = (10 + 20 + 30 + 90) / 4
    assert total(5, costs=COSTS) == {"q1": 30 + 90 + 20 + 10 + mean, "q2": 20 + 10 + 3 * mean}
    assert total(5, costs=COSTS, default_cost=7) == {"q1": 30 + 90 + 20 + 10 + 7, "q2": 20 + 10 + 3 * 7}
    # Where everything costs the same, so does a document on average, however far down a reader gets.
    same = {"d1": 10, "d2": 10, "d3": 10, "d9": 10}
    assert cf.evaluate(QRELS, RUN, "INST(T=2,value=EC)", costs=same).mean["INST(T=2,value=EC)"] == pytest.approx(10)


def test_documents_may_cost_nothing() -> None:
    free = {"d1": 0, "d2": 0, "d3": 0, "d9": 0}
    assert total(2, costs={"d1": 10, "d3": 30}, default_cost=0) == {"q1": 30 + 0, "q2": 0 + 10}
    assert total(5, costs={"d1": 10, "d3": 30}, default_cost=0)["q2"] == 10 + 3 * 20  # below the list the mean
    assert total(5, costs=free) == {"q1": 1, "q2": 3}  # a reader who never spends anything would go on for ever
    assert cf.evaluate(QRELS, RUN, "TBG(halflife=1,value=ED)", costs=free)["TBG(halflife=1,value=ED)"] == {
        "q1": pytest.approx(4 + 2),  # the list, and below it 1 + 1/2 + 1/4 + ...
        "q2": pytest.approx(2 + 2),
    }


def test_what_is_not_listed_costs_the_default_or_is_an_error() -> None:
    assert total(2, costs={"d1": 10, "d3": 30}, default_cost=5) == {"q1": 30 + 5, "q2": 5 + 10}
    with pytest.raises(
        DataError,
        match=r"costs: no cost for 3 of the 6 documents that run returns, such as 'd9' for query 'q1'\. Add them, or",
    ):
        total(2, costs={"d1": 10, "d3": 30})
    # A query that is not judged needs no costs.
    cf.evaluate({"q2": {"d1": 1}}, RUN, TOTAL.format(2), costs={"d1": 1, "d2": 1})


def test_a_depth_and_judged_only_leave_costs_where_they_belong() -> None:
    assert total(4, costs=COSTS, default_cost=1, depth=2) == {"q1": 30 + 90 + 1 + 1, "q2": 20 + 10 + 1 + 1}
    judged = cf.evaluate(QRELS, RUN, "P(value=ETC)@3", costs=COSTS, default_cost=1, judged_only=True)
    assert judged["P(value=ETC,judged_only=True)@3"] == {"q1": 30 + 20 + 10, "q2": 10 + 1 + 1}


def test_costs_follow_documents_that_ties_move() -> None:
    # As 32-bit numbers the scores are the same, and d2 stands before d1 then.
    run = {"q1": {"d1": 100.00000001, "d2": 100.0}}
    costs = {"d1": 10, "d2": 20}
    name = TOTAL.format(1)
    assert cf.evaluate(QRELS, run, name, costs=costs)[name]["q1"] == 10
    assert cf.evaluate(QRELS, run, name, costs=costs, profile="trec_eval-9")[name]["q1"] == 20


@given(st.lists(st.lists(st.integers(0, 9), max_size=6), min_size=1, max_size=5), st.integers(1, 8))
def test_costs_by_rank(lists: list[list[int]], depth: int) -> None:
    flat = np.array([cost for costs in lists for cost in costs], dtype=np.float64)
    by_rank = CostsByRank(flat, np.array([len(costs) for costs in lists]), below=0.5)
    expected = [(costs + [0.5] * depth)[:depth] for costs in lists]
    everyone = np.arange(len(lists))
    assert by_rank.down_to(everyone, depth).tolist() == expected
    short = by_rank.cut(2)
    assert short.down_to(everyone, 8).tolist() == [(costs[:2] + [0.5] * 8)[:8] for costs in lists]


def test_queries_of_the_run_that_are_not_judged_are_passed_over() -> None:
    run = Run.from_dict({"a": {"d1": 2, "d2": 1}, "b": {"d1": 1}, "c": {"d2": 1}})
    rankings = Rankings.join(Qrels.from_dict({"c": {"d2": 1}, "a": {"d1": 1}}), run, costs=Costs.from_dict(COSTS))
    assert rankings.costs is not None
    assert rankings.costs.cost.tolist() == [10, 20, 20]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"costs": {"d1": -1}}, r"costs: row 1: document 'd1' costs -1; a cost is at least 0"),
        ({"costs": {"d1": float("nan")}}, r"costs, row 1: cost nan is not a finite number"),
        ({"costs": {"q1": {"d1": "x"}}}, r"costs, query 'q1', document 'd1': cost 'x' is not a number"),
    ],
)
def test_impossible_costs(options: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        total(2, **options)


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        ("TBG", {"default_cost": 3}, "is for documents that --costs does not list; add --costs"),
        ("TBG", {"costs": COSTS, "default_cost": -1}, r"costs \(--default-cost\) at least 0, not -1"),
        ("nDCG", {"costs": COSTS}, "none of the measures looks at that; TBG, U, BPM, IFT_C2 and value=EC or ETC do"),
        (["AP", "INST(T=2)"], {"costs": COSTS}, "none of the measures looks at that"),
    ],
)
def test_costs_that_make_no_sense(measure: str | list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cf.evaluate(QRELS, RUN, measure, **options)


def test_costs_for_each_rank_of_one_ranking() -> None:
    # V = 1, 1/4, 1/8: 1/1 + 1/8
    assert cf.evaluate_one("TBG(halflife=1,value=ETU)", [1, 0, 1], costs=[2, 1, 1]) == 1.125
    with pytest.raises(UsageError, match="2 costs for 3 documents; give each its own"):
        cf.evaluate_one("TBG", [1, 0, 1], costs=[2, 1])


def test_a_file_of_costs(tmp_path: Path) -> None:
    (tmp_path / "costs.txt").write_text("".join(f"{document}\t{cost}\n" for document, cost in COSTS.items()))
    (tmp_path / "run.txt").write_text("q1 Q0 d3 1 4 t\nq1 Q0 d9 2 3 t\nq2 Q0 d2 1 2 t\n")
    result = cf.evaluate(QRELS, tmp_path / "run.txt", TOTAL.format(2), costs=tmp_path / "costs.txt")
    assert result[TOTAL.format(2)] == {"q1": 30 + 90, "q2": 20 + 37.5}
    assert result.settings["costs"] == str(tmp_path / "costs.txt")
