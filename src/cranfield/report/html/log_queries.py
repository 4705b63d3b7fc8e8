"""Of a report on a log: which queries mean the same or several things, how they are said anew, and what is repeated."""

from __future__ import annotations

from dataclasses import replace

from cranfield.logs.caching import caching
from cranfield.logs.needs import spreads
from cranfield.logs.personal import personal
from cranfield.logs.phrasings import phrasings
from cranfield.logs.reformulation_graph import KINDS, reformulation_graph
from cranfield.report.charts.cache_hit_rates import cache_hit_rates
from cranfield.report.charts.reformulations import reformulations_drawn
from cranfield.report.charts.repeat_pauses import repeat_pauses
from cranfield.report.html.log_sections import LogSection, LogTable, LogView, drawn
from cranfield.report.html.log_traffic import shares_table

MANY = 20
"""How many of each are named."""
_LOOKED_AT = 10 * MANY
"""So many are looked at, for some are not to be named."""
_CHANGES_DRAWN = 12
"""Names of more would lie over each other on paper, where a plot has half a page."""


def needs(view: LogView) -> LogSection:
    """Phrasings of one need, and queries whose clicks go many ways."""
    same, several = phrasings(view.log), spreads(view.log, named=_LOOKED_AT)
    groups = same.needs[:_LOOKED_AT]
    texts = [phrasing.text for need in groups for phrasing in need.phrasings]
    public = view.public([*texts, *(one.text for one in several.queries)])
    said = [
        (need.head, ", ".join(sorted(public & {one.text for one in need.phrasings} - {need.head})), need.times)
        for need in groups
        if need.head in public and sum(one.text in public for one in need.phrasings) > 1
    ]
    spread = [
        (one.text, one.clicks, one.documents, one.entropy, one.interval.lower, one.interval.upper, len(one.groups))
        for one in several.queries
        if one.text in public
    ]
    return LogSection(
        "needs",
        "What queries mean",
        words=(
            "People say one need in several ways, and mean several things by the same words: what they click tells",
            f"Groups of queries that seem to mean the same: {len(same.needs):,}, with {same.grouped:,} of "
            f"{same.texts:,} different queries; {same.judged:,} sets of words have clicks enough to be compared",
            f"{several.told:,} queries have {several.enough} clicks or more; {several.abstained:,} have fewer, and "
            "nothing is said of how many needs they have",
        ),
        tables=(
            LogTable("Phrasings of one need", ("need", "said also", "times"), said[:MANY], left=2),
            LogTable(
                "Queries whose clicks go many ways, by entropy in bits with 95 % intervals (bootstrap over clicks)",
                ("query", "clicks", "documents", "entropy", "from", "to", "groups"),
                spread[:MANY],
                digits=2,
            ),
        ),
        notes=("Groups of documents are those clicked in the same sessions: several needs, or several answers",),
    )


def anew(view: LogView) -> LogSection:
    """How queries are said anew."""
    graph = reformulation_graph(view.log)
    edges = graph.edges[:_LOOKED_AT]
    public = view.public([text for edge in edges for text in (edge.text, edge.next_text)])
    # Two queries that many people put may still be one person's way from the one to the other.
    named = tuple(
        edge
        for edge in edges
        if edge.sessions >= view.least_people and edge.text in public and edge.next_text in public
    )
    total = sum(graph.kinds.values())
    kinds = [(kind, meaning, graph.kinds[kind], graph.kinds[kind] / total) for kind, meaning in KINDS.items() if total]
    changed = [(edge.text, edge.next_text, edge.kind, edge.times, edge.sessions) for edge in named[:MANY]]
    figures = []
    if named:
        drawing = reformulations_drawn(replace(graph, edges=named), _CHANGES_DRAWN)
        figures.append(drawn("anew", "From query to query", drawing, "Thicker lines are more frequent changes"))
    return LogSection(
        "anew",
        "How queries are said anew",
        words=(
            "Who asks again in other words has probably not found what was sought",
            f"Queries that were followed by another of the same session within {graph.minutes:g} minutes: "
            f"{graph.changes:,}",
        ),
        figures=tuple(figures),
        tables=(
            LogTable("Kinds of change", ("kind", "which means", "changes", "share"), kinds, left=2, shares=("share",)),
            LogTable("Most frequent changes", ("from", "to", "kind", "times", "sessions"), changed, left=3),
        ),
        notes=() if view.log.timed else (f"{view.log.times_said}; here a row counts as a minute",),
    )


def caches(view: LogView) -> LogSection:
    """What caches would have answered."""
    found = caching(view.log)
    peak = "" if found.peak_minute is None else f"; {found.peak_minute:,} in the busiest minute"
    rows = [
        (one.policy, one.size, one.kept_seconds, one.hits, one.hit_rate, one.latency_ms, one.peak_minute)
        for one in found.results
    ]
    return LogSection(
        "caches",
        "What a cache would save",
        words=(
            f"Over {found.queries:,} queries as they came, {found.texts:,} different ones{peak}. An answer of the "
            f"engine is taken to cost {found.costs.engine_ms:g} ms, a look into "
            f"the cache {found.costs.cache_ms:g} ms",
        ),
        figures=(drawn("caches", "By size", cache_hit_rates(found), "Caches are empty in the beginning"),),
        tables=(
            LogTable(
                "Queries that caches answer, what an answer takes, and how many the engine is left with",
                ("policy", "results kept", "seconds kept", "hits", "share", "mean ms", "left in the busiest minute"),
                rows,
                digits=1,
                shares=("share",),
            ),
        ),
        notes=(
            "Of the policies, lru forgets what was asked for longest ago, lfu what is asked for most rarely, best what "
            "is asked for last of all from now on, which no cache knows; ttl keeps an answer for some seconds, "
            "personal has a cache for each user, unlimited forgets nothing",
            *found.left_out,
        ),
    )


def again(view: LogView) -> LogSection:
    """What users do again."""
    found = personal(view.log)
    words: tuple[str, ...] = ("Who puts the same query again may want back what was clicked the first time",)
    if found.gain is not None:
        gain = found.gain
        between = (
            f", 95 % interval of the difference {gain.interval.lower:z.3f} to {gain.interval.upper:z.3f}"
            if gain.interval
            else ""
        )
        words += (
            f"With documents first that the user clicked for the same query before, the reciprocal rank of the click "
            f"would have been {gain.after:.3f} and not {gain.before:.3f} ({gain.queries:,} queries of {gain.users:,} "
            f"users{between}). These clicks were made on the old lists: nobody saw the new ones",
        )
    figures = (
        (drawn("again", "After how long", repeat_pauses(found), "Of queries that a user had put before"),)
        if found.pauses
        else ()
    )
    return LogSection(
        "again",
        "What users do again",
        words=words,
        figures=figures,
        tables=(shares_table("Shares, with 95 % intervals (Wilson)", found.shares),),
        notes=found.notes,
    )
