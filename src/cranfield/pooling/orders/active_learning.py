r"""Continuous active learning: judge first what a classifier thinks most relevant, and train it with what is judged.

Cormack and Grossman, "Autonomy and reliability of continuous active learning for technology-assisted review",
arXiv:1504.06868, 2015 (AutoTAR), with logistic regression:

1. The topic itself is the first relevant document.
2. 100 documents that are not judged are drawn and presumed not relevant, anew for each batch; but at most a tenth of
   them, so that of a small pool most is not presumed to be anything.
3. The classifier is trained with these and with all judgments; the batch is of the documents with the highest scores.
4. The first batch has one document; each later one has B + ⌈B/10⌉, where B is the size of the one before it.

Texts are vectors of TF-IDF weights (`term_matrix.py`), classes weigh the same however many documents they have, the
rest is as scikit-learn has it, and equal scores are put in order by lots.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.errors import MissingExtraError
from cranfield.pooling.lots import ASKING, TIES
from cranfield.pooling.orders.material import Material, TopicTexts
from cranfield.stats.numbered_random import numbered_words

PRESUMED, SHARE = 100, 10
"""So many documents that nobody has judged are presumed not relevant, and at most one in so many."""


class Batch(NamedTuple):
    """A stretch of judgments between which nothing is learned."""

    number: int
    begin: int
    end: int


def batch_at(judged: int) -> Batch:
    """The batch in which one is after so many judgments.

    >>> [batch_at(judged) for judged in (0, 1, 2, 3)]  # sizes 1, 2, 3
    [Batch(number=0, begin=0, end=1), Batch(number=1, begin=1, end=3), Batch(number=1, begin=1, end=3),
     Batch(number=2, begin=3, end=6)]
    """
    number, begin, size = 0, 0, 1
    while judged >= begin + size:
        number, begin = number + 1, begin + size
        size += -(-size // 10)
    return Batch(number, begin, begin + size)


class ActiveLearning:
    """The order of documents by a classifier, which is trained at the beginning of each batch."""

    def __init__(self, material: Material, texts: TopicTexts) -> None:
        self._texts, self._level = texts, material.level
        self._told: dict[int, float | None] = {}
        self._judged = 0
        self._lots, self._streams = material.document_lots(TIES), material.document_lots(ASKING)
        self._trained: int | None = None
        self._order: list[int] = []

    def next(self, count: int = 1) -> list[int]:
        """Those with the highest scores."""
        batch = batch_at(self._judged)
        if self._trained != batch.number:
            self._order, self._trained = self._scored(batch), batch.number
        left = (document for document in self._order if document not in self._told)
        return [document for document, _ in zip(left, range(count), strict=False)]

    def tell(self, document: int, grade: float | None) -> None:
        """It is learned from when the next batch begins; what was skipped never is, and does not count in a batch."""
        if document not in self._told:
            self._told[document] = grade
            self._judged += grade is not None

    def _scored(self, batch: Batch) -> list[int]:
        """The documents that were not told when the batch began, best first."""
        before: dict[int, float | None] = {}
        known: dict[int, float] = {}
        for document, grade in self._told.items():
            if len(known) == batch.begin:
                break
            before[document] = grade
            if grade is not None:
                known[document] = grade
        open_ones = np.setdiff1d(np.arange(len(self._lots)), list(before))
        if not len(open_ones):
            return []
        score = self._score(known, self._presumed(open_ones, batch.number))[open_ones]
        found: list[int] = open_ones[np.lexsort((self._lots[open_ones], -score))].tolist()
        return found

    def _presumed(self, open_ones: Ints, batch: int) -> Ints:
        """Documents that are taken for not relevant this time."""
        chance = numbered_words(self._streams[open_ones], np.full(len(open_ones), batch, dtype=np.uint64))
        return np.sort(open_ones[np.argsort(chance, kind="stable")[: min(PRESUMED, len(open_ones) // SHARE)]])

    def _score(self, known: dict[int, float], presumed: Ints) -> Floats:
        from scipy.sparse import vstack

        documents, query = self._texts
        examples = vstack([query, documents[[*known, *presumed.tolist()]]], format="csr")
        outcome = [True, *(grade >= self._level for grade in known.values()), *[False] * len(presumed)]
        if all(outcome):
            # There is nothing to tell them from: documents are as good as they are like those that are relevant.
            likeness: Floats = documents @ np.asarray(examples.sum(axis=0)).ravel()
            return likeness
        used = np.unique(examples.indices)  # words of none of them have no weight
        weights = np.zeros(documents.shape[1])
        weights[used] = _trained_weights(examples[:, used], np.array(outcome))
        score: Floats = documents @ weights
        return score


def _trained_weights(examples: Any, outcome: Bools) -> Floats:
    """How much each word speaks for relevance."""
    try:
        from sklearn.linear_model import LogisticRegression
        from threadpoolctl import threadpool_limits
    except ImportError:
        raise MissingExtraError("the order active", "active") from None
    with threadpool_limits(1):  # on so little, threads wait for each other longer than they work
        classifier = LogisticRegression(class_weight="balanced", max_iter=1000).fit(examples, outcome)
    weights: Floats = classifier.coef_[0]
    return weights
