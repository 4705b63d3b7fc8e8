"""Logs in the layout of AOL's of 2006: AnonID, Query, QueryTime, ItemRank, ClickURL, with tabs between them.

A row without a click has the first three columns. Several clicks repeat the row of the query, so a query is known by
who put it, its words and its time. Which other documents were shown is not known.
"""

from __future__ import annotations

from cranfield.logs.staging.sql import hashed


def select(lines: str, salt: str) -> str:
    """From a table of `line` and `raw` to records: the query of each row, and its click if it has one."""
    return f"""
WITH cells AS (
  SELECT line, raw, string_split(rtrim(raw, chr(13) || chr(10)), chr(9)) AS cell FROM {lines}
), read AS (
  SELECT line, raw, len(cell) AS columns, cell[1] = 'AnonID' AS apart,
    {hashed("given(cell[1])", salt)} AS "user", normalised(cell[2]) AS text, given(cell[3]) AS said_time,
    milliseconds(trim(cell[3])) AS time_ms, whole(given(cell[4])) AS ordinal, given(cell[4]) AS said_rank,
    given(cell[5]) AS document_id
  FROM cells
), checked AS (
  SELECT *, substr(sha256(concat_ws(chr(9), "user", text, time_ms)), 1, 20) AS query_id,
    CASE
      WHEN columns NOT IN (3, 5) THEN 'not 3 or 5 columns'
      WHEN "user" IS NULL THEN 'no AnonID'
      WHEN text IS NULL OR text = '-' THEN 'no Query'
      WHEN time_ms IS NULL THEN 'QueryTime cannot be read'
      WHEN NOT is_possible(time_ms) THEN 'QueryTime before 1990 or after 2100'
      WHEN said_rank IS NOT NULL AND (ordinal IS NULL OR ordinal < 0) THEN 'ItemRank is no rank'
      WHEN (said_rank IS NULL) <> (document_id IS NULL) THEN 'ItemRank without ClickURL, or the other way round'
    END AS reason
  FROM read
), twice AS (
  SELECT *, 'query' AS kind FROM checked
  UNION ALL
  SELECT *, 'event' AS kind FROM checked WHERE document_id IS NOT NULL AND reason IS NULL
)
SELECT line, raw, apart, reason, kind, query_id, NULL AS session, "user", NULL AS application, time_ms, text,
  NULL AS results, NULL AS hits, CASE kind WHEN 'event' THEN 'click' END AS action,
  CASE kind WHEN 'event' THEN document_id END AS document_id, CASE kind WHEN 'event' THEN ordinal END AS ordinal,
  NULL AS listing, NULL AS dwell_ms, NULL AS value
FROM twice
"""
