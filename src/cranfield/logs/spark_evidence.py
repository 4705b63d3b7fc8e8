"""What a log on a cluster says about documents: made by the workers, and left there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors import UsageError
from cranfield.logs.clicks import ENOUGH, deviation, deviation_counts
from cranfield.logs.evidence_rows import COLUMNS, Evidence
from cranfield.logs.log import Log
from cranfield.logs.models import MODELS
from cranfield.logs.models.reading import DEPTH
from cranfield.logs.models.spark_fitting import spark_fit
from cranfield.logs.models.spark_pages import spark_pages
from cranfield.logs.shared_names import SharedNames
from cranfield.logs.spark_engine import SparkEngine
from cranfield.spark.failures import in_words

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

MOST = 1_000_000
"""So many rows may come to the driver; more have to be written by the workers."""


@contextlib.contextmanager
def spark_evidence(
    log: Log, engine: SparkEngine, source: str, *, enough: int = ENOUGH, scratch: str | None = None
) -> Iterator[DataFrame]:
    """See `cranfield.logs.evidence.evidence`; rows in any order, with the columns of `Evidence.table`."""
    if source not in MODELS:

        def of_counts(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            import pyarrow as pa

            for batch in batches:
                rows = pa.Table.from_batches([batch])
                texts, documents = (SharedNames.of(rows[name]) for name in ("text", "document_id"))
                found = deviation(rows, texts, documents, enough, level=0.95)
                yield from Evidence.of_deviation(found).table().to_batches()

        yield engine.rows(deviation_counts(log)).mapInArrow(of_counts, COLUMNS)
        return
    with (
        spark_pages(log, engine, depth=DEPTH, scratch=scratch) as pages,
        contextlib.closing(spark_fit(MODELS[source], pages)) as fitted,
    ):
        worth = fitted.worth(enough)
        usual = worth.value / worth.looks if worth.looks else np.nan
        yield fitted.rows(COLUMNS, lambda pages, found: Evidence.of_model(pages, found, usual).table(), enough)


def collected_evidence(log: Log, engine: SparkEngine, source: str, *, enough: int = ENOUGH) -> Evidence:
    """The same in memory, where it is not too much for that."""
    with in_words(engine.cluster, log.path), spark_evidence(log, engine, source, enough=enough) as rows:
        found = collected(engine, rows, log.path)
        return Evidence.of_table(found.sort_by([("text", "ascending"), ("doc_id", "ascending")]))


def collected(engine: SparkEngine, rows: DataFrame, place: str) -> pa.Table:
    """Rows of which there may be no more than `MOST`."""
    with in_words(engine.cluster, place):
        found = rows.limit(MOST + 1).toArrow()
    if len(found) > MOST:
        raise UsageError(
            f"{place}: more than {MOST:,} rows are too many for one file; let the workers write them (-o NAME.parquet)"
        )
    return found
