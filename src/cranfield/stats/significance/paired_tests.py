"""The tests for two systems by name, on one pair, on several and on all pairs of many systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from cranfield.data.strings import Ints
from cranfield.errors import UsageError, did_you_mean
from cranfield.stats.arguments import Alternative
from cranfield.stats.significance.bootstrap import bootstrap_tests
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.outcome import Outcomes
from cranfield.stats.significance.randomisation import randomisation_tests
from cranfield.stats.significance.sign_test import sign_tests
from cranfield.stats.significance.t_test import paired_t_tests
from cranfield.stats.significance.wilcoxon import wilcoxon_tests

PAIRED_TESTS: Mapping[str, Callable[..., Outcomes]] = {
    "t": paired_t_tests,
    "wilcoxon": wilcoxon_tests,
    "sign": sign_tests,
    "randomisation": randomisation_tests,
    "bootstrap": bootstrap_tests,
}

_ALSO_CALLED = {"permutation": "randomisation", "randomization": "randomisation", "fisher": "randomisation"}

RANDOM_TESTS = ("randomisation", "bootstrap")


@dataclass(frozen=True, eq=False)
class AllPairs:
    """Outcomes for all pairs of systems. Pair i is system `first[i]` minus system `second[i]`."""

    first: Ints
    second: Ints
    by_test: Mapping[str, Outcomes]


def paired_test_named(name: str) -> str:
    """The name of a test, from any name it goes by.

    >>> paired_test_named("permutation")
    'randomisation'
    >>> paired_test_named("willcoxon")
    Traceback (most recent call last):
        ...
    cranfield.errors.UsageError: unknown test 'willcoxon'. Did you mean wilcoxon? There are: t, wilcoxon, sign,
    randomisation, bootstrap
    """
    known = _ALSO_CALLED.get(name.lower(), name.lower())
    if known not in PAIRED_TESTS:
        hint = did_you_mean(name, [*PAIRED_TESTS, *_ALSO_CALLED])
        raise UsageError(f"unknown test {name!r}{hint} There are: {', '.join(PAIRED_TESTS)}")
    return known


def run_paired_tests(
    differences: Differences,
    tests: Iterable[str] = tuple(PAIRED_TESTS),
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> dict[str, Outcomes]:
    """Several tests on the same pairs of systems, by the names of `PAIRED_TESTS`.

    >>> differences = Differences.between([[0.9, 0.4], [0.8, 0.6], [0.7, 0.7]], [0.5, 0.5, 0.5])
    >>> outcomes = run_paired_tests(differences, ["t", "sign"])
    >>> outcomes["sign"].p.tolist()  # three wins of three: 2 / 8; two of three: 1
    [0.25, 1.0]
    """
    outcomes = {}
    for name in map(paired_test_named, tests):
        more: dict[str, Any] = {"resamples": resamples, "seed": seed} if name in RANDOM_TESTS else {}
        outcomes[name] = PAIRED_TESTS[name](differences, alternative=alternative, level=level, **more)
    return outcomes


def all_pairs(
    scores: npt.ArrayLike,
    tests: Iterable[str] = tuple(PAIRED_TESTS),
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> AllPairs:
    """Every pair of systems tested, given topics x systems. The p-values are not corrected for their number.

    >>> scores = [[0.9, 0.5, 0.4], [0.8, 0.5, 0.6], [0.7, 0.5, 0.7]]  # three topics, three systems
    >>> found = all_pairs(scores, ["sign"])
    >>> [(int(a), int(b)) for a, b in zip(found.first, found.second)], found.by_test["sign"].p.tolist()
    ([(0, 1), (0, 2), (1, 2)], [0.25, 0.5, 1.0])
    """
    differences, first, second = Differences.all_pairs(scores)
    outcomes = run_paired_tests(
        differences, tests, alternative=alternative, level=level, resamples=resamples, seed=seed
    )
    return AllPairs(first, second, outcomes)
