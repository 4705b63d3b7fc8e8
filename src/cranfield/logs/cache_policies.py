"""What a cache keeps: which requests of a sequence it answers, by policy and size.

Requests are items as whole numbers from 0, in the order they came; each function says of every request whether it is
answered from the cache. The cache is empty in the beginning.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict

import numpy as np

from cranfield.data.strings import Bools, Ints

NEVER = np.iinfo(np.int64).max


def previous_requests(items: Ints) -> Ints:
    """The place of the request before, for the same item; -1 of the first.

    >>> previous_requests(np.array([7, 8, 7, 7])).tolist()
    [-1, -1, 0, 2]
    """
    order = np.argsort(items, kind="stable")
    previous = np.full(len(items), -1, np.int64)
    same = items[order[1:]] == items[order[:-1]]
    previous[order[1:][same]] = order[:-1][same]
    return previous


def reuse_distances(items: Ints) -> Ints:
    """How many other items were asked for since an item was asked for last (Mattson and others, 1970): a cache that
    drops what was used longest ago answers all requests whose distance is below its size. NEVER for the first.

    The requests since p that count are those whose item was not asked for since p: p_j <= p. All j <= p fulfil that
    too, so it is enough to count the smaller p_j before each request, for all at once, bit by bit.

    >>> reuse_distances(np.array([1, 2, 3, 3, 1])).tolist()[3:]
    [0, 2]
    """
    previous = previous_requests(items)
    again = previous >= 0
    # First requests all come below the others, in any order among themselves.
    ranks = np.empty(len(items), np.int64)
    ranks[np.argsort(previous, kind="stable")] = np.arange(len(items))
    distances = np.full(len(items), NEVER, np.int64)
    distances[again] = (_smaller_before(ranks) - previous - 1)[again]
    return distances


def _smaller_before(ranks: Ints) -> Ints:
    """Of a permutation of 0, 1, …: how many smaller ones stand before each.

    Numbers that agree in their higher bits stand together, in their order, and begin at the least of them; those with
    a 1 in the next bit have before them as smaller ones all those of their group with a 0.
    """
    counts = np.zeros(len(ranks), np.int64)
    standing = np.arange(len(ranks))
    for bit in reversed(range(max(len(ranks) - 1, 0).bit_length())):
        values = ranks[standing]
        one = (values >> bit) & 1 == 1
        zeros = np.concatenate([[0], np.cumsum(~one)])
        begin = (values >> (bit + 1)) << (bit + 1)
        smaller = zeros[:-1] - zeros[begin]
        counts[standing[one]] += smaller[one]
        places = np.where(one, begin + (1 << bit) + (np.arange(len(ranks)) - begin - smaller), begin + smaller)
        moved = np.empty_like(standing)
        moved[places] = standing
        standing = moved
    return counts


def least_recently_used(distances: Ints, size: int) -> Bools:
    """By the distances of `reuse_distances`."""
    hits: Bools = distances < size
    return hits


def least_frequently_used(items: Ints, size: int) -> Bools:
    """Drop what was asked for least often since it came in; of several, what was used longest ago."""
    hits = np.zeros(len(items), bool)
    times = dict[int, int]()
    kept: dict[int, OrderedDict[int, None]] = {1: OrderedDict()}
    least = 1
    for at, item in enumerate(items.tolist()):
        count = times.get(item, 0)
        if count:
            hits[at] = True
            del kept[count][item]
            if count == least and not kept[count]:
                least += 1
        else:
            if len(times) == size:
                dropped, _ = kept[least].popitem(last=False)
                del times[dropped]
            least = 1
        times[item] = count + 1
        kept.setdefault(count + 1, OrderedDict())[item] = None
    return hits


def time_to_live(items: Ints, times_ms: Ints, keep_ms: int) -> Bools:
    """Room for everything, but nothing is answered later than so long after it was fetched."""
    hits = np.zeros(len(items), bool)
    fetched = dict[int, int]()
    for at, (item, now) in enumerate(zip(items.tolist(), times_ms.tolist(), strict=True)):
        since = fetched.get(item)
        if since is not None and now - since <= keep_ms:
            hits[at] = True
        else:
            fetched[item] = now
    return hits


def best_possible(items: Ints, size: int) -> Bools:
    """Drop what will not be asked for again for the longest time, be it what just came in (Belady, 1966): no cache of
    this size answers more."""
    count = len(items)
    follows = previous_requests(items[::-1])[::-1]
    following = np.where(follows < 0, NEVER, count - 1 - follows).tolist()
    hits = np.zeros(count, bool)
    kept = dict[int, int]()
    farthest = list[tuple[int, int]]()
    for at, item in enumerate(items.tolist()):
        hits[at] = kept.pop(item, None) is not None
        if following[at] == NEVER:
            continue
        kept[item] = following[at]
        heapq.heappush(farthest, (-following[at], item))
        if len(kept) > size:
            # Entries of requests that have come true are below those of the future, so they are never on top.
            del kept[heapq.heappop(farthest)[1]]
    return hits
