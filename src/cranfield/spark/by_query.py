"""What belongs to a query, brought to one place: its judgments, and below them the lists of all runs.

Rows are parted by a hash of the query, and sorted within each part, on disk where memory does not do. A worker gets
them as a stream, of which it takes a piece at a time: some queries, or, of a query with very long or very many lists,
some lists with the judgments of the query once more. So nothing has to hold all rows of a query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.data.arrow import identifiers_from_arrow
from cranfield.data.strings import Ints, group_heads
from cranfield.data.values import in_row
from cranfield.spark.rows import JUDGMENTS

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from cranfield.spark.session import Cluster

PIECE = 1 << 20
"""About so many rows are looked at in one go."""
_BYTES_OF_A_PART = 64 << 20
_MOST_PARTS = 20_000


class Piece(NamedTuple):
    """Whole lists of some queries, sorted by query and run."""

    table: pa.Table
    continued: bool
    """Whether the first query was in a piece before, with other lists."""


def parts_for(cluster: Cluster, size: int) -> int:
    """Into how many parts so many bytes of files are divided: as many as keep all cores busy, none of them large."""
    cores = cluster.session().sparkContext.defaultParallelism
    return min(max(cores, -(-size // _BYTES_OF_A_PART)), _MOST_PARTS)


def by_query(rows: DataFrame, parts: int) -> DataFrame:
    """The rows, those of a query in one part; judgments first, then the lists run by run, as they stood in files."""
    return rows.repartition(parts, "query").sortWithinPartitions("query", "run", "place")


def pieces(batches: Iterable[pa.RecordBatch], most: int = PIECE) -> Iterator[Piece]:
    """The rows of a part, piece by piece."""
    import pyarrow as pa

    waiting, rows, wanted, continued = list[Any](), 0, most, False
    for batch in batches:
        waiting.append(batch)
        rows += len(batch)
        if rows < wanted:
            continue
        table = pa.Table.from_batches(waiting)
        cut, again, inside = _cut(table)
        if cut:
            yield Piece(table.slice(0, cut), continued)
            table = pa.concat_tables([again, table.slice(cut)])
            continued = inside
        waiting, rows = table.combine_chunks().to_batches(), len(table)
        wanted = max(most, 2 * rows)  # a list longer than a piece has to be there as a whole
    if rows:
        yield Piece(pa.Table.from_batches(waiting), continued)


def query_heads(table: pa.Table) -> Ints:
    """The rows with which queries begin."""
    return group_heads(identifiers_from_arrow(table.column("query"), "query", in_row("rows")))


def _cut(table: pa.Table) -> tuple[int, pa.Table, bool]:
    """Where a piece can end, 0 if nowhere, the judgments that are needed again for what follows, and whether it ends
    inside a query."""
    begin = int(query_heads(table)[-1])
    run = table.column("run").slice(begin).to_numpy()
    judged = int(np.searchsorted(run, JUDGMENTS, "right"))
    lists = np.flatnonzero(run[1:] != run[:-1]) + 1
    inside = int(lists[-1]) if len(lists) and lists[-1] > judged else 0
    if begin >= len(table) // 2 or not inside:
        return begin, table.slice(0, 0), False
    return begin + inside, table.slice(begin, judged), True
