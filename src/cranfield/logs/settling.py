"""From the records of all sources to the tables of a log: what was said twice counts once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import UsageError
from cranfield.formats.files import progress_within
from cranfield.logs.staging.sql import literal
from cranfield.logs.tables import NAMES, SOONEST_CLICK_MS, TABLES, columns_of, typed_columns, whole_file

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Rules:
    """How sources are put together."""

    gap_minutes: float = 30.0
    """Where a source names no sessions: a user who was silent for so long begins another."""
    bot_queries: int = 30
    """Who puts more queries than so many within 60 seconds is a bot; a session stands for a user who is not known."""
    click_actions: tuple[str, ...] = ("click", "item_click", "product_click")
    """Actions that are clicks on a result."""
    anonymity: int = 0
    """Queries that fewer users than so many put are removed, from the sources on disk too."""

    def __post_init__(self) -> None:
        if self.gap_minutes <= 0 or self.bot_queries < 1 or self.anonymity < 0:
            raise UsageError(
                f"a gap of {self.gap_minutes:g} minutes, {self.bot_queries} queries a minute, {self.anonymity} users: "
                "expected a gap above 0, 1 query or more, and 0 users or more"
            )


RARE = "rare queries, which too few users put"
"""What is counted where queries are removed."""
KEPT_TEXTS, REMOVED_QUERIES = "kept_texts", "removed_queries"
"""Tables that say which words and queries, where rare ones are removed."""


class Staged(NamedTuple):
    """The records of a source."""

    records: str
    """All of them, as SQL reads them."""
    rank_base: Mapping[str, int]
    """The ordinal of the first rank, by application; of all others under the empty name."""


def settle(base: duckdb.DuckDBPyConnection, sources: Sequence[Staged], target: Path, rules: Rules) -> dict[str, int]:
    """Write the tables into a folder; what was found on the way, and how often."""
    tell = progress_within(0.0, 1.0) or _tell_nobody
    base.execute(f"CREATE OR REPLACE TEMP VIEW records AS {_records(sources, rules)}")
    steps = [_TWICE, _ONCE, *_without_rare(rules), _questions(rules), _SHOWN, _DONE, *_NUMBERS, _CLICKS]
    tables = {"queries": _QUERIES, "impressions": _IMPRESSIONS, "events": _EVENTS}
    for number, step in enumerate(steps):
        tell(_STEP, number / (len(steps) + len(tables)))
        base.execute(step).fetchall()
    for number, (name, statement) in enumerate(tables.items(), len(steps)):
        tell(_STEP, number / (len(steps) + len(tables)))
        place = target / name
        base.execute(
            f"COPY (SELECT {typed_columns(TABLES[name])} FROM ({statement})) TO {literal(str(place))} "
            "(FORMAT parquet, COMPRESSION zstd, PARTITION_BY (day), WRITE_PARTITION_COLUMNS true)"
        )
        if not any(place.glob("*/*.parquet")):
            _write_empty(base, place, name)
    for name, columns in NAMES.items():
        file = literal(str(whole_file(target, name)))
        base.execute(f"COPY (SELECT {columns_of(columns)} FROM {name}) TO {file} (FORMAT parquet, COMPRESSION zstd)")
    notes = _NOTES | ({RARE: f"SELECT count(*) FROM {REMOVED_QUERIES}"} if rules.anonymity > 1 else {})
    return {what: int(_number(base, statement)) for what, statement in notes.items()}


_STEP = "putting sources together"


def _tell_nobody(name: str, share: float) -> None:
    """Where nobody asks how far it is."""


def _records(sources: Sequence[Staged], rules: Rules) -> str:
    """What all sources say, in one way: ranks from 1, all that is a click called so."""
    clicks = ", ".join(literal(action) for action in rules.click_actions)
    return " UNION ALL ".join(
        f"SELECT * REPLACE (CASE WHEN action IN ({clicks}) THEN 'click' ELSE action END AS action), "
        f"{number} AS source, ordinal - {_base(source.rank_base)} + 1 AS rank "
        f"FROM {source.records}"
        for number, source in enumerate(sources)
    )


def _write_empty(base: duckdb.DuckDBPyConnection, place: Path, name: str) -> None:
    """A file without rows, so that a table is there with its columns."""
    (place / "none").mkdir(parents=True, exist_ok=True)
    columns = ", ".join(f'CAST(NULL AS {column.kind}) AS "{column.name}"' for column in TABLES[name])
    base.execute(f"COPY (SELECT {columns} WHERE false) TO {literal(str(place / 'none' / 'none.parquet'))}")


def _base(rank_base: Mapping[str, int]) -> str:
    named = "".join(
        f" WHEN {literal(application)} THEN {base}" for application, base in rank_base.items() if application
    )
    other = rank_base.get("", 1)
    return f"(CASE application{named} ELSE {other} END)" if named else str(other)


def _number(base: duckdb.DuckDBPyConnection, statement: str) -> int:
    row = base.execute(statement).fetchone()
    return 0 if row is None or row[0] is None else int(row[0])


_SAME = 'kind, query_id, "user", session, application, action, document_id, ordinal, time_ms, text'
_TWICE = f"""
CREATE OR REPLACE TEMP TABLE twice AS SELECT hash({_SAME}) AS same FROM records GROUP BY same HAVING count(*) > 1
"""
# Few things are said twice: only these are grouped by all they say, which would take much memory of all.
_ONCE = f"""
CREATE OR REPLACE TEMP TABLE once AS
SELECT {_SAME}, source * 1000000000000 + line AS place, CASE WHEN rank >= 1 THEN rank END AS rank,
       CASE WHEN rank < 1 THEN 1 ELSE 0 END AS below, listing, dwell_ms, value, results, hits, 1 AS times
