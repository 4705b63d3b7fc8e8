"""How much several runs together speak for each document: what is judged first where not all can be judged."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.lots import TIES, lots


def rrf_priority(candidates: Candidates, k: float = 60.0) -> Floats:
    r"""The sum over runs of 1 / (k + rank) (Cormack, Clarke and Büttcher 2009).

    >>> from cranfield import Run
    >>> two = [Run.from_dict({"q": {"a": 2, "b": 1}}), Run.from_dict({"q": {"b": 2, "c": 1}})]
    >>> rrf_priority(Candidates.of(two), k=0)  # 1/1, 1/2 + 1/1, 1/2
    array([1. , 1.5, 0.5])
    """
    return _summed(candidates, 1.0 / (k + candidates.place_rank.astype(np.float64)))


def rbp_priority(candidates: Candidates, p: float = 0.8) -> Floats:
    r"""The sum over runs of (1 - p) p^(rank - 1): what a document can add to the RBP of the runs.

    It is how Moffat, Webber and Zobel (2007) choose what to judge where nothing is known yet.

    >>> from cranfield import Run
    >>> two = [Run.from_dict({"q": {"a": 2, "b": 1}}), Run.from_dict({"q": {"b": 2, "c": 1}})]
    >>> rbp_priority(Candidates.of(two), p=0.5)  # 1/2, 1/4 + 1/2, 1/4
    array([0.5 , 0.75, 0.25])
    """
    return _summed(candidates, (1.0 - p) * p ** (candidates.place_rank.astype(np.float64) - 1.0))


def by_priority(candidates: Candidates, priority: Floats, seed: int) -> Ints:
    """The documents by topic, the highest priority first; lots decide between equals."""
    chance = lots(candidates.topic_ids, candidates.topic, candidates.hashes, seed, TIES)
    return np.lexsort((chance, -priority, candidates.topic))


def _summed(candidates: Candidates, worth: Floats) -> Floats:
    """What the places of each document add up to, to the last bit the same in whatever order the runs are."""
    if not len(candidates):
        return np.zeros(0)
    order = np.lexsort((candidates.place_rank, candidates.place_document))
    total: Floats = np.add.reduceat(worth[order], candidates.place_offset[:-1])
    return total
