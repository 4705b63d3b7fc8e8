"""Recall-precision curves: raw, interpolated, and averaged over topics at recall levels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from cranfield.curves.bands import Band, band_meaning, band_options, bands_of_means, check_bands
from cranfield.curves.dominance import Dominances, dominances
from cranfield.curves.inputs import JoinedRun, JoinedRuns, join_runs
from cranfield.curves.result import AVERAGE, About, Cell, Curves, no_curve
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.named_runs import named_runs, read_again
from cranfield.measures import Measure
from cranfield.measures.interpolated_precision import DECILES
from cranfield.measures.parameters import Levels
from cranfield.stats.wording import number


class RawCurve(NamedTuple):
    """Recall and precision of one topic after each retrieved document."""

    rank: Ints
    recall: Floats
    precision: Floats


class Steps(NamedTuple):
    """The interpolated curve of one topic: to each recall, the best precision at that recall or a higher one.

    Where recall goes no further, precision is 0.
    """

    recall: Floats
    precision: Floats


@dataclass(frozen=True, eq=False)
class RecallPrecision:
    """The recall-precision curves of one run."""

    name: str
    queries: tuple[str, ...]
    interpolated: Floats
    """Interpolated precision: a row for each of the queries, a column for each recall level."""
    break_even: Floats
    """For each query, where precision and recall are the same: R-precision."""
    rankings: Rankings
    bands: Mapping[str, Band] = field(default_factory=dict)
    """Between what values the mean could lie, by what is open (`ties`, `unjudged`)."""

    @cached_property
    def mean(self) -> Floats:
        """At each recall level, the mean over the queries."""
        mean: Floats = self.interpolated.mean(axis=0)
        return mean

    @property
    def mean_break_even(self) -> float:
        """The mean of the break-even points of the queries."""
        return float(self.break_even.mean())

    def raw(self, query: str) -> RawCurve:
        """Recall and precision of one query at every rank."""
        ranks, relevant = self._relevant_ranks(query)
        found = np.searchsorted(ranks, np.arange(1, self._retrieved(query) + 1), side="right").astype(np.float64)
        rank = np.arange(1, len(found) + 1)
        return RawCurve(rank, found / max(relevant, 1), found / rank)

    def steps(self, query: str) -> Steps:
        """The interpolated curve of one query, a point for each relevant document that was found."""
        ranks, relevant = self._relevant_ranks(query)
        found = np.arange(1.0, len(ranks) + 1.0)
        best = np.maximum.accumulate((found / ranks)[::-1])[::-1]
        return Steps(found / max(relevant, 1), best)

    def _place(self, query: str) -> int:
        return self.rankings.qrels.queries.index(query)

    def _retrieved(self, query: str) -> int:
        return int(self.rankings.retrieved[self._place(query)])

    def _relevant_ranks(self, query: str) -> tuple[Ints, int]:
        """At which ranks the relevant documents of a query stand, and how many there are in all."""
        r, place = self.rankings, self._place(query)
        rows = slice(int(r.offset[place]), int(r.offset[place + 1]))
        relevant = r.grade[rows] >= r.level
        return r.rank[rows][relevant], int(r.relevant(None)[place])


@dataclass(frozen=True, eq=False, repr=False)
class RecallPrecisionCurves(Curves):
    """The recall-precision curves of several runs."""

    kind = "recall-precision"
    about: About
    levels: Floats
    runs: Mapping[str, RecallPrecision]
    open_ended: tuple[str, ...] = ()
    """Why some bands that were asked for are not there."""

    def __getitem__(self, name: str) -> RecallPrecision:
        return self.runs[name]

    @cached_property
    def dominance(self) -> Dominances:
        """Which of the averaged curves is above which, and at which recall."""
        return dominances({name: run.mean for name, run in self.runs.items()}, self.levels)

    @property
    def bands(self) -> tuple[str, ...]:
        """What bands there are."""
        return tuple(sorted({name for run in self.runs.values() for name in run.bands}))

    @property
    def columns(self) -> tuple[str, ...]:
        edges = (f"{name}_{edge}" for name in self.bands for edge in ("lower", "upper"))
        return ("run", "query", "recall", "precision", *edges)

    def rows(self, *, by_topic: bool = False) -> Iterator[tuple[Cell, ...]]:
        """Run, query, recall, interpolated precision, and the edges of bands of the mean."""
        levels, nothing = self.levels.tolist(), (None,) * (2 * len(self.bands))
        for name, run in self.runs.items():
            if by_topic:
                for query, values in zip(run.queries, run.interpolated.tolist(), strict=True):
                    for level, value in zip(levels, values, strict=True):
                        yield name, query, level, value, *nothing
            edges = [edge.tolist() for band in self.bands for edge in run.bands[band]]
            for at, (level, value) in enumerate(zip(levels, run.mean.tolist(), strict=True)):
                yield name, AVERAGE, level, value, *(edge[at] for edge in edges)

    def raw_rows(self) -> Iterator[tuple[Cell, ...]]:
        """Run, query, rank, recall and precision of every query at every rank."""
        for name, run in self.runs.items():
            for query in run.queries:
                for point in zip(*(column.tolist() for column in run.raw(query)), strict=True):
                    yield name, query, *point

    def check_topic(self, topic: str) -> None:
        """An error if there is no curve of this topic, or no recall because nothing is relevant for it."""
        super().check_topic(topic)
        if topic in self._without_relevant:
            level = self.about.settings["level"]
            raise no_curve(topic, "recall-precision", f"relevant document (a grade of at least {level:g})")

    @property
    def _without_relevant(self) -> tuple[str, ...]:
        return next(iter(self.about.coverage.values())).without_relevant

    def sentences(self) -> list[str]:
        """Which run dominates which, and where precision and recall meet."""
        meet = (f"{name} {number(run.mean_break_even)}" for name, run in self.runs.items())
        said = self.dominance.sentences("recall")
        said.append(f"Precision and recall are the same (break-even point, mean of topics) at: {', '.join(meet)}.")
        without = self._without_relevant
        if without:
            several = len(without) > 1
            said.append(
                f"{len(without)} topic{'s have' if several else ' has'} no relevant document, and count"
                f"{'' if several else 's'} 0 at every recall level."
            )
        said += [f"Band {name}: the value, {band_meaning(name)}." for name in self.bands]
        return [*said, *self.open_ended]

    def _content(self, by_topic: bool) -> dict[str, Any]:
        return {
            "levels": self.levels.tolist(),
            "runs": [self._run(run, by_topic) for run in self.runs.values()],
            "dominance": [pair.to_dict() for pair in self.dominance.pairs],
            "undominated": list(self.dominance.undominated),
        }

    def _run(self, run: RecallPrecision, by_topic: bool) -> dict[str, Any]:
        found: dict[str, Any] = {"name": run.name, "mean": run.mean.tolist(), "break_even": run.mean_break_even}
        if run.bands:
            found["bands"] = {name: band.to_dict() for name, band in run.bands.items()}
        if by_topic:
            found["per_query"] = {
                query: {
                    "interpolated": run.interpolated[row].tolist(),
                    "break_even": float(run.break_even[row]),
                    "raw": {name: column.tolist() for name, column in run.raw(query)._asdict().items()},
                }
                for row, query in enumerate(run.queries)
            }
        return found


def recall_precision(
    qrels: Any,
    runs: Any = None,
    *,
    levels: Iterable[float] = DECILES,
    bands: str | Iterable[str] = (),
    **options: Any,
) -> RecallPrecisionCurves:
    r"""Recall-precision curves of runs: raw and interpolated for each query, averaged at recall levels.

    .. math:: p(\rho) = \max_{i : R@i \ge \rho} P@i

    The interpolated precision at a recall is the best at any rank where recall is at least that, so that the curve
    never rises. `levels` are the 11 points 0, 0.1, ..., 1 unless told otherwise. A recall that is never reached has
    precision 0; so has every recall of a query without relevant documents, or one that the run lacks. The values are
    those of the measure IPrec, rounding of recall levels by the profile included. `bands` are as in `cutoff`. `options`
    are profile, level, depth, judged_only, complete, qrels_format and run_format of `evaluate`. Instead of judgments
    and runs, what `join` returned will do.

    >>> run = {"q1": {"d1": 4, "d9": 3, "d2": 2, "d8": 1}}
    >>> curve = recall_precision({"q1": {"d1": 1, "d2": 1}}, run, levels=[0, 0.5, 1])["run"]
    >>> curve.mean.round(4).tolist()  # 1/1 where the first of 2 is found, 2/3 where the second is
    [1.0, 1.0, 0.6667]
    >>> curve.raw("q1").recall.tolist(), curve.raw("q1").precision.round(4).tolist()
    ([0.5, 0.5, 1.0, 1.0], [1.0, 0.5, 0.6667, 0.5])
    """
    chosen = sorted(set(Levels().accept(tuple(levels), "recall levels")))
    wanted = check_bands(bands)
    at_levels = [Measure("IPrec")(recall=level) for level in chosen]
    if wanted and isinstance(qrels, JoinedRuns):
        raise UsageError("bands take an evaluation; hand in judgments and runs, not what `join` returned")
    runs = read_again(named_runs(runs), options.get("run_format")) if wanted else runs
    joined = join_runs(qrels, runs, [*at_levels, Measure("BreakEven")], **options)
    *measures, break_even = joined.adapted([*at_levels, Measure("BreakEven")])
    found, why = {}, []
    edges = _bands(joined.evaluator.qrels, runs, measures, wanted, options) if wanted else {}
    for one in joined.runs:
        _refuse_without_relevant(one)
        columns = np.column_stack([measure.compute(one.rankings) for measure in measures])
        bands_of_run, reasons = edges.get(one.name, ({}, []))
        why += reasons
        found[one.name] = RecallPrecision(
            one.name,
            one.queries,
            columns[one.counted],
            break_even.compute(one.rankings)[one.counted],
            one.rankings,
            bands_of_run,
        )
    return RecallPrecisionCurves(joined.about(), np.array(chosen), found, tuple(dict.fromkeys(why)))


def _bands(
    qrels: Any, runs: Mapping[str, Any], measures: list[Measure], bands: tuple[str, ...], options: dict[str, Any]
) -> dict[str, tuple[dict[str, Band], list[str]]]:
    """By name of the run, the bands of the means of these measures."""
    evaluator = Evaluator(qrels, measures, **{**options, "qrels_format": None}, **band_options(bands))
    evaluation = evaluator.evaluate_all(list(runs.values()), names=list(runs))
    return {name: bands_of_means(run, measures, bands) for name, run in evaluation.items()}


def _refuse_without_relevant(joined: JoinedRun) -> None:
    """An error if there is no recall to speak of."""
    r = joined.rankings
    if not (r.relevant(None)[joined.counted] > 0).any():
        raise DataError(
            f"no topic has a relevant document (a grade of at least {r.level:g}), so there is no recall, and no "
            f"recall-precision curve"
        )
