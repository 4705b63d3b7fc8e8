"""Measures as values: names, parameters, texts, equality; and names to measures. Oracle: ir_measures 0.4.3."""

from __future__ import annotations

import pickle
from typing import Any

import ir_measures as original
import pytest

from cranfield.compat import ir_measures
from cranfield.compat.ir_measures import AP, P, R, SetF, alpha_nDCG, measures, nDCG, parse_measure, parse_trec_measure
from cranfield.errors import CranfieldError

LEFT_OUT = {"lazylibs"}


def test_every_public_name_is_there() -> None:
    assert set(original.__all__) - LEFT_OUT <= set(ir_measures.__all__)
    assert set(original.measures.__all__) <= set(measures.__all__)
    assert ir_measures.__version__ == original.__version__


def test_every_measure_is_registered_under_the_same_names() -> None:
    assert set(measures.registry) == set(original.measures.registry)


def plain(value: Any) -> Any:
    """A default or choice; None if there is none."""
    return value if isinstance(value, (int, float, str, list)) else None


@pytest.mark.parametrize("name", original.measures.registry)
def test_every_measure_has_the_same_parameters_and_text(name: str) -> None:
    ours, theirs = measures.registry[name], original.measures.registry[name]
    assert (repr(ours), str(ours), ours.NAME, ours.AT_PARAM) == (
        repr(theirs),
        str(theirs),
        theirs.NAME,
        theirs.AT_PARAM,
    )
    assert ours.params == theirs.params
    assert {
        key: (info.dtype, info.required, plain(info.default), plain(info.choices))
        for key, info in ours.SUPPORTED_PARAMS.items()
    } == {
        key: (info.dtype, info.required, plain(info.default), plain(info.choices))
        for key, info in theirs.SUPPORTED_PARAMS.items()
    }
    assert type(ours.aggregator()).__name__ == type(theirs.aggregator()).__name__
    assert getattr(ir_measures, name) == ours


@pytest.mark.parametrize("name", measures.registry)
def test_every_measure_says_what_it_is(name: str) -> None:
    measure: Any = measures.registry[name]
    assert measure.PRETTY_NAME.islower()
    assert measure.SHORT_DESC.endswith((".", ":"))


