"""How many topics an experiment needs, and what it can find, from what a pilot shows of the variance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from cranfield.errors import DataError, UsageError
from cranfield.evaluation.coverage import some
from cranfield.evaluation.evaluator import Evaluator, Measures
from cranfield.evaluation.inputs import is_several
from cranfield.evaluation.result import Evaluation
from cranfield.evaluation.score_matrix import ScoreMatrix, missing_notes, score_matrices
from cranfield.stats.arguments import Alternative
from cranfield.stats.planning import topic_set_size
from cranfield.stats.planning.discriminative_power import DiscriminativePower
from cranfield.stats.planning.error_rates import ErrorRates
from cranfield.stats.planning.power import Power, power_of_anova, power_of_test
from cranfield.stats.planning.topic_set_size import IntervalWidth, PilotVariance, pilot_variance

SCHEMA = "cranfield.power/1"
DEFAULT_MEASURES = ("nDCG@10", "AP")
DEFAULT_POWER = 0.8

Answer = Power | IntervalWidth | ErrorRates | DiscriminativePower


@dataclass(frozen=True)
class Finding:
    """An answer, and the measure it is about, if it rests on scores."""

    measure: str | None
    answer: Answer

    @property
    def sentence(self) -> str:
        return f"{self.measure}: {self.answer.sentence}" if self.measure else self.answer.sentence

    def to_dict(self) -> dict[str, Any]:
        named: dict[str, Any] = {"measure": self.measure} if self.measure else {}
        return {**named, **self.answer.to_dict()}


@dataclass(frozen=True)
class Plan:
    """What is known, and what is asked."""

    difference: float | None = None
    topics: int | None = None
    wanted: float | None = None
    """The power."""
    systems: int | None = None
    width: float | None = None
    tests: tuple[str, ...] = ("t",)
    alternative: Alternative = "two-sided"
    alpha: float = 0.05

    def answers(self, sd: float, scores_sd: float, topics: int | None) -> Iterator[Answer]:
        """What follows from the standard deviation of differences and that of scores, and from so many topics."""
        target = DEFAULT_POWER if self.wanted is None else self.wanted
        if self.width is not None:
            yield topic_set_size.topics_for_interval(self.width, sd, level=1 - self.alpha)
        elif self.systems is not None:
            asked = (self.difference or 0.0, scores_sd, self.systems)
            if topics is not None and self.wanted is None:
                yield power_of_anova(*asked, topics, alpha=self.alpha)
            if self.topics is None:
                yield topic_set_size.topics_for_anova(*asked, power=target, alpha=self.alpha)
        else:
            for test in self.tests:
                more: Any = {"test": test, "alternative": self.alternative, "alpha": self.alpha}
                if topics is not None and self.difference is None:
                    yield topic_set_size.difference_for_power(sd, topics, power=target, **more)
                if topics is not None and self.difference is not None and self.wanted is None:
                    yield power_of_test(self.difference, sd, topics, **more)
                if self.topics is None and self.difference is not None:
                    yield topic_set_size.topics_for_power(self.difference, sd, power=target, **more)

    def check(self) -> None:
        """An error where all is given, so that nothing is asked, or too little."""
        if self.wanted is not None and self.difference is not None and self.topics is not None:
            raise UsageError("of --difference, --topics and --power give two: the third is the answer")
        if self.difference is None and self.systems is not None:
            raise UsageError("--systems needs --difference")


@dataclass(frozen=True, eq=False)
class Pilot:
    """The scores of some runs, from which variance is taken."""

    scores: tuple[ScoreMatrix, ...]
    """For each measure."""
    in_no_run: tuple[str, ...]
    """Judged topics that no run has documents for. They are left out: scores of 0 in all runs are no scores."""
    notes: tuple[str, ...]
    """What is to be said about the runs."""

    @classmethod
    def of(cls, evaluation: Evaluation) -> Pilot:
        lacking = [run.coverage.missing for run in evaluation.values()]
        in_no_run = tuple(topic for topic in lacking[0] if all(topic in missing for missing in lacking))
        matrices = tuple(matrix.without(in_no_run) for matrix in score_matrices(evaluation))
        notes = [*missing_notes(evaluation, apart_from=in_no_run), *evaluation.depth_notes()]
        return cls(matrices, in_no_run, tuple(notes))

    @property
    def sentence(self) -> str:
        """What the answers rest on."""
        first = self.scores[0]
        topics = f"{len(first.topics)} topic{'s' * (len(first.topics) != 1)}"
        parts = [f"From {len(first.runs)} runs on {topics}"]
        apart = [topic for topic in first.left_out if topic not in self.in_no_run]
        if apart:
            parts.append(f"{len(apart)} that some run lacks {'is' if len(apart) == 1 else 'are'} left out")
        if self.in_no_run:
            are = "is" if len(self.in_no_run) == 1 else "are"
            parts.append(f"{len(self.in_no_run)} that no run has {are} left out ({some(self.in_no_run)})")
        return f"{'; '.join(parts)}."

    def variance(self, matrix: ScoreMatrix) -> PilotVariance:
        """The variance by one of the measures; an error if there is none to go by."""
        seen = pilot_variance(matrix.by_run)
        if seen.undefined:
            away = f" {self.sentence}" if self.in_no_run else ""
            raise DataError(
                f"{matrix.measure}: no variance can be taken from the pilot: {seen.undefined}.{away} Give --sd."
            )
        return seen


@dataclass(frozen=True, eq=False)
class Planning:
    """What an experiment can find, or needs to find it."""

    findings: tuple[Finding, ...]
    pilot: Pilot | None = None
    variances: Mapping[str, PilotVariance] | None = None
    """By measure; none where they were not needed."""

    @classmethod
    def from_pilot(cls, pilot: Pilot, plan: Plan) -> Planning:
        variances = {str(matrix.measure): pilot.variance(matrix) for matrix in pilot.scores}
        findings = [
            Finding(measure, answer)
            for measure, seen in variances.items()
            for answer in plan.answers(
                seen.difference_sd, seen.scores_sd, seen.topics if plan.topics is None else plan.topics
            )
        ]
        return cls(tuple(findings), pilot, variances)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the answers rest on, and what is to be said about the runs."""
        return (self.pilot.sentence, *self.pilot.notes) if self.pilot else ()

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        whole: dict[str, Any] = {"schema": SCHEMA}
        if self.pilot:
            first = self.pilot.scores[0]
            whole["pilot"] = {
                "runs": list(first.runs),
                "topics": len(first.topics),
                "topics_left_out": list(first.left_out),
                "variance": {name: asdict(seen) for name, seen in (self.variances or {}).items()},
                "notes": list(self.notes),
            }
        whole["findings"] = [one.to_dict() for one in self.findings]
        return whole

    def __repr__(self) -> str:
        return "\n".join([*(finding.sentence for finding in self.findings), *self.notes])


