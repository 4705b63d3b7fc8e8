"""One analysis of a log, as Cranfield does it: SMALL LOG ANALYSIS. Prints the seconds from the files to the numbers,
the most memory in bytes, and the numbers as JSON.

The small log is gone through before the clock starts, so that all libraries are loaded.
"""

import json
import resource
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from cranfield.logs.behaviour import behaviour
from cranfield.logs.clicks import click_deviation, clicks_by_rank
from cranfield.logs.log import Log, Part
from cranfield.logs.overview import overview
from cranfield.logs.reformulation_graph import reformulation_graph

MEMORY = 4_000_000_000
"""All that the process may have for its data, be it in memory or not."""


def of_overview(log: Log) -> dict[str, Any]:
    found = overview(log)
    return {
        "total": found.total[1:],
        "days": found.days,
        "texts": (found.texts, found.once, found.half),
        "head": found.head,
        "session sizes": found.session_sizes,
        "session minutes": found.session_minutes,
        "words": found.words,
        "fruitless": found.fruitless,
        "rising": found.rising,
        "fading": found.fading,
    }


def of_clicks_by_rank(log: Log) -> dict[str, Any]:
    found = clicks_by_rank(log)
    columns = (found.rank, found.shown, found.clicked, found.interval.lower, found.interval.upper)
    return {"ranks": [column.tolist() for column in columns]}


def of_click_deviation(log: Log) -> dict[str, Any]:
    found = click_deviation(log)
    deviation, coec = found.deviation_interval, found.coec_interval
    columns = [found.shown, found.clicked, found.expected, found.deviation, deviation.lower, deviation.upper]
    columns += [found.coec, coec.lower, coec.upper]
    return {"first": (found.text[0], found.document[0]), "columns": [summed(column) for column in columns]}


def counted_anew(analyse: Callable[[Log], dict[str, Any]]) -> Callable[[Log], dict[str, Any]]:
    """The same of all days, said so: then impressions are counted by the analysis, not by the import."""
    return lambda log: analyse(Log(log.path, Part(since="0001-01-01"), engine=log.engine))


def summed(column: Any) -> tuple[int, float, float]:
    """How many values there are, and their sums: plain, and by place, so that none can stand in another's."""
    there = ~np.isnan(column)
    values, places = column[there], np.flatnonzero(there) / len(column)
    return len(values), float(values.sum()), float(values @ places)


def of_behaviour(log: Log) -> dict[str, Any]:
    found = behaviour(log)
    return {
        "shares": [(share.part, share.of, share.low, share.high) for share in found.shares],
        "reciprocal rank": (found.reciprocal_rank, *(found.reciprocal_rank_interval or ()), found.ranked),
        "spreads": [(spread.number, spread.quantiles) for spread in found.spreads],
        "durations": (found.durations.ranks, found.durations.tau),
        "cohorts": found.cohorts,
    }


def of_reformulations(log: Log) -> dict[str, Any]:
    found = reformulation_graph(log)
    return {"changes": found.changes, "edges": found.edges, "kinds": found.kinds}


ANALYSES: dict[str, Callable[[Log], dict[str, Any]]] = {
    "overview": of_overview,
    "clicks by rank": of_clicks_by_rank,
    "clicks by rank, counted anew": counted_anew(of_clicks_by_rank),
    "deviation": of_click_deviation,
    "deviation, counted anew": counted_anew(of_click_deviation),
    "behaviour": of_behaviour,
    "reformulations": of_reformulations,
}


def measure(analyse: Callable[[str], dict[str, Any]], small: str, folder: str) -> None:
    """Print what the analysis of a log takes and finds, that of the small one having loaded all libraries."""
    analyse(small)
    begin = perf_counter()
    found = analyse(folder)
    seconds = perf_counter() - begin
    memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(seconds, memory, json.dumps(found), sep="\t")


def main(small: str, folder: str, analysis: str) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    measure(lambda log: ANALYSES[analysis](Log(log)), small, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
