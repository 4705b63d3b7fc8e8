"""The tables of a log, and what each column is: the one schema that every import writes and every analysis reads.

Times are whole milliseconds since 1970 in UTC, and days are texts, because these are the same to every engine that
reads the files.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import UsageError

SOONEST_CLICK_MS = 100
"""Nobody clicks sooner after a query than this: such a click has no time of its own, only that of its query."""

SAID, WITHIN, MADE_UP = "said", "within", "made up"
TIMES = (SAID, WITHIN, MADE_UP)
"""What the times of a source are worth: it says them; it says those within sessions, but not when sessions began; or
it says none, and they only keep rows in their order."""


class Column(NamedTuple):
    """A column: its type as SQL has it, and what it says."""

    name: str
    kind: str
    meaning: str


_WHO = (
    Column("query_id", "VARCHAR", "The query as it was put once: one page of results"),
    Column("session_id", "VARCHAR", "The session: as the source says, or by the gap between the user's queries"),
    Column("user_id", "VARCHAR", "The user, by a hash; null where the source does not say"),
    Column("application", "VARCHAR", "Where it was searched; null where the source does not say"),
    Column("text", "VARCHAR", "The words of the query, normalised"),
    Column("query_number", "BIGINT", "The query by a number: what is grouped by numbers takes a part of the time"),
    Column("session_number", "BIGINT", "The session by a number"),
    Column("user_number", "BIGINT", "The user by a number; null where the source does not say"),
    Column("text_number", "BIGINT", "The words by their number, which the table of texts has"),
)
_DOCUMENT = Column("document_number", "BIGINT", "The document by its number, which the table of documents has")

QUERIES = (
    *_WHO,
    Column("time_ms", "BIGINT", "When it was put"),
    Column("results", "INTEGER", "How many results there were; null where the source does not say"),
    Column("shown", "INTEGER", "How many documents were shown; 0 if none, null where the source does not say"),
    Column("clicks", "INTEGER", "How many clicks followed"),
    Column("clicked", "INTEGER", "On how many different documents"),
    Column(
        "first_click_ms", "BIGINT", "From the query to the first click; null without one that has a time of its own"
    ),
    Column("last_click_ms", "BIGINT", "From the query to the last click; null without one that has a time of its own"),
    Column("first_rank", "INTEGER", "The highest rank that was clicked; null without a click"),
    Column("top_clicked", "BOOLEAN", "Whether what was shown at rank 1 was clicked; null if nothing was shown there"),
    Column("bot", "BOOLEAN", "Whether the user searched faster than people do"),
    Column("day", "VARCHAR", "The day in UTC, as 2026-03-01"),
)
"""One row for each query that was put."""

IMPRESSIONS = (
    *_WHO,
    Column("time_ms", "BIGINT", "When the query was put"),
    Column("document_id", "VARCHAR", "The document that was shown"),
    _DOCUMENT,
    Column("rank", "INTEGER", "Where, from 1"),
    Column("listing", "VARCHAR", "What kind of listing, such as an advertisement; null where the source does not say"),
    Column("clicks", "INTEGER", "How often it was clicked there"),
    Column("click_ms", "BIGINT", "From the query to the first click on it; null without one"),
    Column("dwell_ms", "BIGINT", "The longest stay after a click on it; null where that is not known"),
    Column("bot", "BOOLEAN", "Whether the user searched faster than people do"),
    Column("day", "VARCHAR", "The day of the query in UTC"),
)
"""One row for each document that was shown for a query."""

EVENTS = (
    *_WHO,
    Column("time_ms", "BIGINT", "When it happened"),
    Column("action", "VARCHAR", "What was done: click, add_to_cart, purchase, …"),
    Column("document_id", "VARCHAR", "To which document; null if to none"),
    _DOCUMENT,
    Column("rank", "INTEGER", "Where it was shown, from 1; null where that is not known"),
    Column(
        "dwell_ms", "BIGINT", "How long the user stayed: as the source says, or until they turned to something else"
    ),
    Column("value", "DOUBLE", "What it was worth, such as a price; null where the source does not say"),
    Column("shown", "BOOLEAN", "Whether the document is among those shown for the query"),
    Column("bot", "BOOLEAN", "Whether the user searched faster than people do"),
    Column("day", "VARCHAR", "The day in UTC"),
)
"""One row for each thing that users did, but for looking at results."""

TABLES = {"queries": QUERIES, "impressions": IMPRESSIONS, "events": EVENTS}

TEXTS = (
    Column("text_number", "BIGINT", "From 1, in the order of the words"),
    Column("text", "VARCHAR", "The words of queries, normalised"),
)
"""One row for each different text."""

DOCUMENTS = (
    Column("document_number", "BIGINT", "From 1, in the order of the identifiers"),
    Column("document_id", "VARCHAR", "The document"),
)
"""One row for each document that was shown, or that something was done to."""

COUNTED_BY = ("text_number", "document_number", "rank", "listing", "application", "bot")
"""What impressions of one row of `COUNTS` have in common."""
COUNTS = (
    Column("text_number", "BIGINT", "The words of the query"),
    Column("document_number", "BIGINT", "The document"),
    Column("rank", "INTEGER", "Where it was shown"),
    Column("listing", "VARCHAR", "What kind of listing; null where the source does not say"),
    Column("application", "VARCHAR", "Where it was searched; null where the source does not say"),
    Column("bot", "BOOLEAN", "Whether the users searched faster than people do"),
    Column("shown", "BIGINT", "How often it was shown there, on all days"),
    Column("clicked", "BIGINT", "How many of these times it was clicked, be it once or more often"),
)
"""One row for each document at each rank of each text: impressions of all days, counted."""

TRAFFIC = (
    Column("day", "VARCHAR", "The day; null in the one row of all days together"),
    Column("queries", "BIGINT", "How many queries were put"),
    Column("sessions", "BIGINT", "In how many sessions"),
    Column("users", "BIGINT", "By how many users; null where the source does not say"),
    Column("clicks", "BIGINT", "How many clicks followed"),
    Column("without_click", "BIGINT", "After how many queries there was none"),
    Column("without_results", "BIGINT", "How many queries had no results"),
    Column("known_results", "BIGINT", "Of how many queries the source says whether they had"),
)
"""One row for each day, and one for all."""

SESSIONS = (
    Column("session_number", "BIGINT", "The session"),
    Column("queries", "BIGINT", "How many queries it has"),
    Column("first_ms", "BIGINT", "When the first of them was put"),
    Column("took_ms", "BIGINT", "From then to the last thing that happened"),
)
"""One row for each session that has a query."""

ASKED = (
    Column("text_number", "BIGINT", "The words"),
    Column("times", "BIGINT", "How often they were put"),
    Column("first_half", "BIGINT", "How many of these times in the first half of the days"),
    Column("people", "BIGINT", "By how many users, or sessions where users are unknown"),
    Column("users", "BIGINT", "By how many users; null where the source does not say"),
    Column("clicked", "BIGINT", "How many of these times something was clicked"),
    Column("without_results", "BIGINT", "How many of these times there were no results"),
)
"""One row for each text."""

CHANGES = (
    Column("text", "VARCHAR", "The words of the query"),
    Column("next_text", "VARCHAR", "Those of the next one, which are others"),
    Column("pause_ms", "BIGINT", "How much later it was put"),
    Column("soonest", "BOOLEAN", "Whether its session made the same change nowhere sooner: once for each session"),
    Column("in_common", "BOOLEAN", "Whether both have a word in common"),
)
"""One row for each query whose session went on with other words; where either has none, there is no row."""

RANKS = (
    Column("rank", "INTEGER", "The rank"),
    Column("shown", "BIGINT", "How often a document was shown there"),
    Column("clicked", "BIGINT", "How many of these times it was clicked"),
)
"""One row for each rank."""

RETURNS = (
    Column("came", "BIGINT", "The week that users put their first query in; the log begins with week 0"),
    Column("week", "BIGINT", "That week, or a later one"),
    Column("users", "BIGINT", "How many of them put a query in it"),
)
"""One row for each week, and each one that users of it came first."""

PAIRS = (
    Column("text_number", "BIGINT", "The words of the query"),
    Column("document_number", "BIGINT", "The document"),
    Column("shown", "BIGINT", "How often it was shown"),
    Column("clicked", "BIGINT", "How many of these times it was clicked"),
    Column("expected", "DOUBLE", "How many clicks anything would have had that was shown at the same ranks"),
)
"""One row for each document of each text."""

NAMES = {"texts": TEXTS, "documents": DOCUMENTS}
"""What has which number."""
SUMMARIES = {
    "counts": COUNTS,
    "traffic": TRAFFIC,
    "sessions": SESSIONS,
    "asked": ASKED,
    "changes": CHANGES,
    "returns": RETURNS,
    "ranks": RANKS,
    "pairs": PAIRS,
}
"""What follows from the tables, and is kept beside them so that nobody has to go through all rows for it. All but
`counts` leave bots out."""
SCHEMA = TABLES | NAMES | SUMMARIES

RECORDS = (
    Column("line", "BIGINT", "Where in it, from 1"),
    Column("kind", "VARCHAR", "query, impression or event"),
    Column("query_id", "VARCHAR", ""),
    Column("session", "VARCHAR", "As the source has it, hashed; null where it has none"),
    Column("user", "VARCHAR", "The same of the user"),
    Column("application", "VARCHAR", ""),
    Column("time_ms", "BIGINT", ""),
    Column("text", "VARCHAR", ""),
    Column("results", "INTEGER", ""),
    Column("hits", "VARCHAR[]", "Of a query: the documents shown, best first"),
    Column("action", "VARCHAR", ""),
    Column("document_id", "VARCHAR", ""),
    Column("ordinal", "INTEGER", "The rank as the source counts, from 0 or 1"),
    Column("listing", "VARCHAR", ""),
    Column("dwell_ms", "BIGINT", ""),
    Column("value", "DOUBLE", ""),
)
"""What was read from one source, before it is put together with what others say: one row for each line kept."""


def a_day(said: str) -> str:
    """The same, if it is a day as the tables write it.

    >>> a_day("2026-03-01")
    '2026-03-01'
    >>> a_day("2026-02-30")
    Traceback (most recent call last):
    cranfield.errors.UsageError: '2026-02-30' is no day; expected one such as 2026-03-01
    """
    try:
        if date.fromisoformat(said).isoformat() == said:
            return said
    except ValueError:
        pass
    raise UsageError(f"{said!r} is no day; expected one such as 2026-03-01")


def columns_of(columns: tuple[Column, ...]) -> str:
    """Their names, as SQL lists them."""
    return ", ".join(f'"{column.name}"' for column in columns)


def typed_columns(columns: Iterable[Column]) -> str:
    """The same, each as the type that it has to be."""
    return ", ".join(f'CAST("{column.name}" AS {column.kind}) AS "{column.name}"' for column in columns)


def whole_file(tables: Path, name: str) -> Path:
    """The one file of a table that is not divided into days, in a folder that is made."""
    folder = tables / name / "all"
    folder.mkdir(parents=True)
    return folder / f"{name}.parquet"
