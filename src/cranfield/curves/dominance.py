"""Which of several curves is above which, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats, Ints

_SAME = 1e-12
_POINTS = {"recall": "recall levels", "rank": "ranks"}
MOST_IN_WORDS = 4
"""With more curves than that, not every pair gets a sentence."""


class Stretch(NamedTuple):
    """Neighbouring points of the axis at which the same curve is above the other."""

    lower: float
    upper: float
    above: str | None
    """None where the two are equal."""

    def __str__(self) -> str:
        return f"{self.lower:g}" if self.lower == self.upper else f"{self.lower:g} to {self.upper:g}"


@dataclass(frozen=True)
class Dominance:
    """Two curves beside each other: one dominates the other if it is never below it, and above it somewhere.

    >>> found = compare_curves("A", "B", np.array([0.9, 0.5, 0.2]), np.array([0.7, 0.5, 0.3]), [0.0, 0.5, 1.0])
    >>> found.dominant is None, found.sentence("recall")
    (True, 'A is above B at recall 0, B is above A at recall 1; they are equal at recall 0.5.')
    """

    first: str
    second: str
    stretches: tuple[Stretch, ...]
    points: int
    """At how many points of the axis the two were compared."""

    @property
    def dominant(self) -> str | None:
        """The curve that dominates the other, if one does."""
        above = {stretch.above for stretch in self.stretches} - {None}
        return above.pop() if len(above) == 1 else None

    @property
    def equal(self) -> bool:
        """Whether the two are equal everywhere."""
        return all(stretch.above is None for stretch in self.stretches)

    def where(self, name: str | None) -> str:
        """The stretches in which a curve is above the other (None: in which they are equal), in words."""
        return ", ".join(str(stretch) for stretch in self.stretches if stretch.above == name)

    def sentence(self, axis: str) -> str:
        """All of it in words; `axis` is what the points are of: `recall` or `rank`."""
        dominant, everywhere = self.dominant, f"at all {self.points} {_POINTS[axis]}"
        if self.equal:
            return f"{self.first} and {self.second} are equal {everywhere}."
        if dominant is None:
            parts = [
                f"{one} is above {other} at {axis} {self.where(one)}"
                for one, other in ((self.first, self.second), (self.second, self.first))
            ]
            equal = f"; they are equal at {axis} {self.where(None)}" if self.where(None) else ""
            return f"{', '.join(parts)}{equal}."
        other = self.second if dominant == self.first else self.first
        if len(self.stretches) == 1:
            return f"{dominant} dominates {other}: it is above it {everywhere}."
        return (
            f"{dominant} dominates {other}: it is above it at {axis} {self.where(dominant)}, and never below; they are "
            f"equal at {axis} {self.where(None)}."
        )

    def to_dict(self) -> dict[str, Any]:
        stretches = [{"from": one.lower, "to": one.upper, "above": one.above} for one in self.stretches]
        return {"first": self.first, "second": self.second, "dominant": self.dominant, "stretches": stretches}


@dataclass(frozen=True)
class Dominances:
    """All pairs of several curves."""

    names: tuple[str, ...]
    pairs: tuple[Dominance, ...]

    def __getitem__(self, names: tuple[str, str]) -> Dominance:
        """That of two curves, in either order."""
        for pair in self.pairs:
            if {pair.first, pair.second} == set(names):
                return pair
        raise KeyError(f"there is no pair {names}; there are curves of {', '.join(self.names)}")

    @property
    def undominated(self) -> tuple[str, ...]:
        """The curves that no other dominates."""
        beaten = {pair.second if pair.dominant == pair.first else pair.first for pair in self.pairs if pair.dominant}
        return tuple(name for name in self.names if name not in beaten)

    def sentences(self, axis: str) -> list[str]:
        """Every pair in words, or if there are many curves, which of them no other dominates."""
        if len(self.names) <= MOST_IN_WORDS:
            return [pair.sentence(axis) for pair in self.pairs]
        count = sum(pair.dominant is not None for pair in self.pairs)
        left = self.undominated
        return [
            f"In {count} of {len(self.pairs)} pairs one curve dominates the other: it is never below it, and above it "
            f"somewhere. {len(left)} of {len(self.names)} curves are dominated by no other: {', '.join(left)}."
        ]


def dominances(curves: Mapping[str, Floats], levels: Sequence[float] | Floats | Ints) -> Dominances:
    """Every two of several curves beside each other, given by their values at the same levels."""
    pairs = [compare_curves(one, other, curves[one], curves[other], levels) for one, other in combinations(curves, 2)]
    return Dominances(tuple(curves), tuple(pairs))


def compare_curves(
    first: str, second: str, one: Floats, other: Floats, levels: Sequence[float] | Floats | Ints
) -> Dominance:
    """Two curves beside each other, given by their values at the same levels."""
    difference = np.asarray(one) - np.asarray(other)
    sign = np.where(np.abs(difference) <= _SAME, 0, np.sign(difference)).astype(np.int64)
    begins = np.flatnonzero(np.append(True, np.diff(sign) != 0))
    ends = np.append(begins[1:], len(sign)) - 1
    name = {1: first, -1: second, 0: None}
    return Dominance(
        first,
        second,
        tuple(
            Stretch(float(levels[begin]), float(levels[end]), name[int(sign[begin])])
            for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)
        ),
        len(sign),
    )
