"""How many relevant documents there are, from how many of those that one run found others found too."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from cranfield.data.strings import Bools
from cranfield.pooling.missing.groups import RunGroups
from cranfield.pooling.missing.judged_candidates import JudgedCandidates
from cranfield.pooling.missing.topic_estimates import TopicEstimates, added_up
from cranfield.stats.population_size.capture_recapture import NO_PAIR, chao2, chapman, lincoln_petersen
from cranfield.stats.population_size.estimate import PopulationEstimate

INDEPENDENT = (
    "runs find relevant documents independently of each other, and all equally easily. They do not: what is easy for "
    "one is easy for all, so that this is a lower bound"
)
UNEQUAL = (
    "runs find relevant documents independently of each other, if not all equally easily: then this is a lower bound. "
    "Runs that are alike make it lower still"
)

Estimator = Callable[[Bools], PopulationEstimate]
"""From which groups (columns) found each relevant document (rows)."""


def capture_recapture(
    judged: JudgedCandidates, groups: RunGroups, depth: int, relevance: float, level: float
) -> Iterator[TopicEstimates]:
    """Lincoln-Petersen's and Chapman's estimates for two runs or groups, Chao's for more.

    A group has found what is relevant and among the first `depth` documents of one of its runs.
    """
    if len(groups) < 2:
        yield TopicEstimates.none("capture-recapture", NO_PAIR)
        return
    found, topic = _found(judged, groups, depth, relevance)
    if not len(found):
        yield TopicEstimates.none("capture-recapture", f"no relevant document is among the first {depth} of any run")
        return
    methods: dict[str, Estimator] = {"Chao2": lambda rows: chao2(rows.sum(axis=1), rows.shape[1], level=level)}
    if len(groups) == 2:
        methods = {
            "Chapman": lambda rows: chapman(*_two(rows), level=level),
            "Lincoln-Petersen": lambda rows: lincoln_petersen(*_two(rows), level=level),
        }
    names = judged.candidates.topics
    for method, estimate in methods.items():
        topics = {name: estimate(found[topic == number]) for number, name in enumerate(names)}
        total = added_up(method, topics, level)
        assumed = INDEPENDENT if len(groups) == 2 else UNEQUAL
        yield TopicEstimates(method, assumed, topics, total, notes=tuple(_doubts(judged, relevance, total)))


def _found(judged: JudgedCandidates, groups: RunGroups, depth: int, relevance: float) -> tuple[Bools, np.ndarray]:
    """Relevant documents x groups: who found what; and the topic of each of these documents."""
    candidates = judged.candidates
    relevant = judged.relevant(relevance)
    places = np.flatnonzero((candidates.place_rank <= depth) & relevant[candidates.place_document])
    documents, row = np.unique(candidates.place_document[places], return_inverse=True)
    found = np.zeros((len(documents), len(groups)), dtype=np.bool_)
    found[row, groups.of_run[candidates.place_run[places]]] = True
    return found, candidates.topic[documents]


def _two(found: Bools) -> tuple[int, int, int]:
    first, second = (int(column.sum()) for column in found.T)
    return first, second, int(found.all(axis=1).sum())


def _doubts(judged: JudgedCandidates, relevance: float, total: PopulationEstimate) -> Iterator[str]:
    known = int(judged.qrels.count(max(relevance, 0.0)).sum())
    if total.value < known:
        yield (
            f"{known} relevant documents are known, which is more: the runs are not independent, or others found what "
            "these do not find"
        )
