"""Rank correlation against scipy, against definitions written out here, and against published values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield import stats
from cranfield.errors import DataError
from cranfield.stats.correlation.paired_lists import PairedLists, smaller_before

Scores = Sequence[float]
Coefficient = Callable[[Any, Any], stats.Correlation]

ALL: list[Coefficient] = [
    stats.tau_a, stats.tau_b, stats.gamma, stats.tau_ap_a, stats.tau_ap_b, stats.spearman_rho,
]  # fmt: skip
SYMMETRIC = [coefficient for coefficient in ALL if coefficient is not stats.tau_ap_a]


def two_scores(most: int = 40, values: int = 12, least: int = 2) -> st.SearchStrategy[tuple[list[float], list[float]]]:
    """Two scores of the same items, with many ties."""
    pair = st.tuples(st.integers(0, values), st.integers(0, values))
    return st.lists(pair, min_size=least, max_size=most).map(
        lambda pairs: ([float(x) for x, _ in pairs], [float(y) for _, y in pairs])
    )


def same(value: stats.Correlation, expected: float) -> bool:
    return value.value == pytest.approx(expected, abs=1e-9, nan_ok=True)


# The definitions, pair by pair and order by order.


def signs(x: Scores, y: Scores) -> list[float]:
    """For each pair of items 1 if it is concordant, -1 if it is discordant, 0 if it is tied."""
    return [
        float(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])) for i, j in itertools.combinations(range(len(x)), 2)
    ]  # fmt: skip


def orders(score: Scores) -> list[tuple[int, ...]]:
    """All ways to put the items in an order that does not contradict the scores."""
    ties = itertools.groupby(sorted(range(len(score)), key=lambda item: -score[item]), key=lambda item: score[item])
    ways = itertools.product(*(list(itertools.permutations(list(tie))) for _, tie in ties))
    return [tuple(itertools.chain(*way)) for way in ways]


def tau_ap(truth: Sequence[int], estimate: Sequence[int]) -> float:
    """Yilmaz, Aslam and Robertson's definition for two orders of items."""
    n = len(truth)
    place = {item: at for at, item in enumerate(truth)}
    right = [sum(place[above] < place[estimate[i]] for above in estimate[:i]) / i for i in range(1, n)]
    return 2 / (n - 1) * sum(right) - 1


# Oracles


@given(two_scores())
@settings(max_examples=150)
def test_pairs(scores: tuple[list[float], list[float]]) -> None:
    pairs = signs(*scores)
    agree, disagree = pairs.count(1), pairs.count(-1)
    assert same(stats.tau_a(*scores), (agree - disagree) / len(pairs))
    assert same(stats.gamma(*scores), (agree - disagree) / (agree + disagree) if agree + disagree else math.nan)


@pytest.mark.filterwarnings("ignore:An input array is constant")
@given(two_scores(most=80))
@settings(max_examples=200)
def test_scipy(scores: tuple[list[float], list[float]]) -> None:
    """Oracle: scipy's kendalltau (variant b; variant c gives P - Q) and spearmanr."""
    assert same(stats.tau_b(*scores), scipy.stats.kendalltau(*scores).statistic)
    assert same(stats.spearman_rho(*scores), scipy.stats.spearmanr(*scores).statistic)
    n, kinds = len(scores[0]), min(len(set(scores[0])), len(set(scores[1])))
    if kinds > 1:
        # tau_c = 2 (P - Q) / (n² (m - 1) / m), tau_a = 2 (P - Q) / (n (n - 1))
        tau_c = scipy.stats.kendalltau(*scores, variant="c").statistic
        assert same(stats.tau_a(*scores), tau_c * n * (kinds - 1) / kinds / (n - 1))


@given(two_scores(most=6, values=3))
@settings(max_examples=100)
def test_tau_ap_a_is_the_mean_over_all_ways_to_break_ties(scores: tuple[list[float], list[float]]) -> None:
    ways = [tau_ap(truth, estimate) for truth in orders(scores[0]) for estimate in orders(scores[1])]
    assert same(stats.tau_ap_a(*scores), sum(ways) / len(ways))


@given(two_scores(most=5, values=3))
@settings(max_examples=50)
def test_tau_a_is_the_mean_over_all_ways_to_break_ties(scores: tuple[list[float], list[float]]) -> None:
    n = len(scores[0])
    places = [[[order.index(item) for item in range(n)] for order in orders(score)] for score in scores]
    ways = [sum(signs(x, y)) / (n * (n - 1) / 2) for x in places[0] for y in places[1]]
    assert same(stats.tau_a(*scores), sum(ways) / len(ways))


