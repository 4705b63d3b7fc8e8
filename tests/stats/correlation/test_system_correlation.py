"""How alike systems are ordered: values against SciPy, intervals against arithmetic and against other bootstraps."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.errors import DataError, ParameterError, UsageError
from cranfield.stats import correlate_systems, rank_biased_overlap, tau_a, tau_ap_a, tau_ap_b
from cranfield.stats.correlation.system_orders import COEFFICIENTS
from tests.stats.significance.two_systems import trec

RNG = np.random.default_rng(7)
FIRST = RNG.random((12, 8)).round(2)
SECOND = (FIRST + 0.5 * RNG.random((12, 8))).round(1)


def values(first: object, second: object, **told: object) -> dict[str, float]:
    return {name: found.value for name, found in correlate_systems(first, second, COEFFICIENTS, **told).items()}  # type: ignore[arg-type]


def expected(x: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """By SciPy, and by the functions for single lists, which have oracles of their own."""
    return {
        "tau_a": tau_a(x, y).value,
        "tau_b": scipy.stats.kendalltau(x, y).statistic,
        "tau_ap_a": tau_ap_a(x, y).value,
        "tau_ap_b": tau_ap_b(x, y).value,
        "spearman": scipy.stats.spearmanr(x, y).statistic,
        "pearson": scipy.stats.pearsonr(x, y).statistic,
        "rbo": rank_biased_overlap(dict(enumerate(x)), dict(enumerate(y))).extrapolated,
    }


def test_values() -> None:
    assert values(FIRST, SECOND) == pytest.approx(expected(FIRST.mean(axis=0), SECOND.mean(axis=0)), abs=1e-9)
    coarse = [3, 3, 2, 1, 1], [2, 1, 2, 1, 0]
    assert values(*coarse) == pytest.approx(expected(*map(np.array, coarse)), abs=1e-9)


@pytest.mark.real_data
def test_values_on_trec(real_data: Path) -> None:
    for track in ("adhoc5", "adhoc6", "adhoc7"):
        tables = (trec(real_data, f"{track}_{name}") for name in ("ap", "p10", "rr"))
        for x, y in itertools.combinations(tables, 2):
            # Means that are equal with pencil and paper are equal: rounded far beyond the four places of the scores.
            means = [table.mean(axis=0).round(10) for table in (x, y)]
            assert values(x, y, resamples=2) == pytest.approx(expected(*means), abs=1e-9)


def test_scores_that_differ_by_rounding_alone_are_tied() -> None:
    first = np.array([[0.1, 0.3, 0.0], [0.2, 0.0, 0.0]])  # .1 + .2 and .3
    assert correlate_systems(first, [3, 3, 1], "tau_b")["tau_b"].value == 1


# The bootstrap over topics


def test_the_bootstrap_of_two_topics_by_hand() -> None:
    # Topic 1 has the same order in both, topic 2 opposite ones; both together: first 6 4 2, second 2 4 6.
    first = np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
    second = np.array([[3.0, 2.0, 1.0], [0.0, 3.0, 6.0]])
    found = correlate_systems(first, second, "tau_b", resamples=200_000)["tau_b"]
    # Topic 1 twice (1/4): tau 1. Once each (1/2): second 3 5 7, tau -1. Topic 2 twice (1/4): tau -1.
    assert found.value == -1
    deviation = math.sqrt(1 - (1 / 4 - 3 / 4) ** 2)
    assert found.interval is not None
    assert found.interval.lower == -1  # there is nothing below
    assert found.interval.upper == pytest.approx(min(-1 + 1.96 * deviation, 1), abs=0.01)
    assert found.interval.method == "bootstrap over topics, 200,000 samples"


def test_the_stream_of_random_numbers() -> None:
    """Half a word of PCG64 for each draw, the low half first; topics in ascending order, systems before."""
    first = np.array([[0.1, 0.2, 0.9], [0.2, 0.6, 0.4], [0.3, 0.1, 0.8], [0.4, 0.9, 0.3], [0.5, 0.3, 0.7]])
    second = np.array([[0.9, 0.1, 0.5], [0.1, 0.2, 0.3], [0.8, 0.4, 0.6], [0.3, 0.5, 0.1], [0.2, 0.7, 0.9]])
    samples = []
    words = np.random.PCG64(3).random_raw(300 * 3).astype("<u8").view("<u4").reshape(300, 6)[:, :5]
    columns = sorted(range(3), key=lambda at: [*np.sort(first[:, at]), *np.sort(second[:, at])])
    rows = sorted(range(5), key=lambda row: [*first[row, columns], *second[row, columns]])
    for sample in words:
        drawn = [rows[int(half) * 5 // 2**32] for half in sample]
        x, y = first[drawn].mean(axis=0), second[drawn].mean(axis=0)
        samples.append(scipy.stats.kendalltau(x.round(12), y.round(12)).statistic)
    found = correlate_systems(first, second, "tau_b", resamples=300, seed=3)["tau_b"]
    reach = 1.9599639845400545 * np.nanstd(samples, ddof=1)
    assert found.interval is not None
    assert found.interval.lower == pytest.approx(found.value - reach, abs=1e-9)
    assert found.interval.upper == min(found.value + reach, 1)


@given(st.permutations(range(12)), st.permutations(range(8)))
@settings(max_examples=20)
def test_the_order_of_topics_and_systems_makes_no_difference(rows: list[int], columns: list[int]) -> None:
    plain = correlate_systems(FIRST, SECOND, COEFFICIENTS, resamples=50)
    other = correlate_systems(FIRST[rows][:, columns], SECOND[rows][:, columns], COEFFICIENTS, resamples=50)
    assert plain == other


def test_seeds() -> None:
    def interval(seed: int) -> object:
        return correlate_systems(FIRST, SECOND, "pearson", resamples=50, seed=seed)["pearson"].interval

    assert interval(1) == interval(1)
    assert interval(1) != interval(2)


def test_many_samples_do_not_change_with_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = correlate_systems(FIRST, SECOND, resamples=101)
    monkeypatch.setattr("cranfield.stats.chunks.CELLS", 1000)
    assert correlate_systems(FIRST, SECOND, resamples=101) == plain


def test_topics_by_name() -> None:
    names = [f"t{row}" for row in range(12)]
    plain = correlate_systems(FIRST, SECOND, resamples=50)
    turned = correlate_systems(FIRST, SECOND[::-1], topics=(names, names[::-1]), resamples=50)
    assert turned == plain


def test_two_sets_of_topics_are_drawn_by_themselves() -> None:
    names = [f"a{row}" for row in range(12)], [f"b{row}" for row in range(12)]
    together = correlate_systems(FIRST, FIRST, "tau_b", resamples=500)["tau_b"]
    apart = correlate_systems(FIRST, FIRST, "tau_b", topics=names, resamples=500)["tau_b"]
    assert together.value == apart.value == 1
    assert together.interval is not None
    assert apart.interval is not None
    assert together.interval.lower == 1  # the same topics give the same means
    assert apart.interval.lower < 0.9


def test_topics_of_both_and_of_one() -> None:
    """The same standard error as a bootstrap written here, with topics of three kinds."""
    first, second = FIRST[:9], SECOND[3:]
    names = [f"t{row}" for row in range(9)], [f"t{row}" for row in range(3, 12)]
    found = correlate_systems(first, second, "pearson", topics=names, resamples=4000)["pearson"]
    rng = np.random.default_rng(1)
    samples = []
    for _ in range(4000):
        common = rng.integers(3, 9, 6)
        x = np.vstack([FIRST[common], FIRST[rng.integers(0, 3, 3)]]).mean(axis=0)
        y = np.vstack([SECOND[common], SECOND[rng.integers(9, 12, 3)]]).mean(axis=0)
        samples.append(np.corrcoef(x, y)[0, 1])
    assert found.value == pytest.approx(np.corrcoef(first.mean(axis=0), second.mean(axis=0))[0, 1])
    assert found.interval is not None
    assert found.value - found.interval.lower == pytest.approx(1.96 * np.std(samples), rel=0.1)


@pytest.mark.slow
@pytest.mark.real_data
@pytest.mark.parametrize("track", ["adhoc5", "adhoc6", "adhoc7"])
def test_intervals_hold_what_as_many_topics_give_on_average(real_data: Path, track: str) -> None:
    """Samples of the 50 topics stand for samples of topics; docs/statistics/orders-of-systems.md quotes the bounds."""
    first, second = trec(real_data, f"{track}_ap"), trec(real_data, f"{track}_p10")
    rng = np.random.default_rng(0)
    samples = [rng.integers(0, 50, 50) for _ in range(400)]
    found = [correlate_systems(first[drawn], second[drawn], resamples=200) for drawn in samples]
    for name in found[0]:
        mean = np.mean([one[name].value for one in found])
        intervals = [one[name].interval for one in found]
        held = np.mean([interval.lower <= mean <= interval.upper for interval in intervals if interval])
        assert 0.90 <= held <= 0.99


# One score for each system


def test_intervals_over_systems() -> None:
    x, y = FIRST.mean(axis=0), SECOND.mean(axis=0)
    found = correlate_systems(x, y, COEFFICIENTS)
    n = len(x)
    for name, variance in {
        "pearson": 1 / (n - 3),
        "spearman": (1 + found["spearman"].value ** 2 / 2) / (n - 3),
        "tau_a": 0.437 / (n - 4),
        "tau_b": 0.437 / (n - 4),
    }.items():
        reach = 1.9599639845400545 * math.sqrt(variance)
        interval = found[name].interval
        assert interval is not None
        assert math.atanh(interval.upper) - math.atanh(interval.lower) == pytest.approx(2 * reach)
        assert interval.method == "Fisher's z, systems as a random sample"
    left_out = [tau_ap_b(np.delete(x, one), np.delete(y, one)).value for one in range(n)]
    reach = scipy.stats.t.ppf(0.975, n - 1) * math.sqrt((n - 1) ** 2 / n * np.var(left_out, ddof=1))
    interval = found["tau_ap_b"].interval
    assert interval is not None
    assert interval.lower == pytest.approx(max(found["tau_ap_b"].value - reach, -1))
    assert interval.method == "jackknife, systems as a random sample"
    assert found["rbo"].interval is None
    assert found["rbo"].no_interval == (
        "rbo looks at the top of these two lists, and other systems would make other lists"
    )


def test_topics_on_one_side_only_count_as_systems() -> None:
    mixed = correlate_systems(FIRST, SECOND.mean(axis=0))
    assert mixed["tau_b"].interval == correlate_systems(FIRST.mean(axis=0), SECOND.mean(axis=0))["tau_b"].interval


@pytest.mark.slow
def test_the_jackknife_holds_the_mean() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 20))
    y = 0.8 * x + 0.6 * rng.normal(size=(400, 20))
    found = [correlate_systems(a, b, "tau_ap_b")["tau_ap_b"] for a, b in zip(x, y, strict=True)]
    mean = np.mean([one.value for one in found])
    held = np.mean([one.interval.lower <= mean <= one.interval.upper for one in found if one.interval])
    assert 0.92 <= held <= 1


# What is not defined


def test_fewer_than_two_systems() -> None:
    for one in ([[0.5], [0.6]], [0.5], []):
        for found in correlate_systems(one, one, COEFFICIENTS).values():
            assert math.isnan(found.value)
            assert (found.undefined, found.interval) == ("there are fewer than two systems", None)


def test_all_systems_tied() -> None:
    found = correlate_systems([0.5, 0.5, 0.5], [0.1, 0.2, 0.3], COEFFICIENTS)
    for name in ("tau_b", "tau_ap_b", "spearman", "pearson"):
        assert (found[name].undefined, found[name].interval) == ("all systems are tied by one of the two", None)
        assert math.isnan(found[name].value)
    assert found["tau_a"].value == found["tau_ap_a"].value == 0  # the mean of all orders
    assert found["tau_a"].undefined is None


def test_one_topic() -> None:
    found = correlate_systems([[0.1, 0.2, 0.3]], [[0.1, 0.3, 0.2]], "tau_b")["tau_b"]
    assert found.value == pytest.approx(1 / 3)
    assert (found.interval, found.no_interval) == (None, "there are fewer than two topics")


def test_too_few_systems_for_an_interval() -> None:
    found = correlate_systems([0.1, 0.2], [0.3, 0.4])
    assert found["tau_b"].no_interval == "Fisher's z needs more than 4 systems, and there are 2"
    assert found["pearson"].no_interval == "Fisher's z needs more than 3 systems, and there are 2"
    assert found["tau_ap_b"].no_interval == "the jackknife needs three systems, and not all others tied"


def test_samples_that_are_tied_are_left_out_and_said() -> None:
    # Of two topics the first puts the systems in order and the second does not: a quarter of the samples are tied.
    found = correlate_systems([[1, 2], [1, 1]], [[1, 2], [1, 1]], "tau_b", resamples=1000)["tau_b"]
    assert found.interval is not None
    assert (found.interval.lower, found.interval.upper) == (1, 1)
    left_out = int(found.interval.method.split("(")[1].split()[0])
    assert left_out == pytest.approx(250, abs=50)
    assert found.interval.method == f"bootstrap over topics, 1,000 samples ({left_out} of them tied: left out)"


@pytest.mark.parametrize(
    ("arguments", "told", "error", "message"),
    [
        (([1, 2], [1, 2, 3]), {}, DataError, "first has 2 systems and second has 3: expected the same systems"),
        (([1, math.nan], [1, 2]), {}, DataError, "first, system 2: nan is not a score"),
        (([[1, 2]], [[1, 2], [math.inf, 1]]), {}, DataError, "second, system 1, topic 2: inf is not a score"),
        (([[1, 2]], [[1, 2], [3, 4]]), {}, DataError, "first has 1 topics and second has 2: expected the same topics"),
        (([[1, 2]], [[1, 2]]), {"topics": (["a", "b"], ["a"])}, DataError, "topics of first: expected 1 different names"),
        (([[1, 2]] * 2, [[1, 2]]), {"topics": (["a", "a"], ["a"])}, DataError, "expected 2 different names, found 1"),
        ((["a", "b"], [1, 2]), {}, DataError, "first: expected numbers, found"),
        ((np.zeros((2, 2, 2)), [1, 2]), {}, DataError, "found 3 dimensions"),
        ((np.zeros((0, 3)), np.zeros((0, 3))), {}, DataError, "first: there are no topics"),
        (([1, 2], [1, 2], "tua"), {}, UsageError, "unknown coefficient 'tua'. Did you mean tau"),
        (([1, 2], [1, 2], []), {}, UsageError, "no coefficient is named"),
        (([1, 2], [1, 2]), {"p": 1}, ParameterError, "p must be a number above 0 and below 1"),
        (([1, 2], [1, 2]), {"level": 0}, ParameterError, "level must be a number above 0 and below 1"),
        (([1, 2], [1, 2]), {"resamples": 1}, ParameterError, "resamples must be a whole number of at least 2"),
        (([1, 2], [1, 2]), {"seed": -1}, ParameterError, "seed must be a whole number of at least 0"),
    ],
)  # fmt: skip
def test_wrong_input(arguments: tuple, told: dict, error: type[Exception], message: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(error, match=message):
        correlate_systems(*arguments, **told)
