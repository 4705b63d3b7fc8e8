"""How patient readers are who do not look at what they read, and what several user models make of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.data.strings import Floats
from cranfield.measures.long_sums import sums_to
from cranfield.measures.user_model import Ranks, Stretch, UserModel

# Closed forms: the chance that a reader gets to the end of a stretch, and how many ranks of it are read


def steady(p: Floats | float, steps: Floats) -> tuple[Floats, Floats]:
    """A reader who goes on with the same probability p < 1 everywhere."""
    return p**steps, (1.0 - p ** (steps + 1.0)) / (1.0 - p)


def inverse_square(start: Floats, steps: Floats) -> tuple[Floats, Floats]:
    """A reader whose chance to be at step j is start² / (start + j)²."""
    # 1/(start + 10) - 1/(start + steps + 11), the greatest part of the sum, loses no digits if it is not subtracted
    finite = np.minimum(steps, 1e100)
    greatest = (finite + 1.0) / (start + finite + 11.0) / (start + 10.0)
    read = start**2 * (greatest + (_inverse_squares(start) - _inverse_squares(start + steps + 1.0)))
    return (start / (start + steps)) ** 2, read


def until(stop: Floats, steps: Floats) -> tuple[Floats, Floats]:
    """A reader who makes so many steps for certain and no more."""
    return (steps <= stop).astype(np.float64), np.minimum(stop, steps) + 1.0


_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)


def _inverse_squares(x: Floats) -> Floats:
    """1/x² + 1/(x+1)² + 1/(x+2)² + ... (Hurwitz's zeta of 2), by the formula of Euler and Maclaurin from x + 10 on.

    The first term of that formula, 1/(x + 10), is left out.
    """
    y = 1.0 / (x + 10.0)
    square = y * y
    series = np.zeros(len(x))
    for number in reversed(_BERNOULLI):
        series = (series + number) * square
    total: Floats = y * (0.5 * y + series)
    for j in range(10):
        total += 1.0 / np.square(x + j)
    return total


def _summed(value: Callable[[Floats], Floats], s: Stretch) -> Floats:
    """The value of each rank, added up over the ranks of stretches; without end it is infinite."""
    ends = np.isfinite(s.last)
    return np.where(ends, sums_to(value, np.where(ends, s.last, s.first)) - sums_to(value, s.first - 1.0), np.inf)


# User models


def tireless() -> UserModel:
    """C(i) = 1: nothing but a cutoff ends the reading."""

    def stretch(s: Stretch) -> tuple[Floats, Floats]:
        return until(np.full(len(s.first), np.inf), s.steps)

    return UserModel(lambda at: np.ones_like(at.rank), stretch, adaptive=False)


def persistent(p: float) -> UserModel:
    """C(i) = p."""
    return UserModel(lambda at: np.full_like(at.rank, p), lambda s: steady(p, s.steps), adaptive=False)


def harmonic() -> UserModel:
    """C(i) = i / (i + 1), so that rank i is read with the chance 1/i."""

    def stretch(s: Stretch) -> tuple[Floats, Floats]:
        return s.first / s.last, s.first * _summed(lambda rank: 1.0 / rank, s)

    return UserModel(lambda at: at.rank / (at.rank + 1.0), stretch, adaptive=False)


def logarithmic() -> UserModel:
    """C(i) = log(i + 1) / log(i + 2), so that rank i is read with the chance 1/log2(i + 1)."""

    def stretch(s: Stretch) -> tuple[Floats, Floats]:
        discount = np.log2(s.first + 1.0)
        return discount / np.log2(s.last + 1.0), discount * _summed(lambda rank: 1.0 / np.log2(rank + 1.0), s)

    return UserModel(lambda at: np.log2(at.rank + 1.0) / np.log2(at.rank + 2.0), stretch, adaptive=False)


def quadratic(T: float) -> UserModel:
    """C(i) = ((i + 2T - 1) / (i + 2T))², so that rank i is read with a chance in proportion to 1/(i + 2T - 1)²."""

    def stretch(s: Stretch) -> tuple[Floats, Floats]:
        return inverse_square(s.first - 1.0 + 2.0 * T, s.steps)

    return UserModel(lambda at: ((at.rank + 2 * T - 1) / (at.rank + 2 * T)) ** 2, stretch, adaptive=False)


def satisfied(patience: UserModel) -> UserModel:
    """C(i) times 1 - g_i: a reader who also leaves with a chance that is the gain of the document."""

    def continuation(at: Ranks) -> Floats:
        return patience.continuation(at) * (1.0 - at.gain)

    def stretch(s: Stretch) -> tuple[Floats, Floats]:
        assert patience.stretch is not None
        return until(np.zeros(len(s.first)), s.steps) if s.gain else patience.stretch(s)

    return UserModel(continuation, stretch)
