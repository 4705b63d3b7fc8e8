"""A run beside a baseline, on one measure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.strings import Floats
from cranfield.measures import Measure
from cranfield.measures.registry import SMALLEST_IN_GEOMETRIC_MEAN
from cranfield.stats import wording
from cranfield.stats.interval import Interval
from cranfield.stats.significance.assumptions import Assumptions
from cranfield.stats.significance.bayesian import Posterior
from cranfield.stats.significance.differences import ROUNDING
from cranfield.stats.significance.outcome import Outcome, as_json
from cranfield.stats.wording import Question

MOST_TOPICS = 3
"""How many of the topics that gained or lost most are named."""

_NEITHER = Question("", "", "higher than {baseline}", "lower than {baseline}", "equal to {baseline} on average")


@dataclass(frozen=True)
class Finding:
    """What a test found, and what is left of it among all comparisons of the family."""

    outcome: Outcome
    adjusted: float
    """p, corrected for the number of comparisons; nan where there is no p."""
    correction: str
    comparisons: int
    alpha: float

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is below alpha; not where there is none."""
        return self.adjusted < self.alpha

    @property
    def is_corrected(self) -> bool:
        return self.correction != "none" and self.comparisons > 1

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it."""
        whole = self.outcome.to_dict()
        kept = ("test", "symbol", "statistic", "p", "effects", "details", "assumed", "notes", "undefined")
        adjusted = None if math.isnan(self.adjusted) else self.adjusted
        return {**{name: whole[name] for name in kept}, "adjusted_p": adjusted, "significant": self.significant}


@dataclass(frozen=True, eq=False)
class Compared:
    """A run beside a baseline, on one measure and the topics that both have. Differences are run minus baseline."""

    measure: Measure
    run: str
    baseline: str
    topics: tuple[str, ...]
    scores: Floats
    """Of the run, in the order of the topics."""
    baseline_scores: Floats
    left_out: tuple[str, ...]
    """Topics that only one of the two has, where the profile leaves them out."""
    higher: int
    """Topics on which the run has the higher value."""
    equal: int
    lower: int
    tests: Mapping[str, Finding]
    """By name of the test, in the order asked for."""
    not_tested: str | None
    """Why a test of this measure would mean nothing, if so."""
    assumptions: Assumptions | None = None
    """The shape of the differences, if asked for."""
    posterior: Posterior | None = None
    """A Bayesian reading, if asked for."""

    @cached_property
    def mean(self) -> float:
        """Of the run: the mean over the topics, of counts too; a geometric mean where the measure is one."""
        return mean_over_topics(self.measure, self.scores)

    @cached_property
    def baseline_mean(self) -> float:
        return mean_over_topics(self.measure, self.baseline_scores)

    @property
    def difference(self) -> float:
        """The run's mean minus the baseline's; 0 where only the computer's arithmetic makes one."""
        difference = self.mean - self.baseline_mean
        return difference if abs(difference) > self.tolerance else 0.0

    @cached_property
    def tolerance(self) -> float:
        """How far apart two means are still the same."""
        return ROUNDING * float(max(np.abs(self.scores).max(), np.abs(self.baseline_scores).max()))

    @property
    def first(self) -> Finding | None:
        """The first of the tests: the one that tables and sentences are about."""
        return next(iter(self.tests.values()), None)

    @property
    def interval(self) -> Interval | None:
        """That of the first test."""
        return self.interval_of(next(iter(self.tests))) if self.tests else None

    def interval_of(self, test: str) -> Interval | None:
        """Of the difference, from one of the tests; of the ratio of the means where these are geometric."""
        interval = self.tests[test].outcome.interval
        if interval is None or not self.is_geometric:
            return interval
        with np.errstate(over="ignore"):
            lower, upper = np.exp([interval.lower, interval.upper]).tolist()
        return Interval(lower, upper, interval.level, interval.method)

    def _interval_dict(self, test: str) -> dict[str, Any] | None:
        interval = self.interval_of(test)
        return None if interval is None else as_json(asdict(interval))

    @property
    def effect(self) -> tuple[str, float] | None:
        """The effect size of the first test, with its name; none where it is not defined."""
        return next(iter(self.first.outcome.effects.items()), None) if self.first else None

    @property
    def wins(self) -> int | None:
        """Topics on which the run is better; none where neither more nor less is better."""
        more = self.measure.more_is_better
        return None if more is None else self.higher if more else self.lower

    @property
    def losses(self) -> int | None:
        more = self.measure.more_is_better
        return None if more is None else self.lower if more else self.higher

    @property
    def significant(self) -> bool:
        """Whether the first test finds a difference, all comparisons of the family considered."""
        return self.first is not None and self.first.significant

    @property
    def is_geometric(self) -> bool:
        return self.measure.definition.aggregate == "geometric"

    @cached_property
    def by_topic(self) -> dict[str, float]:
        """The difference on each topic."""
        differences = self.scores - self.baseline_scores
        differences[np.abs(differences) <= self.tolerance] = 0.0
        return dict(zip(self.topics, differences.tolist(), strict=True))

    @cached_property
    def changes(self) -> dict[str, float]:
        """What topics gain and lose: the difference on each, or the ratio where means are geometric."""
        if not self.is_geometric:
            return self.by_topic
        new, old = (scores_to_test(self.measure, scores) for scores in (self.scores, self.baseline_scores))
        with np.errstate(over="ignore"):
            return dict(zip(self.topics, np.exp(new - old).tolist(), strict=True))

    def gained(self, most: int = MOST_TOPICS) -> list[tuple[str, float]]:
        """The topics on which the run is better (if neither is: higher) by most, with their `changes`."""
        return self._outermost(most, up=self.measure.more_is_better is not False)

    def lost(self, most: int = MOST_TOPICS) -> list[tuple[str, float]]:
        """The topics on which the run is worse (if neither is: lower) by most, with their `changes`."""
        return self._outermost(most, up=self.measure.more_is_better is False)

    def _outermost(self, most: int, *, up: bool) -> list[tuple[str, float]]:
        sign = -1 if up else 1
        ordered = sorted(self.changes.items(), key=lambda item: (sign * item[1], item[0]))
        return ordered[: min(most, self.higher if up else self.lower)]

    @property
    def sentence(self) -> str:
        """The finding in plain words."""
        question = _NEITHER
        if self.first is not None:
            question = self.first.outcome.question
            question = question if self.measure.more_is_better else question.other_way()
        doubt = "undecided; on these topics " if self._is_undecided else ""
        words = f"{self.measure}: {doubt}{self.run} is {self._size(question)}"
        if self.first is None:
            return f"{words}; not tested: {self.not_tested}."
        outcome = self.first.outcome
        if outcome.undefined:
            return f"{words}; not tested ({outcome.test}): {outcome.undefined}."
        found = wording.p_value(outcome.p)
        if self.first.is_corrected:
            found += (
                f"; {wording.p_value(self.first.adjusted)} after {self.first.correction} correction for "
                f"{self.first.comparisons} comparisons"
            )
        counts = {"higher": outcome.wins, "lower": outcome.losses}
        chance = question.chance(self.run, self.baseline, p=outcome.p, **counts)
        return f"{words}; {chance} ({outcome.test}, {found})."

    @property
    def _is_undecided(self) -> bool:
        """Whether a test was asked if the two differ, and has not shown it."""
        found = self.first
        if found is None or found.outcome.undefined or found.significant or not self.difference:
            return False
        return found.outcome.alternative == "two-sided"

    def _size(self, question: Question) -> str:
        sign = int(np.sign(self.difference))
        words = (question.below, question.equal, question.above)[sign + 1].format(baseline=self.baseline)
        interval, kind = self.interval, self.first.outcome.interval_kind if self.first else ""
        if self.is_geometric:
            if sign:
                words += f", {self.mean / self.baseline_mean:.3g} times its mean"
            if interval:
                name = wording.interval_name(interval.level, kind)
                words += f" ({name} of the ratio: {interval.lower:.3g} to {interval.upper:.3g})"
            return words
        if sign:
            words += f" by {wording.number(abs(self.difference))}"
        if interval and self._is_undecided and np.isfinite([interval.lower, interval.upper]).all():
            better = bool(self.measure.more_is_better)
            left_open = wording.room(interval.lower, interval.upper, interval.level, kind, more_is_better=better)
            words += f"; over all topics of this kind it may be {left_open}"
        elif interval:
            words += f" ({wording.interval(interval.lower, interval.upper, interval.level, kind)})"
        return words

    def to_dict(self, *, by_query: bool = False) -> dict[str, Any]:
        """As JSON would have it; with `by_query` the values of each topic too."""
        whole: dict[str, Any] = {
            "measure": str(self.measure),
            "run": self.run,
            "baseline": self.baseline,
            "topics": len(self.topics),
            "topics_left_out": list(self.left_out),
            "baseline_mean": self.baseline_mean,
            "mean": self.mean,
            "difference": self.difference,
            "wins": self.wins,
            "ties": self.equal,
            "losses": self.losses,
            "gained_most": dict(self.gained()),
            "lost_most": dict(self.lost()),
            "interval_of": "ratio" if self.is_geometric else "difference",
            "tests": {
                name: {**one.to_dict(), "interval": self._interval_dict(name)} for name, one in self.tests.items()
            },
            "not_tested": self.not_tested,
            "sentence": self.sentence,
        }
        if self.assumptions:
            whole["assumptions"] = self.assumptions.to_dict()
        if self.posterior:
            words = self.posterior.describe(self.run, self.baseline)
            whole["posterior"] = {**self.posterior.to_dict(), "sentence": words}
        if by_query:
            columns = (self.baseline_scores.tolist(), self.scores.tolist(), self.by_topic.values())
            names = ("baseline", "run", "difference")
            rows = zip(self.topics, zip(*columns, strict=True), strict=True)
            whole["per_query"] = {topic: dict(zip(names, values, strict=True)) for topic, values in rows}
        return whole


def mean_over_topics(measure: Measure, scores: Floats) -> float:
    """The mean as the measure has it; of counts, which are otherwise added up, the mean for a topic."""
    whole = measure.aggregate(scores)
    return whole / len(scores) if measure.definition.aggregate == "sum" and len(scores) else whole


def scores_to_test(measure: Measure, scores: Floats) -> Floats:
    """What tests look at: the values of the topics, or their logarithms where the mean is geometric."""
    if measure.definition.aggregate != "geometric":
        return scores
    return np.log(np.maximum(scores, SMALLEST_IN_GEOMETRIC_MEAN))


def why_not_tested(measure: Measure) -> str | None:
    """Why a test of differences in this measure would mean nothing, if so."""
    if measure.definition.without_run:
        return "it follows from the judgments alone, so that it is the same for every run"
    if measure.more_is_better is None:
        return "neither more nor less of it is better"
    return None
