"""Time significance tests on made-up scores, beside ranx and SciPy: REPEATS.

Prints for each work and tool one line of seconds, one number for each repetition; tools take turns. Everything is warm:
each call is made once before. What SciPy would take for all pairs is reckoned from some of them.
"""

import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np
from ranx.statistical_tests import fisher_randomization_test
from scipy import stats as scipy_stats

from cranfield import stats

TOPICS, PERMUTATIONS = 250, 100_000
SYSTEMS, SYSTEM_TOPICS, RESAMPLES = 100, 50, 10_000
PAIRS_TIMED = 50
TUKEY_SYSTEMS, TUKEY_TOPICS = 50, 50


def main() -> None:
    """All works, each tool in turn."""
    repeats = int(sys.argv[1])
    random = np.random.default_rng(3)
    baseline = random.beta(2, 3, TOPICS)
    new = np.clip(baseline + random.normal(0.01, 0.08, TOPICS), 0, 1)
    scores = np.clip(random.beta(2, 3, (SYSTEM_TOPICS, 1)) + random.normal(0, 0.1, (SYSTEM_TOPICS, SYSTEMS)), 0, 1)
    few = scores[:TUKEY_TOPICS, :TUKEY_SYSTEMS]
    works: dict[tuple[str, str], tuple[Callable[[], object], float]] = {
        ("randomisation", "cranfield"): (
            lambda: stats.randomisation_test(new, baseline, resamples=PERMUTATIONS),
            1,
        ),
        ("randomisation", "ranx"): (lambda: fisher_randomization_test(baseline, new, PERMUTATIONS), 1),
        ("randomisation", "scipy"): (lambda: _scipy_permutation(new, baseline, PERMUTATIONS), 1),
        ("all pairs", "cranfield"): (lambda: stats.all_pairs(scores, resamples=RESAMPLES), 1),
        ("all pairs", "scipy"): (lambda: _scipy_pairs(scores), SYSTEMS * (SYSTEMS - 1) / 2 / PAIRS_TIMED),
        ("randomised Tukey HSD", "cranfield"): (
            lambda: stats.randomised_tukey_hsd(few, permutations=RESAMPLES),
            1,
        ),
    }
    seconds: dict[tuple[str, str], list[float]] = {work: [] for work in works}
    for call, _ in works.values():
        call()
    for _ in range(repeats):
        for work, (call, share) in works.items():
            start = perf_counter()
            call()
            seconds[work].append((perf_counter() - start) * share)
    for (work, tool), values in seconds.items():
        print(work, tool, *(f"{value:.6f}" for value in values), sep="\t")


def _scipy_permutation(new: np.ndarray, baseline: np.ndarray, resamples: int) -> object:
    return scipy_stats.permutation_test(
        (new - baseline,),
        lambda d, axis: d.mean(axis=axis),
        permutation_type="samples",
        n_resamples=resamples,
        vectorized=True,
        rng=0,
    )


def _scipy_pairs(scores: np.ndarray) -> None:
    """The five tests on some of the pairs, one after the other."""
    done = 0
    for first in range(scores.shape[1]):
        for second in range(first):
            if done == PAIRS_TIMED:
                return
            new, baseline = scores[:, first], scores[:, second]
            difference = new - baseline
            scipy_stats.ttest_rel(new, baseline)
            scipy_stats.wilcoxon(difference)
            scipy_stats.binomtest(int((difference > 0).sum()), int((difference != 0).sum()))
            _scipy_permutation(new, baseline, RESAMPLES)
            scipy_stats.bootstrap((difference,), np.mean, n_resamples=RESAMPLES, rng=0)
            done += 1


main()
