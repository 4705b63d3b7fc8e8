"""What a test for two systems found: for one pair, and for many pairs at once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from cranfield.data.strings import Bools, Floats
from cranfield.stats import wording
from cranfield.stats.arguments import Alternative
from cranfield.stats.interval import Interval, Intervals
from cranfield.stats.significance.differences import Differences
from cranfield.stats.wording import Question


@dataclass(frozen=True)
class Outcome:
    """What a test found for one pair of systems. Differences are new minus baseline: an improvement is positive."""

    test: str
    """The name of the test."""
    symbol: str
    """What the statistic is called, `t` for example."""
    statistic: float
    """nan where the test is not defined."""
    p: float
    """The probability of data at least as extreme as these if the null hypothesis holds; nan where not defined."""
    alternative: Alternative
    n: int
    """How many topics were compared."""
    wins: int
    """Topics on which the new system is better."""
    ties: int
    losses: int
    mean_difference: float
    interval: Interval | None
    """Of the mean difference; none where it is not defined."""
    effects: Mapping[str, float]
    """Effect sizes by name; those that are not defined are left out."""
    details: Mapping[str, float]
    """What else the test counted on its way, by name: degrees of freedom, z, sigma ..."""
    assumed: str
    """What has to hold for p to mean what it says."""
    notes: tuple[str, ...]
    """What was done with zeros and ties, whether p is exact, the seed."""
    level: float
    """1 - alpha: below alpha, p counts as rare."""
    undefined: str | None
    """Why there is no p, if there is none."""
    question: Question = field(repr=False)
    interval_kind: str = field(default="", repr=False)
    """What the interval is where it is not the test's own, so that it and p need not agree: `t`, `BCa`."""

    @property
    def significant(self) -> bool:
        """Whether p is below alpha = 1 - level."""
        return self.p < alpha_of(self.level)

    @property
    def sentence(self) -> str:
        """The finding in plain words."""
        words = self.describe()
        return words[:1].upper() + words[1:]

    def describe(self, new: str = "the new run", baseline: str = "the baseline", *, more_is_better: bool = True) -> str:
        """The finding in plain words, with the systems' names, for measures of which more (or less) is better."""
        question = self.question if more_is_better else self.question.other_way()
        names = {"new": new, "baseline": baseline}
        if math.isnan(self.mean_difference):
            return f"Not tested ({self.test}): {self.undefined}."
        direction = (question.below, question.equal, question.above)[int(np.sign(self.mean_difference)) + 1]
        size = f" by {wording.number(abs(self.mean_difference))}" if self.mean_difference else ""
        words = f"{new} is {direction.format(**names)}{size}"
        if self.interval:
            bounds = self.interval.lower, self.interval.upper
            words += f" ({wording.interval(*bounds, self.interval.level, self.interval_kind)})"
        if self.undefined:
            return f"{words}; not tested ({self.test}): {self.undefined}."
        chance = question.chance(new, baseline, p=self.p, higher=self.wins, lower=self.losses)
        return f"{words}; {chance} ({self.test}, {wording.p_value(self.p)})."

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it: what is not defined or has no bound is None."""
        plain = asdict(self)
        del plain["question"], plain["interval_kind"]
        return {**as_json(plain), "sentence": self.sentence}


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What the same test found for many pairs: the columns of their outcomes. `outcomes[i]` is that of pair i."""

    differences: Differences
    test: str
    symbol: str
    statistic: Floats
    p: Floats
    alternative: Alternative
    level: float
    interval: Intervals
    effects: Mapping[str, Floats]
    details: Mapping[str, Floats]
    assumed: str
    question: Question
    undefined: Sequence[str | None]
    notes: Sequence[tuple[str, ...]] = ()
    """For each pair; none at all is none for every pair."""
    interval_kind: str = ""

    def __post_init__(self) -> None:
        nothing = np.array([reason is not None for reason in self.undefined], dtype=np.bool_)
        for name in ("statistic", "p"):
            object.__setattr__(self, name, np.where(nothing, np.nan, getattr(self, name)))

    @property
    def mean_difference(self) -> Floats:
        return self.differences.mean

    @property
    def significant(self) -> Bools:
        """Whether p is below alpha = 1 - level."""
        return np.asarray(self.p < alpha_of(self.level))

    def __len__(self) -> int:
        return len(self.p)

    def __iter__(self) -> Iterator[Outcome]:
        return (self[pair] for pair in range(len(self)))

    def __getitem__(self, pair: int) -> Outcome:
        return Outcome(
            test=self.test,
            symbol=self.symbol,
            statistic=float(self.statistic[pair]),
            p=float(self.p[pair]),
            alternative=self.alternative,
            n=self.differences.topics,
            wins=int(self.differences.wins[pair]),
            ties=int(self.differences.zeros[pair]),
            losses=int(self.differences.losses[pair]),
            mean_difference=float(self.mean_difference[pair]),
            interval=self.interval[pair],
            effects=_defined(self.effects, pair),
            details=_defined(self.details, pair),
            assumed=self.assumed,
            notes=self.notes[pair] if self.notes and self.undefined[pair] is None else (),
            level=self.level,
            undefined=self.undefined[pair],
            question=self.question,
            interval_kind=self.interval_kind,
        )


def alpha_of(level: float) -> float:
    """1 - level without the dust of subtraction: 1 - .95 is .050000000000000044."""
    return round(1 - level, 12)


def _defined(columns: Mapping[str, Floats], pair: int) -> dict[str, float]:
    values = {name: float(column[pair]) for name, column in columns.items()}
    return {name: value for name, value in values.items() if not math.isnan(value)}


def as_json(value: Any) -> Any:
    """The same with lists for tuples, and None for numbers that JSON does not have: nan and infinite ones."""
    if isinstance(value, dict):
        return {name: as_json(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [as_json(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
