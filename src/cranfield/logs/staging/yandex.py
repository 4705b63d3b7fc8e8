"""Sessions in the layout of Yandex' challenges: rows of queries and clicks, known by their session and times within it.

A query is SessionID, TimePassed, Q, QueryID, RegionID and the documents shown; a click is SessionID, TimePassed, C and
the document. A click belongs to the last query of its session before it, which may stand in an earlier batch of the
file: queries are noted in a table `asked` as they are read. When sessions began is not said.
"""

from __future__ import annotations

from cranfield.logs.staging.lists import BEGIN
from cranfield.logs.staging.sql import hashed

PREPARE = "CREATE OR REPLACE TEMP TABLE asked (session VARCHAR, passed BIGINT, line BIGINT)"
NOTE = f"""
INSERT INTO asked SELECT session, (time_ms - {BEGIN}) // 1000, line FROM staged WHERE kind = 'query' AND reason IS NULL
"""


def select(lines: str, salt: str) -> str:
    """From a table of `line` and `raw` to records."""
    return f"""
WITH cells AS (
  SELECT line, raw, string_split(rtrim(raw, chr(13) || chr(10)), chr(9)) AS cell FROM {lines}
), read AS (
  SELECT line, raw, cell, {hashed("given(cell[1])", salt)} AS session, CAST(whole(given(cell[2])) AS BIGINT) AS passed,
    cell[3] AS letter
  FROM cells
), checked AS (
  SELECT *, CASE
      WHEN session IS NULL THEN 'no SessionID'
      WHEN passed IS NULL OR passed < 0 THEN 'TimePassed is no number'
      WHEN letter NOT IN ('Q', 'C') OR letter IS NULL THEN 'neither Q nor C'
      WHEN letter = 'Q' AND len(cell) < 6 THEN 'a query without documents'
      WHEN letter = 'C' AND given(cell[4]) IS NULL THEN 'a click without a document'
    END AS reason
  FROM read
), all_asked AS (
  SELECT session, passed, line FROM asked WHERE session IN (SELECT session FROM checked)
  UNION ALL
  SELECT session, passed, line FROM checked WHERE letter = 'Q' AND reason IS NULL
), before AS (
  SELECT session, passed, line, line AS asked_at FROM all_asked
  UNION ALL
  SELECT session, passed, line, NULL FROM checked WHERE letter = 'C' AND reason IS NULL
), placed AS (
  SELECT line, last_value(asked_at IGNORE NULLS)
               OVER (PARTITION BY session ORDER BY passed, line ROWS UNBOUNDED PRECEDING) AS asked_at
  FROM before
)
SELECT line, raw, false AS apart,
  coalesce(reason, CASE WHEN letter = 'C' AND asked_at IS NULL THEN 'a click before any query' END) AS reason,
  CASE letter WHEN 'Q' THEN 'query' ELSE 'event' END AS kind,
  session || '-' || asked_at AS query_id, session,
  session AS "user", NULL AS application, {BEGIN} + passed * 1000 AS time_ms,
  CASE letter WHEN 'Q' THEN normalised(cell[4]) END AS text,
  CASE letter WHEN 'Q' THEN len(cell) - 5 END AS results, CASE letter WHEN 'Q' THEN cell[6:] END AS hits,
  CASE letter WHEN 'C' THEN 'click' END AS action, CASE letter WHEN 'C' THEN given(cell[4]) END AS document_id,
  CAST(NULL AS INTEGER) AS ordinal, NULL AS listing, NULL AS dwell_ms, NULL AS value
FROM checked LEFT JOIN placed USING (line)
"""
