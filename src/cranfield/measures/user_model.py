"""What a measure says about a reader: the C/W/L family of user models.

A reader goes down the ranking from rank 1 and, having read rank i, goes on with probability C(i). All else follows:

    V(1) = 1, V(i+1) = V(i) C(i)         the chance that rank i is read
    W(i) = V(i) / Σ V                    the share of the reading that rank i gets
    L(i) = (W(i) - W(i+1)) / W(1)        the chance that rank i is the last one read

    EU  = Σ W(i) g_i                     expected utility, gain for each document read
    ETU = Σ L(i) (g_1 + ... + g_i)       expected total utility, EU · ED
    EC, ETC                              the same of costs instead of gains
    ED  = Σ i L(i) = 1 / W(1)            expected depth, documents read
    residual                             how much EU would rise if all that is not judged had the highest gain

Rankings have no end here: below the last document retrieved come unjudged ones for ever, unless the reader leaves after
a cutoff at the latest. An unjudged document has gain 0; one below the list has the cost that `Rankings` says.

Ranks without a judged document need not be looked at one by one where the chances along a stretch of equal documents
have a closed form, `UserModel.stretch`. Where they have none, or costs matter, blocks of whole rankings are filled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from cranfield.data.query_sums import cumulative, row_sums, totals
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Bools, Codes, Floats, Ints
from cranfield.errors import ParameterError

_CELLS = 1 << 14
"""How many ranks are looked at together: few enough to stay in the processor's cache."""
_DEEPEST = 10_000_000
_ROUNDING = 1e-12
"""The two values behind a residual are computed in different ways: one that is less than this below 0 is 0."""
_LOGARITHM_OF_ZERO = -1e3
"""Low enough that no sum with it is the logarithm of more than 0."""
_FORMULAS = {
    "EU": "gained / ED",
    "ETU": "gained",
    "EC": "(spent + below_the_list) / ED",
    "ETC": "spent + below_the_list",
    "ED": "in_the_list + below_the_list",
}
"""How the values follow from what is read, gained and spent in the list and below it."""


class Ranks(NamedTuple):
    """Ranks as a reader meets them: queries down and ranks across, or some ranks of some queries in a row."""

    query: Ints
    rank: Floats
    gain: Floats
    cost: Floats | float
    gains: Floats
    """The gain of all ranks down to and including this one."""
    costs: Floats
    below: float
    """The gain of the documents below the last rank."""


class Stretch(NamedTuple):
    """Stretches of ranks, `first` to `last` (which may be infinite), whose documents all have one gain and cost."""

    first: Floats
    last: Floats
    gains: Floats
    """The gain of all ranks above the first."""
    costs: Floats
    gain: float
    """Of each document: 0 or 1."""
    cost: float

    @property
    def steps(self) -> Floats:
        """How many steps lead from the first rank to the last."""
        return self.last - self.first


ClosedForm = Callable[[Stretch], tuple[Floats, Floats]]
"""For a reader who is at the first rank of a stretch: the chance to read the last, and how many are read on average."""


@dataclass(frozen=True)
class UserModel:
    """A reader: how likely it is to go on.

    `stretch` is what follows from C for stretches of documents whose gain is one of `closed`. `adaptive` says whether C
    depends on the gains. `beyond` is the reading done infinitely deep.
    """

    continuation: Callable[[Ranks], Floats]
    stretch: ClosedForm | None = None
    closed: tuple[float, ...] = (0.0, 1.0)
    adaptive: bool = True
    beyond: Callable[[Ranks], Floats] | None = None


class Sums(NamedTuple):
    """For each query: Σ V(i) g_i, Σ V(i) c_i and Σ V(i)."""

    gain: Floats
    cost: Floats
    read: Floats


class CWL(NamedTuple):
    """Continuation, weight and last of the first ranks of a ranking."""

    C: Floats
    W: Floats
    L: Floats


