"""What an evaluation gives: values for each query, their means, and how far they can be trusted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.strings import Bools, Floats
from cranfield.errors import CranfieldError, MissingExtraError
from cranfield.evaluation.coverage import Coverage, some
from cranfield.measures import Measure, parse_one

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

SCHEMA = "cranfield.evaluation/1"
MOST_SIDE_BY_SIDE = 6
"""With more runs than that, a table has them in rows and measures in columns."""

Value = float | str


class Scores(dict[str, Any]):
    """Values by measure. Any spelling of a measure finds its value, and so does the measure itself."""

    def __missing__(self, key: str | Measure) -> Any:
        return self[_found(key, self)]


def _found(key: str | Measure, there: Collection[str]) -> str:
    """Which of the measures that are there is meant."""
    with suppress(CranfieldError):
        name = str(parse_one(key))
        if name in there:
            return name
    raise KeyError(f"there is no value of {key}; there are values of {', '.join(there)}")


@dataclass(frozen=True, eq=False)
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

    def renamed(self, name: str) -> RunEvaluation:
        return replace(self, name=name)

    def listing(self, topics: Collection[str]) -> RunEvaluation:
        """The same, means included, with lines for these topics only."""
        wanted = np.array([query in topics for query in self.queries], dtype=np.bool_)
        return replace(self, listed=self.listed & wanted)

    def to_dict(self) -> dict[str, Any]:
        """Name, tag, means and values by query, for JSON."""
        return {"name": self.name, "tag": self.tag, "mean": dict(self.mean), "per_query": self.per_query}

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

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        first = next(iter(self._runs.values()))
        return {
            "schema": SCHEMA,
            "profile": first.profile,
            "settings": dict(first.settings),
            "measures": [str(measure) for measure in self.measures],
            "coverage": {name: run.coverage.to_dict() for name, run in self._runs.items()},
            "runs": [run.to_dict() for run in self._runs.values()],
            **({"warnings": self.warnings} if self.warnings else {}),
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
        rows = self._rows()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
            for row in rows
        ]
        lines += [f"{names}: {sentence}" for names, sentence in self._notes()]
        return "\n".join(lines)

    def _rows(self) -> list[list[str]]:
        """The means in cells, under a header: measures down, or runs down if there are many."""
        names = [str(measure) for measure in self.measures if measure.definition.aggregate != "none"]
        if len(self) > MOST_SIDE_BY_SIDE:
            runs = [[name, *(f"{run.mean[m]:.4f}" for m in names)] for name, run in self._runs.items()]
            return [["run", *names], *runs]
        measures = [[m, *(f"{run.mean[m]:.4f}" for run in self._runs.values())] for m in names]
        return [["measure", *self._runs], *measures]

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
        complete = [run for run in self._runs.values() if not (run.ideal or run.coverage.incomplete)]
        runs = [run for run in complete if run.coverage.tied_documents]
        if not runs:
            return []
        tied = (f"{run.coverage.tied_documents} documents of {run.name}" for run in runs)
        return [f"tied scores, ordered by identifier: {some(tuple(tied))}"]

    def _notes(self) -> list[tuple[str, str]]:
        return [*self.coverage_sentences(), *self.measure_notes()]

    def _repr_html_(self) -> str:
        import html

        def line(cells: list[str], tag: str) -> str:
            sides = ["left", *["right"] * (len(cells) - 1)]
            inside = zip(sides, map(html.escape, cells), strict=True)
            return "".join(f'<{tag} style="text-align:{side}">{cell}</{tag}>' for side, cell in inside)

        first, *others = self._rows()
        head, body = line(first, "th"), "".join(f"<tr>{line(row, 'td')}</tr>" for row in others)
        notes = "<br>".join(html.escape(f"{names}: {sentence}") for names, sentence in self._notes())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><small>{notes}</small>"
