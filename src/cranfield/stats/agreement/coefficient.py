"""How far judges agree, beyond what chance would make of their labels: the result of every coefficient.

P(A) is the agreement there is, P(E) the agreement expected by chance, and every coefficient of this room is

    (P(A) - P(E)) / (1 - P(E)) = 1 - D_o / D_e

with the disagreement observed and expected, D_o = 1 - P(A) and D_e = 1 - P(E). The coefficients differ in what they
expect by chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from cranfield.data.categories import Categories
from cranfield.data.strings import Floats, Ints
from cranfield.stats.arguments import whole, within
from cranfield.stats.chunks import chunks
from cranfield.stats.interval import Interval
from cranfield.stats.random_stream import RandomStream

PERCENT = "percent agreement"
NO_LABELS = "there are no labels"
ONE_JUDGE = "there is only one judge"
NOTHING_COMMON = "no item has labels of two judges"
ALL_THE_SAME = "all labels are the same, so that chance alone explains the agreement"

FEW_ITEMS = 10
"""Fewer items than these say too little for a word."""
_BANDS = ((0.8, "excellent"), (0.6, "good"), (0.4, "fair"), (0.2, "slight"))


@dataclass(frozen=True)
class Agreement:
    """What a coefficient says about judges."""

    coefficient: str
    """Its name."""
    value: float
    """1 for complete agreement, 0 for what chance gives, below 0 for less; nan where it is not defined."""
    observed: float
    """P(A): the share of pairs of labels that agree; with weights, how far they agree on the mean."""
    expected: float
    """P(E): the same by chance; 0 where chance is left out of account."""
    items: int
    """Items that two judges or more have labelled."""
    judges: int
    categories: tuple[str, ...]
    weights: str = "none"
    """How disagreements count: none (all alike), linear, quadratic, custom; or the level of measurement of alpha."""
    interval: Interval | None = None
    """Percentiles of the values of samples of items, drawn with replacement; None if it was not asked for, or there is
    nothing to draw from."""
    resamples: int = 0
    """How many samples the interval comes from: those for which the coefficient is defined."""
    undefined: str | None = None
    """Why there is no value, if there is none."""

    @property
    def band(self) -> str:
        """The value in a word; see `agreement_band`. Empty where there is no value, and for percent agreement."""
        return "" if self.undefined or self.coefficient == PERCENT else agreement_band(self.value)

    @property
    def sentence(self) -> str:
        """All of it in plain words."""
        of = f"{_many(self.items, 'item')}, {_many(self.judges, 'judge')}, {_categories(self.categories)}"
        name = self.coefficient[:1].upper() + self.coefficient[1:]
        if self.undefined:
            return f"{name} is not defined: {self.undefined} ({of})."
        interval = ""
        if self.interval is not None:
            lower, upper = self.interval.lower, self.interval.upper
            interval = f" ({100 * self.interval.level:g}% interval {lower:.4f} to {upper:.4f})"
        agree = "pairs of labels agree in" if self.weights in ("none", "nominal") else "weighted agreement is"
        chance = f", {self.expected:.1%} by chance" if self.band else ", chance left out of account"
        band = f", {self.band}" if self.band else ""
        return f"{name} is {self.value:.4f}{interval}{band}: {agree} {self.observed:.1%}{chance} ({of})."

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it: null for what is not defined."""
        return {
            "coefficient": self.coefficient,
            "value": _known(self.value),
            "interval": None if self.interval is None else asdict(self.interval),
            "resamples": self.resamples,
            "band": self.band or None,
            "observed": _known(self.observed),
            "expected": _known(self.expected),
            "items": self.items,
            "judges": self.judges,
            "categories": list(self.categories),
            "weights": self.weights,
            "undefined": self.undefined,
            "sentence": self.sentence,
        }

    def __float__(self) -> float:
        return self.value


def agreement_band(value: float) -> str:
    """A coefficient in a word, as the lecture notes have it.

    Above 0.8 excellent, above 0.6 good, above 0.4 fair, above 0.2 slight. Up to there it is poor: either the task is
    too confusing or the data too poor. Below 0 judges agree less than by chance.

    >>> [agreement_band(value) for value in (0.81, 0.8, 0.6, 0.4, 0.2, -0.1)]
    ['excellent', 'good', 'fair', 'slight', 'poor', 'worse than chance']
    """
    value = round(value, 12)  # (0.6 - 0.5) / 0.5 is 0.2, whatever the computer's arithmetic makes of it
    if value < 0:
        return "worse than chance"
    return next((word for above, word in _BANDS if value > above), "poor")


