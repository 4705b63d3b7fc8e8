"""Which tools and parameters give a number: numbers worked out by hand are traced back to where they come from."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import cranfield as cf
from cranfield.errors import ParameterError, UsageError

QRELS = {"1": {"a": 1, "b": 2}, "2": {"c": 1}}
RUN = {"1": {"a": 2.0, "b": 1.0}}


def ways(number: str | float, measure: str, **options: Any) -> list[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    found = cf.find_number(QRELS, RUN, number, measure, **options)
    return [(source.profiles, source.measure, source.also) for source in found.matches]


def test_a_number_of_one_tool() -> None:
    # (1 + 3/1.585) / (3 + 1/1.585) = .79671, over the only topic that the run has.
    assert ways(".79671", "nDCG@10") == [(("gdeval",), "nDCG(gain=exponential)@10", ())]


def test_tools_that_agree_are_named_together() -> None:
    # (1 + 2/1.585) / (2 + 1/1.585) = .85972, over one topic.
    assert ways(".860", "nDCG@10") == [(("trec_eval-9", "beir"), "nDCG@10", ())]


def test_with_one_change() -> None:
    # RR(rel=2) is 1/2 at rank 2, and 1/4 over both topics.
    found = cf.find_number(QRELS, RUN, ".25", "RR", profiles="cranfield")
    assert [(source.measure, source.changes) for source in found.matches] == [("RR(rel=2)", 1)]


def test_with_two_changes() -> None:
    # RR(rel=2) is 1/2 at rank 2, over the one topic that the run has.
    found = cf.find_number(QRELS, RUN, "50%", "RR(judged_only=True)", profiles="cranfield")
    (source,) = found.matches
    assert (source.measure, source.also) == ("RR(judged_only=True)", ())  # (1 + 0) / 2, as named
    found = cf.find_number({**QRELS, "3": {"d": 1}}, RUN, ".5", "RR", profiles="cranfield")
    (source,) = found.matches
    assert (source.measure, source.also, source.changes) == ("RR(rel=2)", ("missing topics left out",), 2)


@pytest.mark.parametrize("number", ["50%", "50", "50.0", ".5", "0.5", 0.5])
def test_ways_to_write_a_number(number: str | float) -> None:
    assert "cranfield" in ways(number, "RR")[0][0]


@pytest.mark.parametrize(("number", "matches"), [(".43", True), (".430", True), (".4299", True), (".4300", False)])
def test_the_digits_say_how_exact_it_is(number: str, matches: bool) -> None:
    # (1 + 2/1.585) / (2 + 1/1.585) / 2 = .429859
    found = cf.find_number(QRELS, RUN, number, "nDCG@10", profiles="cranfield")
    assert bool(found.matches and not found.matches[0].changes) is matches


def test_the_nearest_where_none_matches() -> None:
    found = cf.find_number(QRELS, RUN, ".0123", "RR")
    assert not found.matches
    distances = [abs(source.value - 0.0123) for source in found.nearest]
    assert distances == sorted(distances)
    assert len({source.value for source in found.nearest}) == len(found.nearest)
    assert found.sentence.startswith("RR = .0123 of run: none of ")
    assert repr(found).splitlines()[0].endswith("the nearest:")


def test_a_tool_that_leaves_ties_open() -> None:
    # The relevant document is at rank 1, 2 or 3 of three tied ones. RR = 1/3 is what ranx may give.
    found = cf.find_number({"1": {"a": 1}}, {"1": {"a": 1.0, "b": 1.0, "c": 1.0}}, ".3333", "RR")
    assert not any("ranx" in source.profiles for source in found.matches)
    ranges = [(source.profiles, source.also) for source in found.possible]
    assert ranges == [
        (("ranx",), ("within the range from 0.333333 to 1.000000, as its sort leaves tied documents",)),
    ]


def test_what_is_possible_does_not_end_the_search() -> None:
    # With ties by document, last first, a is third.
    found = cf.find_number(
        {"1": {"a": 1}}, {"1": {"a": 1.0, "b": 1.0, "c": 1.0}}, ".3333", "RR", profiles="ranx,elasticsearch"
    )
    assert [source.profiles for source in found.possible] == [("ranx",)]
    assert [(source.profiles, source.changes, source.also) for source in found.matches] == [
        (("ranx",), 1, ("ties by document, last first",)),
        (("elasticsearch",), 1, ("ties by document, last first",)),
    ]


GRADED = {"1": {"a": 1, "b": 2, "c": 1, "d": 0}}
GRADED_RUN = {"1": {"d": 4.0, "a": 3.0, "b": 2.0, "x": 1.0}}


def test_a_level_of_relevance_for_graded_measures() -> None:
    # ranx with -l 2: only b has a gain, at rank 3, 1/2 of the ideal; ranx 0.3.21 says .5 for ndcg@10-l2, too.
    found = cf.find_number(GRADED, GRADED_RUN, ".500", "nDCG@10", profiles="ranx")
    assert [(source.measure, source.also) for source in found.matches] == [("nDCG@10", ("-l 2",))]


@pytest.mark.parametrize(
    ("number", "measure"),
    [
        (".5307", "nDCG(gains=1:1;2:1)@10"),  # (.6309 + .5) / (1 + .6309 + .5)
        (".5000", "nDCG(gains=1:0;2:1)@10"),  # b alone, at rank 3
    ],
)
def test_grades_made_binary(number: str, measure: str) -> None:
    found = cf.find_number(GRADED, GRADED_RUN, number, "nDCG@10", profiles="cranfield,gdeval")
    assert [(source.profiles, source.measure) for source in found.matches] == [(("cranfield",), measure)]


@pytest.mark.parametrize("tool", ["beir", "gdeval", "elasticsearch"])
def test_only_what_a_tool_can_be_asked(tool: str) -> None:
    # Longer than 1000: only without a cutoff it would be found.
    run = {"1": {**{f"x{rank}": 2000.0 - rank for rank in range(1100)}, "a": 0.0}}
    found = cf.find_number({"1": {"a": 1}}, run, f"{1 / math.log2(1102):.6f}", "nDCG@10", profiles=f"cranfield,{tool}")
    assert [(source.profiles, source.measure) for source in found.matches] == [(("cranfield",), "nDCG")]
    rank_two = {"1": {"x": 2.0, "a": 1.0}}
    found = cf.find_number({"1": {"a": 2, "b": 1}}, rank_two, ".0001", "nDCG@10", profiles=tool)
    assert all("@" in source.measure and "judged_only" not in source.measure for source in found.nearest)


@pytest.mark.parametrize(
    ("number", "value", "notes"),
    [
        (".4471", 0.4471, ()),
        ("44.71%", 0.4471, ()),
        ("5", 0.05, ("5 is read as 5 %, .05",)),
        ("1.5", 0.015, ("1.5 is read as 1.5 %, .015",)),
        ("100", 1.0, ("100 is read as 100 %, 1.00",)),
        ("0", 0.0, ("0 has so few digits that much comes near it; give more if there are, as in .45 or .4471",)),
    ],
)
def test_how_a_number_is_read(number: str, value: float, notes: tuple[str, ...]) -> None:
    found = cf.find_number(QRELS, RUN, number, "nDCG@10", profiles="cranfield")
    assert found.value == pytest.approx(value)
    assert found.notes == notes
    assert all(note in repr(found) for note in notes)


def test_a_count_is_not_a_percentage() -> None:
    found = cf.find_number(QRELS, RUN, "2", "NumRet", profiles="cranfield")
    assert (found.value, found.notes, found.matches[0].value) == (2.0, (), 2.0)


def test_what_is_shown() -> None:
    found = cf.find_number(QRELS, RUN, ".79671", "nDCG@10")
    assert repr(found).splitlines() == [
        "nDCG@10 = .79671 of run: 1 way gives this number as named (8 tried):",
        "  0.796708  nDCG(gain=exponential)@10  gdeval",
    ]
    whole = json.loads(json.dumps(found.to_dict()))
    assert whole["schema"] == "cranfield.number/1"
    assert whole["matches"][0]["profiles"] == ["gdeval"]
    assert whole["sentence"] == "nDCG@10 = .79671 of run: 1 way gives this number as named (8 tried)"
    assert (whole["possible"], whole["notes"]) == ([], [])
    assert "gdeval" in found._repr_html_()


@pytest.mark.parametrize(
    ("number", "measure", "error", "message"),
    [
        ("abc", "AP", UsageError, r"'abc' is not a number; expected one as it is printed, such as .4471 or 44.71%"),
        ("", "AP", UsageError, "'' is not a number"),
        ("1e-3", "AP", UsageError, "'1e-3' is not a number"),
        ("101", "AP", UsageError, "'101' is more than 100%, and AP is at most 1; expected such as .4471 or 44.71%"),
        ("100.1%", "AP", UsageError, "'100.1%' is more than 100%"),
        (".5", "P@5,10", ParameterError, "stands for 2 measures"),
        (".5", "YAAP", UsageError, "none of these tools has a number for YAAP: gdeval, ranx"),
    ],
)
def test_wrong_requests(number: str, measure: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cf.find_number(QRELS, RUN, number, measure, profiles="gdeval,ranx")
