"""What a cache of results would save, on the queries as they came: hit rate by size, latency, load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Bools, Ints
from cranfield.errors import ParameterError, UsageError, did_you_mean
from cranfield.logs.cache_policies import (
    NEVER,
    best_possible,
    least_frequently_used,
    least_recently_used,
    reuse_distances,
    time_to_live,
)
from cranfield.logs.log import Log

POLICIES = {
    "lru": "drops what was used longest ago",
    "lfu": "drops what was used least often since it came in",
    "best": "knows the future (Belady): no cache of this size answers more",
    "personal": "one for each user, which drops what they used longest ago",
    "ttl": "has room for everything, but keeps it no longer than so long after it was fetched",
    "unlimited": "has room for everything, for ever: only the first of each query goes to the engine",
}
"""The policies, and what they do."""
SHARES = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5)
"""Sizes, where none are asked for: shares of the different queries."""
KEPT_SECONDS = (60, 3600, 86_400)
PERSONAL_SIZES = (1, 10, 100)
MINUTE_MS = 60_000


class Costs(NamedTuple):
    """What answers cost, in milliseconds."""

    engine_ms: float = 100.0
    """An answer of the engine."""
    cache_ms: float = 1.0
    """A look into the cache, which every query takes."""


class Requests(NamedTuple):
    """The queries of a log in their order, as numbers: all that a simulation needs to know."""

    text: Ints
    user: Ints
    """-1 where the log does not say who asked."""
    time_ms: Ints
    texts: int
    users: int


class CacheResult(NamedTuple):
    """What one cache would have done."""

    policy: str
    size: int | None
    """How many results it keeps, of each user in a personal one; None: all."""
    kept_seconds: float | None
    hits: int
    queries: int
    hit_rate: float
    latency_ms: float
    """The mean over all queries."""
    saved_hours: float
    """Of work of the engine."""
    peak_minute: int | None
    """How many queries still go to the engine in the minute that has most of them; None if times are made up."""


@dataclass(frozen=True)
class Caching:
    """What caches would have done."""

    queries: int
    texts: int
    users: int
    peak_minute: int | None
    """Queries in the busiest minute, without a cache; None if the log does not say when queries were put."""
    costs: Costs
    results: tuple[CacheResult, ...]
    lru_sizes: tuple[int, ...]
    """Every size at which a larger cache of `lru` answers more, thinned where there are many, …"""
    lru_rates: tuple[float, ...]
    """…and the hit rate at it."""
    seconds_per_million: float
    """How long the simulation took, for a million queries of one policy and size."""
    left_out: tuple[str, ...]
    """What could not be said, and why."""


def caching(
    log: Log,
    policies: Sequence[str] = tuple(POLICIES),
    *,
    sizes: Sequence[int] = (),
    kept_seconds: Sequence[float] = KEPT_SECONDS,
    costs: Costs | None = None,
) -> Caching:
    """Put the queries of a log to caches, one after the other.

    What is kept are results of a text. All caches begin empty, so that the first of each query always counts against
    them; and they are told neither of pages nor of filters, which a log of texts does not have.
    """
    for name in policies:
        if name not in POLICIES:
            raise UsageError(f"unknown policy {name!r}{did_you_mean(name, POLICIES)} There are: {', '.join(POLICIES)}")
    if any(size < 1 for size in sizes) or any(kept < 0 for kept in kept_seconds):
        raise ParameterError("a cache has room for 1 result at least, and keeps it for 0 seconds at least")
    costs = costs or Costs()
    requests = read_requests(log)
    begin = perf_counter()
    distances = reuse_distances(requests.text)
    runs = [
        _result(requests, policy, size, kept, hits, costs, dated=log.dated)
        for policy in dict.fromkeys(policies)
        if policy != "ttl" or log.dated
        for size, kept, hits in _simulated(policy, requests, distances, sizes, kept_seconds)
    ]
    took = perf_counter() - begin
    lru_sizes, lru_rates = _every_size(distances)
    missing = [name for name in ("personal",) if name in policies and not requests.users]
    return Caching(
        queries=len(requests.text),
        texts=requests.texts,
        users=requests.users,
        peak_minute=_peak(requests.time_ms) if log.dated else None,
        costs=costs,
        results=tuple(runs),
        lru_sizes=lru_sizes,
        lru_rates=lru_rates,
        seconds_per_million=took / max(len(runs), 1) / len(requests.text) * 1e6,
        left_out=(
            *(f"{name}: the log does not say who asked" for name in missing),
            *(() if log.dated else (f"{log.times_said}, and nothing is said of ttl and of the busiest minute",)),
        ),
    )


def read_requests(log: Log) -> Requests:
    """The queries in their order. A day at a time is read, and texts and users become numbers at once."""
    queries = log.queries
    days = log.run(queries.select("day").distinct().order_by("day")).column("day").to_pylist()
    numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
    parts = list[tuple[Ints, Ints, Ints]]()
    for day in days:
        found = log.run(
            queries.filter(queries.day == day)
            .select("text", "user_id", "time_ms", "query_id")
            .order_by(["time_ms", "query_id"])
            .select("text", "user_id", "time_ms")
        )
        text, user = (
            _numbered(found.column(name), known) for name, known in zip(("text", "user_id"), numbers, strict=True)
        )
        parts.append((text, user, found.column("time_ms").to_numpy().astype(np.int64)))
    if not parts:
        raise log.no_queries()
    text, user, time_ms = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return Requests(text, user, time_ms, len(numbers[0]), len(numbers[1]))


def _numbered(column: object, known: dict[str, int]) -> Ints:
    """Texts as numbers, which are given in the order in which they come first; -1 of nothing."""
    import pyarrow as pa

    assert isinstance(column, pa.ChunkedArray)
    whole = column.combine_chunks().dictionary_encode()
    numbers = np.array([known.setdefault(name, len(known)) for name in whole.dictionary.to_pylist()] or [0], np.int64)
    places = whole.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    coded: Ints = np.where(places < 0, -1, numbers[places])
    return coded


def _simulated(
    policy: str, requests: Requests, distances: Ints, sizes: Sequence[int], kept_seconds: Sequence[float]
) -> Iterator[tuple[int | None, float | None, Bools]]:
    shared = sizes or sorted({max(1, round(share * requests.texts)) for share in SHARES})
    if policy == "lru":
        yield from ((size, None, least_recently_used(distances, size)) for size in shared)
    elif policy == "lfu":
        yield from ((size, None, least_frequently_used(requests.text, size)) for size in shared)
    elif policy == "best":
        yield from ((size, None, best_possible(requests.text, size)) for size in shared)
    elif policy == "ttl":
        for kept in kept_seconds:
            yield None, kept, time_to_live(requests.text, requests.time_ms, round(1000 * kept))
    elif policy == "personal":
        own = _personal_distances(requests)
        for size in (sizes or PERSONAL_SIZES) if requests.users else ():
            yield size, None, least_recently_used(own, size)
    else:
        yield None, None, distances < NEVER


def _personal_distances(requests: Requests) -> Ints:
    """The queries of each user stand together, so that others do not come between; unknown users have no cache."""
    order = np.argsort(requests.user, kind="stable")
    own = requests.user[order].astype(np.int64) * requests.texts + requests.text[order]
    distances = np.empty(len(order), np.int64)
    distances[order] = reuse_distances(own)
    distances[requests.user < 0] = NEVER
    return distances


def _result(
    requests: Requests, policy: str, size: int | None, kept: float | None, hits: Bools, costs: Costs, *, dated: bool
) -> CacheResult:
    number, queries = int(hits.sum()), len(hits)
    missed = 1 - number / queries
    return CacheResult(
        policy=policy,
        size=size,
        kept_seconds=kept,
        hits=number,
        queries=queries,
        hit_rate=number / queries,
        latency_ms=costs.cache_ms + missed * costs.engine_ms,
        saved_hours=number * costs.engine_ms / 3_600_000,
        peak_minute=_peak(requests.time_ms[~hits]) if dated else None,
    )


def _peak(times_ms: Ints) -> int:
    return int(np.unique(times_ms // MINUTE_MS, return_counts=True)[1].max()) if len(times_ms) else 0


def _every_size(distances: Ints, most: int = 200) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """The hit rate of `lru` at each size that makes a difference, of many at about equal steps of their order."""
    known = distances[distances < NEVER]
    sizes, counts = np.unique(known + 1, return_counts=True)
    rates = np.cumsum(counts) / len(distances)
    kept = np.unique(np.linspace(0, len(sizes) - 1, min(most, len(sizes))).round().astype(np.int64))
    return tuple(sizes[kept].tolist()), tuple(rates[kept].tolist())
