"""How many relevant documents a pool has, from a sample of it."""

from __future__ import annotations

import numpy as np

from cranfield.data.pool import Pool
from cranfield.data.qrels import Qrels
from cranfield.pooling.judged_pool import JudgedPool
from cranfield.pooling.missing.topic_estimates import TopicEstimates, added_up
from cranfield.stats.population_size.stratified_total import independent_total, stratified_total

METHOD = "sample"
FROM_STRATA = "in each stratum chance alone decided which documents were judged. It is about the pool, and nothing else"
FROM_CHANCES = (
    "documents were drawn independently, with the chances given. It is about what had a chance, and nothing else"
)
NOT_RANDOM = "the pool is not judged in random order, so that what is judged is no sample"
NO_SAMPLE = (
    "the judgments are not a sample: they have neither strata nor inclusion probabilities, and no pool says how they "
    "were drawn (--pool)"
)


def sampled_size(qrels: Qrels, pool: Pool | None, relevance: float, level: float) -> TopicEstimates:
    """Horvitz and Thompson's estimate: a relevant document stands for as many as there were to draw it from.

    A pool that was to be judged whole, in random order, and is judged in part, is a sample too.
    """
    notes: tuple[str, ...] = ()
    if pool is not None:
        judged = JudgedPool.of(pool, qrels)
        if not pool.is_sample and not _shuffled(pool):
            return TopicEstimates.none(METHOD, NOT_RANDOM)
        qrels, notes = judged.to_strata(), judged.notes()
    elif qrels.probability is None and qrels.stratum is None:
        return TopicEstimates.none(METHOD, NO_SAMPLE)
    relevant = (qrels.grade >= 0) & (qrels.grade >= relevance)
    if qrels.probability is not None:
        found = {
            name: independent_total(qrels.inclusion[rows][relevant[rows]], level=level)
            for name, rows in zip(qrels.queries, _rows(qrels), strict=True)
        }
        chances = qrels.inclusion[relevant]
        return TopicEstimates(METHOD, FROM_CHANCES, found, independent_total(chances, level=level), notes=notes)
    strata = qrels.strata
    x = np.bincount(strata.of_judgment[relevant], minlength=len(strata))
    topic = np.zeros(len(strata), dtype=np.int64)
    topic[strata.of_judgment] = qrels.query
    found = {}
    for number, name in enumerate(qrels.queries):
        mine = topic == number
        found[name] = stratified_total(x[mine], strata.judged[mine], strata.size[mine], level=level)
    total = stratified_total(x, strata.judged, strata.size, level=level)
    if total.undefined:
        total = added_up(METHOD, found, level)
    return TopicEstimates(METHOD, FROM_STRATA, found, total, notes=notes)


def _shuffled(pool: Pool) -> bool:
    return bool(pool.recipe) and all(made.get("order") == "random" for made in pool.recipe)


def _rows(qrels: Qrels) -> list[slice]:
    return [slice(int(begin), int(end)) for begin, end in zip(qrels.offset, qrels.offset[1:], strict=False)]