def power(
    qrels: Any,
    runs: Any,
    measures: Measures = DEFAULT_MEASURES,
    *,
    difference: float | None = None,
    topics: int | None = None,
    power: float | None = None,
    systems: int | None = None,
    width: float | None = None,
    tests: str | tuple[str, ...] = "t",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    **options: Any,
) -> Planning:
    """How many topics an experiment needs, or what it can find, from the variance that a pilot of several runs shows.

    Of `difference`, `topics` and `power` give two, and the third is the answer. The pilot has topics, so that a
    difference alone gives the power with these and the topics needed, and nothing at all the least difference that is
    found with a power of .8. `systems` asks about so many systems (one-way analysis of variance), `width` about the
    width of an interval. Judgments and runs have any shape that `evaluate` takes, and `options` are those of
    `Evaluator`. Where there is a standard deviation and no pilot, see `stats.power_of_test` and its neighbours.

    >>> qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
    >>> one, two = {"a": 3.0, "b": 2.0, "c": 1.0}, {"b": 3.0, "a": 2.0, "c": 1.0}
    >>> runs = {"old": {"q1": one, "q2": two, "q3": two}, "new": {"q1": one, "q2": one, "q3": two}}
    >>> found = power(qrels, runs, "RR", difference=0.1)  # differences 0, .5, 0: standard deviation √(1/12)
    >>> [(finding.answer.topics, round(finding.answer.power, 3)) for finding in found.findings]
    [(3, 0.067), (68, 0.804)]
    """
    if not is_several(runs) or len(runs) < 2:
        raise UsageError("differences are between runs: expected two or more, in a list or in a dict by name")
    chosen = tuple(tests.split(",")) if isinstance(tests, str) else tuple(tests)
    plan = Plan(difference, topics, power, systems, width, chosen, alternative, alpha)
    plan.check()
    several, names = (list(runs.values()), list(runs)) if isinstance(runs, Mapping) else (list(runs), None)
    evaluation = Evaluator(qrels, measures, **options).evaluate_all(several, names=names)
    return Planning.from_pilot(Pilot.of(evaluation), plan)
