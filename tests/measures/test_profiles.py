"""Profiles: their rules in words, the parameters that measures have in them, and what tools do not have."""

from __future__ import annotations

import json
import pickle

import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.measures import parse_one
from cranfield.measures.profile_rules import RULES, Profile
from cranfield.measures.profiles import PROFILES, profile


@pytest.mark.parametrize("name", PROFILES)
def test_every_rule_has_words(name: str) -> None:
    one = PROFILES[name]
    assert list(one.rules) == [rule.name for rule in RULES]
    assert all(one.rules.values())
    assert json.loads(json.dumps(one.to_dict()))["rules"] == one.rules
    assert pickle.loads(pickle.dumps(one)) == one


def test_every_field_that_makes_a_difference_has_a_rule() -> None:
    described = {rule.field for rule in RULES}
    others = {"name", "tool", "complete_by", "lists_missing", "lacks", "offers", "no_others"}
    assert set(Profile._fields) == described | others


@pytest.mark.parametrize("name", PROFILES)
def test_offers_are_of_measures_and_parameters_that_there_are(name: str) -> None:
    for measure, offer in PROFILES[name].offers.items():
        parameters = cf.measures.REGISTRY[measure].parameters
        assert set(offer.parameters) | set(offer.needs) <= set(parameters)
        assert {parameter for parameter, _, _ in offer.cases} <= set(parameters)
        rules = [offer.rules, *(more for _, _, more in offer.cases)]
        assert all(set(one) <= set(Profile._fields) for one in rules)


def test_in_upper_or_lower_case() -> None:
    assert profile("GDEVAL") is profile("gdeval") is PROFILES["gdeval"]


def test_an_unknown_tool() -> None:
    with pytest.raises(
        UsageError, match=r"unknown profile 'trec_eval'. Did you mean trec_eval-9.*There are: cranfield"
    ):
        profile("trec_eval")


@pytest.mark.parametrize(
    ("tool", "named", "adapted"),
    [
        # gdeval.pl: (2**$gain - 1) and $MAX_JUDGMENT = 4, $K = 20 if no -k is given
        ("gdeval", "nDCG@10", "nDCG(gain=exponential)@10"),
        ("gdeval", "ndcg_cut_10", "nDCG(gain=exponential)@10"),
        ("gdeval", "nDCG", "nDCG(gain=exponential)@20"),
        ("gdeval", "ERR@5", "ERR(gmax=4)@5"),
        # what is said is not changed
        ("gdeval", "nDCG(gain=linear)@10", "nDCG@10"),
        ("gdeval", "ERR(gmax=2)@5", "ERR(gmax=2)@5"),
        # trec_eval 10's m_rbp.c: p = 0.9, gains rescaled by topic
        ("trec_eval-10", "RBP", "RBP(p=0.9,gain=topic)"),
        ("trec_eval-10", "RBP(p=0.5)", "RBP(p=0.5,gain=topic)"),
        ("ir_measures", "RBP", "RBP(p=0.8)"),
        ("ranx", "rbp.95", "RBP(p=0.95,gain=linear)"),
        # DEFAULT_K = 10 of Elasticsearch
        ("elasticsearch", "nDCG", "nDCG(gain=exponential,ideal=shortened)@10"),
        ("elasticsearch", "P@5", "P(denominator=retrieved)@5"),
        ("elasticsearch", "RR", "RR@10"),
    ],
)
def test_parameters_of_tools(tool: str, named: str, adapted: str) -> None:
    assert str(PROFILES[tool].adapt(parse_one(named))) == adapted


@pytest.mark.parametrize(
    ("tool", "measure", "message"),
    [
        ("gdeval", "AP", "gdeval has no AP; it has nDCG, ERR"),
        ("ranx", "RBP", r"ranx needs p for RBP, as in RBP\(p=0.5\)"),
        ("beir", "nDCG", "BEIR needs cutoff for nDCG, as in nDCG@10"),
        ("elasticsearch", "ERR@10", "Elasticsearch needs gmax for ERR, as in ERR"),
    ],
)
def test_what_a_tool_does_not_have(tool: str, measure: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cf.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, measure, profile=tool)