class Disagreement(NamedTuple):
    """Disagreement observed and expected, for each of several samples (or topics, or pairs of judges)."""

    observed: Floats
    expected: Floats

    @property
    def coefficient(self) -> Floats:
        """1 - observed / expected; nan where none is expected, or nothing was compared."""
        known = self.expected > 0
        value: Floats = 1 - np.where(known, self.observed, np.nan) / np.where(known, self.expected, 1)
        return value


DisagreementOf = Callable[[Floats], Disagreement]
"""The disagreement in samples, given for each how many of its items are of each kind (samples x kinds)."""


class Sampling(NamedTuple):
    """How an interval is found: so many samples of items, drawn with replacement."""

    resamples: int
    confidence: float
    seed: int

    def check(self) -> None:
        whole("resamples", self.resamples, 0)
        whole("seed", self.seed, 0)
        within("confidence", self.confidence, 0, 1)


class Coefficient(NamedTuple):
    """A coefficient that is asked for."""

    name: str
    disagreement: DisagreementOf
    weights: str = "none"


class Kinds(Protocol):
    """Items sorted by what they have in common."""

    @property
    def times(self) -> Ints:
        """How many items are of each kind."""

    @property
    def items(self) -> int:
        """How many items have labels of two judges or more."""

    @property
    def judges(self) -> int: ...

    @property
    def categories(self) -> Categories: ...


def assess_rows(
    coefficient: Coefficient, found: Disagreement, items: Sequence[int], judges: Sequence[int], categories: Categories
) -> list[Agreement]:
    """What every row of a disagreement says, without intervals."""
    columns = (found.coefficient, 1 - found.observed, 1 - found.expected)
    rows = zip(*(column.tolist() for column in columns), items, judges, strict=True)
    results = []
    for value, observed, expected, compared, people in rows:
        reason = None
        if math.isnan(value):
            reason = ALL_THE_SAME if compared else NOTHING_COMMON
            reason = NO_LABELS if people == 0 else ONE_JUDGE if people == 1 else reason
        results.append(
            Agreement(
                coefficient=coefficient.name,
                value=value,
                observed=observed if compared else math.nan,
                expected=expected if compared else math.nan,
                items=compared,
                judges=people,
                categories=categories.names,
                weights=coefficient.weights,
                undefined=reason,
            )
        )
    return results


def assess(coefficients: Mapping[str, Coefficient], kinds: Kinds, sampling: Sampling) -> dict[str, Agreement]:
    """Each coefficient, all with intervals from the same samples."""
    sampling.check()
    all_items = kinds.times[np.newaxis].astype(np.float64)
    of = ([kinds.items], [kinds.judges], kinds.categories)
    results = {
        key: assess_rows(coefficient, coefficient.disagreement(all_items), *of)[0]
        for key, coefficient in coefficients.items()
    }
    wanted = {key: coefficients[key] for key, result in results.items() if result.undefined is None and kinds.items > 1}
    values: dict[str, list[Floats]] = {key: [] for key in wanted}
    for drawn in samples(kinds.times, sampling) if wanted else ():
        for key, coefficient in wanted.items():
            values[key].append(coefficient.disagreement(drawn).coefficient)
    for key, parts in values.items():
        known = np.concatenate([np.zeros(0), *parts])
        known = known[~np.isnan(known)]
        if len(known):
            outside = (1 - sampling.confidence) / 2
            lower, upper = np.quantile(known, [outside, 1 - outside]).tolist()
            interval = Interval(lower, upper, sampling.confidence, "percentile bootstrap")
            results[key] = replace(results[key], interval=interval, resamples=len(known))
    return results


def samples(times: Ints, sampling: Sampling) -> Iterator[Floats]:
    """Samples of as many items as there are, some at a time: how many of their items are of each kind."""
    stream = RandomStream(sampling.seed)
    items = int(times.sum())
    begin = np.cumsum(times) - times
    for part in chunks(sampling.resamples, items):
        yield np.add.reduceat(stream.draws(part.stop - part.start, items), begin, axis=1)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _categories(names: tuple[str, ...]) -> str:
    return "1 category" if len(names) == 1 else f"{len(names)} categories"


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
