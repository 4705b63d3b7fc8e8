"""What an engine is told: every value is checked when the engine is made, and the message names the parameter."""

from __future__ import annotations

import inspect
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args, get_type_hints

from cranfield.engines.engine import Engine
from cranfield.errors import ParameterError, did_you_mean


def parameter_names(engine: type[Engine]) -> dict[str, bool]:
    """The parameters of an engine, each with whether it has to be given."""
    found = inspect.signature(engine).parameters.values()
    names = {each.name: each.default is each.empty for each in found if each.kind is each.KEYWORD_ONLY}
    for shared in shared_parameters(engine):
        names |= {name: name in shared.__required_keys__ for name in get_type_hints(shared)}
    return names


def parameter_types(engine: type[Engine]) -> dict[str, Any]:
    """The types of the parameters of an engine."""
    hints = get_type_hints(engine.__init__)
    for shared in shared_parameters(engine):
        hints |= get_type_hints(shared)
    return {name: hints[name] for name in parameter_names(engine)}


def shared_parameters(engine: type[Engine]) -> list[Any]:
    """The tables of parameters that an engine shares with others, written as **name: Unpack[a TypedDict]."""
    hints = get_type_hints(engine.__init__)
    found = inspect.signature(engine).parameters.values()
    return [get_args(hints[each.name])[0] for each in found if each.kind is each.VAR_KEYWORD]


def list_parameters(engine: type[Engine]) -> set[str]:
    """The parameters that take a list of texts, and no text."""
    kinds = {name: {hint, *get_args(hint)} for name, hint in parameter_types(engine).items()}
    return {name for name, parts in kinds.items() if Sequence[str] in parts and str not in parts}


def check_names(engine: type[Engine], settings: Mapping[str, Any]) -> None:
    """An error for a parameter that the engine does not have, or needs and was not given."""
    known = parameter_names(engine)
    for name in settings:
        if name not in known:
            there = did_you_mean(name, known)
            raise ParameterError(
                f"the engine {engine.kind} has no parameter {name!r}{there} There are: {', '.join(known)}"
            )
    for name, needed in known.items():
        if needed and name not in settings:
            raise ParameterError(f"the engine {engine.kind} needs the parameter {name!r}")


def number(name: str, value: object, *, least: float = -math.inf, most: float = math.inf) -> float:
    """A number within bounds.

    >>> number("b", 1.75, least=0, most=1)
    Traceback (most recent call last):
    ...
    cranfield.errors.ParameterError: b is 1.75; expected a number from 0 to 1
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise ParameterError(f"{name} is {value!r}; expected a number{_bounds(least, most)}")
    return float(value)


def whole_number(name: str, value: object, *, least: int, most: float = math.inf) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ParameterError(f"{name} is {value!r}; expected a whole number{_bounds(least, most)}")
    return value


def yes_or_no(name: str, value: object) -> bool:
    """A switch."""
    if not isinstance(value, bool):
        raise ParameterError(f"{name} is {value!r}; expected true or false")
    return value


def text(name: str, value: object) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ParameterError(f"{name} is {value!r}; expected a text")
    return value


def in_words(value: Any) -> Any:
    """A number as the text that is sent for it; anything else as it is.

    >>> in_words(0.5), in_words(10), in_words("abc"), in_words({"env": "NAME"})
    ('0.5', '10', 'abc', {'env': 'NAME'})
    """
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def texts(name: str, value: object) -> tuple[str, ...]:
    """One or more texts, each once."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise ParameterError(f'{name} is {value!r}; expected a list of texts, such as ["title", "body"]')
    found = tuple(text(f"{name}[{place}]", item) for place, item in enumerate(value))
    if twice := sorted({item for item in found if found.count(item) > 1}):
        raise ParameterError(f"{name} has {twice[0]!r} twice")
    return found


def choice(name: str, value: object, options: Collection[str]) -> str:
    """One of some words.

    >>> choice("similarity", "cosinus", ("cosine", "dot"))
    Traceback (most recent call last):
    ...
    cranfield.errors.ParameterError: similarity is 'cosinus'. Did you mean cosine? Expected one of: cosine, dot
    """
    if not isinstance(value, str) or value not in options:
        near = did_you_mean(str(value), options)
        raise ParameterError(f"{name} is {value!r}{near} Expected one of: {', '.join(options)}")
    return value


def _bounds(least: float, most: float) -> str:
    if most == math.inf:
        return "" if least == -math.inf else f" of at least {least}"
    return f" from {least} to {most}"
