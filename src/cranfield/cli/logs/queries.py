"""`cranfield logs queries`."""

from __future__ import annotations

import click

from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.options import formats_option
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.errors import DataError
from cranfield.logs.counting import counted
from cranfield.logs.log import Log
from cranfield.logs.needs import ENOUGH, MANY, Spread, Spreads, spreads
from cranfield.logs.phrasings import ALIKE, CLICKS_WEIGHT, Phrasings, phrasings
from cranfield.logs.reformulation_graph import Edge, ReformulationGraph, reformulation_graph
from cranfield.logs.reformulations import REFORMULATION_MINUTES

_DOT = "dot"


@click.command("queries", epilog="Example: cranfield logs queries shop-log --plot reformulations.svg")
@log_options
@click.option("--named", type=click.IntRange(1), default=MANY, show_default=True, help="How many of each are named.")
@click.option(
    "--alike",
    type=click.FloatRange(0, 1),
    default=ALIKE,
    show_default=True,
    help="How alike phrasings of one need are, from 0 to 1.",
)
@click.option(
    "--clicks-weight",
    type=click.FloatRange(0, 1),
    default=CLICKS_WEIGHT,
    show_default=True,
    help="How much clicks count for that; words count the rest.",
)
@click.option(
    "--enough",
    type=click.IntRange(2),
    default=ENOUGH,
    show_default=True,
    help="Say nothing of the needs behind a query with fewer clicks.",
)
@click.option(
    "--within", "minutes", default=REFORMULATION_MINUTES, show_default=True, help="Minutes to the next query at most."
)
@click.option(
    "--sessions",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Leave out changes of queries that fewer sessions made.",
)
@table_option(("phrasings", "needs", "reformulations", "kinds"), "phrasings")
@plot_option("the most frequent reformulations", (_DOT,))
@formats_option
def command(
    log: Log,
    named: int,
    alike: float,
    clicks_weight: float,
    enough: int,
    minutes: float,
    sessions: int,
    wanted: str | None,
    plot: str | None,
    layout: str | None,
) -> None:
    """Say which queries mean the same, which mean several things, and how people say them anew.

    \b
    phrasings       groups of queries of the same words, or with the same clicks and words in common
    needs           queries whose clicks go many ways (entropy in bits), and which documents are clicked together
    reformulations  from which query to which, how often, and what kind of change
    kinds           how many changes are of each kind

    Phrasings are alike by w C + (1 - w) J: C the cosine of their clicks, J the share of words in common. In a terminal
    and in tsv the most frequent are named; json has all phrasings and reformulations.

    With --engine spark, workers compare queries, and count how they are said anew; pairs that are alike come here to be
    grouped.
    """
    same = phrasings(log, alike=alike, clicks_weight=clicks_weight)
    if not same.texts:
        raise log.no_queries()
    several = spreads(log, enough=enough, named=named)
    graph = reformulation_graph(log, minutes=minutes, least=sessions)
    if plot is not None:
        if not graph.edges:
            raise DataError(f"{plot}: there is nothing to draw: no change of queries was made by {sessions:,} sessions")
        _draw(graph, plot)
    show_sections(
        {
            "phrasings": _phrasings(same, named),
            "needs": _needs(several),
            "reformulations": Section(Edge._fields, graph.edges[:named], "From query to query", left=2),
            "kinds": _kinds(graph),
        },
        layout,
        wanted,
        usual=("phrasings", "needs", "reformulations", "kinds"),
        whole=_whole(same, several, graph),
        said=_said(same, several, graph),
        notes=[] if log.timed else [f"{log.times_said}; from query to query a row counts as a minute"],
    )


def _draw(graph: ReformulationGraph, file: str) -> None:
    from cranfield.report.export import format_of

    if format_of(file, (_DOT,)) == _DOT:
        from cranfield.formats.writing import writing

        with writing(file) as out:
            out.write(graph.dot().encode())
        return
    from cranfield.report.charts.reformulations import reformulations_drawn

    write_plot(reformulations_drawn(graph), file)


def _said(same: Phrasings, several: Spreads, graph: ReformulationGraph) -> list[str]:
    kept = sum(edge.times for edge in graph.edges)
    return [
        f"{same.grouped:,} of {counted(same.texts, 'different queries')} are in {counted(len(same.needs), 'groups')} "
        f"that seem{'s' * (len(same.needs) == 1)} to mean the same; "
        f"clicks were enough to compare {same.judged:,} by them.",
        f"{several.told:,} queries have {several.enough} clicks or more; {several.abstained:,} have fewer, and nothing "
        "is said of how many needs they have.",
        f"{counted(graph.changes, 'times')} a query was followed by another within {graph.minutes:g} minutes"
        + (f", of which {kept:,} are told." if kept < graph.changes else "."),
    ]


def _phrasings(found: Phrasings, named: int) -> Section:
    rows = [(need.head, *phrasing) for need in found.needs[:named] for phrasing in need.phrasings]
    return Section(
        ("need", "phrasing", "times", "similarity", "clicks", "words"), rows, "Phrasings of one need", left=2
    )


def _needs(found: Spreads) -> Section:
    def row(one: Spread) -> tuple[object, ...]:
        groups = "; ".join(f"{group.share:.0%} {', '.join(group.documents[:3])}" for group in one.groups[:3])
        return (
            one.text,
            one.clicks,
            one.documents,
            one.entropy,
            one.interval.lower,
            one.interval.upper,
            len(one.groups),
            groups,
        )

    header = ("query", "clicks", "documents", "entropy", "low", "high", "groups", "documents_of_groups")
    title = "Queries whose clicks go many ways, and documents that are clicked in the same sessions"
    digits = {"entropy": 2, "low": 2, "high": 2}
    return Section(header, [row(one) for one in found.queries], title, digits=digits)


def _kinds(graph: ReformulationGraph) -> Section:
    total = max(sum(graph.kinds.values()), 1)
    rows = [(kind, number, number / total) for kind, number in graph.kinds.items()]
    return Section(("kind", "changes", "share"), rows, "Kinds of change")


def _whole(same: Phrasings, several: Spreads, graph: ReformulationGraph) -> dict[str, object]:
    return {
        "texts": same.texts,
        "grouped": same.grouped,
        "phrasings": [
            need._asdict() | {"phrasings": [phrasing._asdict() for phrasing in need.phrasings]} for need in same.needs
        ],
        "needs": [
            one._asdict()
            | {
                "interval": [one.interval.lower, one.interval.upper],
                "groups": [group._asdict() for group in one.groups],
            }
            for one in several.queries
        ],
        "queries_with_enough_clicks": several.told,
        "queries_with_too_few_clicks": several.abstained,
        "changes": graph.changes,
        "kinds": graph.kinds,
        "reformulations": [edge._asdict() for edge in graph.edges],
    }
