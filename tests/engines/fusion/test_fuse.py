"""Fusing runs: by hand, and what holds whatever is fused."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.strings import Strings
from cranfield.engines.fusion import METHODS, NORMALISATIONS
from cranfield.engines.fusion import lists as side_by_side
from cranfield.engines.fusion.fuse import fusion_notes
from cranfield.errors import CoverageError, DataError, ParameterError, UsageError

FIRST = {"q1": {"a": 9.0, "b": 7.0, "c": 1.0}}
SECOND = {"q1": {"b": 0.75, "d": 0.25}}


def scores(method: str, **options: Any) -> dict[str, float]:
    return cf.fuse([FIRST, SECOND], method, **options)["q1"]


@pytest.mark.parametrize(
    ("method", "options", "expected"),
    [
        ("RRF", {}, {"b": 1 / 62 + 1 / 61, "a": 1 / 61, "d": 1 / 62, "c": 1 / 63}),
        ("RRF(k=0)", {}, {"b": 1 / 2 + 1, "a": 1, "d": 1 / 2, "c": 1 / 3}),
        ("rrf", {"weights": [2, 1]}, {"b": 2 / 62 + 1 / 61, "a": 2 / 61, "d": 1 / 62, "c": 2 / 63}),
        # min-max makes 1, 6/8, 0 of the first list, and 1, 0 of the second
        ("CombSUM", {}, {"b": 0.75 + 1, "a": 1, "c": 0, "d": 0}),
        ("CombMNZ", {}, {"b": 1.75 * 2, "a": 1, "c": 0, "d": 0}),
        ("CombMNZ", {"weights": {"run-1": 3}}, {"b": 1.75 * 4, "a": 3, "c": 0, "d": 0}),
        ("CombANZ", {}, {"b": 1.75 / 2, "a": 1, "c": 0, "d": 0}),
        ("CombMED", {}, {"b": 1.75 / 2, "a": 1, "c": 0, "d": 0}),
        ("CombMIN", {}, {"b": 0.75, "a": 1, "c": 0, "d": 0}),
        ("CombMAX", {}, {"b": 1, "a": 1, "c": 0, "d": 0}),
        ("CombSUM", {"normalisation": "none"}, {"b": 7.75, "a": 9, "c": 1, "d": 0.25}),
        ("CombSUM", {"normalisation": "max"}, {"b": 7 / 9 + 1, "a": 1, "c": 1 / 9, "d": 1 / 3}),
        ("CombSUM", {"normalisation": "sum"}, {"b": 6 / 14 + 1, "a": 8 / 14, "c": 0, "d": 0}),
        ("CombSUM", {"normalisation": "rank"}, {"b": 2 / 3 + 1, "a": 1, "c": 1 / 3, "d": 1 / 2}),
        # Four candidates: the first list gives 4, 3, 2 and what is left, 1; the second 4, 3 and the mean of 2 and 1
        ("Borda", {}, {"b": 3 + 4, "a": 4 + 1.5, "c": 2 + 1.5, "d": 1 + 3}),
        ("CombSUM", {"normalisation": "borda"}, {"b": 7 / 4, "a": 5.5 / 4, "c": 3.5 / 4, "d": 4 / 4}),
        # b beats c and d and is even with a (one vote each); a beats c, even with d; c even with d
        ("Condorcet", {}, {"b": 1 + 2 + 0.5, "a": 1 + 1 + 1, "c": 1 + 0.5, "d": 1 + 1}),
        ("ISR", {}, {"b": (1 / 4 + 1) * 2, "a": 1, "c": 1 / 9, "d": 1 / 4}),
        ("logISR", {}, {"b": (1 / 4 + 1) * math.log(2), "a": 0, "c": 0, "d": 0}),
        ("RBC(phi=0.5)", {}, {"b": 0.25 + 0.5, "a": 0.5, "c": 0.125, "d": 0.25}),
    ],
)  # fmt: skip
def test_by_hand(method: str, options: dict[str, Any], expected: dict[str, float]) -> None:
    assert scores(method, **options) == pytest.approx(expected)


def test_z_scores_by_hand() -> None:
    # 9, 7, 1: mean 17/3, variance (10² + 4² + 14²)/27; .75, .25: mean .5, deviation .25
    deviation = math.sqrt((10**2 + 4**2 + 14**2) / 27)
    expected = {"a": 10 / 3 / deviation, "b": 4 / 3 / deviation + 1, "c": -14 / 3 / deviation, "d": -1}
    assert scores("CombSUM", normalisation="z-score") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("normalisation", "value"), [("min-max", 1.0), ("sum", 0.5), ("z-score", 0.0), ("max", 1.0), ("rank", 1.0)]
)
def test_a_list_in_which_all_scores_are_the_same(normalisation: str, value: float) -> None:
    """There ranx makes all 0 by min-max and sum, as if the documents had not been returned."""
    fused = cf.fuse([{"q": {"b": 3, "a": 3}}, {"q": {"c": 2, "d": 1}}], "CombSUM", normalisation=normalisation)
    assert fused["q"]["b"] == value


def test_a_circle_of_majorities_is_a_tie() -> None:
    """Condorcet's paradox: a before b, b before c and c before a, each by two votes of three."""
    orders = ["abc", "bca", "cab"]
    given = [{"q": {name: -place for place, name in enumerate(order)}} for order in orders]
    assert cf.fuse(given, "Condorcet")["q"] == {"c": 2.0, "b": 2.0, "a": 2.0}


