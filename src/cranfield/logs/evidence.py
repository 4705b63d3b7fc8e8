"""What clicks say about each document of each query, on one scale: 1 is as much as of a usual document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.errors import UsageError, did_you_mean
from cranfield.logs.click_models import click_models
from cranfield.logs.clicks import ENOUGH, click_deviation
from cranfield.logs.log import Log
from cranfield.logs.models import MODELS
from cranfield.logs.topic_texts import Names

COEC = "coec"
SOURCES = (COEC, *MODELS)
"""Clicks over expected clicks, and the click models."""


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


def evidence(log: Log, source: str = COEC, *, enough: int = ENOUGH) -> Evidence:
    """What the log says of all that was shown. Nothing is said of what was shown, or by a click model looked at, less
    than `enough` times.

    COEC has its scale by itself. What a click model says is divided by its mean over all that was looked at.
    """
    if source == COEC:
        found = click_deviation(log, enough=enough)
        interval = found.coec_interval
        value = np.round(found.coec, 9)  # what is 1 is 1, though expected clicks are a sum of many shares
        return Evidence(
            *(found.text, found.document, value, interval.lower, interval.upper, found.shown, found.clicked)
        )
    if source not in MODELS:
        raise UsageError(
            f"there is nothing called {source!r} to infer from{did_you_mean(source, SOURCES)} "
            f"There are: {', '.join(SOURCES)}"
        )
    fitted = click_models(log, [source], held_out=0.0, least_looks=float(enough))
    worth, pages = fitted.models[source].relevance, fitted.pages
    there = np.flatnonzero(worth.shown > 0)
    value, looks = worth.value[there], worth.looks[there]
    known = ~np.isnan(value)
    usual = float(value[known] @ looks[known] / looks[known].sum()) if known.any() else np.nan
    return Evidence(
        text=np.array(pages.texts, dtype=np.object_)[pages.pair_text[there]],
        document=np.array(pages.documents, dtype=np.object_)[pages.pair_document[there]],
        value=value / usual,
        lower=worth.lower[there] / usual,
        upper=worth.upper[there] / usual,
        shown=np.rint(worth.shown[there]).astype(np.int64),
        clicked=np.rint(worth.clicks[there]).astype(np.int64),
    )
