"""Discriminative power of a measure: how many pairs of systems it can tell apart on the same topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.stats.arguments import one_of, within
from cranfield.stats.many_systems.score_matrix import FEW_SYSTEMS, ManyScores, named_scores
from cranfield.stats.many_systems.tukey import randomised_tukey_hsd
from cranfield.stats.significance.differences import FEW_TOPICS
from cranfield.stats.significance.outcome import as_json
from cranfield.stats.significance.paired_tests import PAIRED_TESTS, all_pairs

TESTS = ("tukey", *PAIRED_TESTS)


@dataclass(frozen=True, eq=False)
class DiscriminativePower:
    """All pairs of systems in the order of their p-values, largest first: the achieved significance level curve."""

    test: str
    names: tuple[str, ...]
    first: Ints
    """The first system of each pair, by its number in `names`; pairs with large p-values come first."""
    second: Ints
    difference: Floats
    """The mean of the first system minus that of the second."""
    p: Floats
    """The curve: the achieved significance level of each pair, falling. 1 where the systems have the same scores."""
    needed: float
    """Pairs whose means are farther apart than this are all significant; nan where not defined."""
    topics: int
    alpha: float
    undefined: str | None
    """Why there is nothing to say, if there is nothing."""
    corrected: bool = False
    """Whether p-values hold for all pairs together."""

    @property
    def comparisons(self) -> int:
        """The number of pairs."""
        return len(self.p)

    @property
    def separated(self) -> int:
        """How many pairs are significantly different."""
        return int(np.count_nonzero(self.p < self.alpha))

    @property
    def share(self) -> float:
        """The discriminative power: the share of pairs that are significantly different; nan where not defined."""
        return float("nan") if self.undefined else self.separated / self.comparisons

    @property
    def sentence(self) -> str:
        """The finding in plain words."""
        if self.undefined:
            return f"No discriminative power ({self.test}): {self.undefined}."
        pairs = f"{self.comparisons} pair{'s' * (self.comparisons != 1)}"
        alone = "" if self.corrected or self.comparisons == 1 else f", not corrected for {self.comparisons} comparisons"
        return (
            f"{self.separated} of {pairs} of {len(self.names)} systems {'is' if self.separated == 1 else 'are'} told "
            f"apart on {self.topics} topics ({self.share:.1%}; {self.test}, alpha {self.alpha:g}{alone}), among them "
            f"all whose means are more than {self.needed:.4f} apart."
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; what is not defined is None."""
        rows = zip(self.first, self.second, self.difference.tolist(), self.p.tolist(), strict=True)
        whole: dict[str, Any] = as_json(
            {
                "test": self.test,
                "topics": self.topics,
                "systems": len(self.names),
                "comparisons": self.comparisons,
                "separated": self.separated,
                "share": self.share,
                "needed": self.needed,
                "alpha": self.alpha,
                "corrected": self.corrected,
                "curve": tuple(
                    {"first": self.names[first], "second": self.names[second], "difference": difference, "p": p}
                    for first, second, difference, p in rows
                ),
                "undefined": self.undefined,
                "sentence": self.sentence,
            }
        )
        return whole


def discriminative_power(
    scores: ManyScores, *, test: str = "tukey", alpha: float = 0.05, resamples: int = 10_000, seed: int = 0
) -> DiscriminativePower:
    """How many pairs of systems can be told apart by these scores: topics x systems, or the scores of each by name.

    Computed for several measures on the same runs and topics, it says which of them find more. It does not say whether
    what they find is right or worth finding. `test` is `tukey` (the randomised Tukey HSD: p-values hold for all pairs
    together), or t, wilcoxon, sign, randomisation or bootstrap (each pair by itself, not corrected for the number of
    pairs); `resamples` are those of the tests that take random samples.

    `needed` estimates how large a difference has to be: with `tukey` it is the critical difference of the test,
    otherwise the largest difference found that was not significant (0 if all were). Pairs with equal scores on every
    topic have p = 1. Not defined for fewer than two topics or systems.

    T. Sakai. Evaluating evaluation metrics based on the bootstrap. SIGIR 2006. For the randomised Tukey HSD see
    `randomised_tukey_hsd`.

    >>> scores = {"a": [0.1, 0.4, 0.6, 0.3], "b": [0.2, 0.5, 0.8, 0.4], "c": [0.2, 0.3, 0.9, 0.1]}
    >>> found = discriminative_power(scores, test="t")  # only b and a: differences .1 .1 .2 .1, t = 5
    >>> found.separated, found.p.round(3), round(found.needed, 3)
    (1, array([0.836, 0.353, 0.015]), 0.1)
    """
    within("alpha", alpha, 0, 1)
    one_of("test", test, TESTS)
    names, matrix = named_scores(scores)
    n, k = matrix.shape
    undefined = FEW_SYSTEMS if k < 2 else FEW_TOPICS if n < 2 else None
    if undefined:
        nothing = np.empty(0)
        pairs = np.empty(0, dtype=np.int64)
        return DiscriminativePower(
            test, names, pairs, pairs, nothing, nothing, np.nan, n, alpha, undefined, test == "tukey"
        )
    if test == "tukey":
        found = randomised_tukey_hsd(matrix, level=1 - alpha, permutations=resamples, seed=seed)
        first, second, difference, p = found.first, found.second, found.difference, found.p
        named, needed = found.test, found.critical
    else:
        tested = all_pairs(matrix, [test], level=1 - alpha, resamples=resamples, seed=seed)
        outcomes = tested.by_test[test]
        first, second, difference, p = tested.first, tested.second, outcomes.mean_difference, outcomes.p
        named, needed = outcomes.test, np.nan
    p = np.where(np.isnan(p), 1.0, p)
    if test != "tukey":
        needed = float(np.abs(difference[p >= alpha]).max(initial=0.0))
    order = np.lexsort((np.abs(difference), -p))
    return DiscriminativePower(
        named,
        names,
        first[order],
        second[order],
        difference[order],
        p[order],
        needed,
        n,
        alpha,
        undefined,
        test == "tukey",
    )
