"""Agreement of any number of judges: percent agreement, S, and Fleiss' kappa.

Not every judge need have labelled every item, and every item counts the same, whatever the number of its labels; items
with one label only say nothing about agreement, but something about how often a category is chosen. So it is in
K. L. Gwet. Handbook of Inter-Rater Reliability, 4th edition, 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cranfield.data.strings import Floats
from cranfield.stats.agreement.coefficient import PERCENT, Agreement, Coefficient, Disagreement, Sampling, assess
from cranfield.stats.agreement.disagreement_weights import Weights, disagreement_weights, name_of
from cranfield.stats.agreement.label_counts import LabelCounts


def percent_agreement(
    labels: Any,
    *,
    weights: Weights = None,
    scale: Sequence[Any] | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Agreement:
    r"""The share of pairs of labels of the same item that agree, averaged over items.

    .. math:: P(A) = \frac{1}{n} \sum_{i=1}^{n} \frac{\sum_j x_{ij} (x_{ij} - 1)}{m_i (m_i - 1)}

    x_ij is the number of judges who put item i into category j, m_i the number of its labels; the sum is over the n
    items with two labels or more. It is not corrected for chance: where nearly all documents are irrelevant, judges who
    toss a biased coin agree nearly always. Not defined if no item has two labels.

    `labels` has a row for each item with the labels it was given (None: missing), or is a `LabelCounts`. See
    `fleiss_kappa` for what else can be said.

    >>> percent_agreement([["R", "R", "I"], ["I", "I", "I"]]).value  # (1/3 + 3/3) / 2
    0.6666666666666667
    """
    counts = LabelCounts.of(labels, scale)
    return _one(counts, percent_coefficient(counts, weights), Sampling(resamples, confidence, seed))


def bennett_s(
    labels: Any,
    *,
    weights: Weights = None,
    scale: Sequence[Any] | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Agreement:
    r"""Kappa with all categories equally likely by chance: P(E) = 1/k, which is 0.5 for relevant and irrelevant.

    .. math:: S = \frac{P(A) - 1/k}{1 - 1/k}

    k is the number of categories, also of those that nobody used: give the `scale` if there are any. Not defined if
    there is one category only, or no item has two labels.

    E. M. Bennett, R. Alpert, A. C. Goldstein. Communications through limited response questioning. Public Opinion
    Quarterly 18, 1954. With any number of judges it is Brennan and Prediger's kappa (1981).

    >>> round(bennett_s([["R", "R"], ["R", "I"], ["I", "I"]]).value, 4)  # (2/3 - 1/2) / (1 - 1/2)
    0.3333
    """
    counts = LabelCounts.of(labels, scale)
    return _one(counts, s_coefficient(counts, weights), Sampling(resamples, confidence, seed))


def fleiss_kappa(
    labels: Any,
    *,
    weights: Weights = None,
    scale: Sequence[Any] | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Agreement:
    r"""Agreement of any number of judges beyond what chance gives, if all choose categories as they do together.

    .. math:: \kappa = \frac{P(A) - P(E)}{1 - P(E)}, \qquad P(E) = \sum_j p_j^2, \qquad
        p_j = \frac{1}{n} \sum_{i=1}^{n} \frac{x_{ij}}{m_i}

    P(A) is `percent_agreement`; p_j is the share of category j among the labels of an item, averaged over all items
    with a label. Where every item has m labels this is what Fleiss has, the share of all n · m labels. With `weights`
    disagreements count by how far apart the categories are, and P(E) = Σ w_jl p_j p_l. Not defined if no item has two
    labels, or if all labels are the same.

    `labels` has a row for each item with the labels it was given, by whomever (None: missing), or is a `LabelCounts`,
    such as `LabelCounts.from_counts(table)` of items x categories. `scale` lists the categories in order, if they are
    words or not all were used. The interval has the percentiles of `resamples` samples of items; 0 gives none.

    Erratum: the notes say that with two judges and two categories this is Cohen's kappa. It is Scott's pi, whose P(E)
    is that of the pooled labels. Their example, κ = 0.22, was rounded before subtracting; it is 0.2099.

    J. L. Fleiss. Measuring nominal scale agreement among many raters. Psychological Bulletin 76, 1971.

    >>> result = fleiss_kappa(LabelCounts.from_counts([[3, 0], [2, 1], [0, 3]]))
    >>> round(result.observed, 4), round(result.expected, 4)  # (1 + 1/3 + 1) / 3, (5/9)² + (4/9)²
    (0.7778, 0.5062)
    >>> round(result.value, 4), result.band  # (0.7778 - 0.5062) / (1 - 0.5062)
    (0.55, 'fair')
    """
    counts = LabelCounts.of(labels, scale)
    return _one(counts, fleiss_coefficient(counts, weights), Sampling(resamples, confidence, seed))


def percent_coefficient(labels: LabelCounts, weights: Weights) -> Coefficient:
    observed = observed_disagreement(labels, weights)
    return Coefficient(PERCENT, lambda times: Disagreement(observed(times), np.ones(len(times))), name_of(weights))


def s_coefficient(labels: LabelCounts, weights: Weights) -> Coefficient:
    observed = observed_disagreement(labels, weights)
    expected = float(disagreement_weights(labels.categories, weights).sum()) / max(len(labels.categories), 1) ** 2
    return Coefficient(
        "Bennett's S", lambda times: Disagreement(observed(times), np.full(len(times), expected)), name_of(weights)
    )


def fleiss_coefficient(labels: LabelCounts, weights: Weights, name: str = "Fleiss' kappa") -> Coefficient:
    observed = observed_disagreement(labels, weights)
    table = disagreement_weights(labels.categories, weights)

    def disagreement(times: Floats) -> Disagreement:
        share = chosen(labels, times)
        return Disagreement(observed(times), ((share @ table) * share).sum(axis=1))

    return Coefficient(name, disagreement, name_of(weights))


def chosen(labels: LabelCounts, times: Floats) -> Floats:
    """The share of each category among the labels of an item, averaged over the items of each sample."""
    items = times.sum(axis=1, keepdims=True)
    share: Floats = (times @ labels.shares) / np.maximum(items, 1)
    return share


def observed_disagreement(labels: LabelCounts, weights: Weights) -> Callable[[Floats], Floats]:
    """The mean disagreement over the items of each sample that have two labels or more; nan if there are none."""
    of_kind = labels.disagreement(disagreement_weights(labels.categories, weights))
    both = np.stack([of_kind, labels.compared], axis=1)

    def observed(times: Floats) -> Floats:
        total, items = (times @ both).T
        mean: Floats = np.where(items > 0, total, np.nan) / np.maximum(items, 1)
        return mean

    return observed


def _one(labels: LabelCounts, coefficient: Coefficient, sampling: Sampling) -> Agreement:
    return assess({"": coefficient}, labels, sampling)[""]
