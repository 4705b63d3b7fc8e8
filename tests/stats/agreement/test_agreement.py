"""Agreement of judges: the notes' examples, published tables, oracles on random labels, and what has no value."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pandas
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from cranfield import stats
from cranfield.data.judge_labels import JudgeLabels
from cranfield.errors import DataError, ParameterError
from cranfield.formats.judge_labels import read_judge_labels
from cranfield.stats.agreement.coefficient import Agreement

MANY: list[Callable[..., Agreement]] = [
    stats.percent_agreement,
    stats.bennett_s,
    stats.fleiss_kappa,
    stats.gwet_ac1,
    stats.krippendorff_alpha,
]
LEVELS: tuple[Any, ...] = ("nominal", "ordinal", "interval", "ratio")
N = None


def value(result: Agreement) -> float:
    """The value; it must follow from P(A) and P(E)."""
    if result.undefined is None:
        assert result.value == pytest.approx((result.observed - result.expected) / (1 - result.expected), abs=1e-9)
    return result.value


def same(found: float, expected: float) -> bool:
    return found == pytest.approx(expected, abs=1e-9, nan_ok=True)


@st.composite
def tables(draw: st.DrawFn, *, judges: int = 6, missing: bool = True) -> list[list[int | None]]:
    """A row of labels for each item; the first item has two labels, the categories 0 to 4 need not all be used."""
    width = draw(st.integers(2, judges))
    labels = st.integers(0, 4)
    cell = st.none() | labels if missing else labels
    rows: list[list[int | None]] = draw(
        st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=30)
    )
    return [[draw(labels) for _ in range(width)], *rows]


# The lecture notes

NOTES = [[20, 12], [4, 4]]
"""Relevant and irrelevant by judge A in rows, by judge B in columns."""
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_the_agreement_table_of_the_notes() -> None:
    """P(A) = 24/40. P(E): .8 · .6 + .2 · .4 = .56 by each judge's marginals, .7² + .3² = .58 pooled, .5."""
    cohen, scott = stats.cohen_kappa(NOTES), stats.scott_pi(NOTES)
    half = stats.cohen_kappa(NOTES, chance=0.5)
    assert (cohen.observed, cohen.expected, half.expected) == pytest.approx((0.60, 0.56, 0.5))
    assert (scott.observed, scott.expected) == pytest.approx((0.60, 0.58))
    assert (value(cohen), value(scott), value(half)) == pytest.approx((0.04 / 0.44, 0.02 / 0.42, 0.2))
    assert [f"{one.value:.4f}" for one in (cohen, scott, half)] == ["0.0909", "0.0476", "0.2000"]
    assert (cohen.items, cohen.judges, cohen.categories) == (40, 2, ("1", "2"))


def test_fleiss_of_two_judges_is_scotts_pi_and_not_cohens_kappa() -> None:
    rows = [["R", "R"]] * 20 + [["R", "I"]] * 12 + [["I", "R"]] * 4 + [["I", "I"]] * 4
    assert same(stats.fleiss_kappa(rows).value, 0.02 / 0.42)
    assert same(stats.scott_pi([a for a, _ in rows], [b for _, b in rows]).value, 0.02 / 0.42)
    assert same(stats.bennett_s(rows).value, 0.2)


def test_the_table_of_fleiss_in_the_notes() -> None:
    """14 judges, 10 documents, 5 categories; the notes' 0.22 was rounded before subtracting. By hand:
    P(A) = (Σ x² - 140) / (10 · 14 · 13) = 688 / 1820; P(E) = (20² + 28² + 39² + 21² + 32²) / 140² = 4170 / 19600."""
    result = stats.fleiss_kappa(stats.LabelCounts.from_counts(FLEISS))
    squares = sum(x * x for row in FLEISS for x in row)
    assert squares - 140 == 688
    assert (result.observed, result.expected) == pytest.approx((688 / 1820, 4170 / 19600))
    assert (f"{result.observed:.4f}", f"{result.expected:.4f}", f"{value(result):.4f}") == (
        "0.3780",
        "0.2128",
        "0.2099",
    )
    assert (result.items, result.judges, len(result.categories)) == (10, 14, 5)
    assert result.band == "slight"


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (1, "excellent"),
        (0.81, "excellent"),
        (0.8, "good"),
        (0.61, "good"),
        (0.6, "fair"),
        (0.4, "slight"),
        (0.2, "poor"),
        (0, "poor"),
        (-0.01, "worse than chance"),
        (-1, "worse than chance"),
    ],
)
def test_bands(number: float, word: str) -> None:
    """The notes: > 0.8 excellent, > 0.6 good, > 0.4 fair, > 0.2 slight; below that the task is too confusing or the data
    too poor."""
    assert stats.agreement_band(number) == word


