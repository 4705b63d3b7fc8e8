"""What differs between two systems: one thing, and a comparison says what it does; more, and it cannot tell."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_ABSENT = object()
NAMES = {"topic_fields": "fields of topics", "files": "file"}


@dataclass(frozen=True)
class Difference:
    """One thing that two systems have otherwise.

    >>> print(Difference("k1", 1.2, 0.9))
    k1: 1.2 → 0.9
    """

    what: str
    first: Any
    second: Any
    follows: bool = False
    """Whether it comes with another engine, which is the thing that differs."""

    def __str__(self) -> str:
        if self.hashed:
            return f"{self.what}: another content"
        return f"{self.what}: {shown(self.first)} → {shown(self.second)}"

    @property
    def over_time(self) -> str:
        """The same of one system, before and now."""
        if self.hashed:
            return f"{self.what} changed"
        return f"{self.what} was {shown(self.first)}, is {shown(self.second)}"

    @property
    def hashed(self) -> bool:
        """Whether the values are hashes, which say no more than that there is a difference."""
        return self.what.startswith(f"{NAMES['files']} ")


def differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[Difference]:
    """What two configurations of systems (`experiments.systems.configuration`) have otherwise, in their order.

    Where the engines differ, parameters that only one of them has come with that.

    >>> usual = {"engine": "bm25", "parameters": {"k1": 1.2, "b": 0.75}, "k": 1000}
    >>> [str(one) for one in differences(usual, {**usual, "parameters": {"k1": 0.9, "b": 0.75}, "k": 10})]
    ['k1: 1.2 → 0.9', 'k: 1000 → 10']
    """
    engines = first.get("engine"), second.get("engine")
    another = engines[0] != engines[1]
    found = [Difference("engine", *engines)] if another else []
    before, after = dict(_leaves(first)), dict(_leaves(second))
    for what in dict.fromkeys([*before, *after]):
        one, other = before.get(what, _ABSENT), after.get(what, _ABSENT)
        if one is _ABSENT or other is _ABSENT:
            found.append(Difference(what, before.get(what), after.get(what), follows=another))
        elif one != other:
            found.append(Difference(what, one, other))
    return found


def things(found: Sequence[Difference]) -> list[Difference]:
    """The differences that count: those that do not merely come with another engine."""
    return [one for one in found if not one.follows]


def shown(value: Any) -> str:
    """A value as it stands in a configuration.

    >>> shown(None), shown(True), shown(["title", "text"]), shown("bm25")
    ('none', 'true', 'title, text', 'bm25')
    """
    if value is None:
        return "none"
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


def _leaves(configuration: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in configuration.items():
        if name == "parameters":
            yield from _within("", value)
        elif name == "files":
            yield from ((f"{NAMES[name]} {file}", sha256) for file, sha256 in value.items())
        elif name != "engine":
            yield NAMES.get(name, name), value


def _within(above: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Parameters with the paths to them: those of the second part of a hybrid are `parts[2].k1`."""
    if isinstance(value, Mapping) and value:
        for name, each in value.items():
            yield from _within(f"{above}.{name}" if above else name, each)
    elif isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
        for place, each in enumerate(value, 1):
            yield from _within(f"{above}[{place}]", each)
    else:
        yield above, value
