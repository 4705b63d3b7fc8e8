"""What differs between the runs that are compared, by what is written beside them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield.experiments.differences import Difference, differences
from cranfield.experiments.staleness import run_record


def run_differences(first: str | os.PathLike[str], second: str | os.PathLike[str]) -> list[Difference] | None:
    """What two runs were made of differently; None where that is not written beside both.

    Beside what systems were told these are the documents, the topics, and the versions of libraries that both used.
    """
    records = [run_record(Path(run)) for run in (first, second)]
    before, after = records
    if before is None or after is None or not all("configuration" in record for record in (before, after)):
        return None
    found = differences(before["configuration"], after["configuration"])
    for what in ("collection", "topics"):
        one, other = (_hash(record, what) for record in (before, after))
        if one and other and one != other:
            found.append(Difference("documents" if what == "collection" else what, one[:12], other[:12]))
    one, other = (record.get("versions", {}) for record in (before, after))
    shared = [name for name in one if name in other and name != "python"]
    return found + [Difference(f"version of {n}", one[n], other[n]) for n in shared if one[n] != other[n]]


def _hash(record: Mapping[str, Any], what: str) -> str | None:
    found: str | None = (record.get(what) or {}).get("sha256")
    return found
