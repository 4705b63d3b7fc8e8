"""How likely unjudged documents are relevant, learned from those that were judged.

A logistic model of three things: the logarithm of the best rank that a run gave the document, the mean over runs of
1/log2(1 + rank) (0 where a run did not return it), and how much of what was judged of its topic is relevant, smoothed
towards what it is over all topics. It is fitted to the judged documents that some run returned, with a ridge of 1 and
two more documents, one relevant and one not, so that little evidence says little. How relevant the relevant ones are
does not depend on any of that: the shares of the grades are those of all judgments.

Judged documents stand higher in runs than the others, and they were judged for a reason: what is said of documents
further down is said by the logarithm of their rank, not by experience.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.judgments import JudgmentTable
from cranfield.data.run import Run
from cranfield.data.strings import Floats, Ints
from cranfield.measures.registry import ratio
from cranfield.pooling.flip.side_by_side import SideBySide
from cranfield.stats.logistic import fit_logistic, logistic
from cranfield.stats.random_stream import RandomStream

_RIDGE = 1.0
_PRIOR_DOCUMENTS = 5.0
"""How many judged documents the share over all topics counts for in that of a topic."""


@dataclass(frozen=True, eq=False)
class Chances:
    """For each open document the chance that its grade is above 0, and the shares of the grades of such documents."""

    relevant: Floats
    grades: Floats
    shares: Floats
    judged: int
    """How many judged documents the estimate is from."""

    def expected(self, worth: Floats) -> Floats:
        """What each document is expected to be worth, if grades are worth so much."""
        expected: Floats = self.relevant * float(self.shares @ worth)
        return expected

    def draw(self, random: RandomStream) -> Floats:
        """A grade for each document."""
        number = random.uniform((2, len(self.relevant)))
        drawn = self.grades[np.minimum(np.searchsorted(np.cumsum(self.shares), number[1]), len(self.grades) - 1)]
        return np.where(number[0] < self.relevant, drawn, 0.0)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What runs say about the documents of two of them, whatever is judged."""

    best: Floats
    """The logarithm of the best rank; nan where no run returned the document."""
    support: Floats

    @classmethod
    def of(cls, both: SideBySide, others: Sequence[Run] = ()) -> Evidence:
        """What the two runs say, and some others."""
        ranks = [both.first, both.second, *(_ranks(both, run) for run in others)]
        best = np.full(len(both.topic), np.inf)
        support = np.zeros(len(both.topic))
        for rank in ranks:
            there = rank > 0
            best[there] = np.minimum(best[there], rank[there])
            support[there] += 1.0 / np.log2(1.0 + rank[there])
        return cls(np.where(np.isinf(best), np.nan, np.log(best)), support / len(ranks))


def _ranks(both: SideBySide, run: Run) -> Ints:
    """The ranks of the documents in another run; 0 where it did not return them."""
    table = JudgmentTable(both.topic, both.documents, both.documents.hash64())
    place = {topic: number for number, topic in enumerate(both.topic_ids)}
    where = np.array([place.get(topic, -1) for topic in run.query_ids], dtype=np.int32)
    row, found = table.find(where[run.query], run.documents, run.hashes)
    rank = np.zeros(len(both.topic), dtype=np.int64)
    rank[found] = run.rank[row]
    return rank


def estimate(both: SideBySide, evidence: Evidence, positive: Sequence[float]) -> Chances:
    """The chances of open documents; `positive` are the grades there could be.

    >>> from cranfield.data.qrels import Qrels
    >>> qrels = Qrels.from_dict({"q": {"a": 1, "b": 1, "c": 0, "d": 0, "e": 0}})
    >>> ranked = Run.from_dict({"q": {name: -at for at, name in enumerate("axbcdey")}})
    >>> both = SideBySide.of(qrels, ranked, ranked)
    >>> x, y = estimate(both, Evidence.of(both), [1.0]).relevant.tolist()  # at rank 2 and 7
    >>> x > 0.5 > y
    True
    """
    judged = np.flatnonzero((both.grade >= 0) & ~np.isnan(evidence.best))
    is_relevant = (both.grade > 0).astype(np.float64)
    features = _features(both, evidence, is_relevant)
    centre, spread = np.zeros(3), np.ones(3)
    if len(judged):
        centre, spread = features[judged].mean(axis=0), features[judged].std(axis=0)
        spread = np.where(spread > 0, spread, 1.0)
    known = np.vstack(((features[judged] - centre) / spread, np.zeros((2, 3))))
    weights = fit_logistic(known, np.append(is_relevant[judged], (1.0, 0.0)), ridge=_RIDGE)
    rows = both.open
    relevant = logistic(weights[0] + ((features[rows] - centre) / spread) @ weights[1:])
    grades = np.array(positive, dtype=np.float64)
    counted = (both.grade[:, np.newaxis] == grades).sum(axis=0) + 1.0 / len(grades)
    return Chances(relevant, grades, counted / counted.sum(), len(judged))


def _features(both: SideBySide, evidence: Evidence, is_relevant: Floats) -> Floats:
    judged = both.grade >= 0
    count = np.bincount(both.topic[judged], minlength=len(both)).astype(np.float64)
    relevant = np.bincount(both.topic[judged], weights=is_relevant[judged], minlength=len(both))
    share = ratio(relevant.sum(keepdims=True) + 0.5, count.sum(keepdims=True) + 1.0)[0]
    of_topic = (relevant + _PRIOR_DOCUMENTS * share) / (count + _PRIOR_DOCUMENTS)
    prior = np.log(of_topic / (1.0 - of_topic))
    features: Floats = np.column_stack((np.nan_to_num(evidence.best), evidence.support, prior[both.topic]))
    return features
