"""What was found about the orders of systems: coefficients with intervals, and who swaps with whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, overload

from cranfield.evaluation.system_rankings import SystemRanking
from cranfield.stats.correlation.system_correlation import SystemCorrelation, coefficient_names

SCHEMA = "cranfield.correlation/1"


class Swap(NamedTuple):
    """Two systems in opposite orders. Differences are better minus worse, as the measures have them."""

    better: str
    """The better one by the first ranking."""
    worse: str
    """The worse one by the first ranking, which is the better one by the second."""
    difference_first: float
    difference_second: float
    places_first: tuple[int, int]
    """The places of the two in the first ranking."""
    places_second: tuple[int, int]
    p_first: float | None
    """Of the paired t-test; none where there are no topics, or no test of them."""
    p_second: float | None
    significant_first: bool | None
    """Whether p is below alpha; none where there is no p."""
    significant_second: bool | None

    @property
    def significant(self) -> int:
        """How many of the two differences are significant."""
        return (self.significant_first or False) + (self.significant_second or False)


@dataclass(frozen=True, eq=False)
class Correlated:
    """Two rankings of the same systems."""

    first: SystemRanking
    second: SystemRanking
    coefficients: Mapping[str, SystemCorrelation]
    swaps: tuple[Swap, ...]
    """The plainest contradictions first."""
    alike: int
    """Pairs of systems in the same order."""
    tied: int
    """Pairs of systems that are tied in one of the rankings, or in both."""
    alpha: float

    def value(self, coefficient: str) -> float:
        """One coefficient, by any name it goes by; nan where it is not defined."""
        (name,) = coefficient_names([coefficient])
        return self.coefficients[name].value

    @property
    def tested(self) -> bool:
        """Whether there are topics, so that differences can be tested."""
        return self.first.topics is not None and self.second.topics is not None

    @property
    def sentence(self) -> str:
        """What it comes to, in plain words."""
        systems, pairs = len(self.first.systems), self.alike + self.tied + len(self.swaps)
        said = f"{self.first.label} and {self.second.label} order {_count(systems, 'system')}"
        if not pairs:
            return f"{said}: there is no pair to compare."
        parts = [f"{self.alike} of {_count(pairs, 'pair')} alike"]
        if self.tied:
            parts.append(f"{self.tied} tied by one or both")
        swapped = f"{len(self.swaps)} swapped"
        if self.swaps and self.tested:
            both, one = (sum(swap.significant == many for swap in self.swaps) for many in (2, 1))
            swapped += (
                f" (significant at {self.alpha:g}, not corrected for {2 * len(self.swaps)} comparisons: "
                f"both differences in {both}, one in {one})"
            )
        return f"{said}: {'; '.join([*parts, swapped])}."

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it."""
        return {
            "first": self.first.label,
            "second": self.second.label,
            "systems": len(self.first.systems),
            "coefficients": {name: _plain(found) for name, found in self.coefficients.items()},
            "pairs_alike": self.alike,
            "pairs_tied": self.tied,
            "pairs_swapped": len(self.swaps),
            "swaps": [swap._asdict() for swap in self.swaps],
            "sentence": self.sentence,
        }


class Correlations(Sequence[Correlated]):
    """Each two of several rankings of systems."""

    def __init__(
        self,
        rankings: Sequence[SystemRanking],
        pairs: Sequence[Correlated],
        notes: Sequence[str],
        settings: Mapping[str, Any],
    ) -> None:
        self.rankings = tuple(rankings)
        self.pairs = tuple(pairs)
        self.notes = tuple(notes)
        """What was left out, and how topics were matched."""
        self.settings = dict(settings)

    @overload
    def __getitem__(self, at: int) -> Correlated: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Correlated, ...]: ...

    def __getitem__(self, at: int | slice) -> Correlated | tuple[Correlated, ...]:
        return self.pairs[at]

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def intervals(self) -> dict[str, list[str]]:
        """How intervals were found, and of which coefficients."""
        return self._said(lambda found: found.interval.method if found.interval else None)

    @property
    def without_interval(self) -> dict[str, list[str]]:
        """Why there is no interval, and of which coefficients."""
        return self._said(lambda found: found.no_interval)

    @property
    def undefined(self) -> dict[str, list[str]]:
        """Why there is no value, and of which coefficients."""
        return self._said(lambda found: found.undefined)

    def _said(self, about: Callable[[SystemCorrelation], str | None]) -> dict[str, list[str]]:
        said: dict[str, list[str]] = {}
        for pair in self.pairs:
            for name, found in pair.coefficients.items():
                words = about(found)
                if words is not None and name not in said.setdefault(words, []):
                    said[words].append(name)
        return said

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        return {
            "schema": SCHEMA,
            "settings": dict(self.settings),
            "notes": list(self.notes),
            "rankings": [
                {
                    "label": ranking.label,
                    "topics": None if ranking.topics is None else len(ranking.topics),
                    "more_is_better": ranking.more_is_better,
                    "systems": [
                        {"system": system, "score": score, "place": ranking.places[system]}
                        for system, score in sorted(ranking.scores.items(), key=lambda one: ranking.places[one[0]])
                    ],
                }
                for ranking in self.rankings
            ],
            "pairs": [pair.to_dict() for pair in self.pairs],
        }

    def __repr__(self) -> str:
        lines = []
        for pair in self.pairs:
            lines.append(f"{pair.first.label} and {pair.second.label}")
            width = max(map(len, pair.coefficients))
            lines += [f"{name:<{width}}  {shown}" for name, shown in _shown(pair)]
            lines.append(pair.sentence)
        return "\n".join([*lines, *self.notes])


def _shown(pair: Correlated) -> Iterator[tuple[str, str]]:
    for name, found in pair.coefficients.items():
        if found.undefined:
            yield name, f"undefined: {found.undefined}"
        elif found.interval:
            yield name, f"{found.value:z.4f} ({found.interval.lower:z.4f} to {found.interval.upper:z.4f})"
        else:
            yield name, f"{found.value:z.4f}"


def _plain(found: SystemCorrelation) -> dict[str, Any]:
    value = None if math.isnan(found.value) else found.value
    interval = None if found.interval is None else asdict(found.interval)
    return {"value": value, "interval": interval, "undefined": found.undefined, "no_interval": found.no_interval}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
