"""How likely a reader is to stop at each rank who may stop at any document, over all orders of tied documents.

Having passed t of the n documents of a tie, the reader has met a random t of them: the chance to go on past all of
these is the mean, over all choices of t, of the product of 1 - stop. Both this and the chance to stop at rank t follow
from those without a document d, which stands at each of the n + 1 ranks with the same chance,

    past_t(n + 1) = ((n + 1 - t) · past_t(n) + t · (1 - stop_d) · past_{t-1}(n)) / (n + 1)
    at_t(n + 1) = ((n + 1 - t) · at_t(n) + stop_d · past_{t-1}(n) + (t - 1) · (1 - stop_d) · at_{t-1}(n)) / (n + 1)

for it stands below rank t, there, or above.
"""

from __future__ import annotations

import numpy as np

from cranfield.data.query_sums import cumulative
from cranfield.data.shared_rows import SharedRows
from cranfield.data.strings import Floats, Ints

_LOGARITHM_OF_ZERO = -1e3
"""Low enough that no sum with it is the logarithm of more than 0."""


def chances_to_reach(rows: SharedRows, stop: Floats) -> Floats:
    """For each row, the chance to get there, such that share · stop · chance adds up to the chance of stopping there.

    Readers stop at a document of the row with the chance `stop`, which is the same at all its ranks; 0 where it is 0.
    """
    value = np.zeros(len(stop))
    some = np.flatnonzero(stop > 0)
    if not len(some):
        return value
    rows, stop = rows.take(some), stop[some]
    head, of_tie = np.flatnonzero(rows.new_tie), np.cumsum(rows.new_tie) - 1
    slot = rows.rank - rows.rank[head][of_tie]
    top = np.flatnonzero(slot == 0)
    document = np.repeat(top, np.rint(rows.share[top] * rows.size[top]).astype(np.int64))
    owner, on = of_tie[document], 1.0 - stop[document]
    at, begin = _stopping(owner, stop[document], rows.size[head], np.maximum.reduceat(slot, head) + 1)
    logarithm = np.log(on, out=np.full(len(on), _LOGARITHM_OF_ZERO), where=on > 0)
    past_tie = np.bincount(owner, weights=logarithm, minlength=len(head)).astype(np.float64, copy=False)
    reader = (np.cumsum(rows.new_key) - 1)[head].astype(np.int32)
    before = np.exp(cumulative(reader, past_tie, int(reader[-1]) + 1) - past_tie)
    stopping = before[of_tie] * at[begin[of_tie] + slot + 1]
    expected = np.add.reduceat(rows.share * stop, np.flatnonzero(rows.new_rank))[np.cumsum(rows.new_rank) - 1]
    value[some] = stopping / expected
    return value


def _stopping(tie: Ints, stop: Floats, size: Ints, slots: Ints) -> tuple[Floats, Ints]:
    """For each tie the chance to stop at its rank 0 (never), 1, ..., `slots`, and where these begin.

    Documents that are not listed stop nobody. All ties take in a document at a time.
    """
    count = np.bincount(tie, minlength=len(size))
    first_document = np.cumsum(count) - count
    order = np.argsort(-count, kind="stable")  # those that take in most come first
    cells = slots[order] + 1
    end = np.cumsum(cells)
    begin = np.empty(len(size), dtype=np.int64)
    begin[order] = end - cells
    owner = np.repeat(order, cells)
    t = (np.arange(len(owner)) - begin[owner]).astype(np.float64)
    known = (size - count)[owner]
    past, at = np.ones(len(owner)), np.zeros(len(owner))
    for step in range(int(count.max(initial=0))):
        active = slice(int(end[np.searchsorted(-count[order], -step) - 1]))
        ranks, here = known[active] + step + 1.0, t[active]
        stops = stop[first_document[owner[active]] + step]
        past_above, at_above = np.append(1.0, past[active][:-1]), np.append(0.0, at[active][:-1])
        below = np.maximum(ranks - here, 0.0)
        stopping = below * at[active] + stops * past_above + (here - 1.0) * (1.0 - stops) * at_above
        passing = below * past[active] + here * (1.0 - stops) * past_above
        at[active] = np.where((here > 0) & (here <= ranks), stopping / ranks, 0.0)
        past[active] = np.where(here <= ranks, passing / ranks, 1.0)
    return at, begin
