"""The gate: does a run fulfil what is required of it, on all topics and in every slice of them?

All requirements have to hold. A run that does not deserve to pass lacks at least one of them, and a test lets it
through there by chance no more often than alpha, however many others there are: their number calls for no correction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield.evaluation.compared import Compared, scores_to_test
from cranfield.evaluation.requirements import ALL_TOPICS, Requirement
from cranfield.evaluation.significance import Significance
from cranfield.evaluation.slices import Slices, restricted
from cranfield.stats import wording
from cranfield.stats.arguments import Alternative
from cranfield.stats.significance.differences import ALL_EQUAL, ALL_ZERO, Differences
from cranfield.stats.significance.equivalence import equivalence_tests, non_inferiority_tests
from cranfield.stats.significance.outcome import Outcome
from cranfield.stats.significance.t_test import one_sample_t_test

FEWEST_TOPICS = 2
"""Of a slice that a requirement for every slice is checked in."""


@dataclass(frozen=True)
class Verdict:
    """Whether a run fulfils a requirement."""

    requirement: Requirement
    run: str
    slice: str | None
    """None for all topics."""
    topics: int
    met: bool | None
    """None if it was not checked, for the slice has too few topics."""
    found: str
    """What was found, in a few words."""

    @property
    def status(self) -> str:
        return {True: "met", False: "failed", None: "not checked"}[self.met]

    @property
    def where(self) -> str:
        """What it is about, in words."""
        return "all topics" if self.slice is None else self.slice

    def to_dict(self) -> dict[str, Any]:
        return {
            "requirement": self.requirement.text,
            "measure": str(self.requirement.measure),
            "run": self.run,
            "slice": self.slice,
            "topics": self.topics,
            "met": self.met,
            "found": self.found,
        }


def check_requirements(
    requirements: Sequence[Requirement], rows: Sequence[Compared], slices: Slices | None, significance: Significance
) -> tuple[Verdict, ...]:
    """A verdict for each requirement, run and, where there are slices, slice. `rows` compare runs with the baseline."""
    return tuple(
        verdict
        for requirement in requirements
        for compared in rows
        if compared.measure == requirement.measure
        for verdict in _verdicts(requirement, compared, slices, significance)
    )


def _verdicts(
    requirement: Requirement, compared: Compared, slices: Slices | None, significance: Significance
) -> Iterable[Verdict]:
    wanted = requirement.slice
    if wanted is None or wanted == ALL_TOPICS:
        yield _verdict(requirement, compared, None, significance)
    if slices is None or wanted == ALL_TOPICS:
        return
    for name, topics in slices.topics.items():
        if wanted not in (None, name):
            continue
        part = restricted(compared, topics)
        number = len(part.topics) if part else 0
        if part is None or (wanted is None and number < FEWEST_TOPICS):
            few = "no topic" if number == 0 else "one topic only"
            yield Verdict(requirement, compared.run, name, number, None if wanted is None else False, f"it has {few}")
        else:
            yield _verdict(requirement, part, name, significance)


def _verdict(requirement: Requirement, compared: Compared, name: str | None, significance: Significance) -> Verdict:
    check = {"improves": _improves, "non-inferior": _margin, "equivalent": _margin}.get(requirement.kind, _limit)
    met, found = check(requirement, compared, significance)
    return Verdict(requirement, compared.run, name, len(compared.topics), met, found)


def _limit(requirement: Requirement, compared: Compared, significance: Significance) -> tuple[bool, str]:
    """A mean, a drop or a rise against a limit."""
    if requirement.kind == "value":
        if not requirement.significantly:
            met = requirement.holds_for(compared.mean, tolerance=compared.tolerance)
            return met, f"mean {compared.mean:.4f}"
        side: Alternative = "greater" if requirement.operator.startswith(">") else "less"
        outcome = one_sample_t_test(compared.scores, requirement.limit, alternative=side, level=significance.level)
        return outcome.significant, f"mean {compared.mean:.4f}, {_p(outcome)}"
    change = compared.difference if requirement.kind == "rise" else 0.0 - compared.difference
    if not requirement.relative:
        return requirement.holds_for(change, tolerance=compared.tolerance), f"{requirement.kind} {change:.4f}"
    if not compared.baseline_mean:
        met = not change and requirement.holds_for(0.0, tolerance=0.0)
        return met, f"{requirement.kind} {change:.4f}, and the baseline's mean is 0"
    share = change / abs(compared.baseline_mean)
    tolerance = compared.tolerance / abs(compared.baseline_mean)
    return requirement.holds_for(share, tolerance=tolerance), f"{requirement.kind} {share:.2%}"


def _improves(requirement: Requirement, compared: Compared, significance: Significance) -> tuple[bool, str]:
    more = bool(compared.measure.more_is_better)
    better = compared.difference > 0 if more else compared.difference < 0
    found = f"{compared.baseline_mean:.4f} to {compared.mean:.4f}"
    if not requirement.significantly:
        return better, found
    first = replace(significance, tests=significance.tests[:1])
    scores, baseline = (scores_to_test(compared.measure, s) for s in (compared.scores, compared.baseline_scores))
    outcomes = first.run(Differences.between(scores, baseline), more_is_better=more, question="better")
    outcome = outcomes[first.tests[0]][0]
    return outcome.significant, f"{found}, {_p(outcome)}"


def _margin(requirement: Requirement, compared: Compared, significance: Significance) -> tuple[bool, str]:
    """Not worse, or not different, by more than a margin. Where all topics differ alike, that difference decides."""
    scores, baseline = compared.scores, compared.baseline_scores
    if compared.measure.more_is_better is False:
        scores, baseline = baseline, scores
    differences, margin = Differences.between(scores, baseline), requirement.limit
    test = non_inferiority_tests if requirement.kind == "non-inferior" else equivalence_tests
    outcome = test(differences, margin, level=significance.level)[0]
    found = f"difference {compared.difference:.4f}"
    if outcome.undefined in (ALL_ZERO, ALL_EQUAL):
        difference = outcome.mean_difference if requirement.kind == "non-inferior" else -abs(outcome.mean_difference)
        return difference > -margin, f"{found} on every topic"
    return outcome.significant, f"{found}, {_p(outcome)}"


def _p(outcome: Outcome) -> str:
    return f"not tested: {outcome.undefined}" if outcome.undefined else wording.p_value(outcome.p)
