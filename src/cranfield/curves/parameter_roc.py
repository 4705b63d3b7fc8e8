"""ROC over a parameter: one system with different settings, each of which is a point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield.curves.inputs import join_runs
from cranfield.curves.result import AVERAGE, About, Cell, Curves
from cranfield.curves.roc_counts import Population, RocCounts, refuse_retrieved
from cranfield.curves.roc_curve import RocCurve, auc_band
from cranfield.stats.wording import number


class RocPoint(NamedTuple):
    """The rates of all that a run returns, means over the topics."""

    fpr: float
    tpr: float


@dataclass(frozen=True, eq=False, repr=False)
class RocPoints(Curves):
    """A point in ROC space for each run, the lowest false positive rate first."""

    kind = "roc-points"
    about: About
    points: Mapping[str, RocPoint]
    population: Population

    def __getitem__(self, name: str) -> RocPoint:
        return self.points[name]

    @property
    def curve(self) -> RocCurve:
        """The points joined by straight lines, from (0, 0) to (1, 1), without those that lie below the one before."""
        fpr, tpr = np.array([(0.0, 0.0), *self.points.values(), (1.0, 1.0)]).T
        kept = tpr >= np.maximum.accumulate(tpr)
        return RocCurve(fpr[kept], tpr[kept])

    @property
    def columns(self) -> tuple[str, ...]:
        return ("run", "query", "fpr", "tpr")

    def rows(self, *, by_topic: bool = False) -> Iterator[tuple[Cell, ...]]:
        """Run, false and true positive rate; there are none by topic."""
        yield from ((name, AVERAGE, *point) for name, point in self.points.items())

    def sentences(self) -> list[str]:
        """The area under the points, and which settings another one makes needless."""
        area = self.curve.area
        beaten = [
            name
            for name, one in self.points.items()
            if any(other.fpr <= one.fpr and other.tpr >= one.tpr and other != one for other in self.points.values())
        ]
        said = [f"Area under the points, joined by straight lines: {number(area)} ({auc_band(area)})."]
        if beaten:
            said.append(f"Worse than another setting in one rate and no better in the other: {', '.join(beaten)}.")
        return [*said, f"Rates are means over topics, over {self.population.in_words()}."]

    def _content(self, by_topic: bool) -> dict[str, Any]:
        return {
            "over": self.population.in_words(),
            "auc": self.curve.area,
            "runs": [{"name": name, **point._asdict()} for name, point in self.points.items()],
        }


def roc_points(
    qrels: Any, runs: Any = None, *, over: str | None = None, documents: int | None = None, **options: Any
) -> RocPoints:
    """The ROC curve of one system over a parameter: what each run returns, taken as a set, is a point.

    The runs are those of the system with different settings; each may return as many documents for a topic as it likes.
    Rates are means over the topics that have both relevant and non-relevant documents. Other things are as in `roc`;
    the documents that count must be the same for all runs, so that `over=retrieved` means nothing here.

    >>> qrels = {"q1": {"a": 1, "b": 1, "x": 0, "y": 0}}
    >>> strict, lenient = {"q1": {"a": 1}}, {"q1": {"a": 3, "x": 2, "b": 1}}
    >>> found = roc_points(qrels, {"lenient": lenient, "strict": strict})
    >>> found.points  # one of two relevant documents, and none of the others; both, and one of two
    {'strict': RocPoint(fpr=0.0, tpr=0.5), 'lenient': RocPoint(fpr=0.5, tpr=1.0)}
    >>> found.curve.area  # 1 - (1/2 · 1/2) / 2
    0.875
    """
    population = Population.of(over, documents)
    refuse_retrieved(population)
    joined = join_runs(qrels, runs, population.measure("AUC"), **options)
    points = {}
    shared = joined.in_common()
    for one in joined.runs:
        counts = RocCounts.of(one.rankings, population, shared)
        counts.require_some(one.name)
        fpr, tpr = (float(rate[counts.defined].mean()) for rate in counts.last)
        points[one.name] = RocPoint(fpr, tpr)
    in_order = dict(sorted(points.items(), key=lambda item: item[1]))
    return RocPoints(joined.about(**population.settings), in_order, population)
