"""How many relevant documents there are, from how relevance thins out further down.

A document is the less likely relevant the fewer runs return it, and the further down they do; or the later it was
judged, if what seemed best was judged first. A logistic model of the logarithm of that, and of how much of the topic's
judged documents is relevant, is fitted to what is judged, and gives each document that is not its chance. How sure that
is comes from topics drawn with replacement, and from chance itself: a document is relevant or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.pooling.missing.topic_estimates import TopicEstimates
from cranfield.stats.interval import Interval
from cranfield.stats.logistic import fit_logistic, logistic
from cranfield.stats.population_size.estimate import PopulationEstimate
from cranfield.stats.random_stream import RandomStream

METHOD = "curve"
FEWEST_RELEVANT = 10
"""With fewer relevant documents there is no curve to speak of."""
_RIDGE = 1e-3
_STEP = 0.02
"""Logarithms that differ by less are the same."""
_PRIOR_DOCUMENTS = 5.0
"""How many judged documents the share over all topics counts for in that of a topic."""


@dataclass(frozen=True, eq=False)
class Places:
    """Documents of topics, and how far along each is on the way on which relevance thins out."""

    topic: Ints
    distance: Floats
    """Logarithms."""
    judged: Bools
    """Those that the curve is fitted to."""
    relevant: Bools
    open: Bools
    """Those that it is to say something about."""
    known: Ints
    """For each topic, how many relevant documents are known, among these or not."""


@dataclass(frozen=True, eq=False)
class _Cells:
    """Documents of the same topic that are about as far along, which are alike."""

    topic: Ints
    distance: Floats
    judged: Floats
    relevant: Floats
    open: Floats

    @classmethod
    def of(cls, places: Places) -> _Cells:
        step = np.floor(places.distance / _STEP).astype(np.int64)
        first = int(step.min())
        width = int(step.max()) - first + 1
        key, cell = np.unique(places.topic * np.int64(width) + step - first, return_inverse=True)
        judged, relevant, left = (
            np.bincount(cell, weights=rows, minlength=len(key)).astype(np.float64)
            for rows in (places.judged, places.judged & places.relevant, places.open)
        )
        return cls(key // width, (key % width + first + 0.5) * _STEP, judged, relevant, left)


def size_by_curve(
    places: Places, topics: Sequence[str], *, assumed: str, level: float, resamples: int, seed: int
) -> TopicEstimates:
    """Known relevant documents, and the chances of the others added up."""
    if not places.open.any():
        return TopicEstimates.none(METHOD, "nothing is left to judge of what the runs returned so far down")
    if np.count_nonzero(places.judged & places.relevant) < FEWEST_RELEVANT:
        return TopicEstimates.none(
            METHOD, f"there are fewer than {FEWEST_RELEVANT} relevant documents to see a curve in"
        )
    cells = _Cells.of(places)
    features = _features(cells, len(topics))
    weights = fit_logistic(features, cells.relevant, cells.judged, ridge=_RIDGE)
    expected = _by_topic(cells, cells.open * _chances(features, weights), len(topics))
    spread = _drawn(cells, _chances(features, weights), len(topics), resamples, seed)
    tails = [(1 - level) / 2, (1 + level) / 2]
    method = f"bootstrap over topics, {resamples:,} samples"

    def estimate(known: int, unseen: float, samples: Floats) -> PopulationEstimate:
        low, high = np.quantile(samples, tails).tolist()
        interval = Interval(known + low, known + high, level, method)
        return PopulationEstimate(METHOD, known + unseen, float(samples.std(ddof=1)), known, interval)

    found = {
        name: estimate(int(places.known[at]), float(expected[at]), spread[:, at]) for at, name in enumerate(topics)
    }
    total = estimate(int(places.known.sum()), float(expected.sum()), spread.sum(axis=1))
    notes: tuple[str, ...] = ()
    if weights[1] >= 0:
        notes = ("relevance does not thin out further down: the curve says nothing about where it ends",)
    return TopicEstimates(METHOD, assumed, found, total, notes=notes)


def _features(cells: _Cells, topics: int) -> Floats:
    """How far along, and how much of what is judged of the topic is relevant, as log odds."""
    judged, relevant = _by_topic(cells, cells.judged, topics), _by_topic(cells, cells.relevant, topics)
    share = (relevant.sum() + 0.5) / (judged.sum() + 1.0)
    of_topic = (relevant + _PRIOR_DOCUMENTS * share) / (judged + _PRIOR_DOCUMENTS)
    return np.column_stack((cells.distance, np.log(of_topic / (1.0 - of_topic))[cells.topic]))


def _by_topic(cells: _Cells, values: Floats, topics: int) -> Floats:
    return np.bincount(cells.topic, weights=values, minlength=topics).astype(np.float64)


def _chances(features: Floats, weights: Floats) -> Floats:
    return logistic(weights[0] + features @ weights[1:])


def _drawn(cells: _Cells, chance: Floats, topics: int, resamples: int, seed: int) -> Floats:
    """Samples x topics: how many open documents are relevant, with the curve of topics drawn with replacement.

    Judged documents are drawn anew too, with their chances, for how relevant a topic is comes from few of them.
    """
    from scipy.special import ndtri

    stream = RandomStream(seed)
    normal = ndtri(stream.uniform((resamples, topics)))
    left = _by_topic(cells, cells.open, topics)
    cell = np.repeat(np.arange(len(cells.topic)), cells.judged.astype(np.int64))
    found = np.empty((resamples, topics))
    begun = np.flatnonzero(_by_topic(cells, cells.judged, topics))
    drawn = np.zeros((resamples, topics))
    drawn[:, begun] = stream.draws(resamples, len(begun))
    for at in range(resamples):
        again = cell[stream.uniform((len(cell),)) < chance[cell]]
        redrawn = replace(cells, relevant=np.bincount(again, minlength=len(cells.topic)).astype(np.float64))
        features, times = _features(redrawn, topics), drawn[at, cells.topic]
        weights = fit_logistic(features, times * redrawn.relevant, times * cells.judged, ridge=_RIDGE)
        likely = _chances(features, weights)
        mean = _by_topic(cells, cells.open * likely, topics)
        error = np.sqrt(_by_topic(cells, cells.open * likely * (1.0 - likely), topics))
        found[at] = np.clip(mean + normal[at] * error, 0.0, left)
    return found
