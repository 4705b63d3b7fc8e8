"""How many relevant documents there are, asked of every method that applies."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.pool import Pool
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Floats, Ints
from cranfield.errors import UsageError
from cranfield.evaluation.inputs import is_file
from cranfield.formats import read_qrels
from cranfield.measures.parameters import CUTOFF, Whole
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.missing import curve
from cranfield.pooling.missing.capture import capture_recapture
from cranfield.pooling.missing.curve import Places, size_by_curve
from cranfield.pooling.missing.groups import read_groups
from cranfield.pooling.missing.judged_candidates import JudgedCandidates
from cranfield.pooling.missing.sampled import sampled_size
from cranfield.pooling.missing.topic_estimates import TopicEstimates
from cranfield.stats.arguments import within

SCHEMA = "cranfield.pool-size/1"
LEAST_JUDGED = 0.5
"""A depth of which less is judged gives no honest curve: what is judged there was chosen for some reason."""


@dataclass(frozen=True, eq=False, repr=False)
class PoolSize:
    """What the methods say."""

    estimates: tuple[TopicEstimates, ...]
    known: dict[str, int]
    """For each topic, how many relevant documents are known."""
    depth: int | None
    """As far down the runs are taken for judged."""
    to: int | None
    """As far down the curve is drawn out."""
    level: float
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; what is not defined is None."""
        return {
            "schema": SCHEMA,
            "depth": self.depth,
            "to": self.to,
            "level": self.level,
            "known": {"total": sum(self.known.values()), "topics": self.known},
            "estimates": [one.to_dict() for one in self.estimates],
            "notes": list(self.notes),
        }


def pool_size(
    qrels: Any,
    runs: Sequence[str | os.PathLike[str] | Run] = (),
    *,
    pool: Pool | None = None,
    order: Ints | None = None,
    groups: Iterable[str] = (),
    depth: int | None = None,
    to: int | None = None,
    level: float = 1,
    confidence: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
    qrels_format: str | None = None,
    run_format: str | None = None,
) -> PoolSize:
    """How many relevant documents there are, known or not, for each topic and in all, with intervals.

    Capture-recapture needs two runs (or `groups` of them, as `read_groups` takes them), and looks at the first `depth`
    documents of each; without a depth, as far down as they are judged. Samples need strata or inclusion probabilities,
    or the `pool` that is judged. The curve is fitted to the same depth and drawn out to rank `to` (the end of the
    runs); with a pool and the `order` in which the judgments were given (a number for each, from 1 on within its topic)
    also to the end of the pool. What does not apply says why.

    >>> one = Run.from_dict({"q": {f"d{n}": -n for n in range(0, 40)}}, name="one")
    >>> two = Run.from_dict({"q": {f"d{n}": -n for n in range(20, 50)}}, name="two")
    >>> found = pool_size(Qrels.from_dict({"q": {f"d{n}": 1 for n in range(50)}}), [one, two])
    >>> [(each.method, round(each.total.value, 1)) for each in found.estimates if each.total]  # 41 · 31 / 21 - 1
    [('Chapman', 59.5), ('Lincoln-Petersen', 60.0)]
    """
    within("confidence", confidence, 0, 1)
    resamples = Whole(2).accept(resamples, "the number of samples (--resamples, resamples=)")
    seed = Whole(0).accept(seed, "the seed (--seed, seed=)")
    judgments = read_qrels(qrels, format=qrels_format) if is_file(qrels) else qrels
    if not runs and pool is None and judgments.stratum is None and judgments.probability is None:
        raise UsageError("judgments alone say nothing about what is not judged: name runs, or the pool (--pool)")
    notes, estimates = list[str](), list[TopicEstimates]()
    drawing: dict[str, Any] = {"level": confidence, "resamples": resamples, "seed": seed}
    if runs:
        depth = None if depth is None else CUTOFF.accept(depth, "the depth (-k, depth=)")
        to = None if to is None else CUTOFF.accept(to, "the depth to draw the curve out to (--to, to=)")
        judged = JudgedCandidates.of(judgments, Candidates.of_runs(runs, to, input_format=run_format))
        depth = depth or max(judged.judged_depth, 1)
        to = to or int(judged.candidates.best_rank.max(initial=0))
        notes += [*judged.notes(), *_depth_notes(judged, depth)]
        named = read_groups(groups, judged.candidates.runs)
        estimates += capture_recapture(judged, named, depth, level, confidence)
        estimates.append(_curve_of_ranks(judged, depth, to, level, drawing))
    estimates.append(sampled_size(judgments, pool, level, confidence))
    if pool is not None and order is not None:
        estimates.append(_curve_of_turns(judgments, pool, order, level, drawing))
    relevant = judgments.count(max(level, 0.0)).tolist()
    known = dict(zip(judgments.queries, relevant, strict=True))
    return PoolSize(tuple(estimates), known, depth, to, level, tuple(notes))


