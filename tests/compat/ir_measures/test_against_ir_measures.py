"""The same numbers as ir_measures 0.4.3 (pytrec_eval 0.5.11, cwl-eval 1.0.12, pyndeval 0.0.8, gdeval 1.2a), query by
query and together, wherever docs/compat.md does not list a difference.

Every measure is asked for alone: several at once the original does not always keep apart (see test_corrections.py).
"""

from __future__ import annotations

import shutil
import warnings
from typing import Any

import ir_measures as original
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cranfield.compat import ir_measures
from cranfield.compat.ir_measures import CwlMetric, Qrel, parse_measure
from tests.compat.ir_measures.material import Case, cases, diverse_cases, per_query, theirs

PYTREC_EVAL = """
    P@1 P@5 P(rel=2)@3 P(judged_only=True)@3 R@3 R(rel=2)@5 R(judged_only=True)@2 Success@2 Success(rel=3)@5 AP AP(rel=2)
    AP@3 AP(judged_only=True) RR RR(rel=2) RR(judged_only=True) Rprec Rprec(rel=2) Rprec(judged_only=True) Bpref
    Bpref(rel=2) infAP infAP(rel=2) IPrec@0.0 IPrec@0.1 IPrec@0.4 IPrec@1.0 IPrec(rel=2)@0.3
    SetP SetP(rel=2) SetRelP SetP(judged_only=True) SetR SetR(rel=2) SetF SetF(rel=2) SetF(judged_only=True) SetAP
    SetAP(judged_only=True) nDCG nDCG@3 nDCG(judged_only=True)@2 nDCG(gains={0:1,2:5})@4 NumRet NumRet(rel=2) NumRelRet
"""
USER_MODELS = """
    RBP(rel=1) RBP(rel=2,p=0.5) RBP(rel=1,p=0.95) BPM(max_rel=3)@5 BPM(T=2.0,max_rel=4)@3 BPM(T=0.5,min_rel=1,max_rel=3)@3
    SDCG(max_rel=4)@5 SDCG(min_rel=1,max_rel=2)@5 NERR8(max_rel=4)@5 NERR9(max_rel=3)@5 NERR10(max_rel=3)
    NERR10(p=0.5,max_rel=4) NERR11(max_rel=4) NERR11(T=2.0,max_rel=4) INST(max_rel=4) INST(T=2.0,max_rel=3)
    INSQ(max_rel=4) INSQ(T=3.0,max_rel=2)
"""
OTHERS = "RR@3 RR(rel=2)@2 Compat Compat(p=0.8) Compat(normalize=False) Judged Judged@2 Judged@10"
DIVERSE = """
    ERR_IA@5 ERR_IA@20 nERR_IA@5 alpha_DCG@5 alpha_nDCG@5 alpha_nDCG(alpha=0.3)@10 alpha_nDCG(rel=2)@10 NRBP
    NRBP(alpha=0.2,beta=0.8) AP_IA P_IA@5 StRecall@3 StRecall(rel=2)@5
"""


def agree(name: str, theirs_of: Any, ours_of: Any, run: Any, abs: float = 1e-9) -> None:
    """Both give the same for each query and in all."""
    their_measure, our_measure = theirs(name), parse_measure(name)
    assert str(our_measure) == str(their_measure)
    expected = per_query(original.iter_calc([their_measure], theirs_of, run))
    assert per_query(ir_measures.iter_calc([our_measure], ours_of, run)) == pytest.approx(expected, abs=abs)
    mean = original.calc_aggregate([their_measure], theirs_of, run)[their_measure]
    found = ir_measures.calc_aggregate([our_measure], ours_of, run)[our_measure]
    assert found == pytest.approx(mean, abs=abs)
    both = ir_measures.calc([our_measure], ours_of, run)
    assert both.aggregated[our_measure] == pytest.approx(mean, abs=abs)


