"""Analyses of large logs within bounds of memory, and beside the same in pandas."""

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench import data
from bench.processes import Times, timed
from bench.progress import say
from bench.report import Table, megabytes, ratio, seconds
from bench.session import Session
from bench.tools import SCRIPTS
from cranfield.logs.folder import VERSION

ANALYSES = {
    "overview": "overview",
    "clicks by rank": "click-through by rank",
    "deviation": "CD and COEC of all documents",
    "behaviour": "sessions: clicks, dwell, success, return",
    "reformulations": "reformulations",
}
OF_ROWS = {f"{name}, of rows": f"{title}, of rows" for name, title in ANALYSES.items()}
"""The same without the summaries that an import makes."""
ALL_ANALYSES = ANALYSES | OF_ROWS
LOGS = {f"{millions}-million": 78_000 * millions for millions in (1, 5, 10, 50, 100)}
"""How many sessions about so many events are made of."""
TOPICS, PHRASINGS = 20_000, 3
FLOOR = 10
"""How many times faster than pandas they have to be."""
MEMORY = 4_000_000_000
OURS, PANDAS = "log_analyses.py", "log_analyses_pandas.py"


class Measured(NamedTuple):
    """What one process took, and found."""

    seconds: float
    memory: float
    found: Any


def analyse_logs(session: Session) -> Table:
    """Each analysis in a process of its own: of the largest log, then of a smaller one in turn with pandas."""
    small = session.most_lines < 50_000_000
    compared, largest = ("1-million", "10-million") if small else ("10-million", "100-million")
    table = Table(
        (
            *("analysis", f"{in_words(largest)} events", "peak memory", in_words(compared), "peak memory", "of rows"),
            *("pandas", "peak memory", "ratio of best", "of median", "asked for", ""),
            *("pandas, given columns", "ratio of best", "of median"),
        ),
        notes=[
            "Events are documents shown, clicks and purchases; queries are not counted. The logs are simulated: DBN "
            f"users, {TOPICS:,} topics in {PHRASINGS} phrasings each, 4 runs, 28 days.",
            "Seconds are from the Parquet files to the numbers, the best of all repetitions (of the largest log: one); "
            "each process has loaded its libraries by the same analysis of a small log before. All come to the same "
            f"numbers. Ours may not have more than {megabytes(MEMORY)} of data; pandas may.",
            "Ours has the summaries that an import makes once; “of rows” is the same without them, as where a part of "
            "the days is asked for. pandas has what sources say: queries, documents shown with their ranks, and events "
            "with their documents, ranks and dwell. “Given columns” is pandas that has, beside that, what our import "
            "derives for each query and each document shown: how many clicks followed, on how many documents, the "
            "first and last click, the highest rank clicked.",
        ],
    )
    warm = made_log("warm", 1000)
    for name, title in ANALYSES.items():
        say(f"{title}, {largest}")
        large = measured(OURS, warm, made_log(largest, LOGS[largest]), name)
        say(f"{title}, {compared}, beside pandas")
        found = _in_turn(session, warm, made_log(compared, LOGS[compared]), name)
        if wrong := [one for several in found[1:] for one in differing(found[0][0].found, several[0].found)]:
            session.note_wrong(f"{title}: others have other numbers, such as {wrong[0]}")
            continue
        ours, of_rows, pandas, given = (Times(tuple(one.seconds for one in several)) for several in found)
        memory = [megabytes(max(one.memory for one in several)) for several in found]
        table.rows.append(
            [
                *(title, seconds(large.seconds), megabytes(large.memory)),
                *(seconds(ours.best), memory[0], seconds(of_rows.best), seconds(pandas.best), memory[2]),
                *session.compare(title, ours, "pandas", pandas, FLOOR),
                *(seconds(given.best), ratio(given.best / ours.best), ratio(given.median / ours.median)),
            ]
        )
    return table


def in_words(name: str) -> str:
    """`10 million`."""
    return name.replace("-", " ")


def made_log(name: str, sessions: int) -> Path:
    """A log that is made on first use; an interrupted making leaves none."""
    place = data.folder() / f"logs-{VERSION}" / name
    if not place.exists():
        say(f"making the log of {in_words(name)} events")
        place.parent.mkdir(parents=True, exist_ok=True)
        made = [sys.executable, str(SCRIPTS / "made_up_log.py"), str(place), str(sessions)]
        timed([*made, str(TOPICS), str(PHRASINGS)])
    return place


def _in_turn(session: Session, warm: Path, log: Path, analysis: str) -> list[list[Measured]]:
    """Ours, ours of rows, pandas, and pandas with given columns, so often as large cases are measured."""
    ways = [
        (OURS, warm, log, analysis),
        (OURS, warm, log, f"{analysis}, of rows"),
        (PANDAS, warm, log, analysis),
        (PANDAS, warm, log, analysis, "given"),
    ]
    rounds = [[measured(*way) for way in ways] for _ in range(session.large_repeats)]
    return [list(one) for one in zip(*rounds, strict=True)]


def measured(script: str, warm: Path, log: Path, *analysis: str) -> Measured:
    """One analysis of a log, by a script in a process of its own."""
    printed = timed([sys.executable, str(SCRIPTS / script), str(warm), str(log), *analysis])[1]
    took, memory, found = printed.split("\t")
    return Measured(float(took), float(memory), json.loads(found))


def differing(ours: Any, theirs: Any, place: str = "") -> Iterator[str]:
    """Where two results are not the same."""
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        for name in ours:
            yield from differing(ours[name], theirs[name], f"{place} {name}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from differing(one, other, f"{place} {number}")
    elif isinstance(ours, int | float) and isinstance(theirs, int | float):
        if not math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9):
            yield f"{place.strip()}: {ours} and {theirs}"
    elif ours != theirs:
        yield f"{place.strip()}: {ours} and {theirs}"
