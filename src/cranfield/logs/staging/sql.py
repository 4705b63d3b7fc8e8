"""Pieces of SQL that several formats share, and the rules behind them."""

from __future__ import annotations

import glob
import hashlib
from pathlib import Path

EARLIEST, LATEST = "1990-01-01", "2100-01-01"
"""Times outside of these are errors: a clock that was never set, seconds taken for milliseconds."""

MACROS = f"""
CREATE OR REPLACE MACRO milliseconds(said) AS
  CASE
    WHEN regexp_full_match(said, '[0-9]{{9,10}}([.][0-9]+)?') THEN CAST(round(CAST(said AS DOUBLE) * 1000) AS BIGINT)
    WHEN regexp_full_match(said, '[0-9]{{12,13}}([.][0-9]+)?') THEN CAST(floor(CAST(said AS DOUBLE)) AS BIGINT)
    WHEN regexp_full_match(said, '[0-9]{{15,16}}') THEN TRY_CAST(said AS BIGINT) // 1000
    WHEN regexp_full_match(said, '[0-9]{{18,19}}') THEN TRY_CAST(said AS BIGINT) // 1000000
    WHEN regexp_matches(said, ':[0-9]{{2}}[^+-]*[+-]((1[5-9]|[2-9][0-9])(:?[0-9]{{2}})?|[0-9]{{2}}:?[6-9][0-9])$')
      THEN NULL  -- no zone
    ELSE epoch_ms(TRY_CAST(regexp_replace(said, '([0-9])z$', '\\1Z') AS TIMESTAMPTZ))
  END;
CREATE OR REPLACE MACRO is_possible(time_ms) AS
  time_ms >= epoch_ms(TIMESTAMP '{EARLIEST}') AND time_ms < epoch_ms(TIMESTAMP '{LATEST}');
CREATE OR REPLACE MACRO normalised(said) AS
  nullif(lower(nfc_normalize(trim(regexp_replace(said, '[\\s\\p{{Z}}\\p{{C}}]+', ' ', 'g')))), '');
CREATE OR REPLACE MACRO whole(said) AS
  CASE WHEN regexp_full_match(said, '-?[0-9]+([.]0*)?') THEN TRY_CAST(TRY_CAST(said AS DOUBLE) AS INTEGER) END;
CREATE OR REPLACE MACRO given(said) AS nullif(trim(said), '');
"""
"""`milliseconds` understands seconds, milliseconds, micro- and nanoseconds since 1970 by their length, and times as ISO
8601 writes them; those without a zone are in the zone that the connection is set to."""


def hashed(column: str, salt: str) -> str:
    """An identifier of a person as a hash that nobody can make without the salt; null stays null."""
    return f"substr(sha256({literal(salt)} || {column}), 1, 20)"


def hash_of(text: str, salt: str) -> str:
    """The same of one identifier."""
    return hashlib.sha256((salt + text).encode(errors="surrogateescape")).hexdigest()[:20]


def literal(text: str) -> str:
    """A text as SQL quotes it."""
    return "'" + text.replace("'", "''") + "'"


def parquet_files(pattern: str, *folders: Path) -> str:
    """All files that fit a pattern below folders, as SQL reads them; days are a column of theirs, not of the folders.

    What says something in a pattern says nothing in the name of a folder.

    >>> parquet_files("*/*.parquet", Path("shop [1]"))
    "read_parquet(['shop [[]1]/*/*.parquet'], hive_partitioning = false)"
    """
    files = ", ".join(literal(f"{glob.escape(str(folder))}/{pattern}") for folder in folders)
    return f"read_parquet([{files}], hive_partitioning = false)"
