"""Scores by rank: what measures are after each number of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.curves.bands import Band, band_meaning
from cranfield.curves.dominance import MOST_IN_WORDS, dominances
from cranfield.curves.result import AVERAGE, About, Cell, Curves
from cranfield.data.strings import Floats, Ints
from cranfield.measures import Measure
from cranfield.stats.wording import number


@dataclass(frozen=True, eq=False)
class RankCurve:
    """The scores of one run at each cutoff."""

    name: str
    queries: tuple[str, ...]
    mean: Mapping[Measure, Floats]
    """By measure, the value over all queries at each cutoff."""
    make_scores: Callable[[], Mapping[Measure, Floats]]
    """Gives the `scores`, which are made when they are first asked for."""
    bands: Mapping[Measure, Mapping[str, Band]] = field(default_factory=dict)
    """By measure, between what values the mean could lie, by what is open (`ties`, `unjudged`)."""

    @cached_property
    def scores(self) -> Mapping[Measure, Floats]:
        """By measure, a row for each of the queries, a column for each cutoff."""
        return self.make_scores()

    def of(self, query: str) -> dict[Measure, Floats]:
        """The scores of one query."""
        row = self.queries.index(query)
        return {measure: scores[row] for measure, scores in self.scores.items()}


@dataclass(frozen=True, eq=False, repr=False)
class RankCurves(Curves):
    """The scores of several runs at each cutoff, by one or several measures."""

    kind: str  # type: ignore[misc]
    about: About
    measures: tuple[Measure, ...]
    """Without a cutoff."""
    cutoffs: Ints
    runs: Mapping[str, RankCurve]
    open_ended: tuple[str, ...] = ()
    """Why some bands that were asked for are not there."""

    def __getitem__(self, name: str) -> RankCurve:
        return self.runs[name]

    @property
    def bands(self) -> tuple[str, ...]:
        """What bands there are."""
        there = {name for run in self.runs.values() for bands in run.bands.values() for name in bands}
        return tuple(sorted(there))

    @property
    def columns(self) -> tuple[str, ...]:
        edges = (f"{name}_{edge}" for name in self.bands for edge in ("lower", "upper"))
        return ("run", "query", "measure", "cutoff", "value", *edges)

    def rows(self, *, by_topic: bool = False) -> Iterator[tuple[Cell, ...]]:
        """Run, query, measure, cutoff, value, and the edges of bands, which only values over all queries have."""
        cutoffs, nothing = self.cutoffs.tolist(), (None,) * (2 * len(self.bands))
        for name, run in self.runs.items():
            for measure in self.measures:
                label = str(measure)
                if by_topic:
                    for query, values in zip(run.queries, run.scores[measure].tolist(), strict=True):
                        for cutoff, value in zip(cutoffs, values, strict=True):
                            yield name, query, label, cutoff, value, *nothing
                edges = self._edges(run, measure)
                for at, (cutoff, value) in enumerate(zip(cutoffs, run.mean[measure].tolist(), strict=True)):
                    yield name, AVERAGE, label, cutoff, value, *(edge[at] for edge in edges)

    def _edges(self, run: RankCurve, measure: Measure) -> list[list[float | None]]:
        bands = run.bands.get(measure, {})
        absent = [None] * len(self.cutoffs)
        return [
            list(edge) for name in self.bands for edge in (_both(bands[name]) if name in bands else (absent, absent))
        ]

    def sentences(self) -> list[str]:
        """Where F is highest, who is above whom at which ranks, and what bands are over."""
        said = []
        for measure in self.measures:
            label = f"{measure}: " if len(self.measures) > 1 else ""
            if measure.name == "F":
                peaks = (f"{name} at rank {_peak(self.cutoffs, run.mean[measure])}" for name, run in self.runs.items())
                every_rank = len(self.cutoffs) == self.cutoffs[-1]
                said.append(f"{'' if every_rank else 'Of these ranks, '}{measure} is highest for {', '.join(peaks)}.")
            if 1 < len(self.runs) <= MOST_IN_WORDS and measure.more_is_better is not None:
                pairs = dominances({name: run.mean[measure] for name, run in self.runs.items()}, self.cutoffs)
                said += [f"{label}{sentence}" for sentence in pairs.sentences("rank")]
        said += [f"Band {name}: the value, {band_meaning(name)}." for name in self.bands]
        return [*said, *self.open_ended]

    def _content(self, by_topic: bool) -> dict[str, Any]:
        return {
            "measures": [str(measure) for measure in self.measures],
            "cutoffs": self.cutoffs.tolist(),
            "runs": [self._run(run, by_topic) for run in self.runs.values()],
        }

    def _run(self, run: RankCurve, by_topic: bool) -> dict[str, Any]:
        found: dict[str, Any] = {
            "name": run.name,
            "mean": {str(measure): values.tolist() for measure, values in run.mean.items()},
        }
        if run.bands:
            found["bands"] = {
                str(measure): {name: band.to_dict() for name, band in bands.items()}
                for measure, bands in run.bands.items()
            }
        if by_topic:
            found["per_query"] = {
                query: {str(measure): run.scores[measure][row].tolist() for measure in self.measures}
                for row, query in enumerate(run.queries)
            }
        return found


def _both(band: Band) -> tuple[list[float], list[float]]:
    return band.lower.tolist(), band.upper.tolist()


def _peak(cutoffs: Ints, values: Floats) -> str:
    best = int(np.argmax(values))
    return f"{cutoffs[best]} ({number(float(values[best]))})"
