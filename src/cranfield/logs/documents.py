"""What click models say of each document, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.models.reading import LogPages
from cranfield.logs.models.relevance import Relevance

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = (
    *("model", "query", "document", "relevance", "low", "high", "attractiveness", "satisfaction"),
    *("shown", "looks", "clicks", "reason"),
)
"""Of the table. A relevance that is not given has a reason."""


def documents_table(model: str, pages: LogPages, found: Relevance) -> pa.Table:
    """A row for each pair of query and document that was shown; columns are `COLUMNS`."""
    import pyarrow as pa

    there = np.flatnonzero(found.shown > 0)
    looks, thin = found.looks[there], np.isnan(found.value[there])
    reasons = np.full(len(there), None, dtype=np.object_)
    reasons[thin] = [f"looked at {each:.1f} times, asked for {found.least_looks:g}" for each in looks[thin].tolist()]

    def known(column: Floats | None) -> pa.Array:
        if column is None:
            return pa.nulls(len(there), pa.float64())
        return pa.array(column[there], mask=np.isnan(column[there]))

    columns = (
        pa.repeat(pa.scalar(model, pa.string()), len(there)),
        pa.array(pages.texts, pa.string()).take(pa.array(pages.pair_text[there])),
        pa.array(pages.documents, pa.string()).take(pa.array(pages.pair_document[there])),
        *map(known, (found.value, found.lower, found.upper, found.attractiveness, found.satisfaction)),
        pa.array(np.rint(found.shown[there]).astype(np.int64)),
        pa.array(looks),
        pa.array(np.rint(found.clicks[there]).astype(np.int64)),
        pa.array(reasons, pa.string()),
    )
    return pa.table(dict(zip(COLUMNS, columns, strict=True)))
