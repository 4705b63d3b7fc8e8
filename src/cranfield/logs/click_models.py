"""What click models make of a log: how far down people look, what documents are worth, and which model foretells
best."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.strings import Floats
from cranfield.errors import DataError, ParameterError, did_you_mean
from cranfield.formats.writing import writing
from cranfield.logs.log import Log
from cranfield.logs.models import MODELS
from cranfield.logs.models.fitting import ClickModel, Fit, fit
from cranfield.logs.models.pages import Pages
from cranfield.logs.models.quality import COIN, Quality, quality
from cranfield.logs.models.reading import DEPTH, LogPages, read_pages
from cranfield.logs.models.relevance import LEAST_LOOKS, Relevance, relevance

ALL = "all"
MOVED = 0.05
"""Where fewer pairs than this share were shown at several ranks, ranks and documents can hardly be told apart."""
ENOUGH_CLICKS = 500
"""With fewer, click models say more about chance than about people."""

COLUMNS = (
    *("model", "query", "document", "relevance", "low", "high", "attractiveness", "satisfaction"),
    *("shown", "looks", "clicks", "reason"),
)
"""Of the table of documents. A relevance that is not given has a reason."""


@dataclass(frozen=True, eq=False)
class FittedModel:
    """One model, fitted to a log."""

    fit: Fit
    quality: Quality
    """On what was held out, or else on what it was fitted to."""
    examination: Floats
    """By rank from the first, how likely it is looked at, on the pages it was fitted to."""
    relevance: Relevance

    @property
    def model(self) -> ClickModel:
        return self.fit.model


@dataclass(frozen=True, eq=False)
class ClickModels:
    """Models fitted to the same pages of a log."""

    pages: LogPages
    models: dict[str, FittedModel]
    held_out: float
    moved: float
    """The share of pairs of query and document that were shown at several ranks."""

    @property
    def best(self) -> str:
        """The model that foretells best: the lowest perplexity."""
        return min(self.models, key=lambda name: self.models[name].quality.perplexity)

    @property
    def verdict(self) -> str:
        """Which model foretells best, if any foretells at all."""
        if self.models[self.best].quality.perplexity >= COIN:
            return f"No model foretells clicks better than a coin, whose perplexity is {COIN:g}: do not rely on them"
        return f"{self.best} foretells clicks best"

    @property
    def clicks(self) -> int:
        """How many documents were clicked, on the pages to fit to and on those held out."""
        both = (self.pages.training, self.pages.held_out)
        return round(sum(float(pages.by_rank(pages.clicked).sum()) for pages in both))

    @property
    def notes(self) -> list[str]:
        """What one should know when reading the numbers."""
        found = [
            f"{name} was still improving after {one.fit.iterations} steps: more may change its numbers"
            for name, one in self.models.items()
            if not one.fit.converged
        ]
        if self.moved < MOVED:
            found.append(
                f"{self.moved:.1%} of documents were shown at more than one rank for the same query: what a rank does "
                "and what a document does can hardly be told apart here"
            )
        if self.clicks < ENOUGH_CLICKS:
            found.append(
                f"clicks are few, {self.clicks:,}: below {ENOUGH_CLICKS:,} models say more about chance than about "
                "people"
            )
        if not self.held_out:
            found.append("nothing was held out: models that have more to fit with look better than they are")
        return found

    def rows(self, name: str) -> Iterator[tuple[str | float | None, ...]]:
        """The documents of a model, as `COLUMNS` says."""
        found, pages = self.models[name].relevance, self.pages
        there = np.flatnonzero(found.shown > 0)
        columns = (found.value, found.lower, found.upper, found.attractiveness, found.satisfaction)
        values = zip(*(_listed(column, there) for column in columns), strict=True)
        counts = zip(*(each[there].tolist() for each in (found.shown, found.looks, found.clicks)), strict=True)
        for pair, value, (shown, looks, clicks) in zip(there.tolist(), values, counts, strict=True):
            query, document = pages.texts[pages.pair_text[pair]], pages.documents[pages.pair_document[pair]]
            thin = f"looked at {looks:.1f} times, asked for {found.least_looks:g}" if value[0] is None else None
            yield (name, query, document, *value, round(shown), looks, round(clicks), thin)

    def write(self, path: str | os.PathLike[str]) -> int:
        """All documents of all models to a file: Parquet if its name ends so, or else separated by tabs; how many."""
        rows = [row for name in self.models for row in self.rows(name)]
        with writing(path) as out:
            if os.fspath(path).endswith(".parquet"):
                import pyarrow as pa
                import pyarrow.parquet

                table = pa.table({name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)})
                pyarrow.parquet.write_table(table, out)
            else:
                lines = ["\t".join(COLUMNS), *("\t".join(map(_cell, row)) for row in rows)]
                out.write("".join(f"{line}\n" for line in lines).encode())
        return len(rows)


def click_models(
    log: Log,
    models: Sequence[str] = (ALL,),
    *,
    held_out: float = 0.2,
    depth: int = DEPTH,
    least_views: int = 1,
    least_looks: float = LEAST_LOOKS,
    iterations: int = 500,
    progress: Callable[[str, float], None] | None = None,
) -> ClickModels:
    """Fit click models to a log, but for a share of its sessions, and try them on those.

    Nothing is said of documents that were looked at less often than `least_looks`; queries that were put less often
    than `least_views` are left out altogether.
    """
    names = list(MODELS) if ALL in models else list(dict.fromkeys(models))
    for name in names:
        if name not in MODELS:
            hint = did_you_mean(name, MODELS)
            raise ParameterError(f"there is no click model {name!r}{hint} There are: {', '.join(MODELS)}")
    if progress is not None:
        progress("reading pages", 0.0)
    pages = read_pages(log, depth=depth, held_out=held_out, least_views=least_views)
    if not len(pages.training.views):
        raise DataError(f"{log.folder.path}: all sessions are among those held out, nothing is left to fit to")
    tested = pages.held_out if len(pages.held_out.views) else pages.training
    found = {}
    for done, name in enumerate(names):
        if progress is not None:
            progress(f"fitting {name}", done / len(names))
        fitted = fit(MODELS[name], pages.training, iterations=iterations)
        found[name] = FittedModel(
            fitted,
            quality(fitted.model, tested),
            examination(fitted.model, pages.training),
            relevance(fitted, pages.training, least_looks=least_looks),
        )
    return ClickModels(pages, found, held_out if len(pages.held_out.views) else 0.0, _moved(pages.training))


def examination(model: ClickModel, pages: Pages) -> Floats:
    """By rank, how likely it is looked at, on average over pages that show something there; nan where none does."""
    looks, shown = np.zeros(pages.ranks), np.zeros(pages.ranks)
    for block in pages.blocks():
        looks += block.by_rank(model.looks(block))
        shown += block.by_rank(block.shown)
    return np.where(shown > 0, looks / np.maximum(shown, 1), np.nan)


def _moved(pages: Pages) -> float:
    lowest, highest = np.full(pages.pairs, pages.ranks), np.full(pages.pairs, -1)
    at = np.broadcast_to(np.arange(pages.ranks), pages.pair.shape)[pages.shown]
    np.minimum.at(lowest, pages.pair[pages.shown], at)
    np.maximum.at(highest, pages.pair[pages.shown], at)
    there = highest >= 0
    return float((highest > lowest)[there].mean()) if there.any() else 0.0


def _listed(column: Floats | None, there: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[float | None]:
    if column is None:
        return [None] * len(there)
    return [None if np.isnan(value) else value for value in column[there].tolist()]


def _cell(value: str | float | None) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
