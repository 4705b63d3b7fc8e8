"""Looking for the expected, the lowest and the highest value of measures over the orders of tied documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Bools, Floats, Ints, Words
from cranfield.data.tied_documents import TiedDocuments
from cranfield.evaluation.bounds.tie_orders import Orders
from cranfield.evaluation.bounds.tie_spread import ALL_ORDERS, CLOSED_FORM, SAMPLED, UNAFFECTED
from cranfield.measures import Measure
from cranfield.measures.tie_forms import holds, worth_of

if TYPE_CHECKING:
    from cranfield.evaluation.bounds.tie_views import View

_SAME = 1e-12
"""Sums of the same numbers in another order differ by less."""


@dataclass(eq=False)
class Spread:
    """What was found about one measure: for each query what is expected (NaN: not known), and the ends of the range."""

    expected: Floats
    error: Floats
    low: Floats
    high: Floats
    certified: Bools
    method: Ints

    @classmethod
    def unknown(cls, queries: int) -> Spread:
        nothing = np.zeros(queries)
        return cls(
            nothing * np.nan,
            nothing.copy(),
            nothing + np.inf,
            nothing - np.inf,
            np.zeros(queries, dtype=np.bool_),
            np.full(queries, UNAFFECTED),
        )

    def take(self, rows: Ints) -> Spread:
        """Of some queries."""
        return Spread(*(getattr(self, column.name)[rows] for column in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence[Spread]) -> Spread:
        """Of several portions of queries."""
        if not parts:
            return cls.unknown(0)
        return cls(*(np.concatenate([getattr(part, column.name) for part in parts]) for column in fields(cls)))

    def widen(self, values: Floats) -> None:
        """Widen the range by values that were seen."""
        np.minimum(self.low, values, out=self.low)
        np.maximum(self.high, values, out=self.high)


class Search:
    """The topics of rankings with open orders, and what measures make of them.

    `by_form` says whether what measures know of ties holds here; otherwise everything is found by trying.
    """

    def __init__(self, tied: TiedDocuments, random: Words, view: View, depth: int | None, by_form: bool) -> None:
        self.tied = tied
        self.rankings = tied.rankings
        self.orders = Orders(tied, random)
        self.view = view
        self.depth = depth
        self.by_form = by_form
        self._arranged: dict[bytes, tuple[Any, Any]] = {}
        self._shared: dict[tuple[bool, bool], Any] = {}

    def find(self, measures: Sequence[Measure]) -> dict[Measure, Spread]:
        """For each measure what is expected of each query, and the ends of its range."""
        spreads = {measure: Spread.unknown(len(self.rankings)) for measure in measures}
        for measure, spread in spreads.items():
            if measure.definition.without_run:
                self._take_as_it_is(measure, spread)
            elif self.by_form:
                self._order_by_worth(measure, spread)
                self._share_ranks(measure, spread)
        self._try_orders(spreads)
        return spreads

    def _seen(self, rankings: Rankings) -> Any:
        """What a measure gets of rankings."""
        return self.view.see(rankings if self.depth is None else rankings.cut(self.depth))

    @cached_property
    def _as_it_is(self) -> Any:
        return self._seen(self.rankings)

    @cached_property
    def _uncut(self) -> Any:
        return self.view.see(self.rankings)

    @cached_property
    def _across_depth(self) -> Bools:
        """For which queries a tie lies across the depth, so that it is open which documents count."""
        across = np.zeros(len(self.rankings), dtype=np.bool_)
        if self.depth is not None:
            across[self.tied.ties.query[self.tied.ties.across(self.depth)]] = True
        return across

    def _settled(self, measure: Measure) -> Bools:
        """For which queries what the measure knows of ties holds."""
        parameters = measure.parameters
        drops_unjudged = parameters.get("judged_only") or self.view.drops_unjudged
        if not drops_unjudged and holds(measure.definition.ties.across_depth, parameters):
            return np.ones(len(self.rankings), dtype=np.bool_)
        return ~self._across_depth

    def _take_as_it_is(self, measure: Measure, spread: Spread) -> None:
        """The value that no order changes."""
        spread.expected = measure.compute(self._as_it_is)
        spread.low, spread.high = spread.expected, spread.expected
        spread.certified |= True

    def _order_by_worth(self, measure: Measure, spread: Spread) -> None:
        """The values with the documents of each tie best first and worst first."""
        worth = worth_of(measure, self._uncut)
        if worth is None:
            return
        key = worth.tobytes()
        if key not in self._arranged:
            best, worst = (self._seen(self.tied.arranged(self.tied.best_first(by))) for by in (worth, -worth))
            self._arranged[key] = best, worst
        for data in self._arranged[key]:
            spread.widen(measure.compute(data))
        spread.certified |= self._settled(measure)
        unaffected = spread.certified & (spread.high - spread.low <= _SAME * np.maximum(np.abs(spread.high), 1.0))
        spread.expected[unaffected] = spread.high[unaffected]
        spread.low[unaffected] = spread.high[unaffected]

    def _share_ranks(self, measure: Measure, spread: Spread) -> None:
        """The value where tied documents share their ranks."""
        form, parameters = measure.definition.ties, measure.parameters
        rows = np.isnan(spread.expected) & self._settled(measure)
        if not rows.any() or not holds(form.shares, parameters):
            return
        judged_only = bool(parameters.pop("judged_only", False))
        data = self._shared_ranks(judged_only, holds(form.across_depth, parameters))
        value = form.expected(data, **parameters) if form.expected else measure(**_as_given(judged_only)).compute(data)
        spread.expected[rows], spread.method[rows] = value[rows], CLOSED_FORM

    def _shared_ranks(self, judged_only: bool, across_depth: bool) -> Any:
        key = (judged_only, across_depth)
        if key not in self._shared:
            r = self.rankings
            if self.depth is not None and (judged_only or not across_depth):
                r = r.cut(self.depth)
            self._shared[key] = self.view.share(r.condensed() if judged_only else r, self.depth)
        return self._shared[key]

    def _try_orders(self, spreads: dict[Measure, Spread]) -> None:
        """All orders of the queries of which something is still open, or some of them."""
        is_open = {m: (np.isnan(s.expected) | ~s.certified) & self._touched for m, s in spreads.items()}
        is_open = {measure: rows for measure, rows in is_open.items() if rows.any()}
        if not is_open:
            return
        base = {measure: measure.compute(self._as_it_is) for measure in is_open}
        total = {measure: np.zeros(len(self.rankings)) for measure in is_open}
        squares = {measure: np.zeros(len(self.rankings)) for measure in is_open}
        some = np.flatnonzero(np.logical_or.reduce(list(is_open.values())))
        for batch in self.orders.batches(some, separable=self.view.separable):
            data = self._seen(batch.rankings)
            for measure, rows in is_open.items():
                chosen = batch.counts & rows[batch.query]
                query, spread = batch.query[chosen], spreads[measure]
                values = measure.compute(data)[chosen]
                np.minimum.at(spread.low, query, values)
                np.maximum.at(spread.high, query, values)
                np.add.at(total[measure], query, values - base[measure][query])
                np.add.at(squares[measure], query, (values - base[measure][query]) ** 2)
        number = self.orders.number
        for measure, rows in is_open.items():
            spread = spreads[measure]
            unknown = rows & np.isnan(spread.expected)
            mean = total[measure] / number
            spread.expected[unknown] = (base[measure] + mean)[unknown]
            spread.method[unknown] = np.where(self.orders.drawn, SAMPLED, ALL_ORDERS)[unknown]
            drawn = unknown & self.orders.drawn
            variance = np.maximum(squares[measure] - number * mean**2, 0.0) / np.maximum(number - 1, 1)
            spread.error[drawn] = np.sqrt(variance / number)[drawn]
            spread.certified |= rows & ~self.orders.drawn

    @cached_property
    def _touched(self) -> Bools:
        """Which queries have an order that is open."""
        touched = np.zeros(len(self.rankings), dtype=np.bool_)
        touched[self.tied.queries] = True
        return touched


def _as_given(judged_only: bool) -> dict[str, Any]:
    """That documents which are not judged were dropped already."""
    return {"judged_only": False} if judged_only else {}
