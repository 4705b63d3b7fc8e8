"""Why tools differ: parts add up, each rule alone by hand, and what is said of tools that have no number."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import CoverageError, ParameterError, UsageError
from cranfield.evaluation.whydiff.tool_differences import ToolDifference
from cranfield.measures.profiles import PROFILES

DISCOUNT = 1 / math.log2(3)


def difference(qrels: Any, run: Any, measure: str, profiles: str, **options: Any) -> ToolDifference:
    (one,) = cf.whydiff(qrels, run, measure, profiles=profiles, **options).measures
    (found,) = one.differences
    return found


documents = st.sampled_from(["d1", "d2", "d3", "D4", "1", "2"])
judgments = st.dictionaries(
    st.sampled_from(["1", "2", "3"]),
    st.dictionaries(documents, st.integers(-1, 3), min_size=1),
    min_size=1,
)
runs = st.dictionaries(
    st.sampled_from(["1", "2", "3", "9"]),
    st.dictionaries(documents, st.sampled_from([0.0, 1.0, 100.0, 100.00000001]), min_size=1),
    min_size=1,
)
MEASURES = ["nDCG@2", "AP", "AP@2", "RR@2", "P@3", "ERR@2", "RBP(p=0.8)", "SetF(beta=2)", "Bpref", "NumRel", "GMAP"]


@settings(max_examples=150)
@given(qrels=judgments, run=runs, measure=st.sampled_from(MEASURES), first=st.sampled_from(list(PROFILES)))
def test_parts_add_up_to_the_difference(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], measure: str, first: str
) -> None:
    assume(qrels.keys() & run.keys())
    profiles = [first, *(name for name in PROFILES if name != first)]
    (one,) = cf.whydiff(qrels, run, measure, profiles=profiles, topics=99).measures
    reference = one.tools[0]
    for tool, found in zip(one.tools[1:], one.differences, strict=True):
        assert (found.reference, found.other) == (reference.profile, tool.profile)
        assert found.difference == tool.value - reference.value
        assert math.fsum(part.part for part in found.parts) == pytest.approx(found.difference, abs=1e-12)
        for part in found.parts:
            if part.topics:
                assert math.fsum(share for _, share in part.topics) == pytest.approx(part.part, abs=1e-9)


@settings(max_examples=100)
@given(qrels=judgments, run=runs, measure=st.sampled_from(["nDCG@2", "AP", "P@3"]))
def test_each_number_is_what_evaluate_gives(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], measure: str
) -> None:
    assume(qrels.keys() & run.keys())
    (one,) = cf.whydiff(qrels, run, measure, complete=True).measures
    for tool in one.tools:
        (value,) = cf.evaluate(qrels, run, measure, profile=tool.profile, complete=True).mean.values()
        assert tool.value == (value if tool.places is None else round(value, tool.places))


# Each rule alone. The numbers are worked out in the comments; nDCG's discount at rank 2 is 1/log2(3) = .63093.


def test_gain() -> None:
    # linear: (1 + 2/1.585) / (2 + 1/1.585); exponential: (1 + 3/1.585) / (3 + 1/1.585)
    found = difference({"1": {"a": 1, "b": 2}}, {"1": {"a": 2.0, "b": 1.0}}, "nDCG@5", "cranfield,elasticsearch")
    expected = (1 + 3 * DISCOUNT) / (3 + DISCOUNT) - (1 + 2 * DISCOUNT) / (2 + DISCOUNT)
    assert found.part("gain") == pytest.approx(expected)
    (part,) = found.parts
    assert (part.reference, part.other) == ("linear", "exponential")
    assert dict(part.topics) == pytest.approx({"1": expected})
    assert [rule.rule for rule in found.no_effect] == ["ties", "negative grades", "ideal"]


def test_missing_topics_and_where() -> None:
    # Topics 2 and 3 are missing: the mean is 1/3 if they count as 0 and 1 if they are left out, 1/3 for each of them.
    found = difference({t: {"a": 1} for t in "123"}, {"1": {"a": 1.0}}, "RR", "cranfield,trec_eval-9")
    (part,) = found.parts
    assert (part.rule, part.reference, part.other) == ("missing topics", "score 0", "left out")
    assert part.part == pytest.approx(2 / 3)
    assert dict(part.topics) == pytest.approx({"2": 1 / 3, "3": 1 / 3})


def test_score_type_and_ties_act_together() -> None:
    # As doubles b is above a; as 32-bit floats they tie. RR@10 of ir_measures has doubles and ties first first: b is
    # at rank 1. trec_eval-9 has floats and ties last first: b is at rank 1, too. Both rules changed, and nothing moved.
    qrels, run = {"1": {"b": 1}}, {"1": {"a": 100.0, "b": 100.00000001}}
    found = difference(qrels, run, "RR@10", "trec_eval-9,ir_measures")
    assert found.difference == 0
    # One rule alone: (floats, first first) puts a above b, and RR is 1/2; (doubles, last first) leaves 1. In one of the
    # two orders of exchange ties lose 1/2 which the score type then wins back: -1/4 and +1/4.
    assert {part.rule: part.part for part in found.parts} == pytest.approx({"ties": -0.25, "score type": 0.25})


def test_topics_without_relevant_documents() -> None:
    qrels, run = {"1": {"a": 1}, "2": {"b": 0}}, {"1": {"a": 1.0}, "2": {"b": 1.0}}
    found = difference(qrels, run, "nDCG@5", "cranfield,gdeval")
    assert found.part("topics without relevant documents") == pytest.approx(0.5)  # 1 instead of (1 + 0) / 2


def test_beta_of_ir_measures() -> None:
    # P = 1, R = 1/2. F2 = 5 · .5 / (4 + .5) = .5556; with β² = 2: 3 · .5 / (2 + .5) = .6: PEERS has .556 against .6.
    found = difference({"1": {"a": 1, "b": 1}}, {"1": {"a": 1.0}}, "SetF(beta=2)", "cranfield,ir_measures")
    assert found.part("beta of SetF") == pytest.approx(0.6 - 5 / 9)


def test_alpha_is_not_beta() -> None:
    found = difference({"1": {"a": 1, "b": 1}}, {"1": {"a": 1.0}}, "SetF(alpha=0.2)", "cranfield,ir_measures")
    assert found.difference == 0


def test_short_lists_of_elasticsearch() -> None:
    found = difference({"1": {"a": 1}}, {"1": {"a": 1.0, "b": 0.5}}, "P@10", "trec_eval-9,elasticsearch")
    assert found.part("denominator") == pytest.approx(1 / 2 - 1 / 10)


def test_recall_levels() -> None:
    # R = 3, level .4: 1.2 documents. Version 9 cuts off 2.1 and asks for 2, which stand at rank 4; version 10 for 1.
    qrels, run = {"1": {"a": 1, "b": 1, "c": 1}}, {"1": {"a": 9.0, "x": 8.0, "y": 7.0, "b": 6.0}}
    found = difference(qrels, run, "IPrec@0.4", "trec_eval-9,trec_eval-10")
    assert found.part("recall levels") == pytest.approx(1 - 2 / 4)


def test_level_of_relevance() -> None:
    # ranx: below the level nothing is gained; the document of grade 1 is at rank 1, that of grade 2 at rank 2.
    qrels, run = {"1": {"a": 1, "b": 2}}, {"1": {"a": 2.0, "b": 1.0}}
    found = difference(qrels, run, "nDCG@5", "cranfield,ranx", level=2)
    assert found.part("level of relevance") == pytest.approx(DISCOUNT - (1 + 2 * DISCOUNT) / (2 + DISCOUNT))
    assert not any(
        part.rule == "level of relevance" for part in difference(qrels, run, "nDCG@5", "cranfield,ranx").parts
    )


def test_rounding_is_what_remains() -> None:
    found = difference({t: {"a": 1} for t in "123"}, {"1": {"a": 1.0}}, "RR", "cranfield,trec_eval-10", complete=True)
    assert {part.rule: part.part for part in found.parts} == {"rounding": pytest.approx(0.3333 - 1 / 3)}


def test_the_range_of_a_tool_that_leaves_ties_open() -> None:
    # Three tied documents, one of them relevant: it is at rank 1, 2 or 3.
    (one,) = cf.whydiff(
        {"1": {"b": 1}}, {"1": {"a": 1.0, "b": 1.0, "c": 1.0}}, "RR", profiles="cranfield,ranx"
    ).measures
    cranfield, ranx = one.tools
    assert [ranx.low, ranx.value, ranx.high] == pytest.approx([1 / 3, 0.5, 1.0])
    assert (cranfield.low, cranfield.is_open) == (None, False)


def test_no_range_where_ties_change_nothing() -> None:
    (one,) = cf.whydiff(
        {"1": {"a": 1}}, {"1": {"a": 2.0, "b": 1.0, "c": 1.0}}, "RR", profiles="cranfield,ranx"
    ).measures
    assert not one.tools[1].is_open


def test_a_tool_that_would_stop() -> None:
    (one,) = cf.whydiff({t: {"a": 1} for t in "12"}, {"1": {"a": 1.0}}, "RR", profiles="trec_eval-10,ranx").measures
    assert [tool.note for tool in one.tools] == [
        "trec_eval 10 stops where topics are missing; here they score 0",
        "ranx stops where topics are missing; here they score 0",
    ]


def test_tools_without_a_number() -> None:
    qrels = {"1": {"a": 5, "b": -1}}
    (one,) = cf.whydiff(qrels, {"1": {"a": 1.0}}, "nDCG@10").measures
    assert set(one.values) == {
        "cranfield",
        "trec_eval-9",
        "trec_eval-10",
        "ranx",
        "ir_measures",
        "beir",
        "elasticsearch",
    }
    assert one.without == {
        "gdeval": "grade 5 of document 'a' is above 4, where gdeval stops.",
        "ndeval": "ndeval has no nDCG; it has ERR_IA, nERR_IA, alpha_DCG, alpha_nDCG, NRBP, nNRBP, AP_IA, P_IA, StRecall",
    }


def test_measures_of_subtopics() -> None:
    # ndeval leaves out topic 2, which the run lacks.
    rows = [("1", "x", "a", 1), ("1", "y", "b", 1), ("2", "x", "a", 1)]
    (one,) = cf.whydiff(
        rows, {"1": {"a": 2.0, "b": 1.0}}, "StRecall@1", profiles="cranfield,ndeval,ir_measures"
    ).measures
    assert one.values == {"cranfield": 0.25, "ndeval": 0.5, "ir_measures": 0.25}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"profiles": "gdeval"}, UsageError, "at least two profiles are needed to compare, found gdeval; there are:"),
        ({"profiles": ""}, UsageError, "at least two profiles are needed to compare, found none"),
        ({"profiles": "gdeval,GDEVAL"}, UsageError, "at least two profiles are needed to compare, found gdeval"),
        ({"profiles": "gdvl,ranx"}, UsageError, "unknown profile 'gdvl'. Did you mean gdeval"),
        ({"measures": "P@5", "profiles": "gdeval,ndeval"}, UsageError, "none of these tools has a number for P@5"),
        ({"measures": "RelString"}, UsageError, "RelString@10 has no mean, so there is nothing to compare"),
        ({"measures": "ndcg@x"}, ParameterError, "nDCG: cutoff must be a whole number"),
        ({"run": {"7": {"a": 1.0}}}, CoverageError, "no topic in common"),
        ({"profile": "gdeval"}, UsageError, "tools are named by profiles=, several of them, not by profile="),
        ({"relevance": "qrels_jg", "measures": "AP_avgjg"}, UsageError, "tools are compared by judgments of documents"),
    ],
)
def test_wrong_requests(options: dict[str, Any], error: type[Exception], message: str) -> None:
    wanted = {"measures": "nDCG@10", "run": {"1": {"a": 1.0}}, **options}
    with pytest.raises(error, match=message):
        cf.whydiff({"1": {"a": 1}}, wanted.pop("run"), wanted.pop("measures"), **wanted)


def test_what_is_shown() -> None:
    found = cf.whydiff(
        {"1": {"a": 1, "b": 2}, "2": {"a": 1}}, {"1": {"a": 2.0, "b": 1.0}}, "nDCG@5", profiles="cranfield,gdeval"
    )
    # The numbers: .859719/2 and .796708, by the arithmetic of test_gain. Parts: in the order gain, missing topics the
    # gain changes the mean by -.063011/2 and the topics by .796708/2; the other way round by -.063011 and .859719/2.
    assert repr(found) == (
        "nDCG@5 of run\n"
        "  cranfield  0.429859  nDCG@5; 2 topics\n"
        "  gdeval     0.79671   nDCG(gain=exponential)@5; 1 topic\n"
        "\n"
        "gdeval - cranfield = +0.366851\n"
        "  part       rule            cranfield / gdeval\n"
        "  +0.414107  missing topics  score 0 / left out\n"
        "             on 2 +0.414107\n"
        "  -0.047258  gain            linear / exponential\n"
        "             on 1 -0.047258\n"
        "  +0.000002  rounding        not rounded / 5 places\n"
        "no effect here: topics without relevant documents (score 0 / left out)"
    )
    assert found._repr_html_().count("<table>") == 2
    whole = json.loads(json.dumps(found.to_dict()))
    assert whole["schema"] == "cranfield.whydiff/1"
    assert whole["measures"][0]["differences"][0]["parts"][0]["topics"] == [
        {"topic": "2", "part": pytest.approx(0.414107, abs=1e-6)}
    ]
    with pytest.raises(KeyError, match="there is nothing about AP; there is about nDCG@5"):
        _ = found["AP"]
