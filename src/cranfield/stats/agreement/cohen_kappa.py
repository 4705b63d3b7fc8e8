"""Agreement of two judges: Cohen's kappa and Scott's pi."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.categories import Categories
from cranfield.data.strings import Floats, Ints
from cranfield.errors import DataError, ParameterError
from cranfield.stats.agreement.coefficient import Agreement, Coefficient, Disagreement, Sampling, assess
from cranfield.stats.agreement.disagreement_weights import Weights, disagreement_weights, name_of
from cranfield.stats.agreement.fleiss_kappa import fleiss_coefficient
from cranfield.stats.agreement.label_counts import LabelCounts, count_table, missing, refuse_too_many


def cohen_kappa(
    first: Any,
    second: Any = None,
    *,
    weights: Weights = None,
    chance: float | None = None,
    scale: Sequence[Any] | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Agreement:
    r"""Agreement of two judges beyond what chance gives, if each chooses categories as often as he does.

    .. math:: \kappa = \frac{P(A) - P(E)}{1 - P(E)}, \qquad P(E) = \sum_j p_j q_j

    P(A) is the share of items with the same label of both, p_j and q_j are the shares of category j among the labels of
    the first and of the second judge. With `chance` P(E) is that number, such as 0.5 where relevant and irrelevant
    documents are equally many. With `weights` (`linear`, `quadratic` or a table of agreement, 1 on its diagonal)
    disagreements count by how far apart the categories are: P(A) = Σ w_jl t_jl / n, P(E) = Σ w_jl p_j q_l. Distances
    are those of the numbers that the labels are, or of their places on the `scale`; scikit-learn's
    `cohen_kappa_score` takes places always, and is the same for grades without gaps. It can be negative. Not defined
    without common items, or if both judges gave all items the same label.

    `first` and `second` are the labels of the same items in the same order (None: missing; the item is left out), or
    `first` alone is a table of counts, the first judge's categories in rows. The interval has the percentiles of
    `resamples` samples of items; 0 gives none.

    J. Cohen. A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20, 1960;
    Weighted kappa. Psychological Bulletin 70, 1968.

    >>> result = cohen_kappa([[20, 12], [4, 4]])  # R and I of judge A in rows, of judge B in columns
    >>> round(result.observed, 4), round(result.expected, 4)  # 24/40, 32/40 · 24/40 + 8/40 · 16/40
    (0.6, 0.56)
    >>> round(result.value, 4)  # (0.60 - 0.56) / (1 - 0.56)
    0.0909
    >>> round(cohen_kappa([[20, 12], [4, 4]], chance=0.5).value, 4)  # (0.60 - 0.50) / (1 - 0.50)
    0.2
    """
    if chance is not None and not 0 <= chance < 1:
        raise ParameterError(f"chance must be a number from 0 up to below 1, not {chance!r}")
    pairs = LabelPairs.of(first, second, scale)
    return assess({"": cohen_coefficient(pairs, weights, chance)}, pairs, Sampling(resamples, confidence, seed))[""]


def scott_pi(
    first: Any,
    second: Any = None,
    *,
    weights: Weights = None,
    scale: Sequence[Any] | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Agreement:
    r"""Agreement of two judges beyond what chance gives, if both choose categories as they do together.

    .. math:: \pi = \frac{P(A) - P(E)}{1 - P(E)}, \qquad P(E) = \sum_j \left( \frac{p_j + q_j}{2} \right)^2

    The rest is as in `cohen_kappa`. It is the same as `fleiss_kappa` of the items that both judges have labelled.

    Erratum: the notes call Fleiss' kappa of two judges Cohen's kappa. It is this: 0.0476 in their example, where
    Cohen's kappa is 0.0909.

    W. A. Scott. Reliability of content analysis. Public Opinion Quarterly 19, 1955.

    >>> result = scott_pi([[20, 12], [4, 4]])
    >>> round(result.expected, 4), round(result.value, 4)  # 0.7² + 0.3², (0.60 - 0.58) / (1 - 0.58)
    (0.58, 0.0476)
    """
    counts = LabelPairs.of(first, second, scale).counts()
    return assess({"": pi_coefficient(counts, weights)}, counts, Sampling(resamples, confidence, seed))[""]


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """The kinds of items that two judges have labelled, by the label of the first and of the second."""

    categories: Categories
    first: Ints
    second: Ints
    times: Ints
    """How many items are of each kind."""
    judges: int = 2

    @classmethod
    def of(cls, first: Any, second: Any = None, scale: Sequence[Any] | None = None) -> LabelPairs:
        """From the labels of two judges, or from one table of counts."""
        if second is None:
            table = count_table(first)
            categories = Categories.of((), range(1, len(table) + 1) if scale is None else scale)
            if table.shape != (len(categories),) * 2:
                shape = " x ".join(map(str, table.shape))
                raise DataError(f"counts: expected {len(categories)} x {len(categories)} categories, found {shape}")
            return cls.from_table(categories, table)
        ours, theirs = list(first), list(second)
        if len(ours) != len(theirs):
            raise DataError(
                f"first has {len(ours)} labels and second has {len(theirs)}: expected one of each for every item, None "
                f"where it is missing"
            )
        pairs = zip(ours, theirs, strict=True)
        both = [(one, other) for one, other in pairs if not missing(one) and not missing(other)]
        categories = Categories.of({label for label in [*ours, *theirs] if not missing(label)}, scale)
        place = {label: categories.place(label) for pair in both for label in pair}
        refuse_too_many(categories, len(both))
        a, b = np.array([(place[one], place[other]) for one, other in both], dtype=np.int64).reshape(-1, 2).T
        k = len(categories)
        return cls.from_table(categories, np.bincount(a * k + b, minlength=k * k).reshape(k, k))

    @classmethod
    def from_table(cls, categories: Categories, table: Ints) -> LabelPairs:
        """From counts by the categories of both judges; a table and the same with judges swapped give the same."""
        table = min(table, table.T, key=lambda way: way.ravel().tolist())
        first, second = np.nonzero(table)
        return cls(categories, first, second, table[first, second])

    @property
    def items(self) -> int:
        return int(self.times.sum())

    def counts(self, kind: Ints | None = None) -> LabelCounts:
        """The same items without saying which judge is which; in the order of their kinds, or as `kind` has them."""
        if kind is None:
            kind = np.repeat(np.arange(len(self.times)), self.times)
        item = np.tile(np.arange(self.items), 2)
        labels = np.concatenate([self.first[kind], self.second[kind]])
        return LabelCounts.from_codes(self.categories, item, labels, self.items, self.judges)


def cohen_coefficient(pairs: LabelPairs, weights: Weights, chance: float | None = None) -> Coefficient:
    table = disagreement_weights(pairs.categories, weights)
    of_kind = table[pairs.first, pairs.second]
    one_hot = np.eye(len(pairs.categories))
    first, second = one_hot[pairs.first], one_hot[pairs.second]

    def disagreement(times: Floats) -> Disagreement:
        items = times.sum(axis=1)
        some = np.maximum(items, 1)
        observed = np.where(items > 0, times @ of_kind, np.nan) / some
        if chance is not None:
            return Disagreement(observed, np.full(len(times), 1 - chance))
        return Disagreement(observed, (((times @ first) @ table) * (times @ second)).sum(axis=1) / some**2)

    name = "Cohen's kappa" if chance is None else f"kappa with P(E) = {chance:g}"
    return Coefficient(name, disagreement, name_of(weights))


def pi_coefficient(labels: LabelCounts, weights: Weights) -> Coefficient:
    return fleiss_coefficient(labels, weights, "Scott's pi")
