"""Retrieval taken as a decision about each document: how often it was right and wrong, and the rates made of that."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints
from cranfield.errors import DataError
from cranfield.measures.f_measure import weighted_harmonic_mean
from cranfield.measures.registry import ratio


class Contingency(NamedTuple):
    """For each query (or class), how many documents were decided in each of the four ways.

    Every rate is 0 where its denominator is 0, and NaN where it needs true negatives that are not known.
    """

    tp: Floats
    """True positives: relevant and retrieved."""
    fp: Floats
    """False positives, or Type I errors: retrieved and not relevant."""
    fn: Floats
    """False negatives, or Type II errors: relevant and not retrieved."""
    tn: Floats
    """True negatives: neither; NaN where the size of the collection is not known."""

    @property
    def precision(self) -> Floats:
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> Floats:
        return ratio(self.tp, self.tp + self.fn)

    @property
    def specificity(self) -> Floats:
        return ratio(self.tn, self.tn + self.fp)

    @property
    def false_positive_rate(self) -> Floats:
        return ratio(self.fp, self.tn + self.fp)

    @property
    def false_negative_rate(self) -> Floats:
        return ratio(self.fn, self.tp + self.fn)

    @property
    def accuracy(self) -> Floats:
        return ratio(self.tp + self.tn, self.tp + self.fp + self.fn + self.tn)

    @property
    def error_rate(self) -> Floats:
        return ratio(self.fp + self.fn, self.tp + self.fp + self.fn + self.tn)

    def f(self, beta: float = 1, alpha: float | None = None) -> Floats:
        """The weighted harmonic mean of precision and recall."""
        return weighted_harmonic_mean(self.precision, self.recall, beta, alpha)

    @property
    def g(self) -> Floats:
        """The geometric mean of precision and recall."""
        root: Floats = np.sqrt(self.precision * self.recall)
        return root

    @property
    def jaccard(self) -> Floats:
        return ratio(self.tp, self.tp + self.fp + self.fn)


def contingency(
    r: Rankings, rel: float | None, cutoff: int | Ints | None = None, documents: int | None = None
) -> Contingency:
    """How often retrieving was right: everything retrieved taken as a set, or the first documents to a rank.

    `documents` is the size of the collection; without it nothing is known about true negatives.
    """
    found = r.count(r.at_least(rel), cutoff, name="TP")
    retrieved = r.retrieved if cutoff is None else np.minimum(r.retrieved, np.asarray(cutoff, dtype=np.float64))
    relevant = r.relevant(rel)
    wrong = r.step("FP", "n - TP", retrieved - found, n=retrieved)
    missed = r.step("FN", "R - TP", relevant - found, R=relevant)
    if documents is None:
        left_out = np.full(len(r), np.nan)
    else:
        _check_size(r, documents)
        left_out = r.step("TN", "N - TP - FP - FN", documents - retrieved - relevant + found, N=documents)
    return Contingency(found, wrong, missed, left_out)


def _check_size(r: Rankings, documents: int) -> None:
    """An error if a query alone has more documents than the collection is said to have."""
    known = r.retrieved + np.diff(r.qrels.offset) - np.diff(r.offset)
    if (known > documents).any():
        row = int(np.argmax(known > documents))
        raise DataError(
            f"{known[row]} documents are retrieved or judged for query {r.qrels.queries[row]!r}, but documents (-N) is "
            f"{documents}. It is the size of the whole collection."
        )