FROM records WHERE hash({_SAME}) NOT IN (SELECT same FROM twice)
UNION ALL
SELECT {_SAME}, min(source * 1000000000000 + line), max(rank) FILTER (rank >= 1),
       count(*) FILTER (rank < 1), max(listing), max(dwell_ms), max(value), max(results), max(hits), count(*)
FROM records WHERE hash({_SAME}) IN (SELECT same FROM twice) GROUP BY {_SAME}
"""


_NAMED = """said AS (
  SELECT coalesce(query_id, 'at-' || place) AS query_id,
         min(time_ms) FILTER (kind = 'query') AS asked_ms, min(time_ms) AS first_ms, min(place) AS place,
         min(session) AS session, min("user") AS "user", min(application) AS application,
         coalesce(arg_min(text, place) FILTER (kind = 'query'), arg_min(text, place)) AS text,
         max(results) AS results, max(hits) AS hits,
         count(*) FILTER (kind = 'query') AS said
  FROM once WHERE query_id IS NOT NULL OR kind = 'query' GROUP BY 1
), named AS (
  SELECT *, coalesce(asked_ms, first_ms) AS time_ms FROM said WHERE text IS NOT NULL AND first_ms IS NOT NULL
)"""


def _without_rare(rules: Rules) -> list[str]:
    """Which queries are rare, and all that was said of them removed."""
    if rules.anonymity <= 1:
        return []
    return [
        f"CREATE OR REPLACE TEMP TABLE {KEPT_TEXTS} AS WITH {_NAMED} "
        f'SELECT text FROM named GROUP BY text HAVING count(DISTINCT "user") >= {rules.anonymity}',
        f"CREATE OR REPLACE TEMP TABLE {REMOVED_QUERIES} AS WITH {_NAMED} "
        f"SELECT query_id FROM named WHERE text NOT IN (SELECT text FROM {KEPT_TEXTS})",
        f"DELETE FROM once WHERE coalesce(query_id, 'at-' || place) IN (SELECT query_id FROM {REMOVED_QUERIES})",
        f"UPDATE once SET text = NULL WHERE text NOT IN (SELECT text FROM {KEPT_TEXTS})",
    ]


def _questions(rules: Rules) -> str:
    """Every query once, with the session and user that it or its events name; some are known by their events alone."""
    gap, who = round(rules.gap_minutes * 60_000), 'coalesce("user", session)'
    return f"""
CREATE OR REPLACE TEMP TABLE questions AS
WITH {_NAMED}, frequent AS (
  SELECT {who} AS who FROM named WHERE {who} IS NOT NULL GROUP BY who HAVING count(*) > {rules.bot_queries}
), busy AS (
  SELECT DISTINCT who FROM (
    SELECT {who} AS who, time_ms - lag(time_ms, {rules.bot_queries}) OVER (PARTITION BY {who} ORDER BY time_ms) AS took
    FROM named WHERE {who} IN (FROM frequent)
  ) WHERE took < 60000
), later AS (
  SELECT *, {who} IN (FROM busy) IS TRUE AS bot,
         time_ms - lag(time_ms) OVER (PARTITION BY "user" ORDER BY time_ms, query_id) AS since
  FROM named
), counted AS (
  SELECT *, sum(CASE WHEN since IS NULL OR since > {gap} THEN 1 ELSE 0 END)
            OVER (PARTITION BY "user" ORDER BY time_ms, query_id ROWS UNBOUNDED PRECEDING) AS turn
  FROM later
)
SELECT query_id, CASE WHEN session IS NOT NULL THEN session WHEN "user" IS NOT NULL THEN "user" || '-' || turn
                      ELSE query_id END AS session_id,
       "user" AS user_id, application, text, time_ms, first_ms, results, hits, said, bot,
       strftime(make_timestamp(time_ms * 1000), '%Y-%m-%d') AS day