def test_weighted_votes() -> None:
    orders = {"x": "abc", "y": "cba", "z": "cab"}
    given = {run: {"q": {name: -place for place, name in enumerate(order)}} for run, order in orders.items()}
    assert list(cf.fuse(given, "Condorcet")["q"]) == ["c", "a", "b"]
    assert list(cf.fuse(given, "Condorcet", weights={"x": 3, "y": 1, "z": 1})["q"]) == ["a", "b", "c"]


RANKINGS = st.dictionaries(st.sampled_from("abcdefghij"), st.integers(-3, 3).map(float), min_size=1, max_size=8)
RUNS = st.lists(
    st.dictionaries(st.sampled_from(["1", "2", "10"]), RANKINGS, min_size=1).map(lambda run: {"1": {"a": 0.5}, **run}),
    min_size=2,
    max_size=5,
)


@given(RUNS, st.randoms(use_true_random=False), st.sampled_from(sorted(METHODS)))
def test_the_order_of_runs_does_not_matter(runs: list[dict[str, dict[str, float]]], chance: Any, method: str) -> None:
    other = runs.copy()
    chance.shuffle(other)
    assert cf.fuse(runs, method).to_dict() == cf.fuse(other, method).to_dict()


@given(RUNS, st.sampled_from(sorted(METHODS)), st.integers(1, 4))
def test_what_comes_out(runs: list[dict[str, dict[str, float]]], method: str, depth: int) -> None:
    fused = cf.fuse(runs, method).to_dict()
    assert fused.keys() == {topic for run in runs for topic in run}
    for topic, found in fused.items():
        assert found.keys() == {document for run in runs for document in run.get(topic, {})}
        assert np.isfinite(list(found.values())).all()
    short = cf.fuse(runs, method, depth=depth).to_dict()
    assert short == {topic: dict(list(found.items())[:depth]) for topic, found in fused.items()}


@given(RUNS, st.sampled_from(["RRF", "Borda", "RBC", "ISR", "CombSUM", "CombMAX"]))
def test_a_run_with_itself_keeps_its_order(runs: list[dict[str, dict[str, float]]], method: str) -> None:
    run = cf.Run.from_dict(
        {topic: {d: s + place / 100 for place, (d, s) in enumerate(found.items())} for topic, found in runs[0].items()}
    )
    fused = cf.fuse({"a": run, "b": run}, method)
    assert {topic: list(fused[topic]) for topic in fused} == {topic: list(run[topic]) for topic in run}


@given(RUNS, st.sampled_from(sorted(METHODS)))
def test_pieces_and_hashes_leave_no_trace(runs: list[dict[str, dict[str, float]]], method: str) -> None:
    expected = cf.fuse(runs, method).to_dict()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(side_by_side, "ROWS_AT_ONCE", 1)
        assert cf.fuse(runs, method).to_dict() == expected
        # Different for a to j, but not in the part that the numbers of rows leave room for
        patch.setattr(Strings, "hash64", lambda self: self.word(0) & np.uint64(15))
        assert cf.fuse(runs, method).to_dict() == expected


