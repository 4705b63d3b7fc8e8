"""The pages of a log on a cluster: reduced there, parted by query, and made arrays of on the workers. Nothing of them
comes to the driver but sums."""

from __future__ import annotations

import contextlib
import math
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.errors import DataError
from cranfield.logs.log import Log
from cranfield.logs.models.examination import Moved
from cranfield.logs.models.fitting import FirstRank
from cranfield.logs.models.pages import Pages
from cranfield.logs.models.parts import total
from cranfield.logs.models.reading import coded, no_pages, page_patterns
from cranfield.logs.spark_engine import SparkEngine
from cranfield.spark.failures import in_words
from cranfield.spark.same_version import same_version
from cranfield.spark.scratch import scratch_folder

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import RDD

    from cranfield.logs.models.reading import LogPages

ROWS_A_BUCKET = 200_000
"""Different pages and clicks, about. All of one query are in one bucket, be they more."""


class Viewed(NamedTuple):
    """How many pages there are to fit to, and to try with, and clicks on both. Buckets add up."""

    fitted_to: float
    tried_on: float
    clicks: float


@dataclass(frozen=True, eq=False)
class SparkPages:
    """The pages of a log in buckets: each has all pages of its queries."""

    engine: SparkEngine
    buckets: RDD[LogPages]
    ranks: int
    viewed: Viewed
    first_rank: FirstRank
    moved: Moved
    scratch: str
    """A folder that all workers see."""

    @property
    def none(self) -> Pages:
        """Of no bucket."""
        nothing = np.zeros((0, self.ranks))
        return Pages(nothing.astype(np.int32), nothing.astype(np.bool_), np.zeros(0), 0)


@contextlib.contextmanager
def spark_pages(
    log: Log,
    engine: SparkEngine,
    *,
    depth: int,
    held_out: float = 0.0,
    least_views: int = 1,
    scratch: str | None = None,
) -> Iterator[SparkPages]:
    """The pages of a log, as `cranfield.logs.models.reading.read_pages` has them; the workers keep them until the end.

    All pages of one query have to fit into the memory of one worker.
    """
    from pyspark import StorageLevel

    context = engine.session.sparkContext
    patterns = engine.rows(page_patterns(log, depth=depth, held_out=held_out, least_views=least_views))
    with (
        scratch_folder(engine.cluster, log.path, scratch) as folder,
        in_words(engine.cluster, log.path),
        contextlib.ExitStack() as kept,
    ):
        context.setCheckpointDir(folder)
        patterns = patterns.persist(StorageLevel.MEMORY_AND_DISK)
        kept.callback(patterns.unpersist)
        rows = patterns.count()
        if not rows:
            raise no_pages(log, least_views)
        number = max(context.defaultParallelism, math.ceil(rows / ROWS_A_BUCKET))
        spread = patterns.repartition(number, "text").mapInArrow(same_version(_bucket), "pages binary")
        buckets = spread.rdd.map(_opened).persist(StorageLevel.MEMORY_AND_DISK)
        kept.callback(buckets.unpersist)
        viewed, first_rank, moved = (total(each) for each in zip(*buckets.map(_sums).collect(), strict=True))
        patterns.unpersist()
        if not viewed.fitted_to:
            raise DataError(f"{log.path}: all sessions are among those held out, nothing is left to fit to")
        yield SparkPages(engine, buckets, depth, viewed, first_rank, moved, folder)


def _bucket(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """One row of all that a worker was given, in an order that does not depend on how it came."""
    import pyarrow as pa

    given = list(batches)
    if not sum(map(len, given)):
        return
    found = pa.Table.from_batches(given)
    found = found.sort_by([(name, "ascending") for name in found.column_names if name != "views"])
    depth = sum(name[0] == "d" and name[1:].isdigit() for name in found.column_names)
    yield pa.record_batch({"pages": pa.array([pickle.dumps(coded(found, depth), 5)], pa.binary())})


def _opened(row: Any) -> LogPages:
    found: LogPages = pickle.loads(row[0])
    return found


def _sums(bucket: LogPages) -> tuple[Viewed, FirstRank, Moved]:
    training, held_out = bucket.training, bucket.held_out
    viewed = Viewed(float(training.views.sum()), float(held_out.views.sum()), training.clicks + held_out.clicks)
    return viewed, FirstRank.of(bucket.training), Moved.among(bucket.training)
