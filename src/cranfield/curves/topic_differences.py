"""Differences between runs, topic by topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.curves.result import About, Cell, Curves
from cranfield.curves.topic_scores import one_measure, scores_on
from cranfield.data.strings import Floats
from cranfield.evaluation.common_topics import no_common_topics
from cranfield.evaluation.coverage import some
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.identical_runs import identical_notes
from cranfield.evaluation.result import Evaluation
from cranfield.evaluation.runs_to_compare import RunsToCompare
from cranfield.measures import Measure
from cranfield.stats.wording import number

_SAME = 1e-12


@dataclass(frozen=True, eq=False)
class TopicDifferences:
    """How a run differs from the baseline on each topic that both have, the largest gain first."""

    name: str
    topics: tuple[str, ...]
    difference: Floats
    """Run minus baseline."""
    score: Floats
    baseline: Floats
    left_out: tuple[str, ...]
    """Topics that only one of the two has, where the profile leaves these out."""

    @property
    def higher(self) -> int:
        """On how many topics the run has the higher score."""
        return int(np.count_nonzero(self.difference > _SAME))

    @property
    def lower(self) -> int:
        return int(np.count_nonzero(self.difference < -_SAME))


@dataclass(frozen=True, eq=False, repr=False)
class DifferenceCurves(Curves):
    """How runs differ from a baseline, topic by topic."""

    kind = "difference"
    about: About
    measure: Measure
    baseline: str
    runs: Mapping[str, TopicDifferences]
    alike: tuple[str, ...] = ()
    """What is to be said about runs that cannot be told apart from the baseline."""

    def __getitem__(self, name: str) -> TopicDifferences:
        return self.runs[name]

    @property
    def columns(self) -> tuple[str, ...]:
        return ("run", "query", "place", "difference", "value", "baseline")

    def rows(self, *, by_topic: bool = True) -> Iterator[tuple[Cell, ...]]:
        """Run, topic, place in the order, difference, the score and that of the baseline."""
        for name, run in self.runs.items():
            columns = (run.topics, range(1, len(run.topics) + 1), *(
                values.tolist() for values in (run.difference, run.score, run.baseline)
            ))  # fmt: skip
            yield from ((name, *row) for row in zip(*columns, strict=True))

    def sentences(self) -> list[str]:
        """On how many topics runs are higher and lower, and by how much at most."""
        said = []
        for name, run in self.runs.items():
            equal = len(run.topics) - run.higher - run.lower
            line = (
                f"{name} against {self.baseline}: higher on {run.higher}, equal on {equal}, lower on {run.lower} of "
                f"{len(run.topics)} topics"
            )
            if run.higher:
                line += f"; most gained: {run.topics[0]} (+{number(float(run.difference[0]))})"
            if run.lower:
                line += f"; most lost: {run.topics[-1]} ({number(float(run.difference[-1]))})"
            said.append(f"{line}.")
            if run.left_out:
                said.append(f"Left out, as only one of the two has them: {some(run.left_out)} ({len(run.left_out)}).")
        said += self.alike
        said.append("Whether such differences are more than chance: cranfield compare.")
        return said

    def _content(self, by_topic: bool) -> dict[str, Any]:
        return {
            "measure": str(self.measure),
            "baseline": self.baseline,
            "runs": [
                {
                    "name": run.name,
                    "topics": list(run.topics),
                    "differences": run.difference.tolist(),
                    "scores": run.score.tolist(),
                    "baseline_scores": run.baseline.tolist(),
                    "left_out": list(run.left_out),
                }
                for run in self.runs.values()
            ],
        }


def differences(
    qrels: Any, baseline: Any, runs: Any, measure: str | Measure = "AP", **options: Any
) -> DifferenceCurves:
    """How runs differ from a baseline on each topic, the largest gain first; `options` are those of `evaluate`.

    >>> qrels, old = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {"d2": 2, "d1": 1}, "q2": {"d1": 1}}
    >>> found = differences(qrels, {"old": old}, {"new": {"q1": {"d1": 1}, "q2": {"d2": 2, "d1": 1}}}, "RR")["new"]
    >>> dict(zip(found.topics, found.difference.tolist()))
    {'q1': 0.5, 'q2': -0.5}
    """
    side_by_side = RunsToCompare.of(baseline, runs)
    evaluator = Evaluator(qrels, one_measure(measure), **options)
    evaluation = evaluator.evaluate_all(side_by_side.runs, names=side_by_side.names)
    (chosen,) = evaluator.measures
    first, *others = evaluation
    found = {name: _difference(evaluation, chosen, first, name) for name in others}
    alike = identical_notes(evaluation, [(first, name) for name in others])
    return DifferenceCurves(About.of(evaluation), chosen, first, found, tuple(alike))


def _difference(evaluation: Evaluation, measure: Measure, baseline: str, run: str) -> TopicDifferences:
    old, new = evaluation[baseline], evaluation[run]
    shared = sorted(set(old.queries) & set(new.queries))
    if not shared:
        raise no_common_topics({one.name: one.queries for one in (old, new)}, new.profile)
    before, after = (scores_on(evaluation, name, measure, shared) for name in (baseline, run))
    order = np.argsort(-(after - before), kind="stable")
    left_out = tuple(sorted(set(old.queries) ^ set(new.queries)))
    topics = tuple(shared[at] for at in order.tolist())
    return TopicDifferences(run, topics, (after - before)[order], after[order], before[order], left_out)