def test_long_identifiers_that_share_their_beginning() -> None:
    runs = [{"q": {f"{'x' * 30}{number}": float(-number) for number in numbers}} for numbers in ([1, 2, 3], [3, 4])]
    assert cf.fuse(runs, "ISR")["q"]["x" * 30 + "3"] == pytest.approx((1 / 9 + 1) * 2)


def test_how_far_lists_are_looked_at() -> None:
    assert cf.fuse([FIRST, SECOND], input_depth=1)["q1"] == {"b": 1 / 61, "a": 1 / 61}


def test_runs_with_different_topics() -> None:
    fused = cf.fuse({"x": {"q1": {"a": 1}, "q2": {"b": 1}}, "y": {"q1": {"a": 1}}})
    assert fused.to_dict() == {"q1": {"a": 2 / 61}, "q2": {"b": 1 / 61}}
    assert fused.name == "RRF-x-y"


def test_notes() -> None:
    short = cf.Run.from_dict({"q1": {"a": 1}})
    long = cf.Run.from_dict({"q1": {"a": 1, "b": 2}, "q2": {"a": 1}})
    assert fusion_notes({"short": short, "long": long}) == [
        "short has nothing for 1 of 2 topics and adds nothing there",
        "the longest lists have very different lengths: short 1, long 2",
    ]
    assert fusion_notes({"one": long, "other": long}) == []


@pytest.mark.parametrize(
    ("runs", "options", "error", "message"),
    [
        ([FIRST], {}, UsageError, "fusion takes two or more runs, found 1"),
        ([FIRST, {"q2": {"a": 1}}], {}, CoverageError, "no topic is in more than one run"),
        ([FIRST, SECOND], {"method": "RFR"}, UsageError, "unknown fusion method 'RFR'. Did you mean RRF?"),
        ([FIRST, SECOND], {"method": "RRF(phi=1)"}, ParameterError, "RRF has no parameter 'phi=1' (name=value). It has k."),
        ([FIRST, SECOND], {"method": "CombSUM(k)"}, ParameterError, "CombSUM has no parameter 'k'"),
        ([FIRST, SECOND], {"method": "RBC(phi=1)"}, ParameterError, "phi of RBC must be a number from 0 to below 1, not 1"),
        ([FIRST, SECOND], {"method": "RRF(k=nan)"}, ParameterError, "k of RRF must be a number"),
        ([FIRST, SECOND], {"method": "RRF)"}, UsageError, "unknown fusion method"),
        ([FIRST, SECOND], {"normalisation": "max"}, UsageError, "RRF looks at ranks alone"),
        ([FIRST, SECOND], {"method": "CombSUM", "normalisation": "minmax"}, UsageError, "Did you mean min-max"),
        ([FIRST, SECOND], {"weights": [1]}, UsageError, "there are 1 weights for 2 runs"),
        ([FIRST, SECOND], {"weights": [1, float("nan")]}, ParameterError, "the weight of run-2 must be a number"),
        ([FIRST, SECOND], {"weights": [0, 0]}, ParameterError, "all weights are 0"),
        ({"x": FIRST, "y": SECOND}, {"weights": {"z": 1}}, UsageError, "there is a weight for 'z', and no run of that name"),
        ([FIRST, SECOND], {"weights": [1, 2], "method": "CombMED"}, UsageError, "CombMED takes no weights; these do: RRF"),
        ([FIRST, SECOND], {"depth": 0}, ParameterError, "the depth of a fused run must be"),
        ([FIRST, {"q1": {"a": float("nan")}}], {}, DataError, "nan"),
        ([FIRST, {"q1": {"a": -1}}], {"method": "CombSUM", "normalisation": "max"}, DataError, "the highest score of a list is -1"),
    ],
)  # fmt: skip
def test_what_cannot_be_fused(runs: Any, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        cf.fuse(runs, **options)


def test_every_method_says_what_it_does() -> None:
    assert all(method.meaning.endswith(".") for method in METHODS.values())
    assert all(normalisation.meaning for normalisation in NORMALISATIONS.values())
