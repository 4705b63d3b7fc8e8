"""What a reader is told about an engine: what it is, and its parameters."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin

from cranfield.engines import ENGINES, engine_class
from cranfield.engines.engine import Engine
from cranfield.engines.environment import Given
from cranfield.engines.http_client import Connection, HttpClient
from cranfield.engines.parameters import parameter_names, parameter_types, shared_parameters

NEEDED = "needed"
UNSAID = ""
_WORDS: dict[Any, str] = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true or false",
    Callable: "function",
}


@dataclass(frozen=True)
class ParameterDescription:
    """A parameter of an engine."""

    name: str
    kind: str
    """What its values are, in words."""
    default: str
    """Its value if nothing is said, as TOML has it, `needed`, or nothing where the engine decides."""


@dataclass(frozen=True)
class EngineDescription:
    """An engine and its parameters."""

    name: str
    summary: str
    text: str
    embedded: bool
    """Whether it keeps its index in files of its own."""
    parameters: tuple[ParameterDescription, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def describe_engine(name: str) -> EngineDescription:
    """What is known of an engine.

    >>> [parameter.name for parameter in describe_engine("python").parameters]
    ['function', 'concurrency']
    """
    engine = engine_class(name)
    kinds, defaults = parameter_types(engine), _defaults(engine)
    described = tuple(
        ParameterDescription(
            parameter, in_words(kinds[parameter]), NEEDED if needed else _written(defaults.get(parameter))
        )
        for parameter, needed in parameter_names(engine).items()
    )
    return EngineDescription(name, ENGINES[name][2], inspect.getdoc(engine) or "", engine.embedded, described)


def in_words(hint: Any) -> str:
    """The values that a parameter takes, in words that need no knowledge of Python.

    >>> in_words(Sequence[str] | Mapping[str, float] | None)
    'list of texts or table of numbers'
    """
    if hint == Given:
        return 'text or {env = "NAME"}'
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(in_words(part) for part in get_args(hint) if part is not type(None))
    kind = get_origin(hint) or hint
    if kind not in (Sequence, Mapping):
        return _WORDS[kind]
    of = _WORDS.get(get_args(hint)[-1], "table" if kind is Sequence else "")
    return f"{'list' if kind is Sequence else 'table'}{f' of {of}s' if of else ''}"


def _defaults(engine: type[Engine]) -> dict[str, Any]:
    """The values of parameters if nothing is said."""
    taking = [engine, *(HttpClient for shared in shared_parameters(engine) if shared is Connection)]
    return {name: each.default for made in taking for name, each in inspect.signature(made).parameters.items()}


def _written(value: Any) -> str:
    """A value as a TOML file has it; nothing where the engine decides."""
    return UNSAID if value is None else json.dumps(value)
