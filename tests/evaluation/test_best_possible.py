"""The most that any run could score."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.measures import parse_one

MEASURES = [
    "P@3", "P@10", "R@2", "F@3", "F", "Success@1", "AP", "AP@2", "AP(denominator=found)", "MeanP@5", "Rprec",
    "Rprec(multiple=2)", "BreakEven(curve=interpolated)", "RR", "IPrec@0.5", "IPrecAvg", "Bpref", "Bpref(form=pairs)",
    "BprefUncapped", "AUC", "AUC(documents=9)", "EER", "SetP", "SetF", "SetAP", "DCG@2", "nDCG@3", "nDCG(gain=exponential)",
    "RBP", "NumRelRet", "YAAP",
]  # fmt: skip


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("grades", [[2, 1, 0], [1, 1, 0, -1], [3, 2, 1, 1], [2, 2, 0, 0]], ids=str)
def test_no_ranking_scores_more_and_one_scores_as_much(grades: list[int], level: int) -> None:
    # Oracle: every ranking there is of some of the documents and one that is not judged.
    documents = [*(f"d{number}" for number in range(len(grades))), "unjudged"]
    rankings = [ranking for size in range(1, len(documents) + 1) for ranking in permutations(documents, size)]
    judged = {f"d{number}": grade for number, grade in enumerate(grades)}
    qrels = {f"q{number}": judged for number in range(len(rankings))}
    run = {f"q{number}": {d: -float(at) for at, d in enumerate(ranking)} for number, ranking in enumerate(rankings)}
    evaluator = cf.Evaluator(qrels, MEASURES, level=level)
    reached, best = evaluator(run), cf.best_possible(evaluator)
    for measure in evaluator.measures:
        values = np.asarray(reached.columns[measure])
        most = values.max() if measure.definition.more_is_better else values.min()
        if measure.name == "NumRelRet":  # which speaks for nothing
            most = sum(grade >= level for grade in grades)
        assert best.columns[measure] == pytest.approx(np.full(len(values), most), abs=1e-12), measure


def test_topics_without_relevant_documents_count_as_nothing() -> None:
    qrels = {"good": {"a": 1, "b": 0}, "hopeless": {"a": 0}}
    for profile in ("cranfield", "trec_eval-9", "trec_eval-10"):
        best = cf.best_possible(cf.Evaluator(qrels, ["AP", "P@2"], profile=profile))
        assert best.per_query == {"good": {"AP": 1, "P@2": 0.5}, "hopeless": {"AP": 0, "P@2": 0}}
        assert best.mean == {"AP": 0.5, "P@2": 0.25}
        assert not best.coverage.incomplete


def test_what_an_evaluation_says_for_all_holds_for_the_best() -> None:
    qrels = {"q": {f"d{number}": 2 if number < 3 else 1 for number in range(10)}}
    assert cf.best_possible(cf.Evaluator(qrels, "R@10", depth=4)).mean == {"R@10": 0.4}
    assert cf.best_possible(cf.Evaluator(qrels, "P@10", level=2)).mean == {"P(rel=2)@10": 0.3}
    # Only the 3 documents of grade 2 for SetP, all 10 for a measure that looks at grades: 3 · 2 + 7 · 1.
    best = cf.best_possible(cf.Evaluator(qrels, ["SetP", "DCG"], level=2))
    discounts = 1 / np.log2(np.arange(2, 12))
    assert best.mean["SetP(rel=2)"] == 1
    assert best.mean["DCG"] == pytest.approx(discounts.sum() + discounts[:3].sum())


def test_judgments_and_measures_will_do_instead_of_an_evaluator() -> None:
    qrels = {"q": {"a": 1, "b": 2, "c": 0}}
    assert cf.best_possible(qrels).mean == cf.best_possible(cf.Evaluator(qrels)).mean
    assert cf.best_possible(qrels, "P@2", level=2).mean == {"P(rel=2)@2": 0.5}
    with pytest.raises(UsageError, match="an evaluator has its measures and options already; leave them out"):
        cf.best_possible(cf.Evaluator(qrels), "P@2")


def test_the_level_does_not_limit_measures_that_do_not_look_at_it() -> None:
    # 0.5 · (2/2 + 0.5 · 1/2), whatever is relevant
    best = cf.best_possible({"q": {"a": 1, "b": 2}}, "RBP(p=0.5,gain=linear,gmax=2)", level=2)
    assert best.mean == {"RBP(p=0.5,gain=linear,gmax=2)": 0.625}


def test_nothing_is_below_what_is_known_but_for_rounding() -> None:
    # All of 200 relevant documents are found first, so that next to nobody reads on to where all is unknown.
    qrels = {"q": {f"d{number}": 1 for number in range(200)}}
    (residual,) = cf.best_possible(qrels, "INST(T=2,value=residual)").mean.values()
    assert residual == pytest.approx(0, abs=1e-12)
    assert residual >= 0


def test_it_does_not_look_like_a_run() -> None:
    evaluator = cf.Evaluator({"q": {"a": 1}}, "AP")
    best = cf.best_possible(evaluator)
    assert (best.name, best.ideal, evaluator({"q": {"a": 1.0}}).ideal) == ("best possible", True, False)
    assert "topics:" not in repr(best)


def test_only_plain_judgments_have_a_best_ranking() -> None:
    judged_by_two = [("q", "ann", "a", 1), ("q", "bob", "a", 0)]
    with pytest.raises(UsageError, match="the best possible ranking is known for plain judgments, not for -R qrels_jg"):
        cf.best_possible(cf.Evaluator(judged_by_two, parse_one("map_avgjg"), relevance="qrels_jg"))
    with pytest.raises(UsageError, match="alpha_nDCG@10: the best possible ranking by subtopic is not known"):
        cf.best_possible(cf.Evaluator(judged_by_two, "alpha_nDCG@10"))
