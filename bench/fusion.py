"""Fusion of runs beside ranx."""

from bench import data
from bench.processes import Times, timed
from bench.report import Table
from bench.session import Session, both
from bench.tools import fusion

RUNS = 10
FLOOR = 10
"""How many times faster than ranx, warm, fusion has to be."""


def fuse_runs(session: Session) -> Table:
    """Fusion of runs, ours and ranx's."""
    table = Table(
        ("method", "tool", "best", "median", "ratio of best", "ratio of median", "asked for", ""),
        notes=["Each tool made the same call once before, so that ranx has compiled what it compiles."],
    )
    lines = [
        line.split("\t") for line in timed(fusion(data.x_files().runs[:RUNS], session.large_repeats))[1].splitlines()
    ]
    times = {(method, tool): Times(tuple(map(float, values))) for method, tool, *values in lines if tool != "apart"}
    apart = {method: float(values[0]) for method, tool, *values in lines if tool == "apart"}
    for method, distance in apart.items():
        if distance > 1e-9:
            session.note_wrong(f"{method}: scores differ from ranx's by {distance:g}")
            continue
        ours, theirs = times[method, "cranfield"], times[method, "ranx"]
        table.rows.append([method, "cranfield", *both(ours), "", "", "", ""])
        table.rows.append(["", "ranx", *both(theirs), *session.compare(method, ours, "ranx", theirs, FLOOR)])
    return table
