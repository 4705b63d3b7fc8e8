"""The values of several runs on the topics they have in common: what statistics about many systems look at."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np

from cranfield.data.strings import Floats
from cranfield.errors import UsageError
from cranfield.evaluation.compared import scores_to_test, why_not_tested
from cranfield.evaluation.coverage import some
from cranfield.evaluation.result import Evaluation
from cranfield.measures import Measure


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """The values of runs by one measure."""

    measure: Measure
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    """Those that every run has a value for."""
    scores: Floats
    """Topics x runs; logarithms where the measure has a geometric mean."""
    left_out: tuple[str, ...]
    """Topics that some run has no value for, where the profile leaves them out; or that were left out for a reason."""

    def without(self, topics: Collection[str]) -> ScoreMatrix:
        """The same with these topics left out."""
        gone = [at for at, topic in enumerate(self.topics) if topic in topics]
        return replace(
            self,
            topics=tuple(topic for topic in self.topics if topic not in topics),
            scores=np.delete(self.scores, gone, axis=0),
            left_out=(*self.left_out, *(self.topics[at] for at in gone)),
        )

    @property
    def by_run(self) -> dict[str, list[float]]:
        """The scores by the name of the run, as the functions of `cranfield.stats` take them."""
        return dict(zip(self.runs, self.scores.T.tolist(), strict=True))


def score_matrices(evaluation: Evaluation) -> list[ScoreMatrix]:
    """For each measure the values of all runs, topics matched by their names.

    >>> from cranfield.evaluation.evaluate import evaluate
    >>> qrels, first = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 2.0}, "q2": {"d1": 1.0}}
    >>> found = score_matrices(evaluate(qrels, {"a": first, "b": {"q2": {"d2": 1.0}}}, "RR"))[0]
    >>> found.topics, found.scores.tolist()
    (('q1', 'q2'), [[1.0, 0.0], [0.0, 1.0]])
    """
    return [score_matrix(evaluation, measure) for measure in evaluation.measures]


def score_matrix(evaluation: Evaluation, measure: Measure) -> ScoreMatrix:
    """The values of all runs by one of the measures."""
    reason = why_not_tested(measure)
    if measure.definition.aggregate == "none" or reason:
        raise UsageError(f"{measure}: nothing can be said about differences in it: {reason or 'it is text'}")
    runs = list(evaluation.values())
    shared = set(runs[0].queries).intersection(*(run.queries for run in runs[1:]))
    topics = tuple(topic for topic in runs[0].queries if topic in shared)
    left_out = tuple(dict.fromkeys(topic for run in runs for topic in run.queries if topic not in shared))
    columns = []
    for run in runs:
        values = dict(zip(run.queries, np.asarray(run.columns[measure]).tolist(), strict=True))
        columns.append(scores_to_test(measure, np.array([values[topic] for topic in topics])))
    return ScoreMatrix(measure, tuple(evaluation), topics, np.column_stack(columns), left_out)


def missing_notes(evaluation: Evaluation, *, apart_from: Collection[str] = ()) -> Iterator[str]:
    """What is to be said about runs that lack judged topics, apart from some of these."""
    for name, run in evaluation.items():
        missing, means = (
            tuple(topic for topic in run.coverage.missing if topic not in apart_from),
            run.coverage.missing_means,
        )
        if missing:
            yield f"{name}: no documents for {len(missing)} of {run.coverage.judged} topics ({some(missing)}: {means})"
