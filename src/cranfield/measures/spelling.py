"""How a measure is written, and what others call it."""

from __future__ import annotations

from functools import cache
from typing import Any

from cranfield.measures import trec_eval
from cranfield.measures.grammar import known_names, parse
from cranfield.measures.parameters import Choice, Flag
from cranfield.measures.registry import REGISTRY, Definition, Measure, Parameter


def ways_to_write(definition: Definition) -> list[Measure]:
    """A measure as it is, at a usual cutoff if it has one, and with another value of a parameter.

    >>> ways_to_write(REGISTRY["nDCG"])
    [nDCG, nDCG@10, nDCG(gain=exponential)@10]
    """
    known = definition.parameters
    measure = Measure(definition.name)(**{name: known[name].kind.example() for name in definition.required})
    ways = [] if definition.at_needed else [measure]
    if definition.at is not None:
        usual = definition.defaults_at
        measure = measure @ (10 if not usual or 10 in usual else usual[len(usual) // 2])
    own = [p for p in known.values() if p.name not in (definition.at, "judged_only", *definition.required)]
    own.sort(key=lambda parameter: ("rel", "value").count(parameter.name))  # which many have: the last choice
    others = (measure(**{p.name: _another(p)}) for p in own)
    return list(dict.fromkeys([*ways, measure, *[other for other in others if other != measure][:1]]))


def _another(parameter: Parameter) -> Any:
    """A value that is not the default, if there is one."""
    match parameter.kind:
        case Choice(words=words):
            return next(word for word in words if word != parameter.default)
        case Flag():
            return not parameter.default
    return parameter.kind.example()


def in_python(measure: Measure) -> str:
    """A measure as Python code.

    >>> in_python(Measure("nDCG")(gain="exponential") @ 10)
    'nDCG(gain="exponential") @ 10'
    """
    given = dict(measure.given)
    at = given.pop(measure.definition.at or "", None)
    inside = ", ".join(f'{name}="{v}"' if isinstance(v, str) else f"{name}={v!r}" for name, v in given.items())
    return measure.name + (f"({inside})" if inside else "") + ("" if at is None else f" @ {at!r}")


def other_names(definition: Definition) -> list[str]:
    """What others call it."""
    return list(dict.fromkeys(label for label, _ in other_spellings(definition)))


def other_spellings(definition: Definition) -> list[tuple[str, Measure | None]]:
    """What others call it; where their name has parameters that are not the default ones, also what that is here."""
    spelt = [*_named_elsewhere().get(definition.name, []), *((alias, None) for alias in definition.aliases)]
    return [one for one in dict.fromkeys(spelt) if one[0] != definition.name]


@cache
def _named_elsewhere() -> dict[str, list[tuple[str, Measure | None]]]:
    """The names of trec_eval and the presets, by the measure they stand for."""
    presets = [name for name in known_names() if name not in {*REGISTRY, *trec_eval.ENTRIES, *trec_eval.NICKNAMES}]
    found: dict[str, list[tuple[str, Measure | None]]] = {}
    for name in [*trec_eval.ENTRIES, *presets]:
        for measure in parse(name)[:1]:
            if all(parameter == measure.definition.at for parameter, _ in measure.given):
                spelt: tuple[str, Measure | None] = (name, None)
            else:
                label = trec_eval.ENTRIES[name].columns()[0].label if name in trec_eval.ENTRIES else name
                spelt = (label, measure)
            found.setdefault(measure.name, []).append(spelt)
    return found
