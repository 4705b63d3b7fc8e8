"""The kinds of values a measure's parameters take: how they are read, checked and shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Protocol

from cranfield.errors import ParameterError


class Kind(Protocol):
    """A kind of value."""

    def accept(self, value: Any, what: str) -> Any:
        """The value, from Python or from text; ParameterError, beginning with `what`, if it is impossible."""

    def show(self, value: Any) -> str:
        """The value as text that `accept` reads back."""

    def describe(self) -> str:
        """Which values it takes, in words."""

    def example(self) -> Any:
        """A value it takes."""


_LONGEST = 80
"""How many characters of a value a message shows."""
_EXACT = 2**53
"""Up to here a floating-point number that is whole is exactly the number that was meant."""


def _refuse(what: str, value: Any, expected: str) -> ParameterError:
    try:
        shown = str(value)
    except ValueError:  # a whole number of thousands of digits
        shown = f"a number of {value.bit_length()} bits"
    if len(shown) > _LONGEST:
        shown = f"{shown[: _LONGEST - 3]}..."
    return ParameterError(f"{what} must be {expected}, not {shown}")


def _as_float(value: Any, what: str, expected: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise _refuse(what, repr(value), expected) from None
    except OverflowError:
        raise _refuse(what, value, expected) from None


def _bound(number: float) -> str:
    """A bound in words: a power of ten as that where it has many digits."""
    power = round(math.log10(abs(number))) if number else 0
    return f"{'-' * (number < 0)}10^{power}" if abs(power) > 5 and abs(number) == 10.0**power else f"{number:g}"


class Whole:
    """A whole number within bounds."""

    def __init__(self, least: int = 1, most: int = 10**12) -> None:
        self.least = least
        self.most = most

    def describe(self) -> str:
        return f"a whole number from {self.least} to {_bound(self.most)}"

    def accept(self, value: Any, what: str) -> int:
        number = _as_float(value, what, self.describe())
        if not number.is_integer() or not self.least <= number <= self.most:
            raise _refuse(what, value, self.describe())
        return int(number)

    def example(self) -> Any:
        return max(self.least, 1000)

    def show(self, value: int) -> str:
        return str(value)


class Number:
    """A number within bounds."""

    def __init__(self, low: float = -math.inf, high: float = math.inf, *, open_ended: bool = False) -> None:
        self.low = low
        self.high = high
        self.open_ended = open_ended  # whether `high` itself is out of bounds

    def accept(self, value: Any, what: str) -> float:
        number = _as_float(value, what, self.describe())
        inside = self.low <= number <= self.high and not (self.open_ended and number == self.high)
        if not math.isfinite(number) or not inside:
            raise _refuse(what, value, self.describe())
        return int(number) if number.is_integer() and abs(number) <= _EXACT else number

    def describe(self) -> str:
        if self.low == -math.inf and self.high == math.inf:
            return "a number"
        return f"a number from {_bound(self.low)} to {'below ' if self.open_ended else ''}{_bound(self.high)}"

    def example(self) -> Any:
        return self.high / 2 if self.high <= 1 else min(max(self.low, 2), self.high)

    def show(self, value: float) -> str:
        return repr(value)


class Flag:
    """True or false."""

    def describe(self) -> str:
        return "True or False"

    def accept(self, value: Any, what: str) -> bool:
        answer = {"true": True, "false": False, "1": True, "0": False}.get(str(value).lower())
        if answer is None:
            raise _refuse(what, repr(value), self.describe())
        return answer

    def example(self) -> Any:
        return True

    def show(self, value: bool) -> str:
        return str(value)


class Choice:
    """One of some words."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words

    def describe(self) -> str:
        return "one of " + ", ".join(self.words)

    def accept(self, value: Any, what: str) -> str:
        words = {word.lower(): word for word in self.words}
        word = words.get(str(value).strip("'\"").lower())
        if word is None:
            raise _refuse(what, repr(value), self.describe())
        return word

    def example(self) -> Any:
        return self.words[0]

    def show(self, value: str) -> str:
        return value


class Levels:
    """Several numbers from 0 to 1: `0.25;0.5;0.75`."""

    def describe(self) -> str:
        return "numbers from 0 to 1 with ; between them, as in 0.25;0.5;0.75"

    def accept(self, value: Any, what: str) -> tuple[float, ...]:
        parts = value.split(";") if isinstance(value, str) else value
        one = Number(0, 1)
        try:
            levels = tuple(float(one.accept(part, what)) for part in parts)
        except (ParameterError, TypeError):
            levels = ()
        if not levels:
            raise _refuse(what, repr(value), self.describe())
        return levels

    def example(self) -> Any:
        return (0.25, 0.5, 0.75)

    def show(self, value: tuple[float, ...]) -> str:
        return ";".join(repr(int(level) if level.is_integer() else level) for level in value)


class GainMap:
    """The gain of each grade: `1:3;2:9`, or a dict. Grades not named keep their own value."""

    def describe(self) -> str:
        return "pairs grade:gain of numbers from -10^9 to 10^9 with ; between them, as in 1:3;2:9"

    def accept(self, value: Any, what: str) -> tuple[tuple[float, float], ...]:
        number = Number(-1e9, 1e9)
        try:
            if isinstance(value, str):
                pairs: list[Any] = [part.split(":") for part in value.split(";")]
            else:
                pairs = list(value.items() if isinstance(value, Mapping) else value)
            gains = tuple(sorted((number.accept(grade, what), number.accept(gain, what)) for grade, gain in pairs))
        except (ParameterError, TypeError, ValueError):
            gains = ()
        if not gains:
            raise _refuse(what, repr(value), self.describe())
        return gains

    def example(self) -> Any:
        return ((1, 3), (2, 9))

    def show(self, value: tuple[tuple[float, float], ...]) -> str:
        return ";".join(f"{grade!r}:{gain!r}" for grade, gain in value)


VALUES = ("EU", "ETU", "EC", "ETC", "ED", "residual")
"""What can be asked of a user model: see `user_model`."""
ALL_VALUES = "all"
"""A value that stands for the others: a measure with it is several measures, which `parse` gives."""

CUTOFF = Whole(1)
NOT_NEGATIVE = Number(0, 1e9)

Cutoff = Annotated[int | None, CUTOFF]
Rel = Annotated[float | None, NOT_NEGATIVE]
"""The least grade that is relevant; None leaves it to the evaluation (`-l`), which has 1."""
Persistence = Annotated[float, Number(0, 1, open_ended=True)]
Weight = Annotated[float, Number(-1e9, 1e9)]
NotNegative = Annotated[float, NOT_NEGATIVE]
Positive = Annotated[float, Number(1e-9, 1e9)]
Patience = Annotated[float, Number(1e-9, 1e6)]
"""Of a reader whose chance to go on comes so close to 1 that it is no longer exact for more."""