def _depth_notes(judged: JudgedCandidates, depth: int) -> Iterator[str]:
    inside = judged.candidates.best_rank <= depth
    share = float(judged.judged[inside].mean())
    if share < 1:
        yield (
            f"of what the runs have among their first {depth}, {100 * share:.1f} % is judged: what is not counts as "
            "not found, and the curve takes it for like the rest"
        )


def _curve_of_ranks(
    judged: JudgedCandidates, depth: int, to: int, level: float, drawing: dict[str, Any]
) -> TopicEstimates:
    candidates = judged.candidates
    best = candidates.best_rank
    fitted = judged.judged & (best <= depth)
    if judged.judged[best <= depth].mean() < LEAST_JUDGED:
        return TopicEstimates.none(
            curve.METHOD, f"less than half of what the runs have among their first {depth} is judged"
        )
    where = [judged.qrels.position[topic] for topic in candidates.topic_ids]
    places = Places(
        candidates.topic.astype(np.int64),
        -np.log(support(candidates, to)),
        fitted,
        judged.relevant(level),
        ~judged.judged & (best <= to),
        judged.qrels.count(max(level, 0.0))[where],
    )
    assumed = (
        f"relevance goes on thinning out, as fewer runs return a document and further down, as it does down to rank "
        f"{depth}. It is about what the runs have among their first {to}"
    )
    return size_by_curve(places, candidates.topics, assumed=assumed, **drawing)


def support(candidates: Candidates, depth: int) -> Floats:
    """How much the runs think of each document: the mean of 1 / log2(1 + rank), 0 where a run has it not so far up.

    >>> one, two = Run.from_dict({"q": {"a": 2, "b": 1}}), Run.from_dict({"q": {"a": 1}})
    >>> support(Candidates.of([one, two]), 10).round(4).tolist()  # (1 + 1) / 2, (1 / log2(3)) / 2
    [1.0, 0.3155]
    """
    inside = candidates.place_rank <= depth
    worth = 1.0 / np.log2(1.0 + candidates.place_rank[inside])
    total = np.bincount(candidates.place_document[inside], weights=worth, minlength=len(candidates))
    # What no run has so far up is not asked about.
    return np.maximum(total / len(candidates.runs), np.finfo(np.float64).tiny)


def _curve_of_turns(qrels: Qrels, pool: Pool, order: Ints, level: float, drawing: dict[str, Any]) -> TopicEstimates:
    """Judgments in their order, and behind them what the pool has left."""
    code = np.array([qrels.position.get(topic, -1) for topic in pool.topic_ids], dtype=np.int32)
    row, judgment = qrels.table.find(code[pool.topic], pool.documents, pool.hashes)
    there = np.zeros(len(pool.topic), dtype=np.bool_)
    there[row] = qrels.grade[judgment] >= 0
    turn = np.zeros(len(pool.topic), dtype=np.int64)
    turn[row] = order[judgment]
    left = pool.chosen & ~there
    behind: Ints = np.cumsum(left) - np.concatenate(([0], np.cumsum(left)))[pool.offset[:-1]][pool.topic]
    last = np.zeros(len(pool.topic_ids), dtype=np.int64)
    np.maximum.at(last, pool.topic, turn)
    turn[left] = (last[pool.topic] + behind)[left]
    relevant = np.zeros(len(pool.topic), dtype=np.bool_)
    relevant[row] = qrels.grade[judgment] >= level
    rows = there | left
    known = np.array([qrels.count(max(level, 0.0))[at] if at >= 0 else 0 for at in code.tolist()], dtype=np.int64)
    distance = np.log(turn[rows])
    places = Places(pool.topic[rows].astype(np.int64), distance, there[rows], relevant[rows], left[rows], known)
    assumed = "relevance goes on thinning out with the logarithm of the turn as it did so far. It is about the pool"
    return size_by_curve(places, pool.topics, assumed=assumed, **drawing)