# Published tables

FOUR_RATERS = [
    [1, 1, N, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [N, 5, 5, 5],
    [N, N, 1, 1],
    [N, N, 3, N],
]
SIX_RATERS = [
    [0, 0, 0, 6, 0],
    [0, 3, 0, 0, 3],
    [0, 1, 4, 0, 1],
    [0, 0, 0, 0, 6],
    [0, 3, 0, 3, 0],
    [2, 0, 4, 0, 0],
    [0, 0, 4, 0, 2],
    [2, 0, 3, 1, 0],
    [2, 0, 0, 4, 0],
    [0, 0, 0, 0, 6],
    [1, 0, 0, 5, 0],
    [1, 1, 0, 4, 0],
    [0, 3, 3, 0, 0],
    [1, 0, 0, 5, 0],
    [0, 2, 0, 3, 1],
]
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]


def test_four_raters_of_gwets_handbook() -> None:
    """The data cac.raw4raters, with labels missing, and the values that the R package irrCAC 1.0 by K. L. Gwet prints."""
    results = [one(FOUR_RATERS) for one in MANY]
    assert [round(value(one), 5) for one in results] == [0.81818, 0.77273, 0.76117, 0.77544, 0.74342]
    assert [round(one.expected, 7) for one in results[:4]] == [0, 0.2, 0.2387153, 0.1903212]
    assert {one.items for one in results} == {11}
    assert round(value(stats.gwet_ac1(FOUR_RATERS, weights="quadratic")), 3) == 0.914


def test_six_raters_of_gwets_handbook() -> None:
    """The table distrib.6raters (psychiatrists and patients), and the values that the R package irrCAC 1.0 prints for it."""
    counts = stats.LabelCounts.from_counts(SIX_RATERS)
    expected: dict[Callable[..., Agreement], float] = {
        stats.percent_agreement: 0.5511111,
        stats.bennett_s: 0.4388889,
        stats.fleiss_kappa: 0.4139265,
        stats.gwet_ac1: 0.4448007,
        stats.krippendorff_alpha: 0.4204384,
    }
    assert {one: round(value(one(counts)), 7) for one in MANY} == expected


def test_two_abstractors_of_gwets_handbook() -> None:
    """The table cont3x3abstractors, and the values that the R package irrCAC 1.0 prints for it."""
    rows = [[a, b] for a in range(3) for b in range(3) for _ in range(ABSTRACTORS[a][b])]
    assert round(value(stats.cohen_kappa(ABSTRACTORS)), 7) == 0.7964094
    assert round(value(stats.scott_pi(ABSTRACTORS)), 7) == 0.7962397
    found = [round(value(one(rows)), 7) for one in MANY]
    assert found == [0.89, 0.835, 0.7962397, 0.8493305, 0.7972585]


