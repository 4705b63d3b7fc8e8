"""One analysis of a log, as Cranfield does it: SMALL LOG ANALYSIS. Prints the seconds from the files to the numbers,
the most memory in bytes, and the numbers as JSON.

The small log is gone through before the clock starts, so that all libraries are loaded. "ANALYSIS, of rows" is the
same without summaries of the import.
"""

import json
import resource
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from cranfield.logs.behaviour import Behaviour, behaviour
from cranfield.logs.clicks import ClickDeviation, ClicksByRank, click_deviation, clicks_by_rank
from cranfield.logs.log import Log, Part
from cranfield.logs.overview import Overview, overview
from cranfield.logs.reformulation_graph import ReformulationGraph, reformulation_graph

MEMORY = 4_000_000_000
"""All that the process may have for its data, be it in memory or not."""


class Analysis(NamedTuple):
    """What is timed, and how its result is told to another process."""

    analyse: Callable[[Log], Any]
    describe: Callable[[Any], dict[str, Any]]


def of_overview(found: Overview) -> dict[str, Any]:
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


def of_clicks_by_rank(found: ClicksByRank) -> dict[str, Any]:
    columns = (found.rank, found.shown, found.clicked, found.interval.lower, found.interval.upper)
    return {"ranks": [column.tolist() for column in columns]}


def of_click_deviation(found: ClickDeviation) -> dict[str, Any]:
    deviation, coec = found.deviation_interval, found.coec_interval
    columns = [found.shown, found.clicked, found.expected, found.deviation, deviation.lower, deviation.upper]
    columns += [found.coec, coec.lower, coec.upper]
    return {"first": (found.texts[0], found.documents[0]), "columns": [summed(column) for column in columns]}


def summed(column: Any) -> tuple[int, float, float]:
    """How many values there are, and their sums: plain, and by place, so that none can stand in another's."""
    there = ~np.isnan(column)
    values, places = column[there], np.flatnonzero(there) / len(column)
    return len(values), float(values.sum()), float(values @ places)


def of_behaviour(found: Behaviour) -> dict[str, Any]:
    return {
        "shares": [(share.part, share.of, share.low, share.high) for share in found.shares],
        "reciprocal rank": (found.reciprocal_rank, *(found.reciprocal_rank_interval or ()), found.ranked),
        "spreads": [(spread.number, spread.quantiles) for spread in found.spreads],
        "durations": (found.durations.ranks, found.durations.tau),
        "cohorts": found.cohorts,
    }


def of_reformulations(found: ReformulationGraph) -> dict[str, Any]:
    return {"changes": found.changes, "edges": found.edges, "kinds": found.kinds}


ANALYSES: dict[str, Analysis] = {
    "overview": Analysis(overview, of_overview),
    "clicks by rank": Analysis(clicks_by_rank, of_clicks_by_rank),
    "deviation": Analysis(click_deviation, of_click_deviation),
    "behaviour": Analysis(behaviour, of_behaviour),
    "reformulations": Analysis(reformulation_graph, of_reformulations),
}


def found_of(log: Log, name: str) -> Any:
    """What an analysis finds; said to be of rows, of all days, and said so: then it has no summaries of the import."""
    name, _, how = name.partition(", ")
    part = Part(since="0001-01-01") if how == "of rows" else Part()
    return ANALYSES[name].analyse(Log(log.path, part, engine=log.engine))


def described(found: Any, name: str) -> dict[str, Any]:
    """The same for another process to compare."""
    return ANALYSES[name.partition(", ")[0]].describe(found)


def measure(analyse: Callable[[str], Any], describe: Callable[[Any], dict[str, Any]], small: str, folder: str) -> None:
    """Print what the analysis of a log takes and finds, that of the small one having loaded all libraries."""
    analyse(small)
    begin = perf_counter()
    found = analyse(folder)
    seconds = perf_counter() - begin
    memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(seconds, memory, json.dumps(describe(found)), sep="\t")


def main(small: str, folder: str, analysis: str) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    measure(lambda log: found_of(Log(log), analysis), lambda found: described(found, analysis), small, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
