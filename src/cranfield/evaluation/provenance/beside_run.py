"""`RUN.provenance.json`, which stands beside a run that cranfield made: where it is, and what it says of gaps."""

from __future__ import annotations

import os
from pathlib import Path

from cranfield.errors import FormatError
from cranfield.evaluation.coverage import some
from cranfield.evaluation.provenance import BESIDE_A_RUN
from cranfield.evaluation.provenance.fingerprints import of_file
from cranfield.formats.schema import Schema

SCHEMA = Schema("cranfield.run", 1, "the provenance of a run")


def provenance_file(run: str | os.PathLike[str]) -> Path:
    """Where the provenance of a run file is.

    >>> provenance_file("runs/bm25.run").name
    'bm25.run.provenance.json'
    """
    return Path(f"{os.fspath(run)}{BESIDE_A_RUN}")


def why_incomplete(run: str | os.PathLike[str]) -> str | None:
    """What to say of a run that was written though topics had failed; None of others, as far as one can tell."""
    there = provenance_file(run)
    try:
        record = SCHEMA.read(there) if there.is_file() else {}
        if record.get("complete", True) or record["run"]["sha256"] != of_file(os.fspath(run))[0].sha256:
            return None
        failed, asked = tuple(record["failures"]), record["topics"]["count"]
    except (FormatError, KeyError, TypeError):  # what is damaged says nothing
        return None
    return f"the run is incomplete: its search failed for {len(failed)} of {asked} topics ({some(failed)})"
