"""Whether a source counts ranks from 0 or from 1, which formats leave open, and one log may mix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cranfield.errors import DataError

if TYPE_CHECKING:
    import duckdb

_TOLERATED = 0.05
"""In a log that counts from 0, lists that begin at 1 lack their first document; so many may."""


def rank_base(base: duckdb.DuckDBPyConnection, records: str, source: str, said: Mapping[str, int]) -> dict[str, int]:
    """The ordinal of the first rank, by application; what was said of an application, or of all, is not looked at.

    A list in which the least ordinal is 0 counts from 0. Where no list was shown, the ordinals of clicks are looked at.
    """
    rows = base.execute(f"""
WITH lists AS (
  SELECT coalesce(application, '') AS application, kind = 'impression' AS shown, min(ordinal) AS least
  FROM {records} WHERE ordinal IS NOT NULL
  GROUP BY 1, 2, CASE WHEN kind = 'impression' THEN query_id ELSE 'clicks' END
)
SELECT application, count(*) FILTER (least = 0 AND shown), count(*) FILTER (least = 1 AND shown),
       bool_or(least = 0 AND NOT shown)
FROM lists GROUP BY application ORDER BY application
""").fetchall()
    found: dict[str, int] = {}
    for application, zero, one, clicked_at_zero in rows:
        if "" in said or application in said:
            continue
        if zero and one > _TOLERATED * (zero + one):
            name = f" of the application {application!r}" if application else ""
            option = f"{application}=0" if application else "0"
            raise DataError(
                f"{source}: {zero} lists{name} begin with rank 0, and {one} with rank 1: say how ranks are counted, "
                f"--rank-base {option} if lists that begin with 1 lack their first document, or import what counts "
                "differently from files of its own"
            )
        found[application] = 0 if zero or (clicked_at_zero and not one) else 1
    if len(set(found.values())) > 1:
        zeros, ones = ([name or "(none)" for name, least in found.items() if least == at] for at in (0, 1))
        raise DataError(
            f"{source}: ranks begin with 0 in {', '.join(zeros)} and with 1 in {', '.join(ones)}: say which is meant, "
            + " ".join(f"--rank-base {name}={least}" for name, least in found.items() if name)
            + ", or --rank-base 0 or 1 for all"
        )
    return {**found, **said}
