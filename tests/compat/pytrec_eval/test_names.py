"""Names of measures that pytrec_eval has, and those it has not."""

from __future__ import annotations

import pytest

from cranfield.compat import pytrec_eval
from cranfield.compat.pytrec_eval.names import columns_of
from cranfield.errors import ParameterError, UnknownMeasureError

QRELS = {"q": {"d1": 2, "d2": 1, "d3": 0}}
RUN = {"q": {"d1": 1.0, "d2": 2.0}}


def test_they_come_in_the_order_of_trec_eval() -> None:
    labels = [column.label for column in columns_of(["success_3", "ndcg_cut_10,5", "ndcg_cut.100", "num_q", "map"])]
    assert labels == ["num_q", "map", "ndcg_cut_5", "ndcg_cut_10", "ndcg_cut_100", "success_3"]


def test_any_collection_will_do() -> None:
    for names in (["map"], ("map",), {"map"}, frozenset({"map"}), {"map": 1}, iter(["map"])):
        assert list(pytrec_eval.RelevanceEvaluator(QRELS, names).evaluate(RUN)["q"]) == ["map"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nDGC", "unsupported measure 'nDGC'. Did you mean ndcg, Rndcg?"),
        ("xyzzy", "unsupported measure 'xyzzy'. pytrec_eval.supported_measures has them all."),
        ("rbp", "unsupported measure 'rbp'. cranfield.evaluate has it, as RBP(p=0.9,gain=topic)."),
        ("nDCG@10", "cranfield.evaluate has it, as nDCG@10."),
        ("prefs", "unsupported measure 'prefs_"),
        ("P_", "unsupported measure 'P_'"),
        ("", "unsupported measure ''"),
    ],
)
def test_names_there_are_not(name: str, message: str) -> None:
    with pytest.raises(ValueError, match="unsupported measure") as raised:
        pytrec_eval.RelevanceEvaluator(QRELS, {name})
    assert message in str(raised.value)
    assert isinstance(raised.value, UnknownMeasureError)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"map_10"}, "map takes no parameters, found '10'. Did you mean map_cut_10?"),
        (
            {"ndcg_10"},
            "ndcg.10: expected grade=gain pairs with commas between them, as in ndcg.1=3.5,2=9. Did you mean ndcg_cut_10?",
        ),
        ({"recip_rank_10"}, "recip_rank takes no parameters, found '10'"),
        ({"P_5abc"}, "P.5abc: expected numbers with commas between them, as in P.5,10"),
        ({"P_10,10.0"}, "P.10,10.0: the same value is given twice"),
        ({"P_0"}, "P: cutoff"),
        ({"utility_1,2"}, "utility.1,2: expected 4 numbers, found 2"),
        (
            {"set_F.1", "set_F.2"},
            "set_F.1 and set_F.2 would both be 'set_F' in the results. Make an evaluator for each.",
        ),
    ],
)
def test_parameters_there_are_not(names: set[str], message: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011  (the message is compared below)
        pytrec_eval.RelevanceEvaluator(QRELS, names)
    assert str(raised.value).startswith(message)
    assert isinstance(raised.value, ParameterError)


def test_what_is_not_a_collection_of_names() -> None:
    with pytest.raises(TypeError, match=r"measures is 'map', not a set of names\. Write \{'map'\}\."):
        pytrec_eval.RelevanceEvaluator(QRELS, "map")
    with pytest.raises(TypeError, match="measures is None, not a set of names"):
        pytrec_eval.RelevanceEvaluator(QRELS, None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="measures: 3 is int, not the name of a measure"):
        pytrec_eval.RelevanceEvaluator(QRELS, [3])  # type: ignore[list-item]