@pytest.mark.parametrize(
    ("tool", "measure", "grade", "message"),
    [
        ("gdeval", "nDCG@10", 5, "qrels: grade 5 of document 'b' is above 4, where gdeval stops"),
        ("ir_measures", "ERR@10", 5, "qrels: grade 5 of document 'b' is above 4, where ir_measures stops"),
        ("ranx", "AP", 0.5, "qrels: grade 0.5 of document 'b' is not a whole number, which ranx needs"),
    ],
)
def test_grades_that_a_tool_does_not_take(tool: str, measure: str, grade: float, message: str) -> None:
    with pytest.raises(DataError, match=message):
        cf.evaluate({"1": {"a": 1, "b": grade}}, {"1": {"a": 1.0}}, measure, profile=tool)


def test_ndeval_takes_no_negative_grade() -> None:
    rows = [("1", "x", "a", 1), ("1", "y", "b", -1)]
    with pytest.raises(DataError, match="grade -1 of document 'b' is below 0, where ndeval stops"):
        cf.evaluate(rows, {"1": {"a": 1.0}}, "alpha_nDCG@5", profile="ndeval")


def test_beir_divides_by_0_for_capped_recall() -> None:
    with pytest.raises(DataError, match="query '1' has no relevant document, where BEIR divides by 0"):
        cf.evaluate({"1": {"a": 0}}, {"1": {"a": 1.0}}, "RelativeP@5", profile="beir")


def test_ranx_stops_where_topics_are_missing() -> None:
    qrels, run = {"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}}
    with pytest.raises(DataError, match=r"where ranx stops. Add make_comparable=True there, -c \(complete=True\) here"):
        cf.evaluate(qrels, run, "AP", profile="ranx")
    assert cf.evaluate(qrels, run, "AP", profile="ranx", complete=True).mean["AP"] == 0.5  # (1 + 0) / 2


def test_means_over_different_topics() -> None:
    # BEIR leaves missing topics to pytrec_eval for nDCG, which leaves them out, and divides MRR by all judged topics.
    qrels, run = {"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}}
    with pytest.raises(
        DataError, match=r"BEIR counts in the mean of nDCG@5 or of RR@5 and not of both. Take them one at"
    ):
        cf.evaluate(qrels, run, ["nDCG@5", "RR@5"], profile="beir")
    assert cf.evaluate(qrels, run, "nDCG@5", profile="beir").mean["nDCG@5"] == 1
    assert cf.evaluate(qrels, run, "RR@5", profile="beir").mean["RR@5"] == 0.5
    assert cf.evaluate(qrels, run, ["nDCG@5", "RR@5"], profile="beir", complete=True).mean == {
        "nDCG@5": 0.5,
        "RR@5": 0.5,
    }
    complete = {**run, "2": {"b": 1.0}}
    assert cf.evaluate(qrels, complete, ["nDCG@5", "RR@5"], profile="beir").mean == {"nDCG@5": 1.0, "RR@5": 1.0}


def test_raw_grades_of_ranx_go_above_1() -> None:
    # (1 - 0.5) * 3: the relevant document of grade 3 at rank 1.
    (value,) = cf.evaluate({"1": {"a": 3}}, {"1": {"a": 1.0}}, "RBP(p=0.5)", profile="ranx").mean.values()
    assert value == 1.5


def test_beir_and_its_own_document() -> None:
    # A document named like the topic is dropped: then `b` is at rank 1.
    result = cf.evaluate({"q": {"b": 1, "q": 1}}, {"q": {"q": 2.0, "b": 1.0}}, ["P@1", "R@2"], profile="beir")
    assert result.mean == {"P@1": 1.0, "R@2": 0.5}


def test_compare_under_the_profile_of_a_tool() -> None:
    qrels = {"1": {"a": 1, "b": 2}, "2": {"a": 1, "b": 2}}
    old, new = {t: {"a": 2.0, "b": 1.0} for t in qrels}, {t: {"b": 2.0, "a": 1.0} for t in qrels}
    found = cf.compare(qrels, old, new, "nDCG@10", profile="gdeval")
    # (3 + 1/1.585) / (3 + 1/1.585) - (1 + 3/1.585) / (3 + 1/1.585)
    assert found.to_dict()["comparisons"][0]["difference"] == pytest.approx(1 - 0.796708, abs=1e-6)
