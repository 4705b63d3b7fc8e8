"""Where values are in a JSON answer: the part of JSONPath (RFC 9535) that answers of search engines need."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from cranfield.errors import ParameterError

_STEP = re.compile(
    r"""\.(?P<name>[^\W\d][\w-]*) | \.(?P<all>\*) | \[(?P<every>\*)\] | \[(?P<index>-?\d+)\]
    | \[(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^'\\]|\\.)*)')\]""",
    re.VERBOSE,
)
_EVERY = object()
_SHOWN = 60
"""Characters of a value that are shown."""


class NotThereError(LookupError):
    """A path leads nowhere in an answer."""


class JsonPath:
    """A path of names, indices and `[*]`, beginning at `$`, which may be left out.

    >>> answer = {"hits": {"hits": [{"_id": "d1"}, {"_id": "d2"}]}}
    >>> JsonPath("hits", "$.hits.hits[*]._id").find(answer)
    ['d1', 'd2']
    >>> JsonPath("id", "fields['doc-id'][0]").one({"fields": {"doc-id": ["d7"]}})
    'd7'
    >>> JsonPath("hits", "$.hits..id")
    Traceback (most recent call last):
    ...
    cranfield.errors.ParameterError: hits = '$.hits..id' is not understood from '..id' on: a path is made of .name,
    ['name'], [0] and [*]
    """

    def __init__(self, parameter: str, text: str) -> None:
        self.parameter = parameter
        self.text = text
        rest = text[1:] if text[:1] in ("$", "@") else text if text.startswith(("[", ".")) else f".{text}"
        steps, position = list[Any](), 0
        while position < len(rest):
            match = _STEP.match(rest, position)
            if match is None:
                raise ParameterError(
                    f"{parameter} = {text!r} is not understood from {rest[position:]!r} on: "
                    "a path is made of .name, ['name'], [0] and [*]"
                )
            steps.append(_step(match))
            position = match.end()
        self._steps = tuple(steps)
        self._names_only = all(isinstance(step, str) for step in steps)

    @property
    def many(self) -> bool:
        """Whether it may lead to several places."""
        return _EVERY in self._steps

    def find(self, value: Any) -> list[Any]:
        """All values it leads to; `NotThereError` says how far it leads where it ends nowhere."""
        found, here = [value], "$"
        for step in self._steps:
            shown = "[*]" if step is _EVERY else f"[{step}]" if isinstance(step, int) else f".{step}"
            try:
                found = [part for one in found for part in _parts(one, step)]
            except LookupError:
                raise self._missing(found, here, shown) from None
            here += shown
        return found

    def one(self, value: Any) -> Any:
        """The value it leads to."""
        if self._names_only:
            here = value
            try:
                for step in self._steps:
                    here = here[step]
            except (KeyError, TypeError):
                pass
            else:
                return here
        return self.find(value)[0]

    def _missing(self, found: list[Any], here: str, step: str) -> NotThereError:
        there = next((shape(one) for one in found if not isinstance(one, dict) or step[1:] not in one), "nothing")
        return NotThereError(f"has no {here}{step} ({self.parameter} = {self.text!r}): at {here} there is {there}")


def _step(match: re.Match[str]) -> Any:
    if match["name"]:
        return match["name"]
    if match["index"]:
        return int(match["index"])
    if match["all"] or match["every"]:
        return _EVERY
    return re.sub(r"\\(.)", r"\1", match["double"] if match["double"] is not None else match["single"])


def _parts(value: Any, step: Any) -> Iterable[Any]:
    """Where a step leads from a value."""
    if step is _EVERY and isinstance(value, list | dict):
        return value.values() if isinstance(value, dict) else value
    # A text has letters by number too, which are not meant.
    if step is not _EVERY and isinstance(value, list if isinstance(step, int) else dict):
        return (value[step],)
    raise LookupError(step)


def shape(value: Any) -> str:
    """What a value of an answer is, in words or as JSON has it.

    >>> [shape(value) for value in (None, "d1", {"id": 1}, [1, 2])]
    ['null', '"d1"', 'an object with id', 'a list of 2']
    """
    if isinstance(value, dict):
        names = ", ".join(list(value)[:8])
        return f"an object with {names}{', ...' if len(value) > 8 else ''}" if names else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= _SHOWN else f"{written[:_SHOWN]}..."
