"""The engine tantivy on a large collection and on a real one: how fast, and how much of the time is ours."""

import os
from pathlib import Path

from bench.processes import Times, timed
from bench.report import Table, megabytes, seconds, verdict
from bench.session import Session
from bench.tools import tantivy_share

DOCUMENTS, FEW_DOCUMENTS = 1_000_000, 100_000
"""How many are made up; fewer for a quick look."""
SHARE_ALLOWED = 0.2
"""Of the time of indexing and of searching, how much may be spent outside of Tantivy."""


def tantivy(session: Session) -> Table:
    """Indexing and searching, by the engine and by Tantivy's own calls."""
    table = Table(
        ("work", "best", "median", "a second", "Tantivy alone", "our share, best", "median", "allowed", ""),
        notes=[
            "*Tantivy alone* are its own calls and no more: texts are ready, and hits stay numbers. What it takes to "
            "make the documents up is in neither share.",
        ],
    )
    sources: dict[str, int | Path] = {"made up": DOCUMENTS if session.large_repeats > 1 else FEW_DOCUMENTS}
    if real_data := os.environ.get("CRANFIELD_REAL_DATA"):
        sources["CACM"] = Path(real_data) / "collections" / "cacm"
    for name, source in sources.items():
        _add(session, table, name, source)
    return table


def _add(session: Session, table: Table, name: str, source: int | Path) -> None:
    *lines, about = (line.split("\t") for line in timed(tantivy_share(source, session.large_repeats))[1].splitlines())
    documents, queries, size, segments = map(int, about[1:])
    table.notes.append(f"The index of {name} takes {megabytes(size)} in {segments} segments.")
    times = {(work, tool): Times(tuple(map(float, values))) for work, tool, *values in lines}
    made = times["index", "documents"]
    both = {tool: _together(times["index", tool], times["search", tool]) for tool in ("cranfield", "tantivy")}
    for work, count, ours, alone, others in (
        (f"index {documents:,} documents, {name}", documents, *_ours_and_alone(times, "index"), made),
        (f"search them by {queries} queries", queries, *_ours_and_alone(times, "search"), Times((0.0,))),
        (f"both, {name}", None, both["cranfield"], both["tantivy"], made),
    ):
        shares = [
            1 - (getattr(alone, which) - getattr(others, which)) / (getattr(ours, which) - getattr(others, which))
            for which in ("best", "median")
        ]
        met = max(shares) <= SHARE_ALLOWED
        session.note_missed(met, f"{work}: {max(shares):.0%} of the time is ours, allowed {SHARE_ALLOWED:.0%}")
        rate = "" if count is None else f"{count / ours.median:,.0f}"
        cells = [seconds(ours.best), seconds(ours.median), rate, seconds(alone.median)]
        table.rows.append([work, *cells, *(f"{share:.0%}" for share in shares), f"{SHARE_ALLOWED:.0%}", verdict(met)])


def _ours_and_alone(times: dict[tuple[str, str], Times], work: str) -> tuple[Times, Times]:
    return times[work, "cranfield"], times[work, "tantivy"]


def _together(one: Times, other: Times) -> Times:
    """What both take one after the other: best and best, middle and middle."""
    return Times((one.best + other.best, one.median + other.median, one.median + other.median))