@pytest.mark.parametrize(
    ("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_krippendorffs_own_example(level: str, expected: float) -> None:
    """Krippendorff, Computing Krippendorff's alpha-reliability (2011): four observers, twelve units, sections C and D."""
    rows = [[1, 1, N, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4], [4, 4, 4, 4],
            [1, 1, 2, 1], [2, 2, 2, 2], [N, 5, 5, 5], [N, N, 1, 1], [N, 3, N, N]]  # fmt: skip
    assert round(value(stats.krippendorff_alpha(rows, level=level)), 3) == expected


# Oracles on random labels


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@given(rows=tables(judges=2, missing=False))
@settings(max_examples=80)
def test_cohens_kappa_is_that_of_scikit_learn(rows: list[list[int]], weights: str | None) -> None:
    """Oracle: sklearn.metrics.cohen_kappa_score; its weights are by place, so that it is told of all five grades."""
    first, second = ([row[side] for row in rows] for side in (0, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = cohen_kappa_score(first, second, labels=range(5), weights=weights)
    assert same(value(stats.cohen_kappa(first, second, weights=weights, scale=range(5), resamples=0)), expected)


@given(rows=tables(missing=False))
@settings(max_examples=80)
def test_fleiss_kappa_is_that_of_statsmodels(rows: list[list[int]]) -> None:
    """Oracle: statsmodels.stats.inter_rater.fleiss_kappa and, for S, its method `uniform`."""
    assume(len({label for row in rows for label in row}) > 1)
    table, _ = inter_rater.aggregate_raters(rows)
    assert same(value(stats.fleiss_kappa(rows, resamples=0)), inter_rater.fleiss_kappa(table))
    assert same(value(stats.bennett_s(rows, resamples=0)), inter_rater.fleiss_kappa(table, method="uniform"))


@pytest.mark.parametrize("level", LEVELS)
@given(rows=tables())
@settings(max_examples=80)
def test_alpha_is_that_of_krippendorff(rows: list[list[int | None]], level: Any) -> None:
    """Oracle: krippendorff.alpha (package krippendorff), which raises where there is no value."""
    data = np.array([[np.nan if label is None else label for label in row] for row in rows], dtype=np.float64)
    kept = data[(~np.isnan(data)).sum(axis=1) > 1]
    assume(len(np.unique(kept[~np.isnan(kept)])) > 1)
    expected = krippendorff.alpha(data.T, level_of_measurement=level)
    assert same(value(stats.krippendorff_alpha(rows, level=level, resamples=0)), expected)


def by_definition(rows: list[list[int | None]], w: np.ndarray) -> tuple[float, float, float, float]:
    """Gwet's (2014) formulas label by label: weighted P(A), and P(E) of S, of Fleiss' kappa and of AC2."""
    labels = [[label for label in row if label is not None] for row in rows]
    labels = [row for row in labels if row]
    pairs = [[w[a, b] for a, b in itertools.permutations(row, 2)] for row in labels]
    observed = np.mean([np.mean(row) for row in pairs if row])
    share = np.mean([[row.count(j) / len(row) for j in range(len(w))] for row in labels], axis=0)
    k = len(w)
    return (
        float(observed),
        float(w.sum() / k**2),
        float(share @ w @ share),
        float(w.sum() / (k * (k - 1)) * (share * (1 - share)).sum()),
    )


@pytest.mark.parametrize("weights", [None, "linear", "quadratic", "custom"])
@given(rows=tables())
@settings(max_examples=60)
def test_missing_labels_and_weights_by_definition(rows: list[list[int | None]], weights: str | None) -> None:
    distance = np.abs(np.subtract.outer(range(5), range(5))) / 4
    table: dict[str | None, np.ndarray] = {
        None: np.eye(5),
        "linear": 1 - distance,
        "quadratic": 1 - distance**2,
        "custom": np.where(distance == 0.25, 0.9, np.eye(5)),
    }
    w = table[weights]
    observed, uniform, pooled, gwet = by_definition(rows, w)
    options: dict[str, Any] = {"weights": w if weights == "custom" else weights, "scale": range(5), "resamples": 0}
    assert same(stats.percent_agreement(rows, **options).observed, observed)
    for one, expected in ((stats.bennett_s, uniform), (stats.fleiss_kappa, pooled), (stats.gwet_ac1, gwet)):
        result = one(rows, **options)
        assert same(result.observed, observed)
        assert same(result.expected, expected)
        if expected < 1 - 1e-9:
            assert same(value(result), (observed - expected) / (1 - expected))


@given(rows=tables(judges=2))
@settings(max_examples=60)
def test_scotts_pi_looks_at_common_items_only(rows: list[list[int | None]]) -> None:
    """Oracle: statsmodels' Fleiss' kappa of the items that have two labels."""
    both = [row for row in rows if None not in row]
    assume(len({label for row in both for label in row}) > 1)
    table, _ = inter_rater.aggregate_raters(both)
    result = stats.scott_pi([row[0] for row in rows], [row[1] for row in rows], resamples=0)
    assert same(value(result), inter_rater.fleiss_kappa(table))
    assert result.items == len(both)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "labels", "items", "judges"), [("trec", 88385, 19033, 762), ("web", 15567, 2665, 177)]
)
def test_crowd_labels(real_data: Path, name: str, labels: int, items: int, judges: int) -> None:
    """Oracle: krippendorff.alpha of the counts that NumPy makes of the file."""
    file = real_data / "crowd" / "spectral_em" / f"{name}_crowd.txt"
    read = read_judge_labels(file)
    assert (len(read), len(read.items), len(read.judges)) == (labels, items, judges)
    raw = np.loadtxt(file, dtype=np.int64)
    task = np.unique(raw[:, 0], return_inverse=True)[1]
    counts = np.zeros((items, raw[:, 2].max()), dtype=np.int64)
    np.add.at(counts, (task, raw[:, 2] - 1), 1)
    domain = np.arange(1, counts.shape[1] + 1)
    for level in LEVELS:
        expected = krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level)
        assert same(value(stats.krippendorff_alpha(read, level=level, resamples=0)), expected)


# Every two judges


@given(rows=tables())
@settings(max_examples=40)
def test_pairs_of_judges(rows: list[list[int | None]]) -> None:
    """Each pair by itself, whatever the others did."""
    given_labels = [
        (item, f"j{judge}", label)
        for item, row in enumerate(rows)
        for judge, label in enumerate(row)
        if label is not None
    ]
    pairs = stats.cohen_kappa_of_pairs(JudgeLabels.from_tuples(given_labels), scale=range(5), weights="quadratic")
    found = {(pair.first, pair.second): pair.agreement for pair in pairs}
    for a, b in itertools.combinations(range(len(rows[0])), 2):
        alone = stats.cohen_kappa(
            [row[a] for row in rows], [row[b] for row in rows], scale=range(5), weights="quadratic", resamples=0
        )
        if not alone.items:
            assert (f"j{a}", f"j{b}") not in found
            continue
        pair = found[f"j{a}", f"j{b}"]
        assert same(pair.value, alone.value)
        assert (pair.items, pair.undefined) == (alone.items, alone.undefined)


# Intervals


def test_the_interval_has_the_percentiles_of_samples_drawn_by_the_stream() -> None:
    """Oracle: the samples made in Python from the words of PCG64, half a word for each draw from the items in order of
    their labels, and scikit-learn's kappa of each."""
    first, second = [0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1], [0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1]
    table = [[sum(pair == (a, b) for pair in zip(first, second, strict=True)) for b in (0, 1)] for a in (0, 1)]
    assert table <= [list(column) for column in zip(*table, strict=True)]  # the order of judges that is taken
    items = sorted(zip(first, second, strict=True))
    n, resamples, seed = len(items), 300, 5
    words = np.random.PCG64(seed).random_raw(resamples * ((n + 1) // 2)).reshape(resamples, -1)
    kappas = []
    for row in words.tolist():
        halves = [half for word in row for half in (word % 2**32, word >> 32)][:n]
        sample = [items[half * n >> 32] for half in halves]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kappas.append(cohen_kappa_score(*zip(*sample, strict=True), labels=[0, 1]))
    defined = [kappa for kappa in kappas if not math.isnan(kappa)]
    result = stats.cohen_kappa(first, second, resamples=resamples, seed=seed, confidence=0.9)
    assert result.interval is not None
    assert (result.interval.lower, result.interval.upper) == pytest.approx(
        np.quantile(defined, [0.05, 0.95]).tolist(), abs=1e-12
    )
    assert (result.interval.level, result.resamples) == (0.9, len(defined))


def test_the_interval_is_close_to_that_of_all_samples() -> None:
    """Oracle: all 5^5 samples of five items, with P(A) and P(E) by hand for each."""
    rows = [["R", "R"], ["R", "I"], ["I", "I"], ["I", "R"], ["R", "R"]]
    values = []
    for drawn in itertools.product(rows, repeat=5):
        observed = sum(a == b for a, b in drawn) / 5
        share = sum(row.count("R") for row in drawn) / 10
        expected = share**2 + (1 - share) ** 2
        if expected < 1:
            values.append((observed - expected) / (1 - expected))
    result = stats.fleiss_kappa(rows, resamples=20_000)
    assert result.interval is not None
    # a bound between two neighbouring values may fall on either: a percent of the samples more or less
    low, high = np.quantile(values, [[0.015, 0.035], [0.965, 0.985]])
    assert low[0] <= result.interval.lower <= low[1]
    assert high[0] <= result.interval.upper <= high[1]


@pytest.mark.parametrize("one", MANY)
@given(rows=tables(), random=st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_nothing_depends_on_the_order_of_items_and_judges(
    one: Callable[..., Agreement], rows: list[list[int | None]], random: Any
) -> None:
    shuffled = [random.sample(row, len(row)) for row in random.sample(rows, len(rows))]
    before, after = one(rows, resamples=50), one(shuffled, resamples=50)
    assert before.to_dict() == after.to_dict()


@given(rows=tables(judges=2), random=st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_nothing_depends_on_which_judge_is_first(rows: list[list[int | None]], random: Any) -> None:
    shuffled = random.sample(rows, len(rows))
    before = stats.cohen_kappa([row[0] for row in rows], [row[1] for row in rows], resamples=50)
    after = stats.cohen_kappa([row[1] for row in shuffled], [row[0] for row in shuffled], resamples=50)
    assert same(before.value, after.value)
    assert (before.interval is None) == (after.interval is None)
    if before.interval and after.interval:
        assert same(before.interval.lower, after.interval.lower)
        assert same(before.interval.upper, after.interval.upper)


def test_seeds() -> None:
    again = [stats.fleiss_kappa(FOUR_RATERS, seed=seed).interval for seed in (0, 0, 1)]
    assert again[0] == again[1] != again[2]


def test_more_samples_than_fit_at_once() -> None:
    """The samples of 3000 items come in parts; oracle: the standard error of a share, √(p (1 - p) / n)."""
    rows = [["a", "a"]] * 2000 + [["a", "b"]] * 1000
    interval = stats.percent_agreement(rows, resamples=3000).interval
    assert interval is not None
    width = 2 * 1.96 * math.sqrt(2 / 3 * 1 / 3 / 3000)
    assert interval.upper - interval.lower == pytest.approx(width, rel=0.1)


# What must hold for all labels


@pytest.mark.parametrize("one", MANY)
@given(rows=tables())
@settings(max_examples=30)
def test_complete_agreement_is_1_and_more_judges_are_no_obstacle(
    one: Callable[..., Agreement], rows: list[list[int | None]]
) -> None:
    agreed = [[row[0]] * len(row) for row in rows if row[0] is not None]
    result = one(agreed, resamples=0)
    assert result.observed == pytest.approx(1)
    assert result.undefined or result.value == pytest.approx(1)


def test_kappa_can_be_negative() -> None:
    """Always opposite, half of each: P(A) = 0, P(E) = 1/2, kappa = -1."""
    result = stats.cohen_kappa(["R", "I"] * 3, ["I", "R"] * 3)
    assert (result.value, result.band) == (-1, "worse than chance")


def test_distances_are_those_of_the_grades() -> None:
    """A gap in the grades counts: 0 and 1 are a quarter of the scale apart, if it goes from 0 to 4 by way of 1."""
    first, second = [0, 0, 1, 4], [0, 1, 1, 4]
    result = stats.cohen_kappa(first, second, weights="linear", resamples=0)
    assert result.observed == pytest.approx(1 - 0.25 / 4)
    assert same(result.value, cohen_kappa_score(first, second, labels=range(5), weights="linear"))


def test_words_on_a_scale() -> None:
    """Words in order are as good as their places; oracle: krippendorff.alpha and scikit-learn on the places."""
    scale = ["bad", "fair", "good"]
    first, second = [0, 1, 2, 2, 1], [0, 2, 2, 1, 1]
    words = [[scale[label] for label in side] for side in (first, second)]
    alpha = stats.krippendorff_alpha(list(zip(*words, strict=True)), level="ordinal", scale=scale)
    assert same(alpha.value, krippendorff.alpha([first, second], level_of_measurement="ordinal"))
    kappa = stats.cohen_kappa(*words, weights="linear", scale=scale)
    assert same(kappa.value, cohen_kappa_score(first, second, weights="linear"))
    assert kappa.categories == ("bad", "fair", "good")


def test_a_category_nobody_used() -> None:
    """It changes what S and AC1 expect, P(E) = 1/3 and 1/2 Σ p (1 - p), and nothing else."""
    rows = [["a", "a"], ["a", "b"], ["b", "b"]]
    for one in (stats.percent_agreement, stats.fleiss_kappa, stats.krippendorff_alpha):
        assert one(rows, scale=["a", "b", "c"]).value == one(rows).value
    assert stats.bennett_s(rows, scale=["a", "b", "c"]).expected == pytest.approx(1 / 3)
    assert stats.gwet_ac1(rows, scale=["a", "b", "c"]).expected == pytest.approx(1 / 2 * 2 * 1 / 4)
    assert stats.gwet_ac1(rows).expected == pytest.approx(2 * 1 / 4)


# No value


@pytest.mark.parametrize("one", MANY)
@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "there are no labels"),
        ([["a"], ["b"]], "there is only one judge"),
        ([["a", N], [N, "b"]], "no item has labels of two judges"),
        ([["a", math.nan]], "no item has labels of two judges"),
        ([["a", pandas.NA]], "no item has labels of two judges"),
    ],
)
def test_nothing_to_compare(one: Callable[..., Agreement], rows: list[list[Any]], reason: str) -> None:
    result = one(rows)
    assert math.isnan(result.value)
    assert (result.undefined, result.items, result.interval, result.band) == (reason, 0, None, "")
    assert result.to_dict()["value"] is result.to_dict()["observed"] is result.to_dict()["expected"] is None
    assert f"is not defined: {reason} (0 items, " in result.sentence


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_one_category(level: str) -> None:
    result = stats.krippendorff_alpha([[1, 1], [1, 1]], level=level)
    assert result.undefined == "all labels are the same, so that chance alone explains the agreement"


def test_all_labels_the_same() -> None:
    reason = "all labels are the same, so that chance alone explains the agreement"
    rows = [["I", "I"]] * 3
    for one in (stats.bennett_s, stats.fleiss_kappa, stats.gwet_ac1, stats.krippendorff_alpha):
        assert one(rows).undefined == reason
    for two in (stats.cohen_kappa, stats.scott_pi):
        assert two(["I"] * 3, ["I"] * 3).undefined == reason
    percent = stats.percent_agreement(rows)
    assert (percent.value, percent.undefined, percent.band) == (1, None, "")
    # on a scale with two categories chance is not certain: AC1 expects 0, S a half
    assert stats.gwet_ac1(rows, scale=["R", "I"]).value == stats.bennett_s(rows, scale=["R", "I"]).value == 1
    assert stats.fleiss_kappa(rows, scale=["R", "I"]).undefined == reason


def test_no_item_in_common() -> None:
    for two in (stats.cohen_kappa, stats.scott_pi):
        assert two(["a", N], [N, "b"]).undefined == "no item has labels of two judges"
        assert two([], []).undefined == "no item has labels of two judges"


def test_no_interval_from_one_item() -> None:
    result = stats.fleiss_kappa([["a", "b"]])
    assert (result.value, result.interval) == (-1, None)


def test_samples_without_a_value_are_left_out() -> None:
    """Of two items, one agreed on a and one on b, half of all samples have one of them twice: all labels the same."""
    result = stats.fleiss_kappa([["a", "a"], ["b", "b"]], resamples=1000)
    assert result.interval is not None
    assert (result.interval.lower, result.interval.upper) == (1, 1)
    assert 400 < result.resamples < 600


# Words


def test_sentences() -> None:
    assert stats.cohen_kappa(NOTES, resamples=0).sentence == (
        "Cohen's kappa is 0.0909, poor: pairs of labels agree in 60.0%, 56.0% by chance "
        "(40 items, 2 judges, 2 categories)."
    )
    assert stats.percent_agreement([["a", "b"]], resamples=0).sentence == (
        "Percent agreement is 0.0000: pairs of labels agree in 0.0%, chance left out of account "
        "(1 item, 2 judges, 2 categories)."
    )
    weighted = stats.cohen_kappa([1, 2, 3], [1, 2, 2], weights="linear", resamples=0)
    assert "weighted agreement is 83.3%" in weighted.sentence  # (1 + 1 + 1/2) / 3
    assert "(95% interval 0" in stats.fleiss_kappa(FOUR_RATERS).sentence
    assert float(weighted) == weighted.value


# Wrong input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stats.cohen_kappa([1, 2], [1]), "first has 2 labels and second has 1: expected one of each for every"),
        (lambda: stats.cohen_kappa([[1, 2, 3], [4, 5, 6]]), "counts: expected 2 x 2 categories, found 2 x 3"),
        (lambda: stats.cohen_kappa([[1, -2], [4, 5]]), "counts, row 1, column 2: -2 is not a count"),
        (lambda: stats.cohen_kappa([[1, 0.5], [4, 5]]), "counts, row 1, column 2: 0.5 is not a count"),
        (lambda: stats.cohen_kappa(["a", "b"]), "counts: expected a table of numbers"),
        (lambda: stats.cohen_kappa([1, 2]), "counts: expected a table, found 1 dimension$"),
        (lambda: stats.cohen_kappa(["a"], ["b"], weights="linear"), "linear weights: categories must have an order, and these are words: a, b"),
        (lambda: stats.cohen_kappa(["a"], ["b"], scale="ab"), "scale: expected a list of categories, found the text 'ab'"),
        (lambda: stats.cohen_kappa(["a"], ["b"], scale=["a", "c"]), r"label 'b' is not on the scale \(a, c\)"),
        (lambda: stats.fleiss_kappa([["a"]], scale=["a", "a"]), "scale: a category stands in it twice: a, a"),
        (lambda: stats.fleiss_kappa(["ab", "ba"]), "labels: expected a row of labels for each item, such as"),
        (lambda: stats.fleiss_kappa([1, 2]), "labels: expected a row of labels for each item, such as"),
        (lambda: stats.fleiss_kappa(stats.LabelCounts.from_counts([[1, 1]]), scale=[1, 2]), "scale: counts of labels have their categories"),
        (lambda: stats.LabelCounts.from_counts([[1, 1]], ["a"]), "categories: 1 names for 2 columns of counts"),
        (lambda: stats.krippendorff_alpha([["a", "b"]], level="ordinal"), "ordinal level: categories must have an order, and these are words: a, b"),
        (lambda: stats.krippendorff_alpha([["a", "b"]], level="interval"), "interval level: labels must be numbers, and these are words: a, b"),
        (lambda: stats.krippendorff_alpha([[-1, 1]], level="ratio"), "ratio level: labels must be at least 0, and there is -1"),
    ],
)  # fmt: skip
def test_wrong_labels(call: Callable[[], Agreement], message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stats.cohen_kappa(NOTES, chance=1), "chance must be a number from 0 up to below 1, not 1"),
        (lambda: stats.cohen_kappa(NOTES, weights="square"), "weights must be one of linear, quadratic, or a table, not 'square'"),
        (lambda: stats.cohen_kappa(NOTES, weights=[[1]]), "weights must be a table of 2 x 2, one row for each category, not 1 x 1"),
        (lambda: stats.cohen_kappa(NOTES, weights=[[1.0, 0.5], [0.0, 1.0]]), "weights must be symmetric, from 0"),
        (lambda: stats.cohen_kappa(NOTES, weights=[["x", "y"], ["y", "x"]]), "weights must be a table of numbers"),
        (lambda: stats.cohen_kappa(NOTES, resamples=-1), "resamples must be a whole number of at least 0, not -1"),
        (lambda: stats.cohen_kappa(NOTES, confidence=95), "confidence must be a number above 0 and below 1, not 95"),
        (lambda: stats.krippendorff_alpha([[1, 1]], level="metric"), "level must be one of nominal, ordinal, interval, ratio, not 'metric'"),
    ],
)  # fmt: skip
def test_wrong_parameters(call: Callable[[], Agreement], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        call()


def test_too_many_categories_to_count() -> None:
    labels = [item + 0.5 for item in range(3000)]
    for call in (
        lambda: stats.krippendorff_alpha([[label, label] for label in labels], level="interval"),
        lambda: stats.cohen_kappa(labels, labels),
    ):
        with pytest.raises(DataError, match="3000 different labels of 3000 items are too many to count"):
            call()


def test_a_band_is_not_a_matter_of_rounding() -> None:
    """(0.60 - 0.50) / (1 - 0.50) is 0.2, which is not above 0.2; in floating point it is 0.19999999999999996."""
    assert stats.agreement_band(0.2 + 1e-16) == stats.agreement_band(0.2 - 1e-16) == "poor"
    assert stats.agreement_band(-1e-16) == "poor"
    assert stats.agreement_band(0.8 + 2e-16) == "good"