def tau_ap_b_beside(x: Scores, y: Scores) -> float:
    """Urbano and Marrero's definition in the order of y."""
    total, pivots = 0.0, 0
    for item in range(len(x)):
        above = [other for other in range(len(x)) if y[other] > y[item]]
        if above:
            pivots += 1
            total += sum(x[other] > x[item] for other in above) / len(above)
    return 2 / pivots * total - 1 if pivots else math.nan


@given(two_scores())
@settings(max_examples=100)
def test_tau_ap_b(scores: tuple[list[float], list[float]]) -> None:
    x, y = scores
    assert same(stats.tau_ap_b(x, y), (tau_ap_b_beside(x, y) + tau_ap_b_beside(y, x)) / 2)


# The data and expected values (to four places) of the tests of the R package ircor 1.0 by J. Urbano.
X = [
    [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
    [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
    [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
]
Y = [
    [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
    [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
    [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
]


@pytest.mark.parametrize(
    ("coefficient", "digits_x", "digits_y", "expected"),
    [
        (stats.tau_a, 3, 3, (0.9111, 0.2889, -0.6889)),
        (stats.tau_a, 3, 1, (0.8889, 0.3333, -0.6222)),
        (stats.tau_b, 3, 3, (0.9111, 0.2889, -0.6889)),
        (stats.tau_b, 1, 1, (0.9398, 0.3765, -0.6510)),
        (stats.tau_ap_a, 3, 3, (0.8519, 0.2504, -0.6971)),
        (stats.tau_ap_a, 3, 1, (0.7454, 0.2692, -0.5558)),
        (stats.tau_ap_b, 3, 3, (0.8333, 0.2880, -0.6680)),
        (stats.tau_ap_b, 1, 1, (0.7321, 0.2970, -0.7047)),
    ],
)
def test_ircor(coefficient: Coefficient, digits_x: int, digits_y: int, expected: Sequence[float]) -> None:
    for x, y, value in zip(X, Y, expected, strict=True):
        # 0.25 becomes 0.2 and 0.445 becomes 0.4, as in the published data
        found = coefficient([round(v, digits_x) for v in x], [round(v, digits_y) for v in y])
        assert found.value == pytest.approx(value, abs=5e-5)


@pytest.mark.real_data
@pytest.mark.parametrize("track", ["adhoc5", "adhoc6", "adhoc7"])
def test_systems_ranked_by_two_measures(real_data: Path, track: str) -> None:
    """Oracle: scipy on the mean scores of the 61 to 103 systems of TREC-5 to 7, and the definition of tau-AP."""
    folder = real_data / "topic_score_matrices"
    tables = [np.loadtxt(folder / f"{track}_{name}.csv", delimiter=",", skiprows=1) for name in ("ap", "p10")]
    ap, p10 = (table.mean(axis=0) for table in tables)
    assert same(stats.tau_b(ap, p10), scipy.stats.kendalltau(ap, p10).statistic)
    assert same(stats.spearman_rho(ap, p10), scipy.stats.spearmanr(ap, p10).statistic)
    if len(set(ap)) == len(ap):
        jittered = p10 - np.arange(len(p10)) * 1e-9  # ties broken by column
        assert same(stats.tau_ap_a(ap, jittered), tau_ap(np.argsort(-ap).tolist(), np.argsort(-jittered).tolist()))


# What must hold for all scores


@pytest.mark.parametrize("coefficient", SYMMETRIC)
@given(scores=two_scores())
@settings(max_examples=50)
def test_symmetric(coefficient: Coefficient, scores: tuple[list[float], list[float]]) -> None:
    assert same(coefficient(*scores), coefficient(*reversed(scores)).value)


@pytest.mark.parametrize("coefficient", ALL)
@given(x=st.lists(st.integers(-50, 50), min_size=2, max_size=40, unique=True))
@settings(max_examples=30)
def test_the_same_and_the_opposite_order(coefficient: Coefficient, x: list[float]) -> None:
    assert coefficient(x, x).value == pytest.approx(1, abs=1e-12)
    assert coefficient(x, [-score for score in x]).value == pytest.approx(-1, abs=1e-12)


@pytest.mark.parametrize("coefficient", [stats.tau_b, stats.gamma, stats.tau_ap_b, stats.spearman_rho])
@given(x=st.lists(st.integers(0, 9), min_size=2, max_size=40).filter(lambda x: len(set(x)) > 1))
@settings(max_examples=30)
def test_orders_with_the_same_ties_agree(coefficient: Coefficient, x: list[float]) -> None:
    assert coefficient(x, x).value == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("coefficient", ALL)
@given(scores=two_scores(), seed=st.integers(0, 1000))
@settings(max_examples=50)
def test_bounds_order_of_items_and_scale(
    coefficient: Coefficient, scores: tuple[list[float], list[float]], seed: int
) -> None:
    value = coefficient(*scores)
    assert math.isnan(value.value) or -1 - 1e-12 <= value.value <= 1 + 1e-12
    shuffled = np.random.default_rng(seed).permutation(len(scores[0]))
    x, y = np.array(scores[0])[shuffled], np.array(scores[1])[shuffled]
    assert same(coefficient(np.exp(x / 4) - 9, y**3), value.value)


@given(st.lists(two_scores(most=12, least=0), min_size=1, max_size=8))
@settings(max_examples=100)
def test_many_lists_at_once(lists: list[tuple[list[float], list[float]]]) -> None:
    """Each list by itself gives the same, whatever the order of the rows."""
    owner = np.repeat(np.arange(len(lists)), [len(x) for x, _ in lists])
    x, y = (np.array([score for scores in lists for score in scores[side]]) for side in (0, 1))
    shuffled = np.random.default_rng(len(owner)).permutation(len(owner))
    together = PairedLists(owner[shuffled], x[shuffled], y[shuffled], lists=len(lists))
    for coefficient in ALL:
        values = getattr(together, coefficient.__name__)()
        for scores, value in zip(lists, values, strict=True):
            assert same(coefficient(*scores), value)


@given(st.permutations(list(range(37))), st.integers(0, 37))
def test_smaller_before(order: list[int], n: int) -> None:
    order = [number for number in order if number < n]
    expected = [sum(other < number for other in order[: order.index(number)]) for number in range(n)]
    assert smaller_before(np.array(order, dtype=np.int64)).tolist() == expected


def test_a_long_list() -> None:
    """Oracle: scipy's kendalltau on a hundred thousand items."""
    random = np.random.default_rng(7)
    x = random.integers(0, 30_000, 100_000).astype(float)
    y = np.round(x / 7 + random.normal(0, 2000, len(x)))
    assert same(stats.tau_b(x, y), scipy.stats.kendalltau(x, y).statistic)


# Partial orders


def test_gamma_of_pairs() -> None:
    # d1 over d2 and d3, d4 over d2; scores d1 .5, d2 .7, d3 .5, d4 .9: fulfilled d4; opposite d1 d2; tied d1 d3
    assert stats.gamma_of_pairs([0.5, 0.5, 0.9], [0.7, 0.5, 0.7]) == stats.Correlation(0.0, 3)
    assert math.isnan(stats.gamma_of_pairs([1], [1]).value)


@given(two_scores())
@settings(max_examples=50)
def test_pairs_of_a_weak_order(scores: tuple[list[float], list[float]]) -> None:
    x, y = scores
    pairs = [(i, j) for i in range(len(x)) for j in range(len(x)) if x[i] > x[j]]
    by_pairs = stats.gamma_of_pairs([y[i] for i, _ in pairs], [y[j] for _, j in pairs])
    assert same(by_pairs, stats.gamma(x, y).value)


# Not defined, and wrong input


@pytest.mark.parametrize("coefficient", ALL)
@pytest.mark.parametrize("scores", [[], [1.0]])
def test_fewer_than_two_items(coefficient: Coefficient, scores: list[float]) -> None:
    value = coefficient(scores, scores)
    assert math.isnan(value.value)
    assert (value.items, value.undefined) == (len(scores), "there are fewer than two items")


@pytest.mark.parametrize(
    ("coefficient", "reason"),
    [
        (stats.tau_a, None),
        (stats.tau_b, "all items are tied in one of the two orders"),
        (stats.gamma, "no pair is ordered by both"),
        (stats.tau_ap_a, None),
        (stats.tau_ap_b, "all items are tied in one of the two orders"),
        (stats.spearman_rho, "all items are tied in one of the two orders"),
    ],
)
def test_all_tied(coefficient: Coefficient, reason: str | None) -> None:
    """The mean over all orders of three items is 0 by symmetry: for each order there is its reverse."""
    value = coefficient([3, 2, 1], [5, 5, 5])
    assert value.undefined == reason
    assert value.value == pytest.approx(math.nan if reason else 0, abs=1e-12, nan_ok=True)


def test_infinite_scores_are_in_order() -> None:
    assert stats.tau_b([math.inf, 1, -math.inf], [3, 2, 1]).value == 1


@pytest.mark.parametrize("coefficient", [*ALL, stats.gamma_of_pairs])
@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, math.nan], [1, 2], "item 2: nan has no place in an order"),
        ([1, 2], [1, 2, 3], "has 2 items and .* has 3: expected two scores for every item"),
        ([[1, 2]], [1, 2], "expected a list of numbers, found 2 dimensions"),
        (["a", "b"], [1, 2], "expected a list of numbers, found"),
    ],
)
def test_wrong_input(coefficient: Coefficient, x: list[float], y: list[float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        coefficient(x, y)
