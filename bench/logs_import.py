"""Importing a query log: from UBI events in a file to the tables of a log."""

import sys
import tempfile

from bench.processes import timed
from bench.progress import say
from bench.report import Table, megabytes, seconds
from bench.session import Session
from bench.tools import SCRIPTS

EVENTS = (1_000_000, 10_000_000)
"""Rows of the files; the larger one unless little is to be measured."""


def import_logs(session: Session) -> Table:
    """Read events, reject what is wrong, and make tables."""
    table = Table(
        ("events", "reading", "making tables", "events a second", "peak memory"),
        notes=["UBI 1.3 as lines of JSON, about 330 bytes each: queries, ten documents shown for each, and a click."],
    )
    for events in EVENTS[: 2 if session.most_lines >= 10_000_000 else 1]:
        say(f"importing {events:,} events")
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, str(SCRIPTS / "import_log.py"), folder, str(events)]
            read, settled, rows, memory = map(float, timed(command)[1].split())
        speed = f"{rows / (read + settled):,.0f}"
        table.rows.append([f"{rows:,.0f}", seconds(read), seconds(settled), speed, megabytes(memory)])
    return table
