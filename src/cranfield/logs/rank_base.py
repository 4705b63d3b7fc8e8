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

    A list in which the least ordinal is 0 counts from 0. Where no impression has an ordinal, those of clicks are
    compared with the places of their documents in the lists of queries; without lists, a click at 0 says it.
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
    strangers = sorted(said.keys() - {"", *(row[0] for row in rows)})
    none = f"; no application in it is called {strangers[0]!r}" if strangers else ""
    open_ = [row for row in rows if "" not in said and row[0] not in said]
    placed = _placed(base, records) if any(not zero + one for _, zero, one, _ in open_) else {}
    found: dict[str, int] = {}
    for application, zero, one, clicked_at_zero in open_:
        if not zero + one and application in placed:
            found[application] = _of_clicks(application, placed[application], source, none)
            continue
        if zero and one > _TOLERATED * (zero + one):
            raise _mixed(
                source,
                f"{zero} lists{_of(application)} begin with rank 0, and {one} with rank 1{none}",
                f"{_option(application, 0)} if lists that begin with 1 lack their first document",
            )
        found[application] = 0 if zero or (clicked_at_zero and not one) else 1
    if len(set(found.values())) > 1:
        zeros, ones = ([name or "(none)" for name, least in found.items() if least == at] for at in (0, 1))
        raise DataError(
            f"{source}: ranks begin with 0 in {', '.join(zeros)} and with 1 in {', '.join(ones)}: say which is meant, "
            + " ".join(f"--rank-base {name}={least}" for name, least in found.items() if name)
            + f", or --rank-base 0 or 1 for all{none}"
        )
    return {**found, **said}


def _placed(base: duckdb.DuckDBPyConnection, records: str) -> dict[str, tuple[int, int]]:
    """By application: how many clicks count their place in the list of their query from 0, and how many from 1."""
    rows = base.execute(f"""
WITH lists AS (SELECT query_id, max(hits) AS hits FROM {records}
               WHERE kind = 'query' AND len(hits) > 0 AND query_id IS NOT NULL GROUP BY query_id),
clicks AS (SELECT coalesce(application, '') AS application, ordinal, list_position(lists.hits, document_id) AS place
           FROM {records} JOIN lists USING (query_id) WHERE kind = 'event' AND ordinal IS NOT NULL)
SELECT application, count(*) FILTER (ordinal = place - 1), count(*) FILTER (ordinal = place) FROM clicks
GROUP BY application
""").fetchall()
    return {application: (zero, one) for application, zero, one in rows if zero + one}


def _of_clicks(application: str, counts: tuple[int, int], source: str, aside: str) -> int:
    zero, one = counts
    if min(counts) > _TOLERATED * (zero + one):
        raise _mixed(
            source,
            f"the ranks of {zero} clicks{_of(application)} begin with 0, and those of {one} with 1, by the lists of "
            f"their queries{aside}",
            f"{_option(application, 0)} or {_option(application, 1)}",
        )
    return 0 if zero > one else 1


def _mixed(source: str, found: str, option: str) -> DataError:
    return DataError(
        f"{source}: {found}: say how ranks are counted, --rank-base {option}, or import what counts differently from "
        "files of its own"
    )


def _of(application: str) -> str:
    return f" of the application {application!r}" if application else ""


def _option(application: str, base: int) -> str:
    return f"{application}={base}" if application else str(base)
