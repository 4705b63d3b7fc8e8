"""A parameter that a measure does not have, or a value it cannot have, is refused with what there is instead."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import ParameterError
from cranfield.measures import REGISTRY, Measure, parse
from cranfield.measures.parameters import VALUES, Choice, Flag, GainMap, Levels, Number, Whole
from cranfield.measures.registry import Parameter
from tests.measures.material import all_cases, all_data, build, material_of, usual, values, with_value

EVERY = [(name, parameter) for name, definition in REGISTRY.items() for parameter in definition.parameters.values()]


def impossible(parameter: Parameter) -> list[Any]:
    """Values just outside what a parameter takes, and of another kind."""
    match parameter.kind:
        case Whole() as kind:
            return [kind.least - 1, kind.least + 0.5, kind.most + 1, 2**63, 10**400, "ten", float("inf")]
        case Number() as kind:
            high = kind.high if kind.open_ended else kind.high + 0.5
            return ["many", float("nan"), float("inf"), 1e300, 10**400, kind.low - 0.5, high]
        case Choice():
            return ["no-such-word"]
        case Flag():
            return ["maybe", 2]
        case Levels():
            return ["0.5;1.5", "high", "", 0.5]
        case GainMap():
            return ["1", "1:2:3", "one:two", "", 3, [1, 2], "1:1e300", "1e300:1"]
    raise AssertionError(f"no impossible value for {parameter.kind}")


@pytest.mark.parametrize(("name", "parameter"), EVERY, ids=[f"{name}-{p.name}" for name, p in EVERY])
def test_an_impossible_value_names_measure_parameter_range_and_value(name: str, parameter: Parameter) -> None:
    for value in impossible(parameter):
        with pytest.raises(ParameterError) as refused:
            Measure(name)(**{parameter.name: value})
        message = str(refused.value)
        assert message.startswith(f"{name}: {parameter.name} must be {parameter.kind.describe()}, not "), message
        assert len(message) < 250
        assert str(value)[:70] in message


@pytest.mark.parametrize("name", REGISTRY)
def test_an_unknown_parameter_lists_those_there_are(name: str) -> None:
    there_are = ", ".join(REGISTRY[name].parameters) or "none"
    with pytest.raises(ParameterError) as refused:
        parse(f"{name}(no_such_parameter=1)")
    assert str(refused.value) == f"{name} has no parameter 'no_such_parameter'; its parameters: {there_are}"


@pytest.mark.parametrize(("name", "parameter"), EVERY, ids=[f"{name}-{p.name}" for name, p in EVERY])
def test_the_example_of_a_kind_is_taken_and_can_be_read_back(name: str, parameter: Parameter) -> None:
    value = parameter.kind.example()
    accepted = parameter.accept(value, name)
    assert parameter.accept(parameter.kind.show(accepted), name) == accepted


@pytest.mark.parametrize("name", [name for name, definition in REGISTRY.items() if definition.required])
def test_a_missing_parameter_is_named_with_an_example(name: str) -> None:
    with pytest.raises(ParameterError) as refused:
        Measure(name).check_parameters()
    (first, *_) = REGISTRY[name].required
    assert str(refused.value).startswith(f"{name} needs {first}, ")
    assert f"as in {name}({first}=" in str(refused.value)


@pytest.mark.parametrize("name", [name for name, definition in REGISTRY.items() if definition.alternatives])
def test_of_alternatives_only_one_is_taken(name: str) -> None:
    definition = REGISTRY[name]
    both = {each: definition.parameters[each].kind.example() for each in definition.alternatives}
    with pytest.raises(ParameterError, match=f"{name} takes {' or '.join(definition.alternatives)}, not both"):
        Measure(name)(**both)


# Parameters that say something only beside another

DEPENDENT = [(name, parameter) for name, definition in REGISTRY.items() for parameter in definition.only_with]


def without_what_it_needs(measure: Measure, parameter: str) -> Measure:
    """The measure with such values of the other parameters that this one should change nothing."""
    for other, good in measure.definition.only_with[parameter].items():
        measure = measure(**{other: next(v for v in values(measure.definition.parameters[other]) if v not in good)})
    return measure


@pytest.mark.parametrize(("name", "parameter"), DEPENDENT)
def test_a_parameter_that_would_change_nothing_is_refused(name: str, parameter: str) -> None:
    idle = without_what_it_needs(usual(name), parameter)
    for value in values(REGISTRY[name].parameters[parameter]):
        changed = idle(**{parameter: value})
        if changed == idle:
            continue
        data = all_data(str(material_of(changed)))
        assert changed.compute(data).tolist() == idle.compute(data).tolist()
        with pytest.raises(ParameterError) as refused:
            changed.check_parameters()
        assert str(refused.value).startswith(f"{name}: {parameter} needs {REGISTRY[name].needed_for(parameter)}; with ")
        with_value(usual(name), parameter, value).check_parameters()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("INST(T=1,gains=1:5)", "INST: gains needs gain=linear or gain=exponential; with gain=binary it changes nothing"),
        ("RBP(p=.8,gmax=7)", "RBP: gmax needs gain=linear or gain=exponential; with gain=binary it changes nothing"),
        ("nDCG(discount=zipf,base=10)", "nDCG: base needs discount=log1p or discount=log; with discount=zipf it changes nothing"),
        ("TBG(gain=linear,rel=2)", "TBG: rel needs gain=binary; with gain=linear it changes nothing"),
        ("NCU(gamma=0.5)", "NCU: gamma needs stop=rank-biased; with stop=graded-uniform it changes nothing"),
    ],
)  # fmt: skip
def test_what_a_parameter_needs_is_said(text: str, message: str) -> None:
    for refuse in (lambda: cf.evaluate_one(text, [1]), lambda: cf.Evaluator({"q": {"d": 1}}, text)):
        with pytest.raises(ParameterError) as refused:
            refuse()
        assert str(refused.value) == message


def test_the_level_of_an_evaluation_is_not_for_measures_that_do_not_look_at_it() -> None:
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    result = cf.evaluate(qrels, run, ["RBP(p=0.5,gain=linear,gmax=2)", "RBP(p=0.5)"], level=2)
    # 0.5 · (1/2 + 0.5 · 2/2), and 0.5 · 0.5 for the second document alone
    assert result.mean == {"RBP(p=0.5,gain=linear,gmax=2)": 0.5, "RBP(p=0.5,rel=2)": 0.25}


# The ends of ranges


def extremes(parameter: Parameter) -> list[Any]:
    """The values at the ends of what a parameter takes."""
    match parameter.kind:
        case Whole() as kind:
            return [10_000 if parameter.name == "documents" else kind.least, kind.most]
        case Number() as kind:
            high = np.nextafter(kind.high, kind.low) if kind.open_ended else kind.high
            return [kind.low, np.nextafter(kind.low, kind.high), high]
        case GainMap():
            return [tuple((grade, gain) for grade in (1, 2, 4)) for gain in (1e9, 1e-300, -1e9)]
        case Levels():
            return [(0.0,), (5e-324,), (1.0,)]
    return []


def asked_in_every_way(measure: Measure) -> list[Measure]:
    """The measure, and if it is a user model the other values of it that are finite."""
    if measure.definition.reader is None:
        return [measure]
    endless = measure.definition.endless if measure.parameters.get("cutoff", 1) is None else ()
    return [measure(value=value) for value in VALUES if value not in endless]


@cache
def some_data(material: str) -> Any:
    """A few rankings: a reader may have to be followed through a million ranks of each."""
    return build(material, random.Random(5).sample(all_cases(material), 12))


@pytest.mark.parametrize("name", [name for name in REGISTRY if REGISTRY[name].aggregate != "none"])
def test_extreme_values_give_finite_results(name: str) -> None:
    # Warnings are errors here.
    one = usual(name)
    ends = {p.name: extremes(p) for p in one.definition.parameters.values() if extremes(p)}
    measures = [with_value(one, parameter, value) for parameter, values in ends.items() for value in values]
    alone = {*one.definition.alternatives, "gains"}
    for at in (0, -1):
        measures.append(one(**{p: values[at] for p, values in ends.items() if one.looks_at(p) and p not in alone}))
    for measure in (asked for extreme in measures for asked in asked_in_every_way(extreme)):
        measure.check_parameters()
        material = material_of(measure)
        if material is None:
            assert any(gain < 0 for _, gain in measure.parameters["gains"]), measure  # which not all can have
        elif goes_too_far(measure):
            with pytest.raises(ParameterError, match="give a lower cutoff"):
                measure.compute(some_data(material))
        else:
            assert np.isfinite(measure.compute(some_data(material))).all(), measure
        assert len(str(measure)) < 200


def goes_too_far(measure: Measure) -> bool:
    """Whether unjudged documents below the list, all relevant, matter further down than anything is looked at."""
    name, values = measure.name, measure.parameters
    if values.get("value") != "residual" or name not in ("AP", "ERR"):
        return False
    # AP looks at every rank down to the cutoff; the reader of ERR stops with a chance that is next to nothing.
    return values["cutoff"] == 10**12 if name == "AP" else dict(values["gains"] or ()).get(4) == 1e-300
