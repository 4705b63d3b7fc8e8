"""What a log says about documents, by what it may be said."""

from __future__ import annotations

import numpy as np

from cranfield.errors import UsageError, did_you_mean
from cranfield.logs.click_models import click_models
from cranfield.logs.clicks import ENOUGH, click_deviation
from cranfield.logs.evidence_rows import Evidence
from cranfield.logs.fitted_models import of_few_clicks
from cranfield.logs.log import Log
from cranfield.logs.models import MODELS
from cranfield.logs.spark_engine import SparkEngine

COEC = "coec"
SOURCES = (COEC, *MODELS)
"""Clicks over expected clicks, and the click models."""


def evidence(log: Log, source: str = COEC, *, enough: int = ENOUGH) -> Evidence:
    """What the log says of all that was shown. Nothing is said of what was shown, or by a click model looked at, less
    than `enough` times.

    COEC has its scale by itself. What a click model says is divided by its mean over all that was looked at.
    """
    if source not in SOURCES:
        raise UsageError(
            f"there is nothing called {source!r} to infer from{did_you_mean(source, SOURCES)} "
            f"There are: {', '.join(SOURCES)}"
        )
    if isinstance(log.engine, SparkEngine):
        from cranfield.logs.spark_evidence import collected_evidence

        return collected_evidence(log, log.engine, source, enough=enough)
    if source == COEC:
        return Evidence.of_deviation(click_deviation(log, enough=enough))
    fitted = click_models(log, [source], held_out=0.0, least_looks=float(enough))
    worth = fitted.models[source].relevance
    said = (worth.shown > 0) & ~np.isnan(worth.value)
    usual = float(worth.value[said] @ worth.looks[said] / worth.looks[said].sum()) if said.any() else np.nan
    return Evidence.of_model(fitted.pages, worth, usual)


def evidence_notes(source: str, clicks: int) -> list[str]:
    """What one should know of what so many clicks say."""
    return of_few_clicks(clicks) if source in MODELS else []
