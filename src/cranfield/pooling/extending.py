"""A pool and what is added to it: what is new, what is now certain, and the chance that everything else has.

A document of which it is settled, for reasons that have nothing to do with the draw, that it will be judged no longer
stands for others. It leaves its stratum, whether it had been drawn or not; given that, those drawn among the others
are again a simple random sample of the others, and their chance is again the share of the stratum that is drawn. Where
nothing drawn is left of a stratum, one more is drawn. So estimates stay unbiased, however often a pool is extended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.data.pool import Pool
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.pool_table import PoolTable
from cranfield.pooling.strategy import Strategy

EMPTY = Pool.from_dict({})


def extended(
    pool: Pool,
    candidates: Candidates,
    strategy: Strategy,
    *,
    seed: int = 0,
    added: Sequence[Pool] = (),
    keep_order: bool = False,
    recipe: Mapping[str, Any] | None = None,
) -> Pool:
    """The pool with what the strategy chooses of the candidates, and with all documents that were added by hand.

    What was in the pool stands first, as it was; what is new follows in random order, or, with `keep_order`, what was
    added and then the others in the order of the strategy. `recipe` is what is known of how this round is made.

    >>> from cranfield import Run
    >>> from cranfield.pooling.depth import Depth
    >>> one, two = Run.from_dict({"q": {"a": 2, "b": 1}}), Run.from_dict({"q": {"b": 2, "c": 1}})
    >>> pool = extended(EMPTY, Candidates.of([one]), Depth(2), keep_order=True)
    >>> extended(pool, Candidates.of([two]), Depth(2))["q"]
    ['a', 'b', 'c']
    """
    table = PoolTable.of(pool, candidates, added)
    rows = table.candidate_row
    table.settle(table.added, pool.rounds)
    choice = strategy.choose(candidates, ~(table.there if strategy.draws else table.chosen)[rows], seed)
    if choice.stratum is None:
        wanted = np.zeros(len(table.topic), dtype=np.bool_)
        wanted[rows[choice.chosen]] = True
        table.settle(wanted, pool.rounds)
    else:
        frame = choice.stratum > 0
        table.draw(rows[frame], choice.stratum[frame], choice.chosen[frame], pool.rounds)
    table.draw_where_none_is_left(seed, pool.rounds)
    order = np.zeros(len(table.topic), dtype=np.int64)
    order[rows] = np.where(table.added[rows], 0, choice.place + 1)
    sampled = pool.is_sample or choice.stratum is not None
    return table.to_pool(pool, recipe or {}, order=order if keep_order else None, seed=seed, sampled=sampled)
