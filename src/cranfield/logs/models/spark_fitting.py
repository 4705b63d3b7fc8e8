"""Fitting click models on a cluster: workers keep what is known of pairs, and only sums and shared parameters travel.

Steps are those of `cranfield.logs.models.fitting`, and end by the same rule. What a lost worker knew is computed again
from where all was last written down.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.logs.documents import documents_table
from cranfield.logs.models.examination import Examined
from cranfield.logs.models.fitting import ITERATIONS, TOLERANCE, ClickModel, Fit, Prior, Step, improved
from cranfield.logs.models.parts import Sums, total
from cranfield.logs.models.quality import Tried
from cranfield.logs.models.relevance import Relevance, relevance
from cranfield.logs.models.spark_pages import SparkPages
from cranfield.spark.scratch import remove_folder

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import RDD
    from pyspark.sql import DataFrame

    from cranfield.data.strings import Floats
    from cranfield.logs.models.reading import LogPages

_ROWS_AT_ONCE = 100_000
"""That workers hand over, so that what is on the way stays small."""
WRITTEN_DOWN = 10
"""After so many steps each: a worker that is lost costs no more of them than that."""


NO_SUMS = Sums(0.0, np.zeros(0), np.zeros(0))


class State(NamedTuple):
    """What a worker keeps of a bucket from step to step."""

    model: Any
    counts: Any
    sums: Sums
    """Of the last step."""


class Worth(NamedTuple):
    """What is said of documents, in numbers. Buckets add up."""

    documents: int
    abstains: int
    value: float
    """The sum of relevance · looks, where something is said…"""
    looks: float
    """…and of looks."""


Table = Callable[["LogPages", Relevance], "pa.Table"]
"""What is to be written of a bucket, and how relevant its documents are."""


@dataclass(frozen=True, eq=False)
class SparkFit:
    """A model that was fitted; `fit.model` has the shared parameters alone, the workers have those of pairs."""

    fit: Fit
    pages: SparkPages
    states: RDD[State]

    def tried(self) -> tuple[Tried, Examined]:
        """How well it foretells what was held out, or else what it was fitted to, and how far down users look."""
        fit, held_out = self.fit, self.pages.viewed.tried_on > 0

        def of(both: tuple[LogPages, State]) -> tuple[Tried, Examined]:
            pages, model = both[0], both[1].model.sharing(fit.model.shared)
            tried = Tried.on(model, pages.held_out if held_out else pages.training)
            return tried, Examined.of(model, pages.training)

        tried, examined = (total(each) for each in zip(*self._both.map(of).collect(), strict=True))
        return tried, examined

    def worth(self, least_looks: float) -> Worth:
        """Of all documents."""
        fit = self.fit

        def of(both: tuple[LogPages, State]) -> Worth:
            found = _relevance(fit, *both, least_looks)
            said = (found.shown > 0) & ~found.abstains
            return Worth(*found.counts, float(found.value[said] @ found.looks[said]), float(found.looks[said].sum()))

        return total(self._both.map(of).collect())

    def rows(self, columns: str, table: Table, least_looks: float) -> DataFrame:
        """Rows that workers make of the documents of their queries."""
        fit = self.fit

        def batches(given: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in given:
                for packed in batch.column(0):
                    pages, state = pickle.loads(packed.as_py())
                    found = table(pages, _relevance(fit, pages, state, least_looks))
                    yield from found.to_batches(max_chunksize=_ROWS_AT_ONCE)

        packed = self._both.map(lambda both: (pickle.dumps(both, 5),))
        rows = self.pages.engine.session.createDataFrame(packed, "bucket binary", verifySchema=False)
        return rows.mapInArrow(batches, columns)

    def documents(self, name: str, least_looks: float) -> DataFrame:
        """As `cranfield.logs.documents` has them."""
        return self.rows(_DOCUMENTS, lambda pages, found: documents_table(name, pages, found), least_looks)

    def close(self) -> None:
        """The workers need not keep it."""
        self.states.unpersist()

    @property
    def _both(self) -> RDD[tuple[LogPages, State]]:
        return self.pages.buckets.zip(self.states)


_DOCUMENTS = (
    "model string, query string, document string, relevance double, low double, high double, attractiveness double, "
    "satisfaction double, shown bigint, looks double, clicks bigint, reason string"
)


def spark_fit(kind: Any, pages: SparkPages, *, iterations: int = ITERATIONS, tolerance: float = TOLERANCE) -> SparkFit:
    """The most likely model of a kind, as `cranfield.logs.models.fitting.fit` finds it."""
    prior = pages.first_rank.prior
    model = kind.first(pages.none, prior)
    if kind.first_sums(pages.none) is not None:
        model = model.closed(total(pages.buckets.map(lambda each: kind.first_sums(each.training)).collect())).model
    steps = _Steps(pages, prior, pages.buckets.map(lambda bucket: _begin(kind, bucket, prior)))
    enough = tolerance * pages.viewed.fitted_to
    return SparkFit(improved(model, prior, steps, iterations=iterations, enough=enough), pages, steps.states)


class _Steps:
    """One step after the other. The workers forget what was before the last one."""

    def __init__(self, pages: SparkPages, prior: Prior, states: RDD[State]) -> None:
        self.pages, self.prior, self.states = pages, prior, states
        self._number = 0
        self._written: str | None = None

    def __call__(self, model: ClickModel) -> Step:
        from pyspark import StorageLevel

        shared, prior = model.shared, self.prior
        states = self.states.map(lambda state: _renewed(state, shared, prior)).persist(StorageLevel.MEMORY_AND_DISK)
        self._number += 1
        if self._number % WRITTEN_DOWN == 0:
            states.checkpoint()
        sums = total(states.map(lambda state: state.sums).collect())
        if self._number % WRITTEN_DOWN == 0:
            self._forget(states.getCheckpointFile())
        self.states.unpersist()
        self.states = states
        return model.closed(sums)

    def _forget(self, written: str | None) -> None:
        """What was written down before is not needed once something newer is."""
        if self._written is not None:
            remove_folder(self.pages.engine.cluster, self._written)
        self._written = written


def _begin(kind: Any, bucket: LogPages, prior: Prior) -> State:
    model = kind.first(bucket.training, prior)
    return State(model, model.counts(bucket.training), NO_SUMS)


def _renewed(state: State, shared: Floats, prior: Prior) -> State:
    part = state.model.sharing(shared).renewed(state.counts, prior)
    return State(part.model, state.counts, part.sums)


def _relevance(fit: Fit, pages: LogPages, state: State, least_looks: float) -> Relevance:
    own = replace(fit, model=state.model.sharing(fit.model.shared))
    return relevance(own, pages.training, least_looks=least_looks)
