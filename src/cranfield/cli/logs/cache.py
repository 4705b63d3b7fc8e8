"""`cranfield logs cache`."""

from __future__ import annotations

import click

from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.options import formats_option
from cranfield.cli.sections import Section, show_sections
from cranfield.logs.caching import KEPT_SECONDS, POLICIES, CacheResult, Caching, Costs, caching
from cranfield.logs.counting import counted
from cranfield.logs.log import Log

_DIGITS = {"latency_ms": 1, "saved_hours": 2, "kept_seconds": 0}


@click.command("cache", epilog="Example: cranfield logs cache shop-log --engine-ms 80 --plot cache.svg")
@log_options
@click.option(
    "--policy",
    "policies",
    type=click.Choice(list(POLICIES)),
    multiple=True,
    help="What the cache drops; may be repeated.  [default: all]",
)
@click.option(
    "--size",
    "sizes",
    type=click.IntRange(1),
    multiple=True,
    help="How many results it keeps; may be repeated.  [default: shares of the different queries]",
)
@click.option(
    "--keep",
    "kept",
    type=click.FloatRange(0),
    multiple=True,
    default=KEPT_SECONDS,
    show_default=True,
    help="For how many seconds ttl keeps a result; may be repeated.",
)
@click.option(
    "--engine-ms",
    type=click.FloatRange(0),
    default=Costs().engine_ms,
    show_default=True,
    help="What an answer of the engine takes.",
)
@click.option(
    "--cache-ms",
    type=click.FloatRange(0),
    default=Costs().cache_ms,
    show_default=True,
    help="What a look into the cache takes.",
)
@plot_option("the hit rate by size")
@formats_option
def command(
    log: Log,
    policies: tuple[str, ...],
    sizes: tuple[int, ...],
    kept: tuple[float, ...],
    engine_ms: float,
    cache_ms: float,
    plot: str | None,
    layout: str | None,
) -> None:
    """What a cache of results would save, on the queries as they came.

    \b
    lru        drops what was used longest ago
    lfu        drops what was used least often since it came in
    best       knows the future (Belady): no cache of this size answers more
    personal   one for each user, which drops what they used longest ago
    ttl        has room for everything, but keeps it no longer than so long after it was fetched
    unlimited  has room for everything, for ever

    Caches are empty in the beginning. Every query takes a look into the cache; what is not there goes to the engine.
    Saved hours are hours of work of the engine; the peak is what still goes to it in its busiest minute. What a cache
    answers may be out of date: only ttl limits by how much.

    With --engine spark, workers read the log and put it in order; the caches are simulated here, on queries that come a
    day at a time (24 bytes each, and each different text once).
    """
    found = caching(log, policies or tuple(POLICIES), sizes=sizes, kept_seconds=kept, costs=Costs(engine_ms, cache_ms))
    if plot is not None:
        from cranfield.report.charts.cache_hit_rates import cache_hit_rates

        write_plot(cache_hit_rates(found), plot)
    fields = [name for name in CacheResult._fields if name != "queries"]
    rows = [tuple(row._asdict()[name] for name in fields) for row in found.results]
    show_sections(
        {"caches": Section(fields, rows, digits=_DIGITS)},
        layout,
        None,
        usual=("caches",),
        whole=_whole(found),
        said=[_said(found)],
        notes=list(found.left_out),
    )


def _said(found: Caching) -> str:
    peak = "" if found.peak_minute is None else f"; {found.peak_minute:,} in the busiest minute"
    return (
        f"{counted(found.queries, 'queries')}, {found.texts:,} different ones{peak}. "
        f"Without a cache an answer takes {found.costs.engine_ms:g} ms."
    )


def _whole(found: Caching) -> dict[str, object]:
    return {
        "queries": found.queries,
        "texts": found.texts,
        "users": found.users,
        "peak_minute": found.peak_minute,
        "costs": found.costs._asdict(),
        "caches": [row._asdict() for row in found.results],
        "lru": [{"size": size, "hit_rate": rate} for size, rate in zip(found.lru_sizes, found.lru_rates, strict=True)],
        "seconds_per_million": found.seconds_per_million,
        "left_out": found.left_out,
    }
