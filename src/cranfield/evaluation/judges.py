"""Does disagreement matter? The order of systems by the labels of each judge alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.frames import as_run
from cranfield.data.judge_labels import JudgeLabels
from cranfield.data.strings import Floats
from cranfield.errors import UsageError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.inputs import is_file, is_several, run_names
from cranfield.evaluation.result import RunEvaluation
from cranfield.formats import read_run
from cranfield.measures import Measure, parse_one
from cranfield.stats.correlation.rank_correlation import Correlation, tau_b

DEFAULT_MEASURE = "nDCG@10"
DEPTH = 10
"""How far down one looks for what was judged, if the measure has no cutoff."""


class JudgePair(NamedTuple):
    """How alike two judges order the systems, by the topics that both have judged."""

    first: str
    second: str
    topics: int
    tau: Correlation
    """Kendall's tau_b of the scores of the systems."""
    swapped: tuple[tuple[str, str], ...]
    """Systems of which the first is better by the first judge, and the second by the second."""


@dataclass(frozen=True, eq=False)
class JudgeRankings:
    """The scores of systems by the labels of each judge alone."""

    measure: Measure
    judges: tuple[str, ...]
    runs: tuple[str, ...]
    evaluations: Mapping[str, tuple[RunEvaluation, ...]]
    """By judge, what each run scored by the topics that the judge has judged."""
    depth: int
    """So far down coverage looks: the cutoff of the measure, or 10."""

    @cached_property
    def scores(self) -> dict[str, dict[str, float]]:
        """`{judge: {run: mean}}`."""
        return {
            judge: {run.name: run.mean[str(self.measure)] for run in runs} for judge, runs in self.evaluations.items()
        }

    @cached_property
    def ranks(self) -> dict[str, dict[str, int]]:
        """`{judge: {run: rank}}`, the best run having rank 1 and runs with the same score the same rank."""
        sign = 1 if self.measure.definition.more_is_better else -1
        return {
            judge: {run: 1 + sum(sign * other > sign * score for other in of.values()) for run, score in of.items()}
            for judge, of in self.scores.items()
        }

    @property
    def topics(self) -> dict[str, int]:
        """How many topics each judge has judged."""
        return {judge: len(runs[0].queries) for judge, runs in self.evaluations.items()}

    @cached_property
    def coverage(self) -> dict[str, float]:
        """By judge, how much of the top of the runs they have judged, in the topics of which they have judged any."""
        judged = f"Judged@{self.depth}"
        return {judge: float(np.mean([run.mean[judged] for run in runs])) for judge, runs in self.evaluations.items()}

    def of(self, judges: Sequence[str]) -> JudgeRankings:
        """The same of some judges alone."""
        kept = {judge: self.evaluations[judge] for judge in judges}
        return JudgeRankings(self.measure, tuple(judges), self.runs, kept, self.depth)

    @cached_property
    def pairs(self) -> tuple[JudgePair, ...]:
        """Each two judges."""
        return tuple(self._pair(first, second) for first, second in combinations(self.judges, 2))

    def _pair(self, first: str, second: str) -> JudgePair:
        common = set(self.evaluations[first][0].queries) & set(self.evaluations[second][0].queries)
        if not common:
            return JudgePair(first, second, 0, Correlation(math.nan, 0, "the judges have no topic in common"), ())
        x, y = (self._means(judge, common) for judge in (first, second))
        tau = tau_b(x, y)
        if tau.undefined:
            reason = "there are fewer than two runs" if len(x) < 2 else "all runs score the same by one of the judges"
            tau = Correlation(tau.value, tau.items, reason)
        if not self.measure.definition.more_is_better:
            x, y = -x, -y
        opposite = np.argwhere((x[:, np.newaxis] > x) & (y[:, np.newaxis] < y)).tolist()
        return JudgePair(first, second, len(common), tau, tuple((self.runs[a], self.runs[b]) for a, b in opposite))

    def _means(self, judge: str, topics: set[str]) -> Floats:
        """The score of each run over these topics."""
        runs = self.evaluations[judge]
        rows = [row for row, query in enumerate(runs[0].queries) if query in topics]
        return np.array([self.measure.aggregate(np.asarray(run.columns[self.measure])[rows]) for run in runs])

    @property
    def sentence(self) -> str:
        """What it comes to, in plain words."""
        return self.in_words()

    def in_words(self, judge: str = "judge") -> str:
        """The sentence, with another word for judges."""
        known = [pair for pair in self.pairs if pair.tau.undefined is None]
        if not known:
            return f"{self.measure}: no two {judge}s order the runs, so that there is nothing to compare."
        lowest = min(known, key=lambda pair: pair.tau.value)
        best = {next(run for run, rank in ranks.items() if rank == 1) for ranks in self.ranks.values()}
        same = (
            f"All {judge}s have the same best run" if len(best) == 1 else f"{len(best)} runs are best by some {judge}"
        )
        if len(known) == 1:
            tau = f"tau between {lowest.first} and {lowest.second} is {lowest.tau.value:.4f}"
        else:
            mean = sum(pair.tau.value for pair in known) / len(known)
            tau = (
                f"tau between {judge}s is {mean:.4f} on the mean of {len(known)} pairs, lowest between {lowest.first} "
                f"and {lowest.second} ({lowest.tau.value:.4f})"
            )
        return f"{same}; Kendall's {tau}."

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it."""
        return {
            "measure": str(self.measure),
            "judges": [
                {"judge": judge, "topics": self.topics[judge], "scores": self.scores[judge], "ranks": self.ranks[judge]}
                for judge in self.judges
            ],
            "pairs": [
                {
                    "first": pair.first,
                    "second": pair.second,
                    "topics": pair.topics,
                    "tau_b": None if pair.tau.undefined else pair.tau.value,
                    "undefined": pair.tau.undefined,
                    "swapped": [list(runs) for runs in pair.swapped],
                }
                for pair in self.pairs
            ],
            "sentence": self.sentence,
        }


def rankings_by_judge(
    labels: JudgeLabels, runs: Any, measure: str | Measure = DEFAULT_MEASURE, *, run_format: str | None = None
) -> JudgeRankings:
    """Evaluate runs by the labels of each judge alone, and compare the orders that follow.

    Runs are those of `evaluate`: paths, `Run`, dicts ..., in a list or a dict by name. A document that a judge has not
    judged is unjudged, and a topic without a label by a judge is not among the topics of this judge.

    >>> labels = JudgeLabels.from_dict({"ann": {"q1": {"d1": 1, "d2": 0}}, "bob": {"q1": {"d1": 0, "d2": 1}}})
    >>> runs = {"a": {"q1": {"d1": 2.0, "d2": 1.0}}, "b": {"q1": {"d2": 2.0, "d1": 1.0}}}
    >>> result = rankings_by_judge(labels, runs, "RR")
    >>> result.scores
    {'ann': {'a': 1.0, 'b': 0.5}, 'bob': {'a': 0.5, 'b': 1.0}}
    >>> result.pairs[0].tau.value, result.pairs[0].swapped
    (-1.0, (('a', 'b'),))
    """
    chosen = parse_one(measure)
    if chosen.definition.aggregate == "none":
        raise UsageError(f"{chosen} has no mean to order runs by")
    if chosen.more_is_better is None:
        raise UsageError(
            f"{chosen} does not say which of two runs is better: choose a measure that does, such as nDCG@10"
        )
    depth = chosen.parameters.get("cutoff") or DEPTH
    judged = parse_one(f"Judged@{depth}")
    given = runs if is_several(runs) else [runs]
    names = list(given) if isinstance(given, Mapping) else run_names(given)
    loaded = [
        read_run(run, format=run_format) if is_file(run) else as_run(run, name=name)
        for run, name in zip(given.values() if isinstance(given, Mapping) else given, names, strict=True)
    ]
    evaluations = {}
    for judge in labels.judges:
        evaluator = Evaluator(labels.qrels_of(judge), [chosen, judged])
        evaluations[judge] = tuple(evaluator.evaluate_all(loaded, names=names).values())
    measured, _ = next(iter(evaluations.values()))[0].measures
    return JudgeRankings(measured, labels.judges, tuple(names), evaluations, depth)
