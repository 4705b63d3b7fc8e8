"""Set measures over score thresholds: what is returned is every document that scores at least so much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.curves.inputs import JoinedRun, join_runs
from cranfield.curves.result import AVERAGE, About, Cell, Curves
from cranfield.curves.roc_counts import Population, RocCounts
from cranfield.curves.roc_curve import RocCurve
from cranfield.curves.scored_documents import ScoredDocuments
from cranfield.data.query_sums import cumulative
from cranfield.data.strings import Floats
from cranfield.errors import UsageError
from cranfield.measures import Measure
from cranfield.measures.f_measure import weighted_harmonic_mean
from cranfield.measures.parameters import NOT_NEGATIVE, Number, Whole
from cranfield.measures.registry import ratio
from cranfield.stats.wording import number


@dataclass(frozen=True, eq=False)
class ThresholdCurve:
    """What one run returns at each threshold, the same for all topics. Every different score is a threshold.

    Micro-averages are of all topics pooled; macro-averages are means over the topics, of which one that has no document
    above a threshold has precision 0 there.
    """

    name: str
    thresholds: Floats
    """Falling."""
    true_positives: Floats
    """Relevant documents above the threshold, over all topics."""
    false_positives: Floats
    """Other documents above it, over all topics; those not judged count as not relevant."""
    relevant: int
    """Relevant documents of all topics, returned or not."""
    macro_precision: Floats
    macro_recall: Floats
    macro_f: Floats
    beta: float
    roc: RocCurve | None
    """Over all topics pooled; None if there are only relevant documents, or none."""

    @property
    def micro_precision(self) -> Floats:
        return ratio(self.true_positives, self.true_positives + self.false_positives)

    @property
    def micro_recall(self) -> Floats:
        return self.true_positives / max(self.relevant, 1)

    @property
    def micro_f(self) -> Floats:
        return weighted_harmonic_mean(self.micro_precision, self.micro_recall, self.beta, None)

    @cached_property
    def values(self) -> dict[str, Floats]:
        """All rates by name."""
        return {
            "micro_precision": self.micro_precision,
            "micro_recall": self.micro_recall,
            "micro_f": self.micro_f,
            "macro_precision": self.macro_precision,
            "macro_recall": self.macro_recall,
            "macro_f": self.macro_f,
        }

    def places(self, thresholds: Iterable[float]) -> list[int]:
        """For each threshold, where the curve says what it gives; -1 where nothing scores so high."""
        wanted = np.array(list(thresholds), dtype=np.float64)
        found: list[int] = (np.searchsorted(-self.thresholds, -wanted, side="right") - 1).tolist()
        return found


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdCurves(Curves):
    """Set measures of several runs over score thresholds."""

    kind = "thresholds"
    about: About
    runs: Mapping[str, ThresholdCurve]
    population: Population
    shown: tuple[float, ...] | int | None
    """The thresholds to show, or how many of them; None: all."""

    def __getitem__(self, name: str) -> ThresholdCurve:
        return self.runs[name]

    @property
    def columns(self) -> tuple[str, ...]:
        rates = tuple(next(iter(self.runs.values())).values)
        return ("run", "query", "threshold", "tp", "fp", "fn", *rates)

    def rows(self, *, by_topic: bool = False) -> Iterator[tuple[Cell, ...]]:
        """Run, query, threshold, counts of all topics pooled, and the rates; there are none by topic."""
        for name, run in self.runs.items():
            values = list(run.values.values())
            for threshold, at in self._chosen(run):
                if at < 0:
                    yield name, AVERAGE, threshold, 0, 0, run.relevant, *(0.0 for _ in values)
                else:
                    tp, fp = int(run.true_positives[at]), int(run.false_positives[at])
                    yield name, AVERAGE, threshold, tp, fp, run.relevant - tp, *(float(one[at]) for one in values)

    def _chosen(self, run: ThresholdCurve) -> list[tuple[float, int]]:
        count = len(run.thresholds)
        if isinstance(self.shown, tuple):
            return list(zip(self.shown, run.places(self.shown), strict=True))
        if self.shown is None or self.shown >= count:
            places = list(range(count))
        else:
            places = np.linspace(0, count - 1, self.shown).round().astype(np.int64).tolist()
        return [(float(run.thresholds[at]), at) for at in places]

    def sentences(self) -> list[str]:
        """Where F is highest, and that scores must be comparable."""
        best = [
            f"{name} at {run.thresholds[at]:.6g} ({number(float(run.macro_f[at]))})"
            for name, run in self.runs.items()
            if len(run.thresholds) and (at := int(np.argmax(run.macro_f))) >= 0
        ]
        beta = f"F{next(iter(self.runs.values())).beta:g}"
        said = [f"The mean of {beta} over topics is highest for {', '.join(best)}."] if best else []
        return [*said, "One threshold for all topics says something only if scores mean the same for every topic."]

    def _content(self, by_topic: bool) -> dict[str, Any]:
        columns = self.columns[2:]
        by_run: dict[str, dict[str, list[Cell]]] = {name: {column: [] for column in columns} for name in self.runs}
        for name, _, *values in self.rows():
            for column, value in zip(columns, values, strict=True):
                by_run[str(name)][column].append(value)
        return {"runs": [{"name": name, **points} for name, points in by_run.items()]}


def thresholds(
    qrels: Any,
    runs: Any = None,
    at: Iterable[float] | None = None,
    *,
    most: int | None = None,
    beta: float = 1,
    over: str | None = None,
    documents: int | None = None,
    **options: Any,
) -> ThresholdCurves:
    """Precision, recall and F over score thresholds: what is returned is every document that scores at least so much.

    Every different score of a run is a threshold; `at` names those that rows show, `most` says how many. `beta` is the
    weight of recall in F. The ROC curve of all topics pooled is over the judged documents, over those retrieved
    (`over`), or over a collection of so many `documents`. A topic that the run lacks, or that has no document above a
    threshold, has precision and recall 0. `options` are as in `recall_precision`.

    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.3}}
    >>> curve = thresholds({"q1": {"d1": 1, "d2": 0, "d3": 1}}, run)["run"]
    >>> curve.thresholds.tolist(), curve.micro_precision.round(4).tolist(), curve.micro_recall.tolist()
    ([0.9, 0.8, 0.3], [1.0, 0.5, 0.6667], [0.5, 0.5, 1.0])
    """
    chosen = None if at is None else tuple(float(Number().accept(one, "a threshold")) for one in at)
    if chosen == ():
        raise UsageError("no threshold is given")
    shown = chosen if chosen is not None else None if most is None else Whole(2).accept(most, "most")
    weight = float(NOT_NEGATIVE.accept(beta, "beta"))
    population = Population.of(over, documents)
    joined = join_runs(qrels, runs, [Measure("SetP"), Measure("SetR")], with_scores=True, **options)
    judged_only, single = joined.evaluator.judged_only, joined.evaluator.profile.single_precision
    found = {}
    for one in joined.runs:
        scored = ScoredDocuments.of(one, single=single, judged_only=judged_only)
        found[one.name] = _curve(one, scored, weight, population)
    return ThresholdCurves(joined.about(beta=weight, **population.settings), found, population, shown)


def _curve(joined: JoinedRun, scored: ScoredDocuments, beta: float, population: Population) -> ThresholdCurve:
    r, counted = joined.rankings, joined.counted
    relevant = r.relevant(None).astype(np.float64)
    found = cumulative(scored.query.astype(np.int32), scored.relevant.astype(np.float64), len(r))
    precision, recall = found / scored.number, ratio(found, relevant[scored.query])
    first, topics = np.flatnonzero(scored.number == 1), max(int(counted.sum()), 1)

    def mean(rate: Floats) -> Floats:
        # What the sum over all topics gains or loses when the threshold falls below a document.
        steps = np.diff(rate, prepend=0.0)
        steps[first] = rate[first]
        means: Floats = np.clip(scored.so_far(steps) / topics, 0.0, 1.0)
        return means

    order, last = scored.falling
    true_positives = scored.found
    return ThresholdCurve(
        joined.name,
        scored.score[order][last],
        true_positives,
        last + 1.0 - true_positives,
        int(relevant[counted].sum()),
        mean(precision),
        mean(recall),
        mean(weighted_harmonic_mean(precision, recall, beta, None)),
        beta,
        pooled_roc(joined, scored, population),
    )


def pooled_roc(joined: JoinedRun, scored: ScoredDocuments, population: Population) -> RocCurve | None:
    """The ROC curve of all topics in one list by score; documents of the same score come together.

    What is not retrieved is tied at the end. None if there are only relevant documents, or none.
    """
    counts = RocCounts.of(joined.rankings, population, joined.counted)
    counted = joined.counted
    relevant, nonrelevant = float(counts.relevant[counted].sum()), float(counts.nonrelevant[counted].sum())
    if relevant == 0 or nonrelevant == 0:
        return None
    if population.judged:
        others = scored.so_far(scored.judged & ~scored.relevant)
    else:
        others = scored.falling[1] + 1.0 - scored.found
    rates = (others / nonrelevant, scored.found / relevant)
    fpr, tpr = (np.concatenate([[0.0], rate, [1.0]]) for rate in rates)
    kept = np.append(True, (np.diff(fpr) != 0) | (np.diff(tpr) != 0))
    return RocCurve(fpr[kept], tpr[kept])
