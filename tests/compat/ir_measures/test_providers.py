"""Providers by name, and providers and measures of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ir_measures as original
import pandas as pd
import pytest

from cranfield.compat import ir_measures
from cranfield.compat.ir_measures import (
    AP,
    RR,
    Evaluator,
    Measure,
    Metric,
    P,
    Provider,
    calc_aggregate,
    define,
    define_byquery,
    nDCG,
)
from cranfield.compat.ir_measures.providers import FallbackProvider, register, registry
from cranfield.errors import CranfieldError

QRELS = {"q1": {"b": 1}, "q2": {"c": 1}}
RUN = {"q1": {"a": 2.0, "b": 1.0}}


def test_every_provider_is_there() -> None:
    assert set(registry) == set(original.providers.registry)
    for name in registry:
        assert getattr(ir_measures, name) is registry[name]
        assert name == registry[name].NAME
        assert registry[name].is_available()


@pytest.mark.parametrize("name", [name for name in original.providers.registry if name != "runtime"])
def test_every_provider_supports_the_same_measures(name: str) -> None:
    theirs = {measure.NAME for measure in original.providers.registry[name].SUPPORTED_MEASURES}
    assert {measure.NAME for measure in registry[name].SUPPORTED_MEASURES} == theirs


def test_a_provider_computes_its_measures_and_no_others() -> None:
    assert ir_measures.pytrec_eval.calc_aggregate([RR], QRELS, RUN) == {RR: 0.25}
    assert ir_measures.msmarco.supports(RR @ 10)
    assert not ir_measures.msmarco.supports(AP)
    with pytest.raises(ValueError, match="msmarco does not compute AP"):
        ir_measures.msmarco.calc_aggregate([AP], QRELS, RUN)


def test_what_measures_need_to_know() -> None:
    words = define(lambda qrels, run: [], "Words", run_inputs=["query_id", "text"], qrel_inputs=["query_id", "answer"])
    assert ir_measures.run_inputs([AP]) == original.pytrec_eval.run_inputs([original.AP])
    assert ir_measures.qrel_inputs([AP]) == original.pytrec_eval.qrel_inputs([original.AP])
    assert ir_measures.run_inputs([words]) == ["query_id", "text"]
    assert ir_measures.qrel_inputs([words, AP]) == ["query_id", "answer", "doc_id", "relevance"]


def share_of_relevant(qrels: pd.DataFrame, run: pd.DataFrame) -> float:
    found = run.merge(qrels, "left", on=["query_id", "doc_id"])
    return float((found["relevance"] > 0).sum() / len(found))


def test_a_measure_of_ones_own_beside_others() -> None:
    # ir_measures' own test: of the first 2 of q0 one is relevant, of q1 none.
    Mine = define_byquery(share_of_relevant)
    qrels = ir_measures.read_trec_qrels("0 0 D0 0\n0 0 D1 1\n0 0 D2 1\n1 0 D0 1\n1 0 D3 0\n")
    run = (
        ir_measures.ScoredDoc(*row) for row in [("0", "D0", 0.8), ("0", "D2", 0.7), ("1", "D1", 0.8), ("0", "D1", 0.3)]
    )
    found = calc_aggregate([Mine @ 2, P @ 2, Mine], qrels, run)
    assert {str(measure): value for measure, value in found.items()} == pytest.approx(
        {"share_of_relevant@2": 0.25, "P@2": 0.25, "share_of_relevant": 1 / 3}
    )


def test_a_measure_of_all_queries_at_once() -> None:
    def by_query(qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[tuple[str, float]]:
        for query, documents in run.groupby("query_id"):
            yield str(query), float(len(documents))

    Count = define(by_query, "Count")
    assert [tuple(metric) for metric in (Count @ 1).iter_calc(QRELS, RUN)] == [
        ("q1", Count @ 1, 1.0),
        ("q2", Count @ 1, 0.0),  # not in the run
    ]
    assert repr(define(by_query)).startswith("<")


def test_measures_of_other_things_than_documents() -> None:
    # ir_measures' own test has answers for documents.
    Length = define_byquery(lambda qrels, run: len(run.iloc[0]["answer"]) - len(qrels.iloc[0]["gold"]), name="Length")
    run = pd.DataFrame({"query_id": ["q1"], "answer": ["proton"]})
    gold = pd.DataFrame({"query_id": ["q1"], "gold": ["ion"]})
    assert calc_aggregate([Length], gold, run) == {Length: 3.0}
    with pytest.raises(CranfieldError, match="run: the DataFrame has no column query_id; it has answer"):
        calc_aggregate([Length], gold, run.drop(columns="query_id"))


def test_best_documents_come_first_and_ties_are_in_order() -> None:
    First = define_byquery(lambda qrels, run: float(run.doc_id.iloc[0] == "c"), name="First")
    rows = {"query_id": ["q"] * 3, "doc_id": ["a", "c", "b"], "score": [1.0, 2.0, 2.0]}
    for run in (pd.DataFrame(rows), {"q": {"a": 1.0, "c": 2.0, "b": 2.0}}):
        assert First.calc_aggregate({"q": {"a": 1}}, run) == 1.0


class Half(Measure):
    NAME = "Half"


class HalfProvider(Provider):
    NAME = "half"
    SUPPORTED_MEASURES = (Half(),)

    def _evaluator(self, measures: Any, qrels: Any) -> Evaluator:
        return HalfEvaluator(measures, list(qrels))


class HalfEvaluator(Evaluator):
    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        for measure in self.measures:
            yield Metric("q1", measure, 0.5)


def test_a_provider_of_ones_own() -> None:
    half = HalfProvider()
    assert half.calc_aggregate([Half()], QRELS, RUN) == {Half(): 0.25}  # q2 counts 0
    pipeline = FallbackProvider([half, ir_measures.pytrec_eval])
    assert list(pipeline.calc_aggregate([RR, Half(), nDCG], QRELS, RUN)) == [RR, Half(), nDCG]
    assert pipeline.calc([Half(), RR], QRELS, RUN).aggregated == {Half(): 0.25, RR: 0.25}
    with pytest.raises(ValueError, match="no provider computes Half"):
        calc_aggregate([Half()], QRELS, RUN)
    before = dict(registry)
    try:
        assert register(half) is registry["half"]
    finally:
        registry.clear()
        registry.update(before)
