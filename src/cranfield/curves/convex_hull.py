"""The ROC convex hull of several systems, and which two ways of running them to mix for any point on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from cranfield.curves.inputs import join_runs
from cranfield.curves.result import AVERAGE, About, Cell, Curves
from cranfield.curves.roc_averages import HULL_AVERAGE, average_sentence
from cranfield.curves.roc_counts import Population, RocCounts, refuse_retrieved
from cranfield.curves.roc_curve import RocCurve
from cranfield.data.strings import Bools
from cranfield.errors import UsageError
from cranfield.measures.parameters import Number
from cranfield.stats.wording import number

_RATE = Number(0, 1)
_SAME = 1e-12


class OperatingPoint(NamedTuple):
    """A way to run a system: to return the first documents of each topic, and the rates that gives."""

    fpr: float
    tpr: float
    run: str | None
    """None for returning nothing, or every document there is, which takes no system."""
    cutoff: int | None
    """How many documents; None for every document there is."""

    def __str__(self) -> str:
        if self.run is None:
            return "nothing" if self.cutoff == 0 else "every document there is"
        return f"the first {self.cutoff} of {self.run}" if self.cutoff != 1 else f"the first of {self.run}"

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


class CoinFlip(NamedTuple):
    """A mixture of two ways: for each topic a coin decides which of them it is. Rates are what is to be expected."""

    heads: OperatingPoint
    tails: OperatingPoint
    probability: float
    """That of heads."""

    @property
    def fpr(self) -> float:
        return self.probability * self.heads.fpr + (1.0 - self.probability) * self.tails.fpr

    @property
    def tpr(self) -> float:
        return self.probability * self.heads.tpr + (1.0 - self.probability) * self.tails.tpr

    def sentence(self) -> str:
        """What to do, and what that gives.

        >>> a, b = OperatingPoint(0.1, 0.5, "A", 10), OperatingPoint(0.3, 0.9, "B", 50)
        >>> CoinFlip(a, b, 0.5).sentence()
        'For each topic, with probability .500 return the first 10 of A, otherwise the first 50 of B: expected false
        positive rate .200, true positive rate .700.'
        """
        rates = f"expected false positive rate {number(self.fpr)}, true positive rate {number(self.tpr)}."
        for chosen, alone in ((self.heads, 1.0), (self.tails, 0.0)):
            if self.probability == alone or self.heads == self.tails:
                return f"No coin is needed: return {chosen}: {rates}"
        return (
            f"For each topic, with probability {number(self.probability)} return {self.heads}, otherwise {self.tails}: "
            f"{rates}"
        )

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"heads": self.heads.to_dict(), "tails": self.tails.to_dict()}
        return {**found, "probability": self.probability, "fpr": self.fpr, "tpr": self.tpr}


@dataclass(frozen=True, eq=False, repr=False)
class Hull(Curves):
    """The best points that several systems can reach, alone or mixed."""

    kind = "hull"
    about: About
    curves: Mapping[str, RocCurve]
    """By name of the run, the means of both rates over the topics after 0, 1, 2, ... documents, and (1, 1)."""
    points: tuple[OperatingPoint, ...]
    """The corners of the hull, from (0, 0) to (1, 1)."""
    population: Population
    defined: Bools
    """Which queries of the judgments the rates are means over."""
    targets: tuple[CoinFlip, ...] = ()
    """The mixtures that were asked for."""

    @property
    def topics(self) -> int:
        """How many topics the rates are means over."""
        return int(self.defined.sum())

    @property
    def curve(self) -> RocCurve:
        """The hull as a curve."""
        return RocCurve(np.array([one.fpr for one in self.points]), np.array([one.tpr for one in self.points]))

    @property
    def area(self) -> float:
        """The area under the hull."""
        return self.curve.area

    @property
    def on_hull(self) -> tuple[str, ...]:
        """The runs that have a corner of the hull: all others are of no use at any point."""
        used = {point.run for point in self.points}
        return tuple(name for name in self.curves if name in used)

    def mixture(self, *, fpr: float | None = None, tpr: float | None = None) -> CoinFlip:
        r"""The two ways to run systems, and the probability of the first, that reach a point of the hull.

        .. math:: \mathrm{TPR}_C = p\,\mathrm{TPR}_A + (1 - p)\,\mathrm{TPR}_B, \qquad
            \mathrm{FPR}_C = p\,\mathrm{FPR}_A + (1 - p)\,\mathrm{FPR}_B

        The point is named by its false positive rate, or by its true positive rate (of those with this one, the point
        with the lowest false positive rate). If both are given, it is an error if the point lies above the hull, where
        no mixture gets; if it lies below, the mixture is the better one with the same false positive rate.
        """
        if fpr is None and tpr is None:
            raise UsageError("say which point of the hull: a false positive rate (fpr) or a true positive rate (tpr)")
        targets = {
            name: float(_RATE.accept(value, name)) for name, value in (("fpr", fpr), ("tpr", tpr)) if value is not None
        }
        axis = "fpr" if "fpr" in targets else "tpr"
        wanted = targets[axis]
        along = np.array([getattr(point, axis) for point in self.points])
        if axis == "fpr":
            # Where several corners stand above one another, the highest.
            before = int(np.searchsorted(along, wanted, side="right")) - 1
            after = min(before + 1, len(along) - 1)
        else:
            after = int(np.searchsorted(along, wanted, side="left"))
            before = max(after - 1, 0)
        width = along[after] - along[before]
        share = (wanted - along[before]) / width if width > 0 else 0.0
        found = CoinFlip(self.points[before], self.points[after], 1.0 - float(share))
        if len(targets) == 2 and targets["tpr"] > found.tpr + _SAME:
            raise UsageError(
                f"no mixture of {', '.join(self.curves)} reaches the true positive rate {targets['tpr']:g} at the "
                f"false positive rate {targets['fpr']:g}: the hull is at {number(found.tpr)} there"
            )
        return found

    @property
    def columns(self) -> tuple[str, ...]:
        return ("run", "query", "cutoff", "fpr", "tpr")

    def rows(self, *, by_topic: bool = False) -> Iterator[tuple[Cell, ...]]:
        """Run, cutoff and rates of each corner of the hull."""
        for point in self.points:
            yield point.run, AVERAGE, point.cutoff, point.fpr, point.tpr

    @property
    def average_sentence(self) -> str:
        """How the topics of a run became one curve, and why so."""
        return average_sentence(HULL_AVERAGE)

    def sentences(self) -> list[str]:
        """Who is on the hull and what it adds; then the mixtures that were asked for."""
        best = max(self.curves, key=lambda name: self.curves[name].area)
        idle = [name for name in self.curves if name not in self.on_hull]
        said = [
            f"Area under the hull {number(self.area)}; the best single run, {best}, has "
            f"{number(self.curves[best].area)}."
        ]
        if idle:
            said.append(f"Of no use at any point of the hull: {', '.join(idle)}.")
        said.append(
            f"Rates are means over {self.topics} topic{'s' * (self.topics != 1)}, over {self.population.in_words()}."
        )
        said.append(self.average_sentence)
        return [*said, *(mixture.sentence() for mixture in self.targets)]

    def _content(self, by_topic: bool) -> dict[str, Any]:
        return {
            "over": self.population.in_words(),
            "averaged": HULL_AVERAGE,
            "topics": self.topics,
            "area": self.area,
            "points": [point.to_dict() for point in self.points],
            "runs": [{"name": name, "auc": curve.area, **curve.to_dict()} for name, curve in self.curves.items()],
            "mixtures": [mixture.to_dict() for mixture in self.targets],
        }


def hull(
    qrels: Any,
    runs: Any = None,
    *,
    fpr: float | Iterable[float] = (),
    tpr: float | Iterable[float] = (),
    over: str | None = None,
    documents: int | None = None,
    **options: Any,
) -> Hull:
    """The convex hull of the ROC curves of several runs: what they reach, alone or mixed.

    The points of a run are the means of both rates over all topics, after each number of documents: ways to run it (the
    average `cutoff` of `roc`, whose areas are not those of its default). On
    the straight line between two of these lies what is to be expected if a coin decides for each topic which of the two
    it is. `fpr` and `tpr` ask for the mixture at some rates (see `Hull.mixture`; `mix_at` makes it). Other things are
    as in `roc`; the documents that count must be the same for all runs, so that `over=retrieved` means nothing here.
    Topics without relevant or without non-relevant documents, and those that some run lacks if the profile leaves such
    topics out, are left out.

    >>> qrels = {"q1": {"a": 1, "b": 1, "x": 0, "y": 0}}
    >>> first = {"q1": {"a": 4, "x": 3, "y": 2, "b": 1}}  # one relevant document at once
    >>> second = {"q1": {"x": 4, "a": 3, "b": 2, "y": 1}}  # all of them, after one that is not
    >>> found = hull(qrels, {"A": first, "B": second}, fpr=0.25)
    >>> [(point.fpr, point.tpr, str(point)) for point in found.points[1:3]]
    [(0.0, 0.5, 'the first of A'), (0.5, 1.0, 'the first 3 of B')]
    >>> found.targets[0].probability, found.targets[0].tpr  # half way: (1/2 + 1) / 2
    (0.5, 0.75)
    """
    population = Population.of(over, documents)
    refuse_retrieved(population)
    joined = join_runs(qrels, runs, population.measure("AUC"), **options)
    counts = [RocCounts.of(one.rankings, population, joined.in_common()) for one in joined.runs]
    for one, count in zip(joined.runs, counts, strict=True):
        count.require_some(one.name)
    curves = {one.name: count.by_cutoff() for one, count in zip(joined.runs, counts, strict=True)}
    about = joined.about(**population.settings, average=HULL_AVERAGE)
    found = Hull(about, curves, _corners(curves), population, counts[0].defined)
    wanted = [found.mixture(fpr=one) for one in _several(fpr)] + [found.mixture(tpr=one) for one in _several(tpr)]
    return replace(found, targets=tuple(wanted))


def _several(rates: float | Iterable[float]) -> list[float]:
    return list(rates) if isinstance(rates, Iterable) else [rates]


def _corners(curves: Mapping[str, RocCurve]) -> tuple[OperatingPoint, ...]:
    """The corners of the upper convex hull of all points; of equal points the first counts."""
    points = [OperatingPoint(0.0, 0.0, None, 0), OperatingPoint(1.0, 1.0, None, None)]
    for name, curve in curves.items():
        fpr, tpr = curve.fpr[1:-1].tolist(), curve.tpr[1:-1].tolist()
        points += [OperatingPoint(x, y, name, k) for k, (x, y) in enumerate(zip(fpr, tpr, strict=True), 1)]
    points.sort(key=lambda point: (point.fpr, -point.tpr))  # stable, so that of equal points the first stays first
    kept: list[OperatingPoint] = [OperatingPoint(0.0, 0.0, None, 0)]
    for point in points:
        if point.tpr <= kept[-1].tpr:
            continue
        while len(kept) > 1 and _turns_up(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    end = OperatingPoint(1.0, 1.0, None, None)
    return tuple(kept if kept[-1] == end else [*kept, end])


def _turns_up(first: OperatingPoint, second: OperatingPoint, third: OperatingPoint) -> bool:
    """Whether the way over these points does not turn to the right at the second, so that it is no corner."""
    cross = (second.fpr - first.fpr) * (third.tpr - first.tpr) - (second.tpr - first.tpr) * (third.fpr - first.fpr)
    return cross >= 0.0
