"""What a statistic is told beside its data: checked here, in one wording."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, get_args

from cranfield.errors import ParameterError

Alternative = Literal["two-sided", "greater", "less"]
"""The question a test asks: is the difference not zero, above zero, below zero?"""

ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)


def one_of(name: str, value: object, options: Iterable[str]) -> None:
    """
    >>> one_of("alternative", "bigger", ALTERNATIVES)
    Traceback (most recent call last):
        ...
    cranfield.errors.ParameterError: alternative must be one of two-sided, greater, less, not 'bigger'
    """
    options = tuple(options)
    if value not in options:
        raise ParameterError(f"{name} must be one of {', '.join(options)}, not {value!r}")


def within(name: str, value: float, low: float, high: float = math.inf) -> None:
    """
    >>> within("level", 95, 0, 1)
    Traceback (most recent call last):
        ...
    cranfield.errors.ParameterError: level must be a number above 0 and below 1, not 95
    """
    if not low < value < high:
        below = f" and below {high:g}" if high < math.inf else ""
        raise ParameterError(f"{name} must be a number above {low:g}{below}, not {value!r}")


def whole(name: str, value: int, least: int) -> None:
    """
    >>> whole("resamples", 0, 1)
    Traceback (most recent call last):
        ...
    cranfield.errors.ParameterError: resamples must be a whole number of at least 1, not 0
    """
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < least:
        raise ParameterError(f"{name} must be a whole number of at least {least}, not {value!r}")
