"""Gwet's AC1 and AC2: agreement of any number of judges, steady where one category is rare."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.data.strings import Floats
from cranfield.stats.agreement.coefficient import Agreement, Coefficient, Disagreement, Sampling, assess
from cranfield.stats.agreement.disagreement_weights import Weights, disagreement_weights, name_of
from cranfield.stats.agreement.fleiss_kappa import chosen, observed_disagreement
from cranfield.stats.agreement.label_counts import LabelCounts


def gwet_ac1(
    labels: Any,
    *,
    weights: Weights = None,
    scale: Sequence[Any] | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Agreement:
    r"""Agreement of any number of judges beyond chance, where only labels given at random agree by chance.

    .. math:: AC_1 = \frac{P(A) - P(E)}{1 - P(E)}, \qquad P(E) = \frac{1}{k - 1} \sum_j p_j (1 - p_j)

    P(A) and p_j are those of `fleiss_kappa`, k is the number of categories, also of those that nobody used: give the
    `scale` if there are any. Where nearly all documents are irrelevant, kappa expects nearly complete agreement by
    chance and falls to nothing though judges hardly ever differ; AC1 expects little there. With `weights` it is AC2,

    .. math:: P(E) = \frac{\sum_{jl} w_{jl}}{k (k - 1)} \sum_j p_j (1 - p_j)

    Not defined if no item has two labels, or there is one category only.

    K. L. Gwet. Computing inter-rater reliability and its variance in the presence of high agreement. British Journal of
    Mathematical and Statistical Psychology 61, 2008.

    >>> result = gwet_ac1([["I", "I"]] * 9 + [["I", "R"]])
    >>> round(result.observed, 4), round(result.expected, 4)  # 9/10, 2 · 0.05 · 0.95
    (0.9, 0.095)
    >>> round(result.value, 4)  # (0.9 - 0.095) / (1 - 0.095); Fleiss' kappa is (0.9 - 0.905) / (1 - 0.905) = -0.0526
    0.8895
    """
    counts = LabelCounts.of(labels, scale)
    return assess({"": ac_coefficient(counts, weights)}, counts, Sampling(resamples, confidence, seed))[""]


def ac_coefficient(labels: LabelCounts, weights: Weights) -> Coefficient:
    observed = observed_disagreement(labels, weights)
    k = len(labels.categories)
    agreement = k * k - float(disagreement_weights(labels.categories, weights).sum())

    def disagreement(times: Floats) -> Disagreement:
        share = chosen(labels, times)
        if k < 2:
            return Disagreement(observed(times), np.zeros(len(times)))
        return Disagreement(observed(times), 1 - agreement / (k * (k - 1)) * (share * (1 - share)).sum(axis=1))

    return Coefficient("Gwet's AC1" if weights is None else "Gwet's AC2", disagreement, name_of(weights))
