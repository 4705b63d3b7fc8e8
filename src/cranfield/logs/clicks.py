"""Click-through by rank and by kind of listing, and what of it is a document's own: click deviation, and clicks over
expected clicks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.logs.counting import counted
from cranfield.logs.log import Log
from cranfield.logs.shared_names import Names, SharedNames
from cranfield.logs.tables import COUNTED_BY
from cranfield.logs.traffic import traffic
from cranfield.stats.interval import Intervals
from cranfield.stats.proportions import poisson_rate, wilson

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa

ENOUGH = 10
"""Of a document that was shown less often, nothing is said."""


@dataclass(frozen=True, eq=False)
class ClicksByRank:
    """How often documents were shown and clicked at each rank: E(p) = clicked / shown."""

    rank: Ints
    shown: Ints
    clicked: Ints
    """How many of those shown were clicked, be it once or more often."""
    interval: Intervals
    queries: int
    """How many queries there are in this part of the log."""

    @property
    def notes(self) -> list[str]:
        """What one should know when reading the numbers."""
        most = int(self.shown.argmax())
        if self.shown[most] <= self.queries:
            return []
        return [
            f"{self.shown[most]:,} documents were shown at rank {self.rank[most]} for "
            f"{counted(self.queries, 'queries')}: some have several documents at one rank, as where several lists "
            "were logged for one query"
        ]

    @property
    def expected(self) -> Floats:
        """E(p): the share that is clicked at a rank, whatever stands there."""
        share: Floats = self.clicked / self.shown
        return share

    @property
    def of_clicks(self) -> Floats:
        """Which share of all clicks a rank gets; nan where there is no click."""
        return shares_of(self.clicked)


@dataclass(frozen=True, eq=False)
class ClicksByListing:
    """The same by kind of listing, those with most clicks first."""

    listing: Names
    """None: of these the log does not say the kind."""
    shown: Ints
    clicked: Ints
    interval: Intervals

    @property
    def of_clicks(self) -> Floats:
        """Which share of all clicks a kind gets; nan where there is no click."""
        return shares_of(self.clicked)


@dataclass(frozen=True, eq=False)
class ClickDeviation:
    """Of each document of a query, by how much it is clicked more often than its ranks alone would have it."""

    texts: SharedNames
    documents: SharedNames
    rank: Ints
    """0 where all ranks are taken together."""
    shown: Ints
    clicked: Ints
    expected: Floats
    """How many clicks were to be expected: for each time it was shown, the click-through of the rank."""
    deviation: Floats
    """CD: the share that was clicked less that which was to be expected; nan where it was shown too rarely."""
    deviation_interval: Intervals
    coec: Floats
    """Clicks over expected clicks; nan where it was shown too rarely."""
    coec_interval: Intervals
    enough: int
    """How often a document must have been shown."""

    @property
    def text(self) -> Names:
        """The query of each row."""
        return self.texts.column

    @property
    def document(self) -> Names:
        """The document of each row."""
        return self.documents.column


def clicks_by_rank(log: Log, *, listing: str | None = None, level: float = 0.95) -> ClicksByRank:
    """Click-through by rank, of all listings or of one kind."""
    if listing is None:
        ranks = log.summary("ranks", ranks_of)
    else:
        ranks = by_rank(log.counts.filter(lambda counts: counts.listing == listing))
    found = log.run(ranks.order_by("rank"))
    if not found.num_rows:
        if listing is not None:
            raise UsageError(f"{log.path}: {_no_such_listing(log, listing)}")
        raise _nothing_shown(log)
    rank, shown, clicked = (found[name].to_numpy() for name in ("rank", "shown", "clicked"))
    return ClicksByRank(rank, shown, clicked, wilson(clicked, shown, level), _queries(log))


def clicks_by_listing(log: Log, *, level: float = 0.95) -> ClicksByListing:
    """Click-through by kind of listing, and how clicks are shared between kinds."""
    found = _summed(log.counts, "listing")
    rows = log.run(found.order_by([found.clicked.desc(), found.listing.fill_null("")]))
    if not rows.num_rows:
        raise _nothing_shown(log)
    shown, clicked = (rows[name].to_numpy() for name in ("shown", "clicked"))
    return ClicksByListing(
        rows["listing"].to_numpy(zero_copy_only=False), shown, clicked, wilson(clicked, shown, level)
    )


def _queries(log: Log) -> int:
    if log.part.whole:
        days = traffic(log)
        return int(log.run(days.filter(days.day.isnull()).queries.sum()).as_py())
    return int(log.run(log.queries.count()).as_py())


def _nothing_shown(log: Log) -> DataError:
    if not log.days:
        return log.no_queries()
    return DataError(f"{log.path}: the log does not say which documents were shown, so there is no rate")


def _no_such_listing(log: Log, listing: str) -> str:
    kinds = [str(kind) for kind in clicks_by_listing(log).listing if kind is not None]
    if not kinds:
        return "the log does not say which kind listings are of"
    return f"there are no listings of the kind {listing!r}{did_you_mean(listing, kinds)} There are: {', '.join(kinds)}"


def shares_of(numbers: Ints) -> Floats:
    """Of their sum.

    >>> shares_of(np.array([3, 1])).tolist()
    [0.75, 0.25]
    """
    total = int(numbers.sum())
    shares: Floats = numbers / (total or np.nan)
    return shares


def by_rank(counts: ibis.Table) -> ibis.Table:
    """For each rank, how often something was shown there, and how often it was clicked; of `Log.counts`."""
    return _summed(counts, "rank")


def _summed(counts: ibis.Table, *keys: str, **others: ibis.Value) -> ibis.Table:
    shown, clicked = (counts[name].sum().cast("int64") for name in ("shown", "clicked"))
    return counts.group_by(keys).agg(shown=shown, clicked=clicked, **others)


def click_deviation(log: Log, *, each_rank: bool = False, enough: int = ENOUGH, level: float = 0.95) -> ClickDeviation:
    """CD and COEC of every document of every query; with `each_rank`, at each rank of its own: CD(d, p).

    The expected clicks E(p) are those of all documents at a rank, and are taken for known: the intervals are about the
    clicks of the document alone.
    """
    numbers = _expected(log, "rank") if each_rank else log.summary("pairs", pairs_of)
    found = log.run(numbers.order_by(["text_number", "document_number", *(["rank"] if each_rank else [])]))
    if not found.num_rows:
        raise _nothing_shown(log)
    texts, documents = (_named(log, names, found) for names in (log.texts, log.documents))
    return deviation(found, texts, documents, enough, level)


def _named(log: Log, names: ibis.Table, found: pa.Table) -> SharedNames:
    """The name of the text, or document, of each row."""
    number, name = names.columns
    known = log.run(names)
    place = np.zeros(len(known) + 1, np.int64)  # numbers are from 1, and none is left out
    place[known[number].to_numpy()] = np.arange(len(known))
    return SharedNames(known[name].combine_chunks(), place[found[number].to_numpy()])


def deviation_counts(log: Log) -> ibis.Table:
    """Of every document of every query, how often it was shown and clicked, and how many clicks were to be expected."""
    pairs = log.summary("pairs", pairs_of)
    return pairs.join(log.texts, "text_number").join(log.documents, "document_number")


def counts_of(log: Log) -> ibis.Table:
    """The rows of `Log.counts`, those of bots with them."""
    rows = log.opened("impressions")
    return rows.group_by(COUNTED_BY).agg(shown=rows.count(), clicked=(rows.clicks > 0).cast("int64").sum())


def ranks_of(log: Log) -> ibis.Table:
    """The rows of `cranfield.logs.tables.RANKS`, counted."""
    return by_rank(log.counts)


def pairs_of(log: Log) -> ibis.Table:
    """The rows of `cranfield.logs.tables.PAIRS`, counted."""
    return _expected(log)


def _expected(log: Log, *keys: str) -> ibis.Table:
    """The same, with more keys."""
    ranks = log.summary("ranks", ranks_of)
    rows = log.counts.join(ranks.select("rank", rate=ranks.clicked / ranks.shown), "rank")
    return _summed(rows, "text_number", "document_number", *keys, expected=(rows.shown * rows.rate).sum())


def deviation(found: pa.Table, texts: SharedNames, documents: SharedNames, enough: int, level: float) -> ClickDeviation:
    """What rows of `deviation_counts` come to, which are of these queries and documents."""
    shown, clicked, expected = (found[name].to_numpy() for name in ("shown", "clicked", "expected"))
    thin = shown < enough
    rate = expected / np.maximum(shown, 1)
    told = np.flatnonzero(~thin)  # in most logs few of all, and intervals take time
    share = _among(wilson(clicked[told], shown[told], level), told, len(shown))
    over = _among(poisson_rate(clicked[told], expected[told], level), told, len(shown))
    with np.errstate(divide="ignore", invalid="ignore"):
        coec = np.where(thin | (expected == 0), np.nan, clicked / expected)
    return ClickDeviation(
        texts=texts,
        documents=documents,
        rank=found["rank"].to_numpy() if "rank" in found.column_names else np.zeros(len(shown), np.int64),
        shown=shown,
        clicked=clicked,
        expected=expected,
        deviation=np.where(thin, np.nan, clicked / np.maximum(shown, 1) - rate),
        deviation_interval=Intervals(share.lower - rate, share.upper - rate, level, share.method),
        coec=coec,
        coec_interval=over,
        enough=enough,
    )


def _among(found: Intervals, places: Ints, size: int) -> Intervals:
    """Intervals in their places among so many, the others nan."""
    lower, upper = np.full((2, size), np.nan)
    lower[places], upper[places] = found.lower, found.upper
    return Intervals(lower, upper, found.level, found.method)
