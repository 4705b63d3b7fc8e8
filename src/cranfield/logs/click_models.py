"""What click models make of a log: how far down people look, what documents are worth, and which model foretells
best."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cranfield.errors import DataError
from cranfield.formats.writing import writing
from cranfield.logs.documents import COLUMNS, documents_table
from cranfield.logs.fitted_models import ALL, FittedModels, ModelNumbers, chosen
from cranfield.logs.log import Log
from cranfield.logs.models import MODELS
from cranfield.logs.models.examination import Examined, Moved
from cranfield.logs.models.fitting import ITERATIONS, fit
from cranfield.logs.models.quality import quality
from cranfield.logs.models.reading import DEPTH, LogPages, read_pages
from cranfield.logs.models.relevance import LEAST_LOOKS, Relevance, relevance


@dataclass(frozen=True, eq=False)
class FittedModel(ModelNumbers):
    """One model, fitted to a log in memory."""

    relevance: Relevance


@dataclass(frozen=True, eq=False)
class ClickModels(FittedModels):
    """Models fitted to the same pages of a log in memory."""

    models: dict[str, FittedModel]
    pages: LogPages

    def rows(self, name: str) -> Iterator[tuple[str | float | None, ...]]:
        """The documents of a model, as `COLUMNS` says."""
        table = documents_table(name, self.pages, self.models[name].relevance)
        return zip(*(column.to_pylist() for column in table.columns), strict=True)

    def write(self, path: str | os.PathLike[str]) -> int:
        """All documents of all models to a file: Parquet if its name ends so, or else separated by tabs; how many."""
        with writing(path) as out:
            if os.fspath(path).endswith(".parquet"):
                import pyarrow as pa
                import pyarrow.parquet

                tables = (documents_table(name, self.pages, one.relevance) for name, one in self.models.items())
                pyarrow.parquet.write_table(pa.concat_tables(tables), out)
            else:
                out.write(("\t".join(COLUMNS) + "\n").encode())
                for name in self.models:
                    out.write("".join("\t".join(map(_cell, row)) + "\n" for row in self.rows(name)).encode())
        return sum(one.documents for one in self.models.values())


def click_models(
    log: Log,
    models: Sequence[str] = (ALL,),
    *,
    held_out: float = 0.2,
    depth: int = DEPTH,
    least_views: int = 1,
    least_looks: float = LEAST_LOOKS,
    iterations: int = ITERATIONS,
    progress: Callable[[str, float], None] | None = None,
) -> ClickModels:
    """Fit click models to a log, but for a share of its sessions, and try them on those.

    Nothing is said of documents that were looked at less often than `least_looks`; queries that were put less often
    than `least_views` are left out altogether.
    """
    names = chosen(models)
    if progress is not None:
        progress("reading pages", 0.0)
    pages = read_pages(log, depth=depth, held_out=held_out, least_views=least_views)
    if not len(pages.training.views):
        raise DataError(f"{log.path}: all sessions are among those held out, nothing is left to fit to")
    tested = pages.held_out if len(pages.held_out.views) else pages.training
    found = {}
    for done, name in enumerate(names):
        if progress is not None:
            progress(f"fitting {name}", done / len(names))
        fitted = fit(MODELS[name], pages.training, iterations=iterations)
        worth = relevance(fitted, pages.training, least_looks=least_looks)
        found[name] = FittedModel(
            fitted,
            quality(fitted.model, tested),
            Examined.of(fitted.model, pages.training).share,
            *worth.counts,
            worth,
        )
    return ClickModels(
        found,
        int(pages.training.views.sum()),
        int(pages.held_out.views.sum()),
        round(pages.training.clicks + pages.held_out.clicks),
        held_out if len(pages.held_out.views) else 0.0,
        Moved.among(pages.training).share,
        pages,
    )


def _cell(value: str | float | None) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
