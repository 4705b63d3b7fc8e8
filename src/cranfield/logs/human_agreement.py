"""How far what clicks say agrees with what people judged, where both are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from cranfield.data.qrels import Qrels
from cranfield.data.strings import Bools, Floats, Ints
from cranfield.errors import DataError
from cranfield.evaluation.confusion_matrix import Matrix
from cranfield.logs.inferring import InferredJudgments
from cranfield.stats.agreement.cohen_kappa import cohen_kappa
from cranfield.stats.correlation.rank_correlation import tau_b
from cranfield.stats.interval import Interval

RESAMPLES = 500
METHOD = "percentile bootstrap of topics"
FEW = 10
"""Of fewer topics samples differ too little."""


@dataclass(frozen=True)
class Found:
    """A coefficient with its interval; none where it is not defined, and then why."""

    value: float | None
    interval: Interval | None = None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class HumanAgreement:
    """Inferred against human judgments of the same documents for the same topics."""

    documents: int
    topics: int
    relevant: int
    """How many of these people call relevant."""
    confusion: Matrix
    """A row for each human grade, a column for each that was inferred."""
    kappa: Found
    """Cohen's, of what people call relevant and what is wanted more than usual (a value of 1 or more)."""
    area: Found
    """How likely a relevant document has a higher value than one that is not; as high counts half. 0.5 is chance."""
    tau: Found
    """Kendall's tau-b of values and human grades within a topic, the mean over topics where it is defined."""
    values: int
    """How many different values were inferred about these documents."""

    @property
    def notes(self) -> list[str]:
        """What one should know when reading the numbers."""
        said = []
        if self.values == 1:
            said.append("all these documents have the same inferred value: it says nothing of which is better")
        if 1 < self.topics < FEW:  # of one there is no interval
            said.append(
                f"intervals come from samples of {self.topics} topics: of fewer than {FEW} they are too narrow, and "
                "may have no width at all"
            )
        return said


def human_agreement(
    inferred: InferredJudgments, human: Qrels, *, level: float = 1, confidence: float = 0.95, seed: int = 0
) -> HumanAgreement:
    """Compare with judgments of people, who call a document relevant from the grade `level` on.

    Intervals come from samples of topics, for the documents of one topic are not independent.
    """
    judged = {(topic, document): grade for topic, _, document, grade in human.rows() if grade >= 0}
    keys = list(zip(inferred.topic.tolist(), inferred.evidence.document.tolist(), strict=True))
    rows = np.array([at for at, key in enumerate(keys) if key in judged], dtype=np.int64)
    if not len(rows):
        raise DataError(_nothing_in_common(human, keys))
    grade = np.array([judged[keys[at]] for at in rows.tolist()], dtype=np.float64)
    value = inferred.evidence.value[rows]
    names, topic = np.unique(inferred.topic[rows].astype(str), return_inverse=True)
    samples = _Samples(topic, len(names), confidence, seed)
    relevant = grade >= level
    taus = np.array([tau_b(value[at], grade[at]).value for at in samples.of_topic])
    return HumanAgreement(
        documents=len(rows),
        topics=len(names),
        relevant=int(relevant.sum()),
        values=len(np.unique(value)),
        confusion=_confusion(grade, inferred.grade[rows], int(inferred.grade.max())),
        kappa=samples.found(lambda at: _kappa(relevant[at], value[at] >= 1), "all are called the same"),
        area=samples.found(lambda at: area(value[at], relevant[at]), "people call all relevant, or none"),
        tau=_Samples(np.arange(len(names)), len(names), confidence, seed).found(
            lambda at: _mean(taus[at]), "in no topic do both tell documents apart"
        ),
    )


def area(value: Floats, relevant: Bools) -> float:
    """The area under the ROC curve; nan where all are relevant or none is.

    >>> area(np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, True, False, False]))  # (1 + 1 + 1/2 + 1) / 4
    0.875
    """
    from scipy.stats import rankdata

    more = int(relevant.sum())
    less = len(relevant) - more
    if not more or not less:
        return float("nan")
    above = float(rankdata(value)[relevant].sum()) - more * (more + 1) / 2
    return above / (more * less)


def _nothing_in_common(human: Qrels, keys: Sequence[tuple[str, str]]) -> str:
    """Why nothing can be compared with what was inferred about these topics and documents."""
    topic, document = keys[0]
    if not {topic for topic, _ in keys} & set(human.queries):
        theirs = f", such as {human.queries[0]!r}," if human.queries else ""
        return (
            f"{human.name}: its topics{theirs} are others than those of the inferred judgments, such as {topic!r}; "
            "give its topics with the words that were searched for (--topics, topics=)"
        )
    return (
        f"{human.name}: none of its judgments is of a document that something was inferred about, such as "
        f"{document!r} for topic {topic!r}; do both name documents in the same way?"
    )


def _confusion(human: Floats, inferred: Ints, highest: int) -> Matrix:
    grades, row = np.unique(human, return_inverse=True)
    counts = np.bincount(row * (highest + 1) + inferred, minlength=len(grades) * (highest + 1))
    cells = counts.reshape(len(grades), highest + 1).tolist()
    labels = tuple(map(str, range(highest + 1)))
    return Matrix(tuple(f"{one:g}" for one in grades), labels, tuple(map(tuple, cells)))


def _kappa(first: Bools, second: Bools) -> float:
    table = np.bincount(2 * first + second, minlength=4).reshape(2, 2)
    return cohen_kappa(table.tolist(), resamples=0).value


def _mean(values: Floats) -> float:
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else float("nan")


@dataclass(frozen=True, eq=False)
class _Samples:
    """Samples of topics with replacement, each as the rows of its topics."""

    topic: npt.NDArray[np.intp]
    topics: int
    confidence: float
    seed: int

    @cached_property
    def of_topic(self) -> list[Ints]:
        """The rows of each topic."""
        rows = np.argsort(self.topic, kind="stable")
        return np.split(rows, np.cumsum(np.bincount(self.topic, minlength=self.topics))[:-1])

    def found(self, statistic: Callable[[Ints], float], reason: str) -> Found:
        value = statistic(np.arange(len(self.topic)))
        if np.isnan(value):
            return Found(None, None, reason)
        if self.topics < 2:
            return Found(value, None, "there is one topic only, so there is no interval")
        rng = np.random.default_rng(self.seed)
        drawn = [
            statistic(np.concatenate([self.of_topic[one] for one in rng.integers(self.topics, size=self.topics)]))
            for _ in range(RESAMPLES)
        ]
        tail = (1 - self.confidence) / 2
        lower, upper = np.nanquantile(drawn, [tail, 1 - tail]).tolist()
        return Found(value, Interval(lower, upper, self.confidence, METHOD))
