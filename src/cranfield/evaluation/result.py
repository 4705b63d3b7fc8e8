"""What an evaluation gives: values for each query, their means, and how far they can be trusted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cranfield.data.strings import Bools, Floats
from cranfield.errors import CranfieldError, MissingExtraError
from cranfield.evaluation.coverage import Coverage, some
from cranfield.evaluation.provenance.origin import Origin
from cranfield.measures import Measure, parse_one

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from cranfield.evaluation.bounds.intervals import MeanInterval, Sampling
    from cranfield.evaluation.bounds.residual import Residual
    from cranfield.evaluation.bounds.tie_spread import TieSpread
    from cranfield.evaluation.provenance.record import Provenance

SCHEMA = "cranfield.evaluation/1"

Value = float | str
Held = TypeVar("Held")


class Scores(dict[str, Any]):
    """Values by measure. Any spelling of a measure finds its value, and so does the measure itself."""

    def __missing__(self, key: str | Measure) -> Any:
        return self[_found(key, self)]


class ByMeasure(dict[Measure, Held]):
    """What there is about each measure, which may be named in any spelling."""

    def __getitem__(self, key: str | Measure) -> Held:
        if isinstance(key, Measure) and key in self:
            return super().__getitem__(key)
        names = {str(measure): measure for measure in self}
        return super().__getitem__(names[_found(key, names)])


def _found(key: str | Measure, there: Collection[str]) -> str:
    """Which of the measures that are there is meant."""
    with suppress(CranfieldError):
        name = str(parse_one(key))
        if name in there:
            return name
    raise KeyError(f"there is no value of {key}; there are values of {', '.join(there)}")


@dataclass(frozen=True, eq=False, repr=False)
class RunEvaluation:
    """The values of one run.

    `columns` has for each measure one value for each of `queries`; `listed` says which queries have lines of their own
    (a profile may count a missing topic in the mean without listing it).
    """

    name: str
    tag: str
    profile: str
    measures: tuple[Measure, ...]
    queries: tuple[str, ...]
    columns: Mapping[Measure, Floats | list[str]]
    listed: Bools
    coverage: Coverage
    settings: Mapping[str, Any]
    """How the values were made: level, depth, judged_only, complete, relevance."""
    standardised: bool = False
    """Whether the values are deviations from a reference (see `zscores`)."""
    ideal: bool = False
    """Whether this is not a run but the best ranking there could be."""
    warnings: Mapping[Measure, tuple[str, ...]] = field(default_factory=dict)
    """What is to be said about some measures wherever their values are shown."""
    origin: Origin | None = None
    """Where the values come from; `provenance` is the record of it."""
    ties: ByMeasure[TieSpread] = field(default_factory=lambda: ByMeasure[Any]())
    """What ties leave open, by measure in any spelling; empty unless it was asked for."""
    residuals: ByMeasure[Residual] = field(default_factory=lambda: ByMeasure[Any]())
    """What unjudged documents leave open, by measure in any spelling; empty unless it was asked for."""

    @cached_property
    def mean(self) -> Scores:
        """The mean of each measure (the sum of counts, the geometric mean of GMAP); text has none."""
        return Scores(
            (str(measure), measure.aggregate(values, logarithms=self.standardised))
            for measure, values in self.columns.items()
            if isinstance(values, np.ndarray)
        )

    @cached_property
    def per_query(self) -> dict[str, Scores]:
        """`{query: {measure: value}}`."""
        columns = [(str(m), v.tolist() if isinstance(v, np.ndarray) else v) for m, v in self.columns.items()]
        return {
            query: Scores((name, values[row]) for name, values in columns)
            for row, query in enumerate(self.queries)
            if self.listed[row]
        }

    def __getitem__(self, measure: str | Measure) -> dict[str, Any]:
        """The values of one measure by query."""
        by_name = {str(one): column for one, column in self.columns.items()}
        column = by_name[_found(measure, by_name)]
        values = column.tolist() if isinstance(column, np.ndarray) else column
        return {query: values[row] for row, query in enumerate(self.queries) if self.listed[row]}

    @cached_property
    def provenance(self) -> Provenance:
        """What the values were made of: versions, rules, the SHA-256 of every input, when; see docs/provenance.md.

        Files that were not hashed in the evaluation are hashed now. DataError if one of them has changed.
        """
        return Evaluation((self,)).provenance

    def intervals(
        self, by: Sampling | None = None, *, confidence: float | None = None, seed: int | None = None
    ) -> ByMeasure[MeanInterval]:
        """For each mean, what another sample of topics, unjudged documents and ties could make of it.

        The interval over topics is Student's (`t`), or made of samples drawn from the topics with replacement
        (`bootstrap`); what is not said here is as the evaluation was asked, or else `t` and .95. The other two are
        there if the evaluation was asked for them: `intervals="t"`, or `residuals=True` and `ties="range"`. Text has no
        mean.
        """
        from cranfield.evaluation.bounds.intervals import mean_interval

        asked = self.settings
        by = by or asked.get("intervals", "t")
        level = asked.get("confidence", 0.95) if confidence is None else confidence
        start = asked.get("seed", 0) if seed is None else seed
        with_mean = [m for m, values in self.columns.items() if isinstance(values, np.ndarray)]
        return ByMeasure((m, mean_interval(self, m, by, level, start)) for m in with_mean)

    def renamed(self, name: str) -> RunEvaluation:
        return replace(self, name=name)

    def listing(self, topics: Collection[str]) -> RunEvaluation:
        """The same, means included, with lines for these topics only."""
        wanted = np.array([query in topics for query in self.queries], dtype=np.bool_)
        return replace(self, listed=self.listed & wanted)

    def to_dict(self) -> dict[str, Any]:
        """Name, tag, means and values by query, for JSON."""
        values = {"name": self.name, "tag": self.tag, "mean": dict(self.mean), "per_query": self.per_query}
        left_open = {"residuals": self._residuals(), "ties": self._ties()}
        if "intervals" in self.settings:
            left_open["intervals"] = {str(measure): one.to_dict() for measure, one in self.intervals().items()}
        return {**values, **{name: found for name, found in left_open.items() if found}}

    def _ties(self) -> dict[str, Any]:
        """What ties leave open of the means and of the values by query; nothing if nobody asked."""
        by_name = {str(measure): spread for measure, spread in self.ties.items()}
        listed = np.flatnonzero(self.listed).tolist() if by_name else []
        per_query = {self.queries[row]: {name: spread.topic(row) for name, spread in by_name.items()} for row in listed}
        mean = {name: spread.summary() for name, spread in by_name.items()}
        return {"mean": mean, "per_query": per_query} if by_name else {}

    def _residuals(self) -> dict[str, Any]:
        """What unjudged documents leave open of the means and of the values by query."""
        if not self.residuals:
            return {}
        by_name = {str(measure): residual for measure, residual in self.residuals.items()}
        unjudged = next(iter(by_name.values())).unjudged
        listed = np.flatnonzero(self.listed).tolist()
        return {
            "unjudged_documents": int(unjudged.sum()),
            "mean": {name: residual.summary() for name, residual in by_name.items()},
            "per_query": {
                self.queries[row]: {name: residual.topic(row) for name, residual in by_name.items()} for row in listed
            },
        }

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each query, one column for each measure, as a pandas DataFrame."""
        return Evaluation((self,)).to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """One row for each query, one column for each measure, as a polars DataFrame."""
        return Evaluation((self,)).to_polars()

    def to_arrow(self) -> pyarrow.Table:
        """One row for each query, one column for each measure, as an Arrow table."""
        return Evaluation((self,)).to_arrow()

    def __repr__(self) -> str:
        return repr(Evaluation((self,)))

    def _repr_html_(self) -> str:
        return Evaluation((self,))._repr_html_()


