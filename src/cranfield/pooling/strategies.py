"""The ways to choose documents, by name."""

from __future__ import annotations

from cranfield.pooling.by_budget import RankBiased, ReciprocalRank
from cranfield.pooling.depth import Depth
from cranfield.pooling.run_share import RunShare
from cranfield.pooling.sampling import RandomSample, StratifiedSample
from cranfield.pooling.strategy import Strategy

STRATEGIES: dict[str, type[Strategy]] = {
    strategy.name: strategy
    for strategy in (Depth, RunShare, ReciprocalRank, RankBiased, RandomSample, StratifiedSample)
}
