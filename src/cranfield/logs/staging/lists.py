"""Lists of results with their clicks, a row for each: as research publishes them, without times.

Two layouts. `lists` has tabs between session, query, whatever else, and lists as JSON has them: the documents shown,
kinds of listing if there are three lists, and clicks as 0 and 1, as numbers of clicks or as true and false (Yandex'
clickmodels, TianGong).
`pyclick` has query, documents, a colon and the documents clicked in their order, with semicolons between rows.
"""

from __future__ import annotations

from cranfield.logs.staging.sql import hashed

BEGIN = "epoch_ms(TIMESTAMP '2000-01-01')"
"""Rows have no times: they are taken to be a minute apart, from here. Clicks have the time of their query; milliseconds
more tell those on one document apart, and keep their order where that is known."""

MOST_CLICKS = 1000
"""On one document; what is more is no number of clicks."""


def select(lines: str, salt: str) -> str:
    """From a table of `line` and `raw` to records: a query with its hits, and a click for each that was clicked."""
    return f"""
WITH cells AS (
  SELECT line, raw, string_split(rtrim(raw, chr(13) || chr(10)), chr(9)) AS cell FROM {lines}
), parts AS (
  SELECT line, raw, cell, [one FOR one IN cell IF one LIKE '[%' AND json_valid(one)] AS lists FROM cells
), read AS (
  SELECT line, raw, line AS place, {hashed("given(cell[1])", salt)} AS session, normalised(cell[2]) AS text,
    TRY_CAST(lists[1] AS VARCHAR[]) AS hits,
    CASE WHEN len(lists) > 2 THEN TRY_CAST(lists[2] AS VARCHAR[]) END AS listings,
    [CASE WHEN lower(one) = 'true' THEN 1 WHEN lower(one) = 'false' THEN 0
          WHEN whole(one) BETWEEN 0 AND {MOST_CLICKS} THEN whole(one) END
     FOR one IN TRY_CAST(lists[least(len(lists), 3)] AS VARCHAR[])] AS clicks
  FROM parts
), counted AS (
  SELECT *, flatten([[hits[spot] FOR once IN range(clicks[spot])] FOR spot IN range(1, len(hits) + 1)]) AS clicked
  FROM read
)
{_records("counted", "len(clicks) >= len(hits)", "row_number() OVER (PARTITION BY line, hit ORDER BY turn) - 1")}
"""


def select_pyclick(lines: str, salt: str) -> str:
    """The same of the layout of pyclick. Its rows have no names: each is known by what it says, and its number."""
    name = "concat_ws(chr(9), CAST(line AS VARCHAR), raw)"
    return f"""
WITH cells AS (
  SELECT line, raw, string_split(rtrim(trim(raw), ';'), chr(9)) AS cell FROM {lines}
), parts AS (
  SELECT *, string_split(cell[2], ':') AS sides FROM cells
), read AS (
  SELECT line, raw, line AS place, {hashed(name, salt)} AS session, normalised(cell[1]) AS text,
    [trim(one) FOR one IN string_split(sides[1], ',') IF trim(one) <> ''] AS hits, CAST(NULL AS VARCHAR[]) AS listings,
    [trim(one) FOR one IN string_split(sides[2], ',') IF trim(one) <> ''] AS clicked, clicked AS clicks
  FROM parts
)
{_records("read", "true", "turn - 1")}
"""


def _records(read: str, fits: str, order: str) -> str:
    """`order` has the milliseconds by which a click comes later than its query."""
    return f""", checked AS (
  SELECT *, substr(sha256(concat_ws(chr(9), session, text, place)), 1, 20) AS query_id,
    {BEGIN} + place * 60000 AS time_ms,
    CASE
      WHEN text IS NULL THEN 'no query'
      WHEN hits IS NULL OR len(hits) = 0 THEN 'no list of documents'
      WHEN clicks IS NULL OR list_contains([one IS NULL FOR one IN clicks], true) THEN 'no list of clicks'
      WHEN NOT ({fits}) THEN 'fewer clicks than documents'
    END AS reason
  FROM {read}
), each_click AS (
  SELECT *, unnest(clicked) AS hit, generate_subscripts(clicked, 1) AS turn FROM checked WHERE reason IS NULL
), ranked AS (SELECT *, list_position(hits, hit) AS rank, {order} AS later FROM each_click
)
SELECT line, raw, false AS apart, reason, 'query' AS kind, query_id, session, session AS "user", NULL AS application,
  time_ms, text, len(hits) AS results, hits, NULL AS action, NULL AS document_id, CAST(NULL AS INTEGER) AS ordinal,
  NULL AS listing, NULL AS dwell_ms, NULL AS value
FROM checked
UNION ALL
SELECT line, raw, false, NULL, 'event', query_id, session, session, NULL,
  time_ms + later, text, NULL, NULL, 'click', hit, rank, listings[rank], NULL, NULL
FROM ranked
"""
