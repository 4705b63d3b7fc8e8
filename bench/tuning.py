"""Tuning: how many values of parameters can be tried in a minute."""

import os
import sys
from pathlib import Path
from statistics import median

from bench.processes import timed
from bench.report import Table
from bench.session import Session
from bench.tools import SCRIPTS


def trials_a_minute(session: Session) -> Table:
    """k1 and b of the engine bm25 on the Cranfield collection, by each method."""
    table = Table(("method", "different trials", "a minute, best", "median"))
    real_data = os.environ.get("CRANFIELD_REAL_DATA")
    if not real_data:
        table.notes.append("Not measured: $CRANFIELD_REAL_DATA names no folder with the collection.")
        return table
    collection = Path(real_data) / "collections" / "cranfield"
    command = [sys.executable, str(SCRIPTS / "tuning.py"), str(collection), str(session.large_repeats)]
    (_, topics), *lines = (line.split("\t") for line in timed(command)[1].splitlines())
    table.notes.append(f"A trial is a search for {topics} topics, 1000 documents each, and its evaluation by AP.")
    for method, trials, *speeds in lines:
        values = [float(speed) for speed in speeds]
        table.rows.append([method, trials, f"{max(values):,.0f}", f"{median(values):,.0f}"])
    return table
