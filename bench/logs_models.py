"""Simulated logs, and click models fitted to them beside loops in Python."""

import sys
import tempfile
from pathlib import Path

from bench.processes import Command, timed
from bench.progress import say
from bench.report import Table, megabytes, milliseconds, ratio, seconds, verdict
from bench.session import Session
from bench.tools import SCRIPTS

SESSIONS = 1_000_000
SAMPLE = 20_000
"""Pages that are gone through in Python."""
FLOOR = 50
"""How many times faster than the loop a step has to be."""
LOGS = {"1 million rows": 70_000, "10 million rows": 700_000, "100 million rows": 7_000_000}
"""How many sessions about so many rows are made of."""


def simulate_logs(session: Session) -> Table:
    """From judgments and runs in memory to the tables of a log."""
    table = Table(
        ("log", "rows", "seconds", "rows a second", "peak memory"),
        notes=["Rows of all tables: queries, documents shown, clicks and purchases. DBN users, 1,000 topics, 4 runs."],
    )
    for name, sessions in list(LOGS.items())[: 3 if session.most_lines >= 50_000_000 else 2]:
        say(f"simulated log, {name}")
        with tempfile.TemporaryDirectory() as folder:
            rows, took, memory = timed(_made_up_log(Path(folder) / "log", sessions))[1].split()
        speed = f"{float(rows) / float(took):,.0f}"
        table.rows.append([name, f"{int(rows):,}", seconds(float(took)), speed, megabytes(float(memory))])
    return table


def fit_click_models(session: Session) -> Table:
    """One step of fitting, in arrays and in Python."""
    table = Table(("model", "made ready", "step", "Python, a page", "ratio", "asked for", ""))
    say("click models")
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        timed(_made_up_log(log, SESSIONS))
        command = [sys.executable, str(SCRIPTS / "click_models.py"), str(log), str(SAMPLE), str(session.large_repeats)]
        first, *lines, last = timed(command)[1].splitlines()
    pages, different, reduced = first.split()
    table.notes += [
        f"One step of expectation maximisation over {SESSIONS:,} simulated sessions ({int(pages):,} pages), beside a "
        f"loop in Python over {SAMPLE:,} of the pages, by time for a page.",
        f"The log is first reduced to {int(different):,} different pages and clicks, which took "
        f"{seconds(float(reduced))}. These are made ready once for each fit, which takes some ten or a hundred steps: "
        "for PBM and UBM as counts of pairs and places, for DBN as counts of what is above last clicks, and what is "
        "below them, alike ones together.",
        f"Peak memory of everything, the pages of the loop included: {megabytes(float(last))}.",
    ]
    for line in lines:
        model, ready, step, slow, same = line.split()
        if same != "True":
            session.note_wrong(f"{model}: the loop and the arrays differ")
        reached = float(slow) * int(pages) / float(step)
        met = reached >= FLOOR
        session.note_missed(met, f"{model}: {ratio(reached)} the loop, asked for {FLOOR}x")
        cells = [seconds(float(ready)), milliseconds(float(step)), f"{1e6 * float(slow):.1f} us"]
        table.rows.append([model, *cells, ratio(reached), f"{FLOOR}x", verdict(met)])
    return table


def _made_up_log(folder: Path, sessions: int) -> Command:
    return [sys.executable, str(SCRIPTS / "made_up_log.py"), str(folder), str(sessions)]