FROM counted
"""


_SHOWN = """
CREATE OR REPLACE TEMP TABLE listed AS
WITH seen AS (
  SELECT query_id, document_id, rank, listing FROM once
  WHERE kind = 'impression' AND query_id IN (SELECT query_id FROM questions)
), answered AS (
  SELECT query_id, unnest(hits) AS document_id, generate_subscripts(hits, 1) AS rank FROM questions
  WHERE hits IS NOT NULL AND query_id NOT IN (SELECT query_id FROM seen)
)
SELECT query_id, document_id, CAST(min(rank) AS INTEGER) AS rank, min(listing) AS listing
FROM (SELECT * FROM seen UNION ALL SELECT *, NULL FROM answered)
WHERE given(document_id) IS NOT NULL GROUP BY ALL
"""


# A click sooner than a person can make one has the time of its query, and none of its own.
_OWN_TIME = f"time_ms - asked_ms NOT BETWEEN 0 AND {SOONEST_CLICK_MS - 1}"

# People stay until the next thing they do, be it another query; what they do with the same document, as to put it into
# the cart, is still a part of their stay, and ends it only if nothing else follows. Clocks may differ: a query is put
# no later than anything that is done with its results. Of documents clicked in one moment nobody knows which was read
# how long.
_DONE = f"""
CREATE OR REPLACE TEMP TABLE done AS
WITH found AS (
  SELECT once.*, questions.session_id, questions.user_id, questions.text AS asked, questions.time_ms AS asked_ms,
         coalesce(questions.bot, false) AS bot, coalesce(questions.application, once.application) AS where_,
         questions.said, coalesce(session_id, session, "user", 'at-' || place) AS its_session
  FROM once LEFT JOIN questions USING (query_id) WHERE kind = 'event'
), anything AS (
  FROM found UNION ALL BY NAME SELECT session_id AS its_session, first_ms AS time_ms, 'query' AS kind FROM questions
), steps AS (
  SELECT *, document_id IS NULL OR document_id IS DISTINCT FROM
            lag(document_id) OVER (PARTITION BY its_session ORDER BY time_ms, kind = 'event', place) AS moved
  FROM anything
), after AS (
  SELECT *, coalesce(min(time_ms) FILTER (moved) OVER later, max(time_ms) OVER later) AS next_ms,
         min(document_id) FILTER (action = 'click') OVER at_once
           <> max(document_id) FILTER (action = 'click') OVER at_once AS several
  FROM steps WINDOW
    at_once AS (PARTITION BY its_session ORDER BY time_ms RANGE BETWEEN CURRENT ROW AND CURRENT ROW),
    later AS (PARTITION BY its_session ORDER BY time_ms RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
)
SELECT CASE WHEN asked IS NULL THEN NULL ELSE after.query_id END AS query_id, its_session AS session_id,
       coalesce(user_id, "user") AS user_id, where_ AS application, coalesce(asked, text) AS text, time_ms,
       action, after.document_id, coalesce(after.rank, listed.rank) AS rank,
       CASE WHEN dwell_ms IS NOT NULL THEN dwell_ms
            WHEN action = 'click' AND (several OR said > 0 AND NOT ({_OWN_TIME})) THEN NULL
            ELSE next_ms - time_ms END AS dwell_ms,
       value, bot, asked_ms, place, times, listed.document_id IS NOT NULL AS shown,
       strftime(make_timestamp(time_ms * 1000), '%Y-%m-%d') AS day
FROM after LEFT JOIN listed
     ON asked IS NOT NULL AND listed.query_id = after.query_id AND listed.document_id = after.document_id
WHERE kind = 'event'
"""


def _numbered(name: str, number: str, column: str, *rows: str) -> str:
    """A table of everything that is called by a column of some tables, with its number, in order."""
    said = " UNION ".join(f"SELECT {column} FROM {each} WHERE {column} IS NOT NULL" for each in rows)
    return (
        f"CREATE OR REPLACE TEMP TABLE {name} AS "
        f"SELECT row_number() OVER (ORDER BY {column}) AS {number}, {column} FROM ({said})"
    )


_NUMBERS = [
    _numbered("texts", "text_number", "text", "questions", "done"),
    _numbered("documents", "document_number", "document_id", "listed", "done"),
    _numbered("sessions", "session_number", "session_id", "questions", "done"),
    _numbered("users", "user_number", "user_id", "questions", "done"),
    """
CREATE OR REPLACE TEMP TABLE numbered AS
SELECT questions.*, row_number() OVER (ORDER BY query_id) AS query_number, session_number, user_number, text_number
FROM questions JOIN sessions USING (session_id) LEFT JOIN users USING (user_id) JOIN texts USING (text)
""",
]

_CLICKS = """
CREATE OR REPLACE TEMP TABLE clicked AS
SELECT query_id, document_id, count(*) AS clicks, greatest(min(time_ms - asked_ms), 0) AS click_ms,
       max(dwell_ms) AS dwell_ms
FROM done WHERE action = 'click' AND query_id IS NOT NULL AND document_id IS NOT NULL GROUP BY ALL
"""

_QUERIES = f"""
WITH shown AS (SELECT query_id, count(*) AS shown FROM listed GROUP BY query_id),
top AS (
  SELECT query_id, bool_or(clicks IS NOT NULL) AS top_clicked
  FROM listed LEFT JOIN clicked USING (query_id, document_id) WHERE rank = 1 GROUP BY query_id
), touched AS (
  SELECT query_id, count(*) AS clicks, count(DISTINCT document_id) AS clicked,
         CASE WHEN bool_and({_OWN_TIME}) THEN greatest(min(time_ms - asked_ms), 0) END AS first_click_ms,
         CASE WHEN max(time_ms - asked_ms) >= {SOONEST_CLICK_MS} THEN max(time_ms - asked_ms) END AS last_click_ms,
         min(rank) AS first_rank
  FROM done WHERE action = 'click' AND query_id IS NOT NULL GROUP BY query_id
)
SELECT numbered.*, CASE WHEN shown IS NOT NULL THEN shown WHEN hits IS NOT NULL OR results = 0 THEN 0 END AS shown,
       coalesce(clicks, 0) AS clicks, coalesce(clicked, 0) AS clicked, first_click_ms, last_click_ms, first_rank,
       top_clicked
FROM numbered LEFT JOIN shown USING (query_id) LEFT JOIN top USING (query_id) LEFT JOIN touched USING (query_id)
"""

_IMPRESSIONS = """
SELECT numbered.*, listed.document_id, document_number, rank, listing, coalesce(clicks, 0) AS clicks, click_ms, dwell_ms
FROM listed JOIN numbered USING (query_id) JOIN documents USING (document_id)
     LEFT JOIN clicked USING (query_id, document_id)
"""

_EVENTS = """
SELECT done.*, query_number, session_number, user_number, text_number, document_number
FROM done LEFT JOIN (SELECT query_id, query_number FROM numbered) USING (query_id) JOIN sessions USING (session_id)
     LEFT JOIN users USING (user_id) LEFT JOIN texts USING (text) LEFT JOIN documents USING (document_id)
"""

_NOTES = {
    "said more than once": "SELECT sum(times - 1) FROM once",
    "more rows of queries that are there by their query_id, of which the first words count": (
        "SELECT sum(said - 1) FROM questions WHERE said > 1"
    ),
    "queries without a time, which are in no table": (
        "SELECT count(DISTINCT coalesce(query_id, 'at-' || place)) FROM once WHERE kind = 'query' AND time_ms IS NULL "
        "AND coalesce(query_id, 'at-' || place) NOT IN (SELECT query_id FROM questions)"
    ),
    "queries known by their events alone": "SELECT count(*) FROM questions WHERE said = 0",
    "events of a query that is not there": (
        "SELECT count(*) FROM once LEFT JOIN questions USING (query_id) "
        "WHERE kind <> 'query' AND once.query_id IS NOT NULL AND questions.query_id IS NULL"
    ),
    "clicks without a query": "SELECT count(*) FROM done WHERE action = 'click' AND query_id IS NULL",
    "clicks on documents that were not shown": (
        "SELECT count(*) FROM done WHERE action = 'click' AND query_id IS NOT NULL AND document_id IS NOT NULL "
        "AND NOT shown AND query_id IN (SELECT query_id FROM listed)"
    ),
    "events before their query": "SELECT count(*) FROM done WHERE time_ms < asked_ms",
    "ranks before the first": "SELECT sum(below) FROM once",
    "queries of bots": "SELECT count(*) FROM questions WHERE bot",
}