@dataclass(frozen=True, eq=False)
class Reader:
    """A user model put before rankings.

    `gain` is that of each row, `most` the highest there can be, and `own` the value that is the measure itself.
    `costly` says whether C depends on the costs.
    """

    model: UserModel
    rankings: Rankings
    gain: Floats
    cutoff: int | None = None
    most: float = 1.0
    own: str = "EU"
    costly: bool = False
    _known: dict[tuple[bool, bool], Sums] = field(default_factory=dict)

    def value(self, name: str) -> Floats:
        """For each query, the value of this name: EU, ETU, EC, ETC, ED or residual."""
        if name == "residual":
            known, best = self._expected(self.own), self._expected(self.own, best=True)
            more = np.where((best - known < 0) & (best - known > -_ROUNDING), 0.0, best - known)
            return self.rankings.step("residual", "at_best - known", more, at_best=best, known=known)
        value = self._expected(name)
        if self.rankings.working is not None:
            self._show(name, value)
        return value

    def _show(self, name: str, value: Floats) -> None:
        """Write down how a value follows from the chance that each rank is read."""
        r = self.rankings
        ranks = next(self._blocks(False, np.maximum(r.retrieved, 1)))
        on = self._continuation(ranks)[0]
        at = r.rank - 1
        read = np.cumprod(np.append(1.0, on))[at]
        r.show("goes on", on[at])
        r.show("read", read)
        depth, total, whole = self._expected("ED"), np.zeros(1), np.zeros(1)
        if name in ("EU", "ETU"):
            r.show("gain", self.gain)
            r.sum(read * self.gain, name="gained", column="read · gain")
        elif name in ("EC", "ETC"):
            cost = np.broadcast_to(ranks.cost, ranks.gain.shape)[0][at]
            r.show("cost", cost)
            total, whole = r.sum(read * cost, name="spent", column="read · cost"), self._expected("ETC")
        else:
            total, whole = r.sum(read, name="in_the_list", column="read"), depth
        if name == "EC" and np.isinf(depth[0]):
            r.step(name, "cost_of_each_below", value, cost_of_each_below=self._cost_below)
        else:
            r.step(name, _FORMULAS[name], value, ED=depth, below_the_list=whole - total)

    def _expected(self, name: str, *, best: bool = False) -> Floats:
        """A value as things are known, or if all that is not judged had the highest gain."""
        sums = self._sums(best, costs=name in ("EC", "ETC"))
        if name in ("ETU", "ETC", "ED"):
            return {"ETU": sums.gain, "ETC": sums.cost, "ED": sums.read}[name]
        both = {"EU": (sums.gain, self.most if best else 0.0), "EC": (sums.cost, self._cost_below)}
        total, endless = both[name]
        for_ever = np.isinf(sums.read)
        return np.where(for_ever, endless, total / np.where(for_ever, 1.0, sums.read))

    def cwl(self, depth: int) -> CWL:
        """C, W and L down to a depth, of a single query."""
        whole = np.maximum(self.rankings.retrieved, depth)
        C = self._continuation(next(self._blocks(False, whole)))[0, :depth]
        V = np.cumprod(np.append(1.0, C))
        return CWL(C, V[:-1] / self._expected("ED")[0], V[:-1] - V[1:])

    def _sums(self, best: bool, *, costs: bool) -> Sums:
        """As things are known or at best; the sum of costs is only right if it is asked for."""
        model, differ = self.model, self.rankings.costs is not None
        one_by_one = model.stretch is None or (best and model.adaptive) or ((costs or self.costly) and differ)
        if (best, one_by_one) not in self._known:
            self._known[best, one_by_one] = self._rank_by_rank(best) if one_by_one else self._by_closed_forms(best)
        return self._known[best, one_by_one]

    def _by_closed_forms(self, best: bool) -> Sums:
        stretch = self.model.stretch
        assert stretch is not None
        read, gain = self._by_stretches(stretch) if self.model.adaptive else self._fixed(stretch, best)
        return Sums(gain, read, read)

    @property
    def _cost_below(self) -> float:
        """What a document below the list costs."""
        return 1.0 if self.rankings.costs is None else self.rankings.costs.below

    @property
    def _end(self) -> float:
        """The rank after which the reader leaves at the latest."""
        return np.inf if self.cutoff is None else float(self.cutoff)

    def _within(self, chosen: Bools) -> Ints:
        """The chosen rows that are not below the cutoff."""
        return np.flatnonzero(chosen if self.cutoff is None else chosen & (self.rankings.rank <= self.cutoff))

    def _fixed(self, stretch: ClosedForm, best: bool) -> tuple[Floats, Floats]:
        """Where C depends on nothing but the rank: documents read and their gain."""
        r = self.rankings
        rows = self._within(self.gain != 0)
        reached, _ = stretch(_from_the_top(r.rank[rows]))
        gain = r.sum(reached * self.gain[rows], rows=rows)
        _, read = stretch(_from_the_top(np.full(1, self._end)))
        if best:
            judged = self._within(r.grade >= 0)
            reached, _ = stretch(_from_the_top(r.rank[judged]))
            gain = gain + self.most * (read - r.sum(reached, rows=judged))
        return np.full(len(r), read[0]), gain

    def _by_stretches(self, stretch: ClosedForm) -> tuple[Floats, Floats]:
        """From one document with a gain to the next: documents read and their gain."""
        r = self.rankings
        rows = self._within(self.gain != 0)
        query, rank, gain = r.query[rows], r.rank[rows].astype(np.float64), self.gain[rows]
        gains = cumulative(query, gain, len(r))
        leads = np.append(True, query[1:] != query[:-1])[: len(query)]
        above = np.where(leads, 0.0, np.append(0.0, rank[:-1])[: len(rank)])
        kept, passed = stretch(Stretch(above + 1.0, rank, gains - gain, above, 0.0, 1.0))
        on = self.model.continuation(Ranks(query.astype(np.int64), rank, gain, 1.0, gains, rank, 0.0))
        begins, reached = _running_product(query, kept * on, len(r))
        deepest, total, reaches_end = np.zeros(len(r)), np.zeros(len(r)), np.ones(len(r))
        deepest[query], total[query], reaches_end[query] = rank, gains, reached  # the last row of a query wins
        below = deepest + 1.0
        _, left = stretch(Stretch(below, np.maximum(below, self._end), total, deepest, 0.0, 1.0))
        more = (reaches_end > 0) & (deepest < self._end)
        left = np.where(more, left, 0.0) * np.where(more, reaches_end, 1.0)
        return totals(query, begins * passed, len(r)) + left, totals(query, begins * kept * gain, len(r))

    def _rank_by_rank(self, best: bool) -> Sums:
        """Blocks of whole rankings, from nothing but C; `stretch` gives what lies below them."""
        r, most = self.rankings, self.most if best else 0.0
        depth = r.retrieved if self.cutoff is None else np.minimum(r.retrieved, self.cutoff)
        if self.model.stretch is None or most not in self.model.closed:
            depth = np.minimum(depth + self._further(most), _DEEPEST + 1 if self.cutoff is None else self.cutoff)
        sums = Sums(np.zeros(len(r)), np.zeros(len(r)), np.zeros(len(r)))
        for at in self._blocks(best, depth):
            chance = np.ones((len(at.query), len(at.rank) + 1))
            np.cumprod(self._continuation(at), axis=1, out=chance[:, 1:])
            here, after = chance[:, :-1], chance[:, -1]
            below = self._below(at, after)
            read = row_sums(here)
            sums.read[at.query] = read + below
            sums.gain[at.query] = row_sums(here * at.gain) + (below * most if most else 0.0)
            cost = read if isinstance(at.cost, float) else row_sums(here * at.cost)
            sums.cost[at.query] = cost + below * self._cost_below
        return sums

    def _further(self, most: float) -> int:
        """How many ranks below the list matter, with documents of this gain, where there is no closed form for them."""
        if 0 < most < 1:
            return min(math.ceil(-40.0 / math.log1p(-most)), _DEEPEST)  # all leave, each time with this chance
        return 0 if self.cutoff is None or (self.model.beyond is not None and not most) else self.cutoff

    def _continuation(self, at: Ranks) -> Floats:
        on = np.broadcast_to(self.model.continuation(at), at.gain.shape)
        return on if at.rank[-1] < self._end else np.where(at.rank < self._end, on, 0.0)

    def _below(self, at: Ranks, after: Floats) -> Floats:
        """How many documents are read below the last rank of each query; `after` is the chance that the first is."""
        if self.model.beyond is not None:
            return self.model.beyond(at)
        if self.model.stretch is None or at.rank[-1] >= self._end:
            return np.zeros(len(after))
        first, last = np.full(len(after), at.rank[-1] + 1.0), np.full(len(after), self._end)
        rest = Stretch(first, last, at.gains[:, -1], at.costs[:, -1], at.below, self._cost_below)
        _, read = self.model.stretch(rest)
        return np.where(after > 0, read, 0.0) * np.where(after > 0, after, 1.0)

    def _blocks(self, best: bool, depth: Ints) -> Iterator[Ranks]:
        """All rankings down to a depth, some at a time, the deepest first."""
        r, unknown = self.rankings, self.most if best else 0.0
        if int(depth.max(initial=0)) > _DEEPEST:
            raise ParameterError(
                f"a reader is followed through at most {_DEEPEST} ranks of a query, which is not enough here; give a "
                f"lower cutoff"
            )
        order = np.argsort(-depth, kind="stable")
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        chosen = (r.grade >= 0) if best else self.gain != 0
        rows = np.flatnonzero(chosen & (r.rank <= depth[r.query]))
        rows = rows[np.argsort(place[r.query[rows]], kind="stable")]
        at = place[r.query[rows]]
        begin = 0
        while begin < len(order):
            width = max(int(depth[order[begin]]), 1)
            query = order[begin : begin + max(1, _CELLS // width)]
            inside = rows[slice(*np.searchsorted(at, [begin, begin + len(query)]))]
            gain = np.full((len(query), width), unknown)
            gain[place[r.query[inside]] - begin, r.rank[inside] - 1] = self.gain[inside]
            rank = np.arange(1.0, width + 1.0)
            cost = 1.0 if r.costs is None else r.costs.down_to(query, width)
            costs = np.broadcast_to(rank, gain.shape) if isinstance(cost, float) else np.cumsum(cost, axis=1)
            yield Ranks(query, rank, gain, cost, np.cumsum(gain, axis=1), costs, unknown)
            begin += len(query)


def _from_the_top(last: Floats | Ints) -> Stretch:
    """The stretches from rank 1 to some ranks."""
    nothing = np.zeros(len(last))
    return Stretch(nothing + 1.0, last.astype(np.float64), nothing, nothing, 0.0, 1.0)


def _running_product(query: Codes, factor: Floats, queries: int) -> tuple[Floats, Floats]:
    """For each row the product of the factors above it in its query, and that with its own factor."""
    logarithm = np.log(factor, out=np.full(len(factor), _LOGARITHM_OF_ZERO), where=factor > 0)
    running = cumulative(query, logarithm, queries)
    return np.exp(running - logarithm), np.exp(running)
