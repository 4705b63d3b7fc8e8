"""User Behavior Insights, versions 1.0 to 1.3: queries and events as lines of JSON, as OpenSearch's bulk has them too,
or as elements of one array.

What has an `action_name` is an event, what has a `user_query` and none is a query. In 1.0 the ordinal of a position is
an object with an `index`, later a number. Sessions may be named at the top or among the attributes of an event.
"""

from __future__ import annotations

import re

from cranfield.logs.staging.sql import hashed

_NAMES = r"(?:user_id|client_id|session_id)"
_NOBODY = r"(?!null\s*[,}\]])"
PEOPLE = re.compile(
    rf'(?<!\\)"{_NAMES}"\s*:\s*(?:"((?:[^"\\]|\\.)+)'  # also of a row that is cut off
    rf'|([\[{{].+)|{_NOBODY}([^\s"\[{{,}}]+))'  # where a list or an object names them, the rest of the row goes too
    rf'|\\+"{_NAMES}\\+"\s*:\s*(?:\\+"([^"\\]+)|([\[{{].+)|{_NOBODY}([^\s"\\\[{{,}}]+))',  # in a request that is quoted
    re.DOTALL,
)
"""What names people in a row."""

IMPRESSIONS = ("impression", "view")
"""Actions that say a document was shown for a query."""

_STRUCTURE = """{"action_name": "VARCHAR", "timestamp": "VARCHAR", "application": "VARCHAR", "query_id": "VARCHAR",
"session_id": "VARCHAR", "client_id": "VARCHAR", "user_id": "VARCHAR", "user_query": "VARCHAR",
"query_response_hit_ids": ["VARCHAR"], "query_attributes": {"result_count": "INTEGER"},
"index": "JSON", "create": "JSON",
"event_attributes": {"session_id": "VARCHAR", "dwell_time": "DOUBLE", "result_count": "INTEGER",
"object": {"object_id": "VARCHAR", "object_id_type": "VARCHAR", "results_num": "INTEGER", "price": "DOUBLE",
"object_detail": {"price": "DOUBLE"}},
"position": {"ordinal": "JSON"}}}"""


def select(lines: str, salt: str) -> str:
    """From a table of `line` and `raw` to records with a `reason` where one cannot be used.

    Rows that only say what the next one is, as OpenSearch's bulk has them, stand `apart`.
    """
    shown = ", ".join(f"'{action}'" for action in IMPRESSIONS)
    return f"""
WITH parsed AS (
  SELECT line, raw, json_valid(raw) AS valid,
         json_transform(CASE WHEN json_valid(raw) THEN raw END, '{_STRUCTURE}') AS said
  FROM {lines}
), read AS (
  SELECT line, raw, valid,
    coalesce(said."index" IS NOT NULL OR said."create" IS NOT NULL, false) AS apart,
    given(said.action_name) AS action,
    given(said.user_query) IS NOT NULL AS asked,
    CASE WHEN given(said.action_name) IS NULL THEN 'query'
         WHEN lower(said.action_name) IN ({shown}) THEN 'impression' ELSE 'event' END AS kind,
    given(said.query_id) AS query_id,
    {hashed("coalesce(given(said.session_id), given(said.event_attributes.session_id))", salt)} AS session,
    {hashed("coalesce(given(said.user_id), given(said.client_id))", salt)} AS "user",
    given(said.application) AS application,
    given(said."timestamp") AS said_time,
    milliseconds(trim(said."timestamp")) AS time_ms,
    normalised(said.user_query) AS text,
    coalesce(said.query_attributes.result_count, said.event_attributes.result_count,
             said.event_attributes.object.results_num) AS results,
    said.query_response_hit_ids AS hits,
    given(said.event_attributes.object.object_id) AS document_id,
    given(CASE json_type(said.event_attributes.position.ordinal)
          WHEN 'OBJECT' THEN said.event_attributes.position.ordinal->>'$.index'
          ELSE said.event_attributes.position.ordinal->>'$' END) AS said_rank,
    whole(said_rank) AS ordinal,
    said.event_attributes.object.object_id_type AS listing,
    TRY_CAST(round(said.event_attributes.dwell_time * 1000) AS BIGINT) AS dwell_ms,
    coalesce(said.event_attributes.object.price, said.event_attributes.object.object_detail.price) AS value
  FROM parsed
)
SELECT *, CASE
    WHEN NOT valid THEN 'not JSON'
    WHEN action IS NULL AND NOT asked THEN 'neither action_name nor user_query'
    WHEN said_time IS NULL AND kind <> 'query' THEN 'no timestamp'
    WHEN said_time IS NOT NULL AND time_ms IS NULL THEN 'timestamp cannot be read'
    WHEN said_time IS NOT NULL AND NOT is_possible(time_ms) THEN 'timestamp before 1990 or after 2100'
    WHEN kind = 'impression' AND query_id IS NULL THEN 'impression without query_id'
    WHEN kind = 'impression' AND document_id IS NULL THEN 'impression without object_id'
    WHEN said_rank IS NOT NULL AND (ordinal IS NULL OR ordinal < 0) THEN 'rank is no rank'
    WHEN results < 0 THEN 'result_count below 0'
    WHEN dwell_ms < 0 THEN 'dwell_time below 0'
  END AS reason
FROM read
"""
