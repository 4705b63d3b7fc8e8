"""What each document adds to a value."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from cranfield.data.arithmetic import names_in, value_of
from cranfield.data.working import Step, Working

_CLOSE = 1e-9
"""How far, beside 1 or the value, arithmetic may be off."""


def needed_steps(working: Working) -> list[Step]:
    """The last step, those from which it follows, and those whose names are in the names of columns."""
    steps = working.steps
    wanted = {word for column in (*working.columns, *working.ideal) for word in re.findall(r"\w+", column)}
    wanted |= {step.name for step in steps[-1:]}
    needed: list[Step] = []
    for step in reversed(steps):
        if step.name in wanted:
            needed.append(step)
            wanted |= names_in(step.formula) - step.inputs.keys() if step.formula else set()
    return needed[::-1]


class Shares(NamedTuple):
    """Parts of a value: what each row adds, and the rest, which no row adds."""

    of_row: Mapping[int, float]
    rest: float


def shares_of_sum(working: Working) -> Shares | None:
    """The shares of the rows, where the value follows from a sum over them by a straight line; None where it does not.

    The value is then f(sum) = f(0) + slope · sum, so that each row adds what f makes of its summand, and f(0) is the
    rest. Where there are several sums, it is so for all of them, or else for one of them as the others are.

    >>> working = Working()
    >>> working.show("rel · P@i", [0, 4], [1.0, 0.5])
    >>> working.add_up("sum", "rel · P@i", 1.5)
    >>> working.step("AP", "sum / R", 0.5, {"R": 3})
    >>> shares_of_sum(working)
    Shares(of_row={0: 0.3333333333333333, 4: 0.16666666666666666}, rest=0.0)
    """
    steps = needed_steps(working)
    sums = [place for place, step in enumerate(steps) if step.column and not step.of_ideal]
    if not sums or any(not _adds_up(working, steps[place]) for place in sums):
        return None
    if not _close(_last(steps, {}), steps[-1].value):
        return None
    for chosen in [sums, *([place] for place in reversed(sums))]:
        rises = _rises_straight(steps, chosen)
        if rises is not None and (rises or not steps[-1].value):
            return _shares(working, steps, chosen)
    return None


def _adds_up(working: Working, step: Step) -> bool:
    return _close(math.fsum(_numbers(working, step).values()), step.value)


def _numbers(working: Working, step: Step) -> dict[int, float]:
    return {row: cell for row, cell in working.columns.get(step.column, {}).items() if isinstance(cell, float)}


def _last(steps: Sequence[Step], totals: Mapping[int, float]) -> float:
    """The value of the last step if the sums at some places had other totals."""
    known: dict[str, float] = {}
    value = math.nan
    for place, step in enumerate(steps):
        value = value_of(step.formula, {**known, **step.inputs}) if step.formula else totals.get(place, step.value)
        known[step.name] = value
    return value


def _rises_straight(steps: Sequence[Step], chosen: Sequence[int]) -> bool | None:
    """Whether the value changes with the chosen sums; None if it does, and not by a straight line in all of them."""
    nothing = dict.fromkeys(chosen, 0.0)
    whole = {place: steps[place].value or 1.0 for place in chosen}
    rest, most = _last(steps, nothing), _last(steps, whole)
    reached = [_last(steps, {**nothing, place: total}) for place, total in whole.items()]
    halves = [_last(steps, {**nothing, place: total / 2}) for place, total in whole.items()]
    straight = all(_close(half, (rest + end) / 2) for half, end in zip(halves, reached, strict=True))
    together = _close(most, rest + math.fsum(end - rest for end in reached))
    in_between = _close(_last(steps, {place: total / 2 for place, total in whole.items()}), (rest + most) / 2)
    return any(end != rest for end in reached) if straight and together and in_between else None


def _shares(working: Working, steps: Sequence[Step], chosen: Sequence[int]) -> Shares:
    nothing = dict.fromkeys(chosen, 0.0)
    rest = _last(steps, nothing)
    of_row: dict[int, float] = {}
    for place in chosen:
        for row, summand in _numbers(working, steps[place]).items():
            added = _last(steps, {**nothing, place: summand}) - rest if summand else 0.0
            of_row[row] = of_row.get(row, 0.0) + added
    return Shares(of_row, rest)


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)


def shares_by_rank(value_of_first: Callable[[int], float], ranks: Iterable[int]) -> Shares | None:
    """What the document at each of some ranks adds to the value of those above it; None where a value is infinite.

    The shares of all ranks and the rest, the value of an empty list, add up to the value of the whole list.
    """
    first = cache(value_of_first)
    added = {rank: first(rank) - first(rank - 1) for rank in ranks}
    return Shares(added, first(0)) if all(map(math.isfinite, [*added.values(), first(0)])) else None