class Evaluation(Mapping[str, RunEvaluation]):
    """The values of several runs, by the name of the run."""

    def __init__(self, runs: tuple[RunEvaluation, ...]) -> None:
        self._runs = {run.name: run for run in runs}

    def __getitem__(self, name: str) -> RunEvaluation:
        if name not in self._runs:
            raise KeyError(f"there is no run {name!r}; there are: {', '.join(self._runs)}")
        return self._runs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._runs)

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def measures(self) -> tuple[Measure, ...]:
        return next(iter(self._runs.values())).measures if self._runs else ()

    @property
    def warnings(self) -> dict[str, str]:
        """What is to be said about measures wherever their values are shown; measures without a warning are absent."""
        return {str(measure): " ".join(said) for measure, said in self._warnings.items()}

    @property
    def _warnings(self) -> Mapping[Measure, tuple[str, ...]]:
        return next(iter(self._runs.values())).warnings if self._runs else {}

    @property
    def mean(self) -> dict[str, Scores]:
        """`{run: {measure: mean}}`."""
        return {name: run.mean for name, run in self._runs.items()}

    @property
    def per_query(self) -> dict[str, dict[str, Scores]]:
        """`{run: {query: {measure: value}}}`."""
        return {name: run.per_query for name, run in self._runs.items()}

    @cached_property
    def provenance(self) -> Provenance:
        """What the values were made of: versions, rules, the SHA-256 of every input, when; see docs/provenance.md.

        Files that were not hashed in the evaluation are hashed now. DataError if one of them has changed.
        """
        from cranfield.evaluation.provenance.record import provenance

        return provenance(tuple(self._runs.values()))

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        first = next(iter(self._runs.values()))
        wanted = first.origin is not None and first.origin.wanted
        return {
            "schema": SCHEMA,
            "profile": first.profile,
            "settings": dict(first.settings),
            "measures": [str(measure) for measure in self.measures],
            "coverage": {name: run.coverage.to_dict() for name, run in self._runs.items()},
            "runs": [run.to_dict() for run in self._runs.values()],
            **({"standardised": True} if first.standardised else {}),
            **({"warnings": self.warnings} if self.warnings else {}),
            **({"provenance": self.provenance.to_dict()} if wanted else {}),
        }

    def _table(self) -> dict[str, list[Any]]:
        table: dict[str, list[Any]] = {"run": [], "query": []}
        for run in self._runs.values():
            rows = np.flatnonzero(run.listed)
            table["run"] += [run.name] * len(rows)
            table["query"] += [run.queries[row] for row in rows]
            for measure, values in run.columns.items():
                chosen = values[rows].tolist() if isinstance(values, np.ndarray) else [values[row] for row in rows]
                table.setdefault(str(measure), []).extend(chosen)
        return table

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each run and query, one column for each measure, as a pandas DataFrame."""
        try:
            import pandas
        except ImportError:
            raise MissingExtraError("to_pandas", "frames") from None
        return pandas.DataFrame(self._table())

    def to_polars(self) -> polars.DataFrame:
        """One row for each run and query, one column for each measure, as a polars DataFrame."""
        try:
            import polars
        except ImportError:
            raise MissingExtraError("to_polars", "frames") from None
        return polars.DataFrame(self._table())

    def to_arrow(self) -> pyarrow.Table:
        """One row for each run and query, one column for each measure, as an Arrow table."""
        try:
            import pyarrow
        except ImportError:
            raise MissingExtraError("to_arrow", "frames") from None
        return pyarrow.table(self._table())

    def __repr__(self) -> str:
        from cranfield.evaluation.evaluation_text import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from cranfield.evaluation.evaluation_text import as_html

        return as_html(self)

    def coverage_sentences(self) -> list[tuple[str, str]]:
        """What is to be said about the coverage of the runs; runs of which the same is to be said stand together."""
        said: dict[str, list[str]] = {}
        for name, run in self._runs.items():
            if not run.ideal:
                said.setdefault(run.coverage.sentence(), []).append(name)
        return [(", ".join(names), sentence) for sentence, names in said.items()]

    def depth_notes(self) -> list[str]:
        """What is to be said where some runs have more documents for a topic than others, and all of them count."""
        runs = [run for run in self._runs.values() if not run.ideal]
        depths = {run.coverage.most_documents for run in runs}
        if len(depths) < 2 or runs[0].settings["depth"] is not None:
            return []
        return [
            f"the runs differ in depth, {min(depths)} to {max(depths)} documents a topic; "
            f"-M {min(depths)} compares them at the same depth"
        ]

    def measure_notes(self) -> list[tuple[str, str]]:
        """What is to be said about measures; those of which the same is to be said stand together."""
        said: dict[str, list[str]] = {}
        for measure, warnings in self._warnings.items():
            for warning in warnings:
                said.setdefault(warning, []).append(str(measure))
        return [(", ".join(measures), warning) for warning, measures in said.items()]

    def tie_notes(self) -> list[str]:
        """What is to be said where documents of a topic share a score; of an incomplete run its coverage says it."""
        complete = [run for run in self._runs.values() if not (run.ideal or run.coverage.incomplete or run.ties)]
        runs = [run for run in complete if run.coverage.tied_documents]
        if not runs:
            return []
        tied = (f"{run.coverage.tied_documents} documents of {run.name}" for run in runs)
        return [f"tied scores, ordered by identifier: {some(tuple(tied))}"]
