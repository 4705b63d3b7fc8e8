"""From a log to the pages that click models are fitted to. The log itself is reduced where it lies: pages of the same
query with the same documents and the same clicks become one row with their number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.strings import Bools, Ints
from cranfield.errors import DataError, ParameterError
from cranfield.logs.log import Log
from cranfield.logs.models.pages import Pages

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa

DEPTH = 10
MOST_RANKS = 60
"""So many clicked ranks fit into one number."""


@dataclass(frozen=True, eq=False)
class LogPages:
    """The pages of a log: those to fit to, and those to test with."""

    training: Pages
    held_out: Pages
    texts: list[str]
    documents: list[str]
    pair_text: Ints
    pair_document: Ints


def page_patterns(log: Log, *, depth: int = DEPTH, held_out: float = 0.0, least_views: int = 1) -> ibis.Table:
    """One row for each query text, documents by rank (`d1`, `d2`, …), clicked ranks (1 for the first, 2, 4, …) and
    whether the session is held out, with how often there was such a page.

    Sessions are held out by their identifiers, so that the same are each time.
    """
    import ibis

    if not 1 <= depth <= MOST_RANKS:
        raise ParameterError(f"depth {depth}: expected 1 to {MOST_RANKS}")
    if not 0 <= held_out < 1:
        raise ParameterError(f"held out {held_out}: expected a share from 0 and below 1")
    seen = log.impressions.filter(lambda t: (t["rank"] >= 1) & (t["rank"] <= depth))
    ranks = range(1, depth + 1)
    columns = {f"d{rank}": seen.document_id.max(where=seen["rank"] == rank) for rank in ranks}
    clicked = {
        f"c{rank}": ((seen["rank"] == rank) & (seen.clicks > 0)).ifelse(2 ** (rank - 1), 0).max() for rank in ranks
    }
    views = seen.group_by("query_id").aggregate(
        text=seen.text.max(), session_id=seen.session_id.max(), **columns, **clicked
    )
    if least_views > 1:
        often = views.group_by("text").aggregate(views=views.count())
        views = views.semi_join(often.filter(often.views >= least_views), "text")
    border = ibis.literal(f"{round(held_out * 65536):05x}")
    place = ibis.literal("0") + views.session_id.hexdigest("md5").substr(0, 4)
    patterns = views.mutate(
        clicked=reduce(add, (views[name] for name in clicked)).cast("int64"), held_out=place < border
    )
    return patterns.group_by(["text", *columns, "clicked", "held_out"]).aggregate(views=patterns.count())


def read_pages(log: Log, *, depth: int = DEPTH, held_out: float = 0.0, least_views: int = 1) -> LogPages:
    """The pages of a log, down to a depth; queries that were put less often than `least_views` are left out.

    Memory grows with the number of different pages and clicks on them, which is less than that of queries put, the less
    the more often queries repeat.
    """
    patterns = page_patterns(log, depth=depth, held_out=held_out, least_views=least_views)
    # Engines give groups in any order; sums, and rows in files, are to be the same each time.
    found = log.run(patterns.order_by([name for name in patterns.columns if name != "views"]))
    if not len(found):
        raise no_pages(log, least_views)
    return coded(found, depth)


def no_pages(log: Log, least_views: int) -> DataError:
    """What is wrong with a log that has none."""
    if not log.days:
        return log.no_queries()
    return DataError(
        f"{log.path}: no query that shows what documents it was answered with"
        + (f" was put {least_views} times" if least_views > 1 else "")
        + ": click models need impressions"
    )


def coded(found: pa.Table, depth: int) -> LogPages:
    """Rows of `page_patterns`, with texts and documents by numbers."""
    import pyarrow as pa

    text = found.column("text").combine_chunks().dictionary_encode()
    shown = pa.chunked_array([chunk for rank in range(1, depth + 1) for chunk in found.column(f"d{rank}").chunks])
    document = shown.combine_chunks().dictionary_encode()
    texts, documents = text.dictionary.to_pylist(), document.dictionary.to_pylist()
    code = document.indices.fill_null(-1).to_numpy().reshape(depth, -1).T.astype(np.int64)
    key = text.indices.to_numpy().astype(np.int64)[:, np.newaxis] * max(len(documents), 1) + code
    there = code >= 0
    known, at = np.unique(key[there], return_inverse=True)
    pair = np.full(code.shape, -1, dtype=np.int32)
    pair[there] = at
    mask = found.column("clicked").to_numpy()
    clicked = (mask[:, np.newaxis] >> np.arange(depth)) & 1 == 1
    views, tested = found.column("views").to_numpy().astype(np.float64), found.column("held_out").to_numpy()

    def of(rows: Bools) -> Pages:
        return Pages(pair[rows], clicked[rows], views[rows], len(known))

    width = max(len(documents), 1)
    return LogPages(of(~tested), of(tested), texts, documents, known // width, known % width)
