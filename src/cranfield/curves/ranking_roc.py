"""ROC curves of rankings: of each topic, and averaged over topics in one of three ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.curves.inputs import JoinedRun, join_runs
from cranfield.curves.result import AVERAGE, About, Cell, Curves, no_curve
from cranfield.curves.roc_averages import AVERAGES, DEFAULT_AVERAGE, average_sentence
from cranfield.curves.roc_counts import Population, RocCounts
from cranfield.curves.roc_curve import RocCurve, auc_band
from cranfield.curves.score_thresholds import pooled_roc
from cranfield.curves.scored_documents import ScoredDocuments
from cranfield.data.strings import Floats, Ints
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.coverage import some
from cranfield.measures.parameters import Levels
from cranfield.stats.wording import number


@dataclass(frozen=True, eq=False)
class RunRoc:
    """The ROC curves of one run."""

    name: str
    queries: tuple[str, ...]
    """Those that have a curve: with a relevant and a non-relevant document."""
    average: RocCurve
    auc: Floats
    """The area under the curve of each query."""
    eer: Floats
    """The equal error rate of each query."""
    without: tuple[str, ...]
    """Queries that have no curve."""
    counts: RocCounts

    @property
    def area(self) -> float:
        """The area under the averaged curve; with a vertical average it is the mean of the areas of the queries."""
        return self.average.area

    @property
    def band(self) -> str:
        """What the lecture notes call such an area."""
        return auc_band(self.area)

    @property
    def equal_error_rate(self) -> float:
        """Of the averaged curve."""
        return self.average.equal_error_rate

    @cached_property
    def corners(self) -> tuple[Ints, Floats, Floats]:
        """The curves of all queries one after the other: where each begins (one more), and both rates."""
        begin, fpr, tpr = self.counts.corners()
        return np.append(begin[:-1][self.counts.defined], begin[-1]), fpr, tpr

    def of(self, query: str) -> RocCurve:
        """The curve of one query; an error if it has none."""
        if query in self.without:
            raise self._no_curve(query)
        begin, fpr, tpr = self.corners
        at = self.queries.index(query)
        points = slice(int(begin[at]), int(begin[at + 1]))
        return RocCurve(fpr[points], tpr[points])

    def _no_curve(self, query: str) -> DataError:
        counts = self.counts
        if not counts.relevant[counts.rankings.qrels.queries.index(query)]:
            which = " among those retrieved" if counts.population.over == "retrieved" else ""
            return no_curve(query, "ROC", f"relevant document{which} (a grade of at least {counts.rankings.level:g})")
        advice = "judged document that is not relevant (-N, documents=, says how large the collection is)"
        return no_curve(query, "ROC", advice if counts.population.judged else "document that is not relevant")


@dataclass(frozen=True, eq=False, repr=False)
class RocCurves(Curves):
    """The ROC curves of several runs."""

    kind = "roc"
    about: About
    runs: Mapping[str, RunRoc]
    population: Population
    averaged: str
    levels: tuple[float, ...] | None
    """The false positive rates that rows show; None: every point."""

    def __getitem__(self, name: str) -> RunRoc:
        return self.runs[name]

    @property
    def columns(self) -> tuple[str, ...]:
        return ("run", "query", "fpr", "tpr")

    def rows(self, *, by_topic: bool = False) -> Iterator[tuple[Cell, ...]]:
        """Run, query, false and true positive rate."""
        for name, run in self.runs.items():
            for query in run.queries if by_topic else ():
                yield from ((name, query, *point) for point in self._points(run.of(query)))
            yield from ((name, AVERAGE, *point) for point in self._points(run.average))

    def _points(self, curve: RocCurve) -> Iterator[tuple[float, float]]:
        if self.levels is None:
            return zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True)
        return zip(self.levels, curve.at(self.levels).tolist(), strict=True)

    def check_topic(self, topic: str) -> None:
        """An error if there is no curve of this topic, which says what documents it lacks."""
        if not any(topic in run.queries for run in self.runs.values()):
            for run in self.runs.values():
                if topic in run.without:
                    run.of(topic)
        super().check_topic(topic)

    @property
    def average_sentence(self) -> str:
        """How topics became one curve, and why so."""
        return average_sentence(self.averaged)

    def sentences(self) -> list[str]:
        """Areas in words, over which documents the rates are, and which topics have no curve."""
        said = [
            f"{name}: AUC {number(run.area)} ({run.band}), equal error rate {number(run.equal_error_rate)}."
            for name, run in self.runs.items()
        ]
        said += [f"Rates are over {self.population.in_words()}.", self.average_sentence]
        lacking: dict[tuple[str, ...], list[str]] = {}
        for name, run in self.runs.items():
            if run.without:
                lacking.setdefault(run.without, []).append(name)
        for topics, names in lacking.items():
            of = f" of {', '.join(names)}" if len(names) < len(self.runs) else ""
            said.append(
                f"No curve for lack of either relevant or non-relevant documents: {len(topics)} "
                f"topic{'s' * (len(topics) != 1)}{of} ({some(topics)}). The average is over the others."
            )
        return said

    def _content(self, by_topic: bool) -> dict[str, Any]:
        runs = []
        for run in self.runs.values():
            found: dict[str, Any] = {
                "name": run.name,
                "auc": run.area,
                "band": run.band,
                "eer": run.equal_error_rate,
                "topics": len(run.queries),
                "without_curve": list(run.without),
                "average": self._shown(run.average),
            }
            if by_topic:
                found["per_query"] = {
                    query: {"auc": float(run.auc[row]), "eer": float(run.eer[row]), **self._shown(run.of(query))}
                    for row, query in enumerate(run.queries)
                }
            runs.append(found)
        return {"over": self.population.in_words(), "averaged": self.averaged, "runs": runs}

    def _shown(self, curve: RocCurve) -> dict[str, list[float]]:
        fpr, tpr = zip(*self._points(curve), strict=True)
        return {"fpr": list(fpr), "tpr": list(tpr)}


def roc(
    qrels: Any,
    runs: Any = None,
    *,
    over: str | None = None,
    documents: int | None = None,
    average: str = DEFAULT_AVERAGE,
    levels: Iterable[float] | None = None,
    **options: Any,
) -> RocCurves:
    r"""ROC curves: true positive rate (recall) against false positive rate, going down each ranking.

    .. math:: \mathrm{FPR} = \frac{FP}{FP + TN}, \qquad \mathrm{TPR} = \frac{TP}{TP + FN}

    The rates are over the judged documents, over those retrieved (`over=retrieved`), or over a collection of so many
    `documents`, where a document that is not judged counts as not relevant. From the end of a list a straight line
    leads to (1, 1): what is not retrieved is tied there. Equal scores in a list are no ties, as the ranking has put
    them in order, unless the average is by score.

    `average` says how topics become one curve. `vertical`: at each false positive rate the mean of the true positive
    rates, so that every topic counts the same; its area is the mean of the areas. `cutoff`: the means of both rates
    after each number of documents, each of which is a way to run the system, so that `hull` and `mix_at` take it; its
    area is another one. `score`: all topics in one list by score,
    if scores mean the same for every topic.

    A topic without relevant or without non-relevant documents has no curve and is left out, which is said. `levels` are
    the false positive rates that rows show; all points without. `options` are as in `recall_precision`.

    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1, "d4": 0}}
    >>> curve = roc(qrels, {"q1": {"d1": 4, "d2": 3, "d3": 2, "d4": 1}})["run"]
    >>> curve.of("q1").fpr.tolist(), curve.of("q1").tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    >>> curve.area, curve.band, curve.equal_error_rate  # 1/2 · 1/2 + 1/2 · 1; 1/2 returned, 1/2 missed
    (0.75, 'fair', 0.5)
    """
    if average not in AVERAGES:
        raise UsageError(f"average (--average) is one of {', '.join(AVERAGES)}, not {average!r}")
    population = Population.of(over, documents)
    shown = None if levels is None else tuple(sorted(set(Levels().accept(tuple(levels), "false positive rates"))))
    measures = [population.measure("AUC"), population.measure("EER")]
    joined = join_runs(qrels, runs, measures, with_scores=average == "score", **options)
    auc, eer = joined.adapted(measures)
    single = joined.evaluator.profile.single_precision
    judged_only = joined.evaluator.judged_only
    found = {}
    for one in joined.runs:
        counts = RocCounts.of(one.rankings, population, one.counted)
        counts.require_some(one.name)
        queries = np.array(one.rankings.qrels.queries, dtype=object)
        found[one.name] = RunRoc(
            one.name,
            tuple(queries[counts.defined]),
            _average(average, one, counts, single=single, judged_only=judged_only),
            auc.compute(one.rankings)[counts.defined],
            eer.compute(one.rankings)[counts.defined],
            tuple(queries[one.counted & ~counts.defined]),
            counts,
        )
    about = joined.about(**population.settings, average=average)
    return RocCurves(about, found, population, average, shown)


def _average(how: str, joined: JoinedRun, counts: RocCounts, *, single: bool, judged_only: bool) -> RocCurve:
    if how == "vertical":
        return counts.vertical_mean()
    if how == "cutoff":
        return counts.by_cutoff()
    only = joined._replace(counted=counts.defined)
    pooled = pooled_roc(only, ScoredDocuments.of(only, single=single, judged_only=judged_only), counts.population)
    assert pooled is not None, "some topic has a curve"
    return pooled


def readable_levels(curves: Iterable[RunRoc]) -> list[float]:
    """False positive rates for a table: 0, a series 1, 2, 5 over the decades in which lists end, and 1."""
    ends = [float(run.counts.last[0][run.counts.defined].max(initial=0.0)) for run in curves]
    decade = int(np.floor(np.log10(min(max([*ends, 1e-9]), 0.999))))
    series = (step * 10.0**power for power in (decade - 1, decade) for step in (1, 2, 5))
    return [0.0, *(float(f"{level:.6g}") for level in series), 1.0]
