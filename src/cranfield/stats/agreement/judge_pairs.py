"""Each two judges beside each other, on the items that both have labelled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.categories import Categories
from cranfield.data.judge_labels import JudgeLabels
from cranfield.data.strings import Ints
from cranfield.stats.agreement.coefficient import FEW_ITEMS, Agreement, assess_rows
from cranfield.stats.agreement.cohen_kappa import LabelPairs, cohen_coefficient
from cranfield.stats.agreement.disagreement_weights import Weights
from cranfield.stats.agreement.label_counts import grouped


class PairAgreement(NamedTuple):
    """How far two judges agree."""

    first: str
    second: str
    agreement: Agreement

    @property
    def band(self) -> str:
        """The value in a word; empty where there are too few items for one."""
        return self.agreement.band if self.agreement.items >= FEW_ITEMS else ""


class PairedLabels(NamedTuple):
    """All pairs of labels that two judges gave the same item."""

    item: Ints
    judges: Ints
    """The pair of judges, as the number of the first times the number of judges plus the number of the second."""
    pairs: LabelPairs
    kind: Ints
    """The kind of each in `pairs`."""

    @classmethod
    def of(cls, labels: JudgeLabels, categories: Categories) -> PairedLabels:
        place = labels.places(categories)
        k, n = len(categories), len(labels.judges)
        rows = []
        apart = 1
        while True:  # rows are sorted by item and judge: the next label of an item, the one after that, ...
            first = np.flatnonzero(labels.item[apart:] == labels.item[:-apart])
            if not len(first):
                break
            rows.append(np.stack([first, first + apart]))
            apart += 1
        first, second = np.concatenate([np.zeros((2, 0), dtype=np.int64), *rows], axis=1)
        cells, kind, times = np.unique(place[first] * k + place[second], return_inverse=True, return_counts=True)
        judges = labels.judge[first].astype(np.int64) * n + labels.judge[second]
        return cls(
            labels.item[first], judges, LabelPairs(categories, cells // max(k, 1), cells % max(k, 1), times), kind
        )


def cohen_kappa_of_pairs(
    labels: JudgeLabels, *, weights: Weights = None, scale: Sequence[Any] | None = None
) -> tuple[PairAgreement, ...]:
    """Cohen's kappa of each two judges who have an item in common, without intervals.

    >>> labels = JudgeLabels.from_dict({"ann": {1: "R", 2: "I"}, "bob": {1: "R", 2: "I"}, "cat": {2: "R", 3: "R"}})
    >>> [(pair.first, pair.second, pair.agreement.value) for pair in cohen_kappa_of_pairs(labels)]
    [('ann', 'bob', 1.0), ('ann', 'cat', 0.0), ('bob', 'cat', 0.0)]
    """
    return pair_agreements(labels, labels.categories(scale), weights)


def pair_agreements(labels: JudgeLabels, categories: Categories, weights: Weights) -> tuple[PairAgreement, ...]:
    """Cohen's kappa of each two judges, the categories being known."""
    paired = PairedLabels.of(labels, categories)
    coefficient = cohen_coefficient(paired.pairs, weights)
    codes, group = np.unique(paired.judges, return_inverse=True)
    found: list[Agreement] = []
    for times in grouped(group, paired.kind, len(codes), len(paired.pairs.times)):
        items = times.sum(axis=1).astype(np.int64).tolist()
        found += assess_rows(coefficient, coefficient.disagreement(times), items, [2] * len(items), categories)
    first, second = (
        [labels.judges[judge] for judge in side.tolist()] for side in np.divmod(codes, max(len(labels.judges), 1))
    )
    pairs = []
    for one, other, agreement in zip(first, second, found, strict=True):
        before, after = sorted((one, other), key=_natural)
        pairs.append(PairAgreement(before, after, agreement))
    return tuple(sorted(pairs, key=lambda pair: (_natural(pair.first), _natural(pair.second))))


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Sorted by this, names come in the order of the numbers in them: w2 before w10."""
    parts = re.split(r"([0-9]+)", name)
    return [(0, int(part), part) if part.isdigit() and part.isascii() else (1, 0, part) for part in parts if part]
