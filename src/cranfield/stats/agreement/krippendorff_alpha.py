"""Krippendorff's alpha: agreement of any number of judges, for any level of measurement, with labels missing.

K. Krippendorff. Computing Krippendorff's alpha-reliability. 2011; Content Analysis, 2nd edition, 2004, chapter 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.data.categories import Categories
from cranfield.data.strings import Floats
from cranfield.errors import DataError
from cranfield.stats.agreement.coefficient import Agreement, Coefficient, Disagreement, DisagreementOf, Sampling, assess
from cranfield.stats.agreement.disagreement_weights import distances
from cranfield.stats.agreement.label_counts import LabelCounts
from cranfield.stats.arguments import one_of

LEVELS = ("nominal", "ordinal", "interval", "ratio")


def krippendorff_alpha(
    labels: Any,
    *,
    level: str = "nominal",
    scale: Sequence[Any] | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Agreement:
    r"""One less the disagreement within items as a share of the disagreement between labels of any items.

    .. math:: \alpha = 1 - \frac{D_o}{D_e}, \qquad
        D_o = \frac{1}{N} \sum_{i} \sum_{c,d} \frac{x_{ic} x_{id}}{m_i - 1} \delta_{cd}, \qquad
        D_e = \sum_{c,d} \frac{n_c n_d}{N (N - 1)} \delta_{cd}

    x_ic is the number of labels c of item i, m_i of all its labels; items with one label are left out. n_c is the
    number of labels c that remain, N of all. An item counts by the number of its labels. How far apart two labels are
    is a matter of the `level` of measurement:

    - `nominal`: δ is 1 for different labels;
    - `ordinal`: the square of the labels in between, n_c/2 + ... + n_d/2: only the order of categories counts;
    - `interval`: (c - d)², for numbers;
    - `ratio`: ((c - d)/(c + d))², for numbers of at least 0.

    `observed` and `expected` are 1 - D_o and 1 - D_e, with δ as a share of the largest. Not defined if no item has two
    labels, or if all labels are the same. `labels`, `scale` and the interval are those of `fleiss_kappa`. The package
    krippendorff gives the same.

    >>> result = krippendorff_alpha([[1, 1], [1, 2], [2, 2], [2, None]])  # n = 3, 3
    >>> round(result.observed, 4), round(result.expected, 4)  # 1 - (1 + 1)/6, 1 - (3·3 + 3·3)/(6·5)
    (0.6667, 0.4)
    >>> round(result.value, 4)  # 1 - (1/3) / (3/5)
    0.4444
    """
    counts = LabelCounts.of(labels, scale)
    return assess({"": alpha_coefficient(counts, level)}, counts, Sampling(resamples, confidence, seed))[""]


def alpha_coefficient(labels: LabelCounts, level: str) -> Coefficient:
    one_of("level", level, LEVELS)
    disagreement = _ordinal(labels) if level == "ordinal" else _fixed(labels, _squares(labels.categories, level))
    return Coefficient("Krippendorff's alpha", disagreement, level)


def _squares(categories: Categories, level: str) -> Floats:
    """δ² of two categories."""
    if level == "nominal":
        return 1 - np.eye(len(categories))
    if categories.values is None:
        words = ", ".join(categories.names[:5])
        raise DataError(f"{level} level: labels must be numbers, and these are words: {words}. Ordinal takes a scale.")
    value = np.array(categories.values)
    if level == "interval":
        squares: Floats = (value[:, np.newaxis] - value) ** 2
        return squares
    if value.min(initial=0) < 0:
        raise DataError(f"ratio level: labels must be at least 0, and there is {value.min():g}")
    total = value[:, np.newaxis] + value
    ratios: Floats = ((value[:, np.newaxis] - value) / np.where(total == 0, 1, total)) ** 2
    return ratios


def _fixed(labels: LabelCounts, squares: Floats) -> DisagreementOf:
    """Where δ² is the same in every sample."""
    squares = squares / (squares.max(initial=0) or 1)
    within = labels.disagreement(squares) * labels.labels  # Σ x_c x_d δ² / (m - 1)
    counts = labels.counts * labels.compared[:, np.newaxis]

    def disagreement(times: Floats) -> Disagreement:
        n = times @ counts
        N = n.sum(axis=1)
        return _of_labels(times @ within, ((n @ squares) * n).sum(axis=1), N)

    return disagreement


def _ordinal(labels: LabelCounts) -> DisagreementOf:
    """Where δ² follows from the labels of the sample: it is the square of the distance of their middle ranks."""
    distances(labels.categories, "ordinal level")
    counts = labels.counts * labels.compared[:, np.newaxis]
    size = counts.sum(axis=1)

    def disagreement(times: Floats) -> Disagreement:
        n = times @ counts
        N = n.sum(axis=1)
        rank = np.cumsum(n, axis=1) - n / 2 - N[:, np.newaxis] / 2
        widest = np.ptp(np.where(n > 0, rank, 0), axis=1)
        rank /= np.where(widest > 0, widest, 1)[:, np.newaxis]
        squares = size * (rank**2 @ counts.T) - (rank @ counts.T) ** 2
        observed = (times * 2 * squares / np.maximum(size - 1, 1)).sum(axis=1)
        expected = 2 * (N * (n * rank**2).sum(axis=1) - (n * rank).sum(axis=1) ** 2)
        expected[np.count_nonzero(n, axis=1) < 2] = 0
        return _of_labels(observed, expected, N)

    return disagreement


def _of_labels(observed: Floats, expected: Floats, N: Floats) -> Disagreement:
    """Sums over pairs of labels as shares; nan and 0 where there are none."""
    some = N > 0
    return Disagreement(
        np.where(some, observed, np.nan) / np.where(some, N, 1),
        np.where(some, expected, 0) / np.where(some, N * (N - 1), 1),
    )
