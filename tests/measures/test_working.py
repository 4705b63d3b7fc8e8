"""What a measure writes down about a value adds up to that value: for every measure, on every small ranking."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from cranfield.data.rankings import Rankings
from cranfield.data.subtopics import SubtopicRankings
from cranfield.data.working import Working
from cranfield.measures import REGISTRY, Measure, parse_one
from tests.measures.material import all_cases, build, material_of, usual, variants

FUNCTIONS = {"min": min, "max": max, "ln": math.log, "log2": math.log2, "exp": math.exp, "sqrt": math.sqrt}
WITH_NUMBERS = [name for name, definition in REGISTRY.items() if definition.aggregate != "none"]


@cache
def short_rankings(of: str) -> list[Any]:
    """Each ranking of up to three documents by itself."""
    return [build(of, [case]) for case in all_cases(of) if len(case.ranks) <= 3]


@cache
def some_rankings(of: str) -> list[Any]:
    """Some of all rankings, always the same ones."""
    return [build(of, [case]) for case in random.Random(1).sample(all_cases(of), 40)]


def computed_on(working: Working, measure: Measure, data: Any) -> Any:
    """The value of the only query of the data, with its arithmetic written down."""
    if isinstance(data, SubtopicRankings):
        data = replace(data, rankings=replace(data.rankings, working=working))
    else:
        data = replace(data, working=working)
    (value,) = measure.compute(data)
    return value


def value_of(formula: str, known: Mapping[str, float]) -> float:
    """By Python's own arithmetic, in which the names of a formula are names."""
    try:
        return float(eval(formula, {"__builtins__": {}}, {**FUNCTIONS, **known}))
    except ZeroDivisionError:
        return 0.0


def check(measure: Measure, data: Any) -> None:
    """That the steps follow from each other and from the columns, and that the last of them is the value."""
    working = Working()
    value = computed_on(working, measure, data)
    assert [value] == measure.compute(data).tolist(), measure
    known: dict[str, float] = {}
    for step in working.steps:
        assert not known.keys() & {step.name, *step.inputs}, (measure, step, "the name has another meaning already")
        if step.formula:
            found = value_of(step.formula, {**known, **step.inputs})
        elif step.of_ideal:
            found = sum(working.ideal[step.column])
        else:
            found = sum(float(cell) for cell in working.columns[step.column].values())
        assert found == pytest.approx(step.value, rel=1e-12, abs=1e-12), (measure, step)
        known[step.name] = step.value
    assert working.steps, (measure, "nothing was written down")
    assert working.steps[-1].value == value, measure


@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_what_is_written_down_is_the_value(name: str) -> None:
    measure = usual(name)
    for data in short_rankings(str(material_of(measure))):
        check(measure, data)


@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_what_is_written_down_is_the_value_with_any_parameters(name: str) -> None:
    for measure in variants(name):
        for data in some_rankings(str(material_of(measure))):
            check(measure, data)


def test_the_characters_that_are_written_down_are_the_relevance_string() -> None:
    for measure in variants("RelString"):
        for data in some_rankings("grades"):
            working = Working()
            value = computed_on(working, measure, data)
            assert [value] == measure.compute(data)
            listed = data.condensed() if measure.parameters["judged_only"] else data
            row = dict(zip(listed.rank.tolist(), listed.judgment.tolist(), strict=True))
            characters = working.columns.get("character", {})
            # A document outside the qrels has no row to show a character in.
            length = min(int(listed.retrieved[0]), measure.parameters["cutoff"])
            assert value == "".join(str(characters[row[i]]) if i in row else "-" for i in range(1, length + 1))
            assert len(characters) == sum(rank <= length for rank in row)


# What a reader is shown, worked out by hand


def test_the_precisions_of_average_precision() -> None:
    working = Working()
    computed_on(working, parse_one("AP@4"), Rankings.from_grades([1, 0, 1, 0, 1], unretrieved=[1]))
    # Relevant at 1, 3 and, below the cutoff, 5; R = 4: P@1 = 1, P@2 = 1/2, P@3 = 2/3, P@4 = 2/4
    assert list(working.columns) == ["rel", "P@i", "rel · P@i"]
    assert list(working.columns["rel"].values()) == [1, 0, 1, 0]
    assert list(working.columns["P@i"].values()) == pytest.approx([1, 1 / 2, 2 / 3, 2 / 4])
    assert list(working.columns["rel · P@i"].values()) == pytest.approx([1, 0, 2 / 3, 0])
    assert [(s.name, s.formula, s.inputs) for s in working.steps] == [("sum", "", {}), ("AP", "sum / R", {"R": 4})]
    assert [step.value for step in working.steps] == pytest.approx([5 / 3, 5 / 12])


def test_the_document_that_reciprocal_rank_picks() -> None:
    working = Working()
    computed_on(working, parse_one("RR"), Rankings.from_grades([None, 0, 1, 1]))
    assert working.columns == {"rel": {0: 0, 1: 1, 2: 1}, "first relevant": {1: 3}}  # by row of the qrels
    assert [(step.name, step.formula) for step in working.steps] == [("rank", ""), ("RR", "1 / rank")]
    assert [step.value for step in working.steps] == pytest.approx([3, 1 / 3])


def test_the_ideal_list_of_ndcg() -> None:
    working = Working()
    computed_on(working, parse_one("nDCG@2"), Rankings.from_grades([0, 2, 1], unretrieved=[3]))
    # Best first 3, 2 to the cutoff, divided by log2(i + 1): the ideal is 3/1 + 2/1.585
    assert working.ideal["gain"] == [3, 2]
    assert working.ideal["gain / discount"] == pytest.approx([3, 2 / math.log2(3)])
    assert [(s.name, s.formula, s.of_ideal) for s in working.steps] == [
        ("DCG", "", False),
        ("IdealDCG", "", True),
        ("nDCG", "DCG / IdealDCG", False),
    ]


def test_interpolated_precision_counts_the_levels_where_they_are_reached() -> None:
    working = Working()
    computed_on(working, parse_one("IPrecAvg"), Rankings.from_grades([0, 1, 1], unretrieved=[1]))
    # R = 3. Recall 1/3 at rank 2 is enough for 0, .1, .2, .3; 2/3 at rank 3 for .4, .5, .6; the rest is never reached.
    assert working.columns["levels reached"] == {1: 4, 2: 3}
    assert list(working.columns["highest P from i on"].values()) == pytest.approx([2 / 3, 2 / 3])
    assert working.steps[0].value == pytest.approx(7 * 2 / 3)


def test_nothing_is_written_down_for_a_value_that_is_a_mere_step() -> None:
    working = Working()
    rankings = replace(Rankings.from_grades([1, 0]), working=working)
    parse_one("AP").compute(rankings.unexplained())
    assert (working.columns, working.ideal, working.steps) == ({}, {}, [])
