"""What holds for every measure, driven by what the registry says of it and put to every small ranking there is."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield.measures
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Strings
from cranfield.errors import DataError
from cranfield.measures import FAMILIES, REGISTRY, Measure
from cranfield.measures.registry import Definition
from tests.measures.material import (
    MATERIALS,
    Case,
    all_cases,
    all_data,
    best_first,
    build,
    improving_swaps,
    material_of,
    usual,
    variants,
)


def measures(chosen: Callable[[Definition], bool] = lambda _: True) -> pytest.MarkDecorator:
    """The names of the measures that have a value for each query and of which something is true."""
    found = [name for name, definition in REGISTRY.items() if definition.aggregate != "none" and chosen(definition)]
    return pytest.mark.parametrize("name", found)


def material(measure: Measure) -> str:
    found = material_of(measure)
    assert found is not None, f"tests/measures/material.py has nothing that {measure} can be computed from"
    return found


def same(found: Floats, expected: Floats, measure: Measure) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, err_msg=str(measure))


def can_be_better(definition: Definition) -> bool:
    return definition.more_is_better is not None


# Bounds, and what makes values better


def is_itself(measure: Measure) -> bool:
    """Whether it is what the traits speak of, not another value of the same user model."""
    return bool(measure.parameters.get("value", measure.definition.own_value) == measure.definition.own_value)


def check_bounds(measure: Measure, found: Floats) -> None:
    definition = measure.definition
    low, high = definition.bounds if is_itself(measure) else (0, np.inf)
    assert np.isfinite(found).all() or measure.parameters["value"] in definition.endless, measure
    assert low - 1e-12 <= found.min(), measure
    assert found.max() <= high + 1e-12, measure


@measures()
def test_values_are_finite_and_within_the_stated_bounds(name: str) -> None:
    for measure in variants(name):
        check_bounds(measure, measure.compute(all_data(material(measure))))


@cache
def long_rankings(of: str) -> Any:
    """Rankings of up to 40 documents with grades of all sorts."""
    chance = random.Random(4)
    grades = (None, -1, 0, 0, 0.5, 1, 1.5, 2, 3, 4)
    lengths = [chance.randint(5, 40) for _ in range(200)]
    return build(of, [Case(tuple(chance.choices(grades, k=n)), tuple(chance.choices(grades, k=5))) for n in lengths])


@measures(lambda d: d.needs == "qrels")
def test_values_of_long_rankings_are_within_the_stated_bounds(name: str) -> None:
    of = material(usual(name))
    check = REGISTRY[name].check
    fitting = [m for m in variants(name) if check is None or check(long_rankings(of).qrels, m.parameters) is None]
    assert fitting
    for measure in fitting:
        check_bounds(measure, measure.compute(long_rankings(of)))


def best_value(definition: Definition) -> float:
    return definition.bounds[1] if definition.more_is_better else definition.bounds[0]


def has_best_value(definition: Definition) -> bool:
    return definition.more_is_better is not None and math.isfinite(best_value(definition))


def value_of_best_rankings(name: str) -> Floats:
    measure = usual(name)
    found: Floats = measure.compute(build(material(measure), best_first(material(measure))))
    return found


@measures(lambda d: has_best_value(d) and d.perfect)
def test_all_judged_documents_best_first_reach_the_bound(name: str) -> None:
    # infAP and xinfAP have smoothing terms of 1e-5
    assert value_of_best_rankings(name) == pytest.approx(best_value(REGISTRY[name]), abs=1e-4)


# The assessors of the other materials agree, so that a ranking can be perfect for all of them.
@measures(lambda d: has_best_value(d) and not d.perfect and d.needs in ("qrels", "subtopics"))
def test_all_judged_documents_best_first_need_not_reach_the_bound(name: str) -> None:
    assert value_of_best_rankings(name) != pytest.approx(best_value(REGISTRY[name]), abs=1e-4)


def made_worse(measure: Measure) -> list[tuple[Case, Case]]:
    """Rankings before and after a better document moved up that made the value worse."""
    cases = all_cases(material(measure))
    before, after = improving_swaps(material(measure))
    found = measure.compute(all_data(material(measure)))
    loss = found[before] - found[after]
    worse = np.flatnonzero((loss if measure.definition.more_is_better else -loss) > 1e-12)
    return [(cases[before[at]], cases[after[at]]) for at in worse]


@measures(lambda d: can_be_better(d) and d.improves)
def test_moving_a_better_document_up_never_makes_the_value_worse(name: str) -> None:
    for measure in filter(is_itself, variants(name)):
        assert made_worse(measure)[:1] == [], measure


@measures(lambda d: can_be_better(d) and not d.improves)
def test_moving_a_better_document_up_can_make_the_value_worse(name: str) -> None:
    assert any(made_worse(measure) for measure in variants(name) if is_itself(measure))


# Where there is nothing to measure


def value_of(name: str, grades: Case, subtopics: Case) -> float:
    measure = usual(name)
    of = material(measure)
    (value,) = measure.compute(build(of, [subtopics if of == "subtopics" else grades]))
    return float(value)


@measures()
def test_an_empty_ranking_scores_what_nothing_is_worth(name: str) -> None:
    value = value_of(name, Case((), (1, 2, 0)), Case((), ({"a": 1}, {"b": 2}, {"a": 0})))
    # By hand: two relevant documents (grades 1 and 2) and one other are judged and missed, of 10,000 in all.
    expected = {
        "NumQ": 1, "NumRel": 2, "IdealDCG": 2 + 1 / np.log2(3), "YAAP": np.log(1 / (1 + 2)), "RBPResidual": 1,
        "SetE": 1, "SetFNR": 1, "SetTNR": 1, "SetAccuracy": 9998 / 10000, "SetError": 2 / 10000,
        "AUC": 0.5, "EER": 0.5,  # all of them tie behind the end of the list
        "statNumRel": 1 / 0.5 + 1,  # one judged with a chance of one half, one for certain
        "prefs_num_prefs_poss": 3 + 2,  # by degrees: 2 to 1, 2 to 0, 1 to 0; without: 2 to 0, 1 to 0
    }  # fmt: skip
    assert value == pytest.approx(expected.get(name, 0), abs=1e-5)


@measures()
def test_a_query_without_relevant_documents(name: str) -> None:
    value = value_of(name, Case((0, None, 0), (0,)), Case(({"a": 0}, None, {"b": 0}), ({"a": 0},)))
    # By hand: three of 10,000 are retrieved, two of them judged and not relevant, one unjudged.
    expected = {
        "NumQ": 1, "NumRet": 3, "NumNonrelRet": 2, "Judged": 2 / 3, "Unjudged": 1 / 5, "Utility": -3,
        "RBPResidual": 0.8**3 + 0.2 * 0.8, "SetE": 1, "SetTNR": 9997 / 10000, "SetFPR": 3 / 10000,
        "SetAccuracy": 9997 / 10000, "SetError": 3 / 10000, "EER": 1,
    }  # fmt: skip
    assert value == pytest.approx(expected.get(name, 0), abs=1e-5)


# What does not matter


@cache
def some_cases(of: str) -> list[Case]:
    """Some of all rankings, always the same ones."""
    return random.Random(1).sample(all_cases(of), 60)


@cache
def some_data(of: str) -> Any:
    return build(of, some_cases(of))


@cache
def alone(of: str) -> list[Any]:
    """The first of the rankings, each by itself."""
    return [build(of, [case]) for case in some_cases(of)[:5]]


@measures()
def test_the_value_of_a_query_does_not_depend_on_the_others(name: str) -> None:
    for measure in variants(name):
        of = material(measure)
        by_itself = np.concatenate([measure.compute(data) for data in alone(of)])
        same(measure.compute(some_data(of))[: len(by_itself)], by_itself, measure)


NEW_PLACE = random.Random(2).sample(range(60), 60)


@cache
def renamed(of: str) -> Any:
    """The same rankings with other names of queries and documents, in another order."""
    names = random.Random(3).sample(range(100), 100)
    if MATERIALS[of].names_decide_ties:
        names.sort()
    return build(
        of,
        some_cases(of),
        query=lambda number: f"topic-{NEW_PLACE[number]:02}",
        document=lambda number: f"{names[number]:02}-doc",
    )


@measures()
def test_names_do_not_matter(name: str) -> None:
    for measure in variants(name):
        of = material(measure)
        same(measure.compute(renamed(of))[NEW_PLACE], measure.compute(some_data(of)), measure)


@cache
def condensed(of: str) -> Any:
    """The rankings without the documents that are not judged."""

    def without_unjudged(case: Case) -> Case:
        kept = tuple(document for document in case.ranks if document is not None and document != -1)
        return Case(kept, (*case.missed, *(document for document in case.ranks if document == -1)))

    return build(of, [without_unjudged(case) for case in some_cases(of)])


@measures(lambda d: "judged_only" in d.parameters)
def test_judged_only_is_the_measure_of_the_condensed_list(name: str) -> None:
    for measure in variants(name):
        of = material(measure)
        expected = measure(judged_only=False).compute(condensed(of))
        same(measure(judged_only=True).compute(some_data(of)), expected, measure)


@cache
def with_more_below(of: str) -> tuple[Any, Any]:
    """Rankings of two documents or more, as they are and with all missed documents and an unjudged one at the end."""
    cases = [case for case in some_cases(of) if len(case.ranks) >= 2]
    return build(of, cases), build(of, [Case((*case.ranks, *case.missed, None)) for case in cases])


@measures(lambda d: d.at == "cutoff")
def test_documents_below_the_cutoff_do_not_matter(name: str) -> None:
    measure = usual(name) @ 2
    as_it_is, longer = with_more_below(material(measure))
    same(measure.compute(longer), measure.compute(as_it_is), measure)


@measures(lambda d: d.at == "cutoff" and not d.at_needed and not d.fills_up)
def test_a_cutoff_beyond_the_list_is_as_good_as_none(name: str) -> None:
    for measure in (one for one in variants(name) if one.parameters["cutoff"] is None and is_itself(one)):
        data = all_data(material(measure))
        same((measure @ 1000).compute(data), measure.compute(data), measure)


@cache
def filled_up(of: str) -> Any:
    """The rankings with unjudged documents at the end, up to rank 5."""
    return build(of, [Case((*case.ranks, *[None] * (5 - len(case.ranks))), case.missed) for case in some_cases(of)])


@measures(lambda d: d.fills_up and d.at == "cutoff")
def test_a_short_list_is_filled_up(name: str) -> None:
    measure = usual(name) @ 5
    same(measure.compute(filled_up(material(measure))), measure.compute(some_data(material(measure))), measure)


# What it makes of judgments of a sample


SAMPLES: dict[str, dict[str, Any]] = {
    "plain": {},
    "strata": {"stratum": Strings.from_list([b"1", b"1"])},
    "probabilities": {"probability": np.array([1.0, 0.5])},
}
ENOUGH = {"strata": {"strata"}, "chances": {"strata", "probabilities"}}


@measures(lambda d: d.needs == "qrels")
def test_what_must_be_said_of_sampling(name: str) -> None:
    measure = usual(name)
    for said, columns in SAMPLES.items():
        query, documents = Strings.from_list([b"q", b"q"]), Strings.from_list([b"a", b"b"])
        qrels = Qrels(query, documents, np.array([1.0, 0.0]), **columns)
        if said in ENOUGH.get(measure.definition.sampling, SAMPLES):
            measure.check_judgments(qrels)
        else:
            with pytest.raises(DataError, match=f"judged: {re.escape(str(measure))} needs"):
                measure.check_judgments(qrels, "judged")


@measures(lambda d: d.sampling == "unjudged")
def test_what_is_not_judged_is_passed_over(name: str) -> None:
    measure = usual(name)
    data = all_data(material(measure))
    same(measure.compute(data.condensed()), measure.compute(data), measure)


@measures(lambda d: d.reader is not None)
def test_costs_matter_to_those_who_look_at_them(name: str) -> None:
    depth = usual(name)(value="ED") if REGISTRY[name].at != "cutoff" else usual(name)(value="ED") @ 5
    grades = [0, 1, 0, 0, 1]
    free, dear = (Rankings.from_grades(grades, costs=costs) for costs in (None, [90] * 5))
    assert (depth.compute(free)[0] != depth.compute(dear)[0]) == REGISTRY[name].costly == depth.looks_at_costs
    assert usual(name)(value="EC").looks_at_costs
    assert REGISTRY[name].costly or not REGISTRY[name].without_costs


def test_a_module_defines_the_measures_it_is_listed_with() -> None:
    listed = {(module, name) for modules in FAMILIES.values() for module, names in modules.items() for name in names}
    defined = {(d.function.__module__.rpartition(".")[2], name) for name, d in REGISTRY.items()}
    assert listed == defined
    # One that is written and not listed would never be found.
    for file in Path(cranfield.measures.__path__[0]).glob("*.py"):
        decorated = re.findall(r'^@(?:measure|user_model)\(\s*"(\w+)"', file.read_text(), re.MULTILINE)
        assert {(file.stem, name) for name in decorated} <= listed
