"""What an evaluation gives: values for each query, their means, and how far they can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.strings import Bools, Floats
from cranfield.errors import CranfieldError, MissingExtraError
from cranfield.evaluation.coverage import Coverage
from cranfield.measures import Measure, parse_one

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

SCHEMA = "cranfield.evaluation/1"

Value = float | str


class Scores(dict[str, Any]):
    """Values by measure. Any spelling of a measure finds its value, and so does the measure itself."""

    def __missing__(self, key: str | Measure) -> Any:
        try:
            name = str(parse_one(key))
        except CranfieldError:
            raise KeyError(key) from None
        if name not in self:
            raise KeyError(f"{key} was not evaluated; there are: {', '.join(self)}")
        return self[name]


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
        column = self.columns[parse_one(measure)]
        values = column.tolist() if isinstance(column, np.ndarray) else column
        return {query: values[row] for row, query in enumerate(self.queries) if self.listed[row]}

    def renamed(self, name: str) -> RunEvaluation:
        return replace(self, name=name)

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
        return {str(measure): measure.definition.warning for measure in self.measures if measure.definition.warning}

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
        names = [str(measure) for measure in self.measures if measure.definition.aggregate != "none"]
        width = max([len("run"), *(len(name) for name in self._runs)])
        lines = [f"{'run':<{width}}  " + "  ".join(f"{name:>8}" for name in names)]
        for name, run in self._runs.items():
            cells = (f"{run.mean[m]:>{max(8, len(m))}.4f}" for m in names)
            lines.append(f"{name:<{width}}  " + "  ".join(cells))
        lines += [f"{names}: {sentence}" for names, sentence in self._notes()]
        return "\n".join(lines)

    def coverage_sentences(self) -> list[tuple[str, str]]:
        """What is to be said about the coverage of the runs; runs of which the same is to be said stand together."""
        said: dict[str, list[str]] = {}
        for name, run in self._runs.items():
            if not run.ideal:
                said.setdefault(run.coverage.sentence(), []).append(name)
        return [(", ".join(names), sentence) for sentence, names in said.items()]

    def _notes(self) -> list[tuple[str, str]]:
        return [*self.coverage_sentences(), *self.warnings.items()]

    def _repr_html_(self) -> str:
        import html

        names = [str(measure) for measure in self.measures if measure.definition.aggregate != "none"]
        left, right = 'style="text-align:left"', 'style="text-align:right"'
        head = f"<th {left}>run</th>" + "".join(f"<th {right}>{html.escape(name)}</th>" for name in names)
        body = "".join(
            f"<tr><td {left}>{html.escape(name)}</td>"
            + "".join(f"<td {right}>{run.mean[m]:.4f}</td>" for m in names)
            + "</tr>"
            for name, run in self._runs.items()
        )
        notes = "<br>".join(html.escape(f"{names}: {sentence}") for names, sentence in self._notes())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><small>{notes}</small>"