TEXTS = [
    "AP",
    "AP(rel=2)",
    "P(rel=2)@5",
    "P(judged_only=True)@5",
    "nDCG(dcg='exp-log2')@10",
    "nDCG(gains={1:3,2:9})@5",
    "IPrec@0.1",
    "RBP(rel=1,p=0.9)",
    "SetP(relative=True)",
    "Compat(p=0.8,normalize=False)",
    "alpha_nDCG(alpha=0.3)@20",
    "BPM(T=2.0,max_rel=3)@10",
    "NumRet(rel=1)",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_parse_back(text: str) -> None:
    measure = parse_measure(text)
    assert repr(measure) == text
    assert parse_measure(measure) is measure
    assert repr(getattr(original, str(measure.NAME))(**measure.params)) == text
    assert pickle.loads(pickle.dumps(measure)) == measure


def test_equality_and_hashing() -> None:
    assert P(rel=1) @ 5 == P @ 5
    assert hash(P(rel=1) @ 5) == hash(P @ 5)
    assert P @ 5 != R @ 5
    assert P @ 5 != "P@5"
    assert P(rel=2, judged_only=True) @ 5 == P(judged_only=True, rel=2) @ 5
    assert {nDCG @ 10: 1}[nDCG @ 10] == 1
    assert nDCG(gains={1: 1}) == nDCG(gains={2: 2})  # neither changes a gain


def test_parameters_by_name() -> None:
    measure = P(rel=2) @ 5
    assert (measure["rel"], measure["cutoff"], measure["judged_only"]) == (2, 5, False)
    assert measure(rel=1).params == {"rel": 1, "cutoff": 5}


@pytest.mark.parametrize(
    ("name", "problem", "kind"),
    [
        ("nDGC@10", "unknown measure 'nDGC'. Did you mean nDCG", NameError),
        ("P(10)", "'P(10)' is not a measure: parameters are given by name", ValueError),
        ("P@@10", "'P@@10' is not a measure: expected Name(parameter=value)@cutoff", ValueError),
        ("P@5, R@5", "'P@5, R@5' is not a measure", ValueError),
        ("P@x", "'P@x' is not a measure: x is not a number", ValueError),
        ("P = 5", "'P = 5' is not a measure: expected one measure", ValueError),
        ("", "'' is not a measure", ValueError),
    ],
)
def test_names_that_are_none(name: str, problem: str, kind: type[Exception]) -> None:
    with pytest.raises(CranfieldError) as caught:
        parse_measure(name)
    assert problem in str(caught.value)
    assert isinstance(caught.value, kind)  # which is what ir_measures' parse_measure raises


@pytest.mark.parametrize(
    ("measure", "problem"),
    [
        (P, "P needs cutoff, as in P@10"),
        (P @ 5.0, "P@5.0: cutoff must be a whole number, not 5.0"),
        (AP(level=2), "AP has no parameter 'level'. Its parameters: cutoff, rel, judged_only"),
        (AP(judgedonly=True), "Did you mean judged_only?"),
        (nDCG(dcg="log"), "dcg must be 'log2' or 'exp-log2', not 'log'"),
        (SetF(beta="2"), "beta must be a number, not '2'"),
        (alpha_nDCG(alpha=2.0) @ 5, "alpha must be a number from 0 to 1, not 2.0"),
        (ir_measures.INST, "INST needs max_rel, as in INST(max_rel=...)"),
        (ir_measures.SDCG(min_rel=3, max_rel=3) @ 5, "min_rel must be below max_rel, and 3 is not below 3"),
        (ir_measures.RBP, "RBP needs rel, the least grade that is relevant, as in RBP(rel=1)"),
        (nDCG(dcg="exp-log2", gains={1: 2}), "give one of them"),
    ],
)
def test_parameters_that_are_wrong(measure: Any, problem: str) -> None:
    with pytest.raises(CranfieldError) as caught:
        measure.calc_aggregate({"q": {"a": 1}}, {"q": {"a": 1.0}})
    assert problem in str(caught.value)


def test_missing_parameters_are_also_what_the_original_raises() -> None:
    with pytest.raises(AssertionError):
        P.calc_aggregate({"q": {"a": 1}}, {"q": {"a": 1.0}})
    with pytest.raises(ValueError, match="needs rel"):
        ir_measures.RBP.calc_aggregate({"q": {"a": 1}}, {"q": {"a": 1.0}})


@pytest.mark.parametrize(
    "name",
    [
        *(
            "ndcg",
            "P",
            "map_cut",
            "set_map",
            "set_P",
            "infAP",
            "bpref",
            "num_rel_ret",
            "recip_rank",
            "recall",
            "set_recall",
        ),
        *("set_relative_P", "num_ret", "num_rel", "ndcg_cut", "Rprec", "num_q", "map", "success", "set_F"),
        *("iprec_at_recall", "P_5", "P.5,10", "ndcg_cut_10", "iprec_at_recall_0.10", "iprec_at_recall.0.1,0.2"),
    ],
)
def test_names_of_trec_eval(name: str) -> None:
    assert repr(parse_trec_measure(name)) == repr(original.parse_trec_measure(name))


@pytest.mark.parametrize("name", ["official", "set", "all_trec", "prefs"])
def test_sets_of_trec_eval(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.warns(UserWarning, match=f"{name}: ir_measures has no"):
        ours = parse_trec_measure(name)
    # pytrec_eval 0.5.11 has trec_eval 9, which lacks these.
    assert [repr(one) for one in ours] == [repr(one) for one in original.parse_trec_measure(name)]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("gm_map", "ir_measures has no measure for trec_eval's gm_map; cranfield.evaluate computes it by that name"),
        ("map.5", "map takes no parameters, found 5"),
        ("ndgc_cut", "unknown measure 'ndgc_cut' of trec_eval. Did you mean ndcg_cut"),
    ],
)
def test_names_that_trec_eval_has_or_has_not(name: str, problem: str) -> None:
    with pytest.raises(CranfieldError) as caught:
        parse_trec_measure(name)
    assert problem in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_old_names_still_work() -> None:
    with pytest.warns(DeprecationWarning, match="use parse_trec_measure"):
        assert ir_measures.convert_trec_name("map") == [AP]
    with pytest.warns(DeprecationWarning, match="use Qrel"):
        assert ir_measures.GenericQrel("q", "a", 1) == ir_measures.Qrel("q", "a", 1)
    with pytest.warns(DeprecationWarning, match="use ScoredDoc"):
        assert ir_measures.GenericScoredDoc("q", "a", 1.0) == ir_measures.ScoredDoc("q", "a", 1.0)
    with pytest.warns(DeprecationWarning, match="use read_trec_run"):
        assert list(ir_measures.parse_trec_run("q Q0 a 1 1.0 t\n")) == [ir_measures.ScoredDoc("q", "a", 1.0)]
    with pytest.warns(DeprecationWarning, match="use read_trec_qrels"):
        assert list(ir_measures.parse_trec_qrels("q 0 a 1\n")) == [ir_measures.Qrel("q", "a", 1)]
    with (
        pytest.warns(DeprecationWarning, match="use evaluator"),
        ir_measures.calc_ctxt([AP], {"q": {"a": 1}}) as evaluate,
    ):
        assert [metric.value for metric in evaluate({"q": {"a": 1.0}})] == [1.0]
