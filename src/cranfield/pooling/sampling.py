"""Samples of the documents that runs returned: who is judged is left to chance, with a chance that is known."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cranfield.data.strings import Bools, Codes, Floats, Ints
from cranfield.errors import ParameterError
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.lots import DRAWING, lots
from cranfield.pooling.strategy import Choice, Strategy, places


@dataclass(frozen=True)
class RandomSample(Strategy):
    """Of all that the runs have among their first `depth`, the share `rate` of each topic, or `budget` documents."""

    name: ClassVar[str] = "random"
    draws: ClassVar[bool] = True
    rate: float | None = None
    budget: int | None = None
    depth: int | None = 100

    def __post_init__(self) -> None:
        if (self.rate is None) == (self.budget is None):
            raise ParameterError("a random sample needs either a rate or a budget of documents per topic")
        if self.rate is not None:
            check_rate(self.rate, f"rate {self.rate:g}")

    def choose(self, candidates: Candidates, new: Bools, seed: int) -> Choice:
        stratum = (new & _within(candidates, self.depth)).astype(np.int32)
        size = np.bincount(candidates.topic, weights=stratum, minlength=len(candidates.topic_ids)).astype(np.int64)
        if self.budget is not None:
            count = np.minimum(size, self.budget)
        else:
            count = sample_size(size, np.full(len(size), self.rate))
        return _drawn(candidates, stratum, count[:, None], seed)

    @property
    def reading_depth(self) -> int | None:
        return self.depth


@dataclass(frozen=True)
class StratifiedSample(Strategy):
    """Documents in bands by the best rank that any run gave them, of each band a share: (deepest rank, rate) pairs.

    >>> StratifiedSample.parse("10:1.0,50:0.5,100:0.1").bands
    ((10, 1.0), (50, 0.5), (100, 0.1))
    """

    name: ClassVar[str] = "strata"
    draws: ClassVar[bool] = True
    bands: tuple[tuple[int, float], ...]

    def __post_init__(self) -> None:
        if not self.bands:
            raise ParameterError("a stratified sample needs at least one band, such as 10:1.0")
        for rank, rate in self.bands:
            check_rate(rate, f"band {rank}:{rate:g}")
        if self.bands[0][0] < 1 or any(a[0] >= b[0] for a, b in itertools.pairwise(self.bands)):
            ranks = ", ".join(str(rank) for rank, _ in self.bands)
            raise ParameterError(f"bands end at ranks that rise, from 1 on; found {ranks}")

    @classmethod
    def parse(cls, text: str) -> StratifiedSample:
        """From a text such as `10:1.0,50:0.5`."""
        bands = []
        for part in text.split(","):
            rank, _, rate = part.partition(":")
            try:
                bands.append((int(rank), float(rate)))
            except ValueError:
                raise ParameterError(
                    f"band {part.strip()!r}: expected the deepest rank of the band and the share that is drawn of it, "
                    "such as 50:0.5"
                ) from None
        return cls(tuple(bands))

    def choose(self, candidates: Candidates, new: Bools, seed: int) -> Choice:
        edges, rates = (np.array(column) for column in zip(*self.bands, strict=True))
        inside = new & (candidates.best_rank <= edges[-1])
        stratum = np.where(inside, np.searchsorted(edges, candidates.best_rank) + 1, 0).astype(np.int32)
        key = candidates.topic.astype(np.int64) * (len(edges) + 1) + stratum
        topics = len(candidates.topic_ids)
        size = np.bincount(key, minlength=topics * (len(edges) + 1)).reshape(topics, -1)[:, 1:]
        return _drawn(candidates, stratum, sample_size(size, np.broadcast_to(rates, size.shape)), seed)

    @property
    def reading_depth(self) -> int:
        return self.bands[-1][0]

    def parameters(self) -> dict[str, Any]:
        return {"bands": [list(band) for band in self.bands]}


def check_rate(rate: float, what: str) -> None:
    """An error for a share that cannot be drawn."""
    if rate == 0:
        raise ParameterError(
            f"{what}: documents without any chance of being judged cannot be estimated from those judged. Leave them "
            "out of the pool, or give them a small chance."
        )
    if not 0 < rate <= 1:
        raise ParameterError(f"{what}: expected a share above 0 and at most 1")


def sample_size(size: Ints, rate: Floats) -> Ints:
    """How many are drawn of each stratum: the share, rounded, at least one, so that all have a chance.

    >>> sample_size(np.array([0, 3, 10, 10]), np.array([0.1, 0.1, 0.25, 1.0])).tolist()
    [0, 1, 3, 10]
    """
    wanted = np.floor(size * rate + 0.5).astype(np.int64)
    return np.minimum(size, np.maximum(wanted, 1))


def drawn_first(group: Ints, chance: np.ndarray[Any, np.dtype[np.uint64]], count: Ints) -> Bools:
    """Of each group so many, those with the lowest lots: a simple random sample without replacement.

    >>> chance = np.array([5, 3, 9], dtype=np.uint64)
    >>> drawn_first(np.array([0, 0, 1]), chance, np.array([1, 1])).tolist()
    [False, True, True]
    """
    order = np.lexsort((chance, group))
    ordered = group[order]
    place = np.arange(len(group)) - np.searchsorted(ordered, ordered)
    drawn = np.empty(len(group), dtype=np.bool_)
    drawn[order] = place < count[ordered]
    return drawn


def _within(candidates: Candidates, depth: int | None) -> Bools:
    return candidates.best_rank <= (np.inf if depth is None else depth)


def _drawn(candidates: Candidates, stratum: Codes, count: Ints, seed: int) -> Choice:
    """A sample of so many documents of each topic (row) and stratum (column, from 1)."""
    chance = lots(candidates.topic_ids, candidates.topic, candidates.hashes, seed, DRAWING)
    group = candidates.topic.astype(np.int64) * (count.shape[1] + 1) + stratum
    none = np.zeros((len(count), 1), dtype=np.int64)
    chosen = drawn_first(group, chance, np.hstack([none, count]).ravel())
    return Choice(chosen, places(np.lexsort((chance, candidates.topic))), stratum)
