"""How differences are tested: which tests, which question, and what is done about many comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cranfield.data.strings import Floats
from cranfield.errors import UsageError
from cranfield.stats.arguments import Alternative, one_of, whole, within
from cranfield.stats.many_systems.corrections import CORRECTIONS, Adjusted, adjust
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.outcome import Outcomes
from cranfield.stats.significance.paired_tests import PAIRED_TESTS, paired_test_named, run_paired_tests

Question = Literal["two-sided", "better", "worse"]
"""Is the run different from the baseline, better, worse?"""
QUESTIONS: tuple[Question, ...] = ("two-sided", "better", "worse")
_SHORT = {"bh": "benjamini-hochberg"}
CORRECTION_NAMES = ("holm", "bonferroni", "bh", "none")


@dataclass(frozen=True)
class Significance:
    """The tests, and what they are told."""

    tests: tuple[str, ...]
    alternative: Question
    correction: str
    alpha: float
    resamples: int
    seed: int
    comparisons: int | None = None
    """How many there are in the family, where others belong to it than are made here."""

    @classmethod
    def of(
        cls,
        tests: str | tuple[str, ...],
        alternative: Question,
        correction: str,
        alpha: float,
        resamples: int,
        seed: int,
    ) -> Significance:
        """Checked; `t,wilcoxon` is two tests, and a test may go by any of its names."""
        named = [test.strip() for test in (tests.split(",") if isinstance(tests, str) else tests)]
        one_of("alternative", alternative, QUESTIONS)
        correction = _SHORT.get(correction, correction)
        if correction not in (*CORRECTIONS, "none"):
            one_of("correction", correction, CORRECTION_NAMES)
        within("alpha", alpha, 0, 1)
        whole("resamples", resamples, 1)
        whole("seed", seed, 0)
        if not any(named):
            raise UsageError(f"no test is named; there are: {', '.join(PAIRED_TESTS)}")
        tests = tuple(dict.fromkeys(map(paired_test_named, named)))
        return cls(tests, alternative, correction, alpha, resamples, seed)

    @property
    def level(self) -> float:
        """Of intervals."""
        return round(1 - self.alpha, 12)

    def run(
        self, differences: Differences, *, more_is_better: bool, question: Question | None = None
    ) -> dict[str, Outcomes]:
        """Every test on every column of differences, all of measures of which more (or less) is better."""
        return run_paired_tests(
            differences,
            self.tests,
            alternative=_towards(question or self.alternative, more_is_better),
            level=self.level,
            resamples=self.resamples,
            seed=self.seed,
        )

    def adjust(self, p: Floats) -> Adjusted:
        """p-values of a family, corrected; as they are where there is no correction."""
        if self.correction != "none":
            return adjust(p, self.correction, comparisons=max(self.comparisons or 0, len(p)))
        return Adjusted("none", p, p, len(p), "nothing")

    def to_dict(self) -> Mapping[str, object]:
        """As JSON would have it."""
        return {
            "tests": list(self.tests),
            "alternative": self.alternative,
            "correction": self.correction,
            "alpha": self.alpha,
            "resamples": self.resamples,
            "seed": self.seed,
        }


def _towards(question: Question, more_is_better: bool) -> Alternative:
    if question == "two-sided":
        return "two-sided"
    return "greater" if (question == "better") == more_is_better else "less"