@pytest.mark.parametrize("names", [PYTREC_EVAL, USER_MODELS, OTHERS], ids=["pytrec_eval", "cwl_eval", "others"])
@given(case=cases())
@settings(max_examples=30)
def test_the_same_numbers(names: str, case: Case) -> None:
    for name in names.split():
        agree(name, case.qrels, case.qrels, case.run)


@given(case=cases())
@settings(max_examples=25)
def test_the_same_counts_where_no_topic_is_missing(case: Case) -> None:
    run = {topic: {"x0": 1000.0} for topic in case.qrels} | case.run
    for name in ("NumQ", "NumRel"):
        agree(name, case.qrels, case.qrels, run)


@given(case=cases())
@settings(max_examples=25)
def test_the_same_interpolated_precision_where_something_judged_is_retrieved(case: Case) -> None:
    run = {topic: documents | dict.fromkeys(case.qrels.get(topic, ()), 1.0) for topic, documents in case.run.items()}
    agree("IPrec(judged_only=True)@0.3", case.qrels, case.qrels, run)


@given(case=cases())
@settings(max_examples=30)
def test_the_same_accuracy_where_something_retrieved_is_not_relevant(case: Case) -> None:
    # Otherwise the original divides by 0.
    run = {topic: {"x0": 1000.0, **documents} for topic, documents in case.run.items()}
    for name in ("Accuracy", "Accuracy@3", "Accuracy(rel=2)"):
        expected = per_query(original.iter_calc([theirs(name)], case.qrels, run))
        assert per_query(ir_measures.iter_calc([parse_measure(name)], case.qrels, run)) == pytest.approx(expected)


@given(case=diverse_cases())
@settings(max_examples=30)
def test_the_same_diversity(case: Any) -> None:
    rows, run = case
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is one subtopic only
        for name in DIVERSE.split():
            agree(name, [original.Qrel(*row) for row in rows], [Qrel(*row) for row in rows], run)


@given(case=diverse_cases())
@settings(max_examples=25)
def test_the_same_normalised_nrbp_where_something_is_relevant(case: Any) -> None:
    rows, run = case
    relevant = {topic for topic, _, grade, _ in rows if grade > 0}
    assume(relevant == {topic for topic, *_ in rows})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agree("nNRBP", [original.Qrel(*row) for row in rows], [Qrel(*row) for row in rows], run)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script")
@given(case=cases())
@settings(max_examples=15)
def test_the_same_as_gdeval(case: Case) -> None:
    for name in ("ERR@1", "ERR@10", "nDCG(dcg='exp-log2')@3"):
        agree(name, case.qrels, case.qrels, case.run, abs=6e-6)  # it prints five places


# cwl_eval drops the rank behind the last one it looks at, 1000, from some sums: readers who get there lose a little.
ENDLESS = ("INST", "INSQ", "NERR11")


@given(case=cases())
@settings(max_examples=25)
def test_the_same_of_readers(case: Case) -> None:
    for name in USER_MODELS.split():
        loose = name.startswith(ENDLESS)
        expected = {metric.query_id: metric for metric in original.iter_calc([theirs(name)], case.qrels, case.run)}
        for metric in ir_measures.iter_calc([parse_measure(name)], case.qrels, case.run):
            missing = metric.query_id not in case.run
            assert isinstance(metric, CwlMetric) is not missing
            if isinstance(metric, CwlMetric):
                there = [float(value) for value in expected[metric.query_id][2:]]
                assert list(metric[2:]) == pytest.approx(there, rel=0.01 if loose else 1e-6), name


@given(case=cases(), names=st.lists(st.sampled_from(PYTREC_EVAL.split()), min_size=2, unique=True))
@settings(max_examples=25)
def test_several_measures_are_each_what_they_are_alone(case: Case, names: list[str]) -> None:
    wanted = [parse_measure(name) for name in names]
    together = ir_measures.calc_aggregate(wanted, case.qrels, case.run)
    assert list(together) == list(dict.fromkeys(wanted))
    assert together == {measure: measure.calc_aggregate(case.qrels, case.run) for measure in wanted}
