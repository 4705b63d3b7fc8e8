"""A parameter that a measure does not have, or a value it cannot have, is refused with what there is instead."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.errors import ParameterError
from cranfield.measures import REGISTRY, Measure, parse
from cranfield.measures.parameters import Choice, Flag, GainMap, Levels, Number, Whole
from cranfield.measures.registry import Parameter

EVERY = [(name, parameter) for name, definition in REGISTRY.items() for parameter in definition.parameters.values()]


def impossible(parameter: Parameter) -> list[Any]:
    """Values just outside what a parameter takes, and of another kind."""
    match parameter.kind:
        case Whole() as kind:
            beyond = [kind.most + 1] if kind.most < float("inf") else []
            return [kind.least - 1, kind.least + 0.5, "ten", *beyond]
        case Number() as kind:
            low = [] if kind.low == -float("inf") else [kind.low if kind.above else kind.low - 0.5]
            high = [] if kind.high == float("inf") else [kind.high if kind.open_ended else kind.high + 0.5]
            return ["many", float("nan"), float("inf"), *low, *high]
        case Choice():
            return ["no-such-word"]
        case Flag():
            return ["maybe", 2]
        case Levels():
            return ["0.5;1.5", "high", "", 0.5]
        case GainMap():
            return ["1", "1:2:3", "one:two", "", 3, [1, 2]]
    raise AssertionError(f"no impossible value for {parameter.kind}")


@pytest.mark.parametrize(("name", "parameter"), EVERY, ids=[f"{name}-{p.name}" for name, p in EVERY])
def test_an_impossible_value_names_measure_parameter_range_and_value(name: str, parameter: Parameter) -> None:
    for value in impossible(parameter):
        with pytest.raises(ParameterError) as refused:
            Measure(name)(**{parameter.name: value})
        message = str(refused.value)
        assert message.startswith(f"{name}: {parameter.name} must be {parameter.kind.describe()}, not "), message
        assert str(value) in message


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
