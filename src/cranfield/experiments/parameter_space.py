"""Which values of which parameters are tried: `k1=0.6..2.0`, `b=0.1..0.9:0.2`, `variant=lucene,atire`."""

from __future__ import annotations

import itertools
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.errors import ParameterError, UsageError

Values = Mapping[str, Any]
"""A value for each parameter."""

MOST_POINTS = 100_000
_RANGE = re.compile(r"(?P<low>.+?)\.\.(?P<high>[^:]+)(?::(?P<step>[^:]+))?")


@dataclass(frozen=True)
class Range:
    """Numbers from a lowest to a highest, both included; whole ones, or steps of one size, where it says so."""

    name: str
    low: float
    high: float
    step: float | None = None
    whole: bool = False
    logarithmic: bool = False

    def points(self, most: int) -> list[Any]:
        """The numbers of a grid: one for each step, or `most` of them at equal distances.

        >>> parse_parameter("b=0.1..0.9:0.4").points(99), parse_parameter("k1=0..2.0").points(5)
        ([0.1, 0.5, 0.9], [0.0, 0.5, 1.0, 1.5, 2.0])
        """
        if self.step is not None:
            count = math.floor((self.high - self.low) / self.step + 1e-9) + 1
            return [self._number(self.low + at * self.step) for at in range(count)]
        if self.whole:
            most = min(most, int(self.high - self.low) + 1)
        if most < 2 or self.low == self.high:
            return [self._number(self.low)]
        shares = [at / (most - 1) for at in range(most)]
        if self.logarithmic:
            return [self._number(self.low * (self.high / self.low) ** share) for share in shares]
        return [self._number(self.low + share * (self.high - self.low)) for share in shares]

    def beyond(self, value: float) -> int | float | None:
        """The next number outside, if a value is an end of the range.

        >>> parse_parameter("b=0.0..0.5").beyond(0.5), parse_parameter("depth=10..50").beyond(10)
        (0.5000005, 9)
        >>> parse_parameter("b=0.0..0.5").beyond(0.4) is None
        True
        """
        if self.low == self.high or value not in (self.low, self.high):
            return None
        step = 1.0 if self.whole else (self.high - self.low) * 1e-6
        return self._number(value - step if value == self.low else value + step)

    def _number(self, value: float) -> int | float:
        # Twelve digits: a step of .1 that is not quite one would otherwise show.
        return round(value) if self.whole else float(f"{value:.12g}")

    def __str__(self) -> str:
        ending = "log" if self.logarithmic else "" if self.step is None else f"{self.step:g}"
        return f"{self.name}={self.low:g}..{self.high:g}{f':{ending}' if ending else ''}"


@dataclass(frozen=True)
class Choice:
    """Some values."""

    name: str
    values: tuple[Any, ...]

    def points(self, most: int) -> list[Any]:
        """All of them."""
        return list(self.values)

    def __str__(self) -> str:
        return f"{self.name}={','.join(map(str, self.values))}"


Parameter = Range | Choice


@dataclass(frozen=True)
class ParameterSpace:
    """The parameters that are varied."""

    parameters: tuple[Parameter, ...]

    @classmethod
    def of(cls, given: str | Parameter | Iterable[str | Parameter]) -> ParameterSpace:
        """From texts such as `k1=0.6..2.0`."""
        several = [given] if isinstance(given, (str, Range, Choice)) else list(given)
        parameters = tuple(parse_parameter(one) if isinstance(one, str) else one for one in several)
        if not parameters:
            raise UsageError("no parameter is named: say what is varied, such as --param k1=0.6..2.0")
        names = [parameter.name for parameter in parameters]
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"--param {name} is given twice")
        return cls(parameters)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def is_finite(self) -> bool:
        """Whether every parameter has a list of values, or a range with steps."""
        return all(isinstance(one, Choice) or one.step is not None for one in self.parameters)

    def grid(self, trials: int) -> list[dict[str, Any]]:
        """Every combination; a range without steps has as many points as `trials` allow.

        >>> ParameterSpace.of(["k1=0.5..1.5", "b=0,1"]).grid(trials=6)[:3]  # 6 / 2 values of b leave 3 of k1
        [{'k1': 0.5, 'b': 0}, {'k1': 0.5, 'b': 1}, {'k1': 1.0, 'b': 0}]
        """
        free = [one for one in self.parameters if isinstance(one, Range) and one.step is None]
        fixed = math.prod(len(one.points(0)) for one in self.parameters if one not in free)
        each = int((trials / fixed) ** (1 / len(free)) + 1e-9) if free else 0
        lists = [one.points(each) for one in self.parameters]
        size = math.prod(map(len, lists))
        if size > MOST_POINTS:
            raise UsageError(f"a grid of {size} points is too large ({MOST_POINTS} at most): take larger steps")
        return [dict(zip(self.names, values, strict=True)) for values in itertools.product(*lists)]

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self.parameters)


def parse_parameter(text: str) -> Parameter:
    """A parameter and its values: `name=low..high`, with `:step` or `:log` behind it, or `name=value,value`.

    A range is of whole numbers if both ends and the step are written without a point.

    >>> parse_parameter("k1=0.6..2.0")
    Range(name='k1', low=0.6, high=2.0, step=None, whole=False, logarithmic=False)
    >>> parse_parameter("variant=lucene,bm25+").values
    ('lucene', 'bm25+')
    """
    name, sign, said = (part.strip() for part in text.partition("="))
    if not sign or not name or not said:
        raise UsageError(f"--param {text}: expected name=low..high or name=value,value, such as k1=0.6..2.0")
    found = _RANGE.fullmatch(said)
    if found is None:
        return Choice(name, _values(text, said))
    low, high = (_number(text, found[end]) for end in ("low", "high"))
    if low > high:
        raise ParameterError(f"--param {text}: the range ends ({high:g}) before it begins ({low:g})")
    ends = [found["low"], found["high"]]
    step = found["step"]
    if step == "log":
        if low <= 0:
            raise ParameterError(f"--param {text}: a logarithmic range begins above 0, not at {low:g}")
        return Range(name, low, high, whole=_whole(ends), logarithmic=True)
    size = None if step is None else _number(text, step)
    if size is not None and size <= 0:
        raise ParameterError(f"--param {text}: a step is above 0, not {size:g}")
    return Range(name, low, high, size, whole=_whole([*ends, *([step] if step else [])]))


def _whole(texts: Sequence[str]) -> bool:
    return all(re.fullmatch(r"\s*[+-]?\d+\s*", text) for text in texts)


def _number(text: str, part: str) -> float:
    try:
        number = float(part)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"--param {text}: expected a number, found {part.strip()!r}")
    return number


def _values(text: str, said: str) -> tuple[Any, ...]:
    """The values of a list, as TOML has them; what is none of these is a text."""
    values = tuple(_value(part.strip()) for part in said.split(","))
    if "" in values:
        raise UsageError(f"--param {text}: there is an empty value in the list")
    # 1 and True are equal to Python, and not to an engine.
    if len({(type(value), value) for value in values}) < len(values):
        raise UsageError(f"--param {text}: a value is there twice")
    return values


def _value(text: str) -> Any:
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return value if isinstance(value, (bool, int, float, str)) else text
