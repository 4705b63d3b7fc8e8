"""What clicks say about each document of each query, on one scale: 1 is as much as of a usual document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.logs.clicks import ClickDeviation
from cranfield.logs.models.reading import LogPages
from cranfield.logs.models.relevance import Relevance
from cranfield.logs.shared_names import Names

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = "text string, doc_id string, value double, low double, high double, shown bigint, clicked bigint"
"""Of evidence as a table, as Spark names them."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """By query and document."""

    text: Names
    document: Names
    value: Floats
    """How much a document is wanted, over how much one is on average; nan where nothing is said."""
    lower: Floats
    upper: Floats
    """The 95 % interval of it."""
    shown: Ints
    clicked: Ints

    @classmethod
    def of_deviation(cls, found: ClickDeviation) -> Evidence:
        """COEC, which has its scale by itself."""
        interval = found.coec_interval
        value = np.round(found.coec, 9)  # what is 1 is 1, though expected clicks are a sum of many shares
        return cls(found.text, found.document, value, interval.lower, interval.upper, found.shown, found.clicked)

    @classmethod
    def of_model(cls, pages: LogPages, worth: Relevance, usual: float) -> Evidence:
        """What a click model says, over what it says of usual documents."""
        there = np.flatnonzero(worth.shown > 0)
        return cls(
            text=np.array(pages.texts, dtype=np.object_)[pages.pair_text[there]],
            document=np.array(pages.documents, dtype=np.object_)[pages.pair_document[there]],
            value=worth.value[there] / usual,
            lower=worth.lower[there] / usual,
            upper=worth.upper[there] / usual,
            shown=np.rint(worth.shown[there]).astype(np.int64),
            clicked=np.rint(worth.clicks[there]).astype(np.int64),
        )

    @classmethod
    def of_table(cls, table: pa.Table) -> Evidence:
        """See `table`."""
        names = ("text", "doc_id", "value", "low", "high", "shown", "clicked")
        return cls(*(table[name].to_numpy(zero_copy_only=False) for name in names))

    def table(self) -> pa.Table:
        """As `COLUMNS` says."""
        import pyarrow as pa

        columns = (self.value, self.lower, self.upper, self.shown, self.clicked)
        return pa.table(
            [pa.array(self.text, pa.string()), pa.array(self.document, pa.string()), *map(pa.array, columns)],
            names=[column.split()[0] for column in COLUMNS.split(", ")],
        )

    @property
    def known(self) -> Bools:
        """Where something is said."""
        return ~np.isnan(self.value)

    def take(self, rows: Ints | Bools) -> Evidence:
        """Some rows of it, in that order."""
        return Evidence(
            *(self.text[rows], self.document[rows], self.value[rows], self.lower[rows], self.upper[rows]),
            *(self.shown[rows], self.clicked[rows]),
        )

    def __len__(self) -> int:
        return len(self.value)
