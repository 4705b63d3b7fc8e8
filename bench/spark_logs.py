"""Analyses of query logs on Spark: what it costs beside DuckDB, and what a further event costs."""

import json
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from bench.logs_analyses import ALL_ANALYSES, LOGS, OURS, differing, in_words, made_log, measured
from bench.processes import Times
from bench.progress import say
from bench.report import Table, megabytes, ratio, seconds, verdict
from bench.session import Session
from bench.spark_cluster import DRIVER_MEMORY, ONE_WORKER, PARTS, TWO_WORKERS, Spark, Watched, spark
from bench.tools import SCRIPTS
from cranfield.spark.java import find_java

GROWING = ("clicks by rank, of rows", "deviation, of rows")
"""Analyses of all rows; of these the first brings home few numbers, and the second one for each document."""
RISE_ALLOWED = 1.25
"""A step takes some seconds, of which some tenths are noise."""
NUMBERS = (
    "Events are documents shown, clicks and purchases; queries are not counted. Seconds are from the Parquet files to "
    "the numbers, the best of all repetitions; the same analysis of a small log went before. Both engines have to come "
    "to the same numbers."
)
MEMORY = (
    f"An executor has 1 GB of Java memory for each core, the driver {DRIVER_MEMORY[:-1]} MB; "
    f"spark.sql.shuffle.partitions={PARTS}. Memory is all that processes hold (proportional set size, sampled): of the "
    "driver Python and Java, of executors all of them together."
)
DISK = " Disk is what executors keep in files at the same time."
_FURTHER = ("a further event", "asked for", "")


class OnSpark(NamedTuple):
    """What the analyses of one session took, and found."""

    start: float
    """Seconds until there was a session."""
    analyses: dict[str, Any]
    watched: Watched

    def times(self, name: str) -> Times:
        return Times(tuple(self.analyses[name]["seconds"]))


def beside_duckdb(session: Session) -> Table:
    """Each analysis of the same log by DuckDB, and by Spark with one worker and with two."""
    size = "1-million" if _small(session) else "10-million"
    warm, log = made_log("warm", 1000), made_log(size, LOGS[size])
    table = Table(
        ("analysis", "DuckDB", *(cell for shape in (ONE_WORKER, TWO_WORKERS) for cell in (shape.words, "ratio"))),
        notes=[
            f"pyspark {version('pyspark')}, Java {find_java().version}, DuckDB {version('duckdb')}. "
            f"A log of {_events(log):,} events; a standalone cluster on the loopback address, 2 cores in all: one "
            "worker with both, or two with one each. A ratio is Spark's time divided by DuckDB's. " + NUMBERS,
            MEMORY,
        ],
    )
    duck = {}
    for name, title in ALL_ANALYSES.items():
        say(f"{title}, DuckDB")
        duck[name] = [measured(OURS, warm, log, name) for _ in range(session.large_repeats)]
    found = []
    for shape in (ONE_WORKER, TWO_WORKERS):
        say(f"all analyses, Spark with {shape.words}")
        with spark(shape) as cluster:
            found.append(_analysed(cluster, warm, log, session.large_repeats, list(ALL_ANALYSES)))
        table.notes.append(f"{shape.words}: {_session_note(found[-1])}")
    for name, title in ALL_ANALYSES.items():
        base = min(one.seconds for one in duck[name])
        cells = [title, seconds(base)]
        for one in found:
            _check(session, title, duck[name][0].found, one.analyses[name]["found"])
            cells += [seconds(one.times(name).best), ratio(one.times(name).best / base)]
        table.rows.append(cells)
    return table


def further_events(session: Session) -> Table:
    """Some analyses of a log, of one with five times its events, and of one with ten times."""
    sizes = [f"{millions}-million" for millions in ((1, 5, 10) if _small(session) else (10, 50, 100))]
    table = Table(
        (*("analysis", "events", "files", "DuckDB", "Spark"), *_FURTHER, "driver", "executors", "disk"),
        notes=[
            "Spark with two workers of one core each. A further event costs the seconds beyond those of the log above "
            f"it, by the events beyond; rising is more than {RISE_ALLOWED} times that of the step before. " + NUMBERS,
            MEMORY + DISK,
        ],
    )
    with spark(TWO_WORKERS) as cluster:
        for name in GROWING:
            table.rows += _grown(session, cluster, name, sizes)
    return table


def _grown(session: Session, cluster: Spark, name: str, sizes: Sequence[str]) -> Iterator[list[str]]:
    """The rows of one analysis."""
    title, warm = ALL_ANALYSES[name], made_log("warm", 1000)
    events, took, cost = list[int](), list[float](), list[float]()
    for size in sizes:
        say(f"{title}, {in_words(size)} events")
        log = made_log(size, LOGS[size])
        duck = [measured(OURS, warm, log, name) for _ in range(session.large_repeats)]
        found = _analysed(cluster, warm, log, session.large_repeats, [name])
        _check(session, f"{title}, {in_words(size)} events", duck[0].found, found.analyses[name]["found"])
        events.append(_events(log))
        took.append(found.times(name).best)
        further, met = "", None
        if len(events) > 1:
            cost.append((took[-1] - took[-2]) / (events[-1] - events[-2]))
            further = f"{1e6 * cost[-1]:.3f} us"
        if len(cost) > 1:
            met = cost[-1] <= RISE_ALLOWED * cost[-2]
            session.note_missed(met, f"{title}: a further event costs {further}, {1e6 * cost[-2]:.3f} us before")
        held = found.watched
        yield [
            *("" if len(events) > 1 else title, f"{events[-1]:,}", megabytes(_bytes(log))),
            *(seconds(min(each.seconds for each in duck)), seconds(took[-1]), further),
            *("" if met is None else "not rising", verdict(met)),
            # Spark keeps the files of all repetitions.
            *(megabytes(held.driver), megabytes(held.executors), megabytes(held.disk / session.large_repeats)),
        ]


def _small(session: Session) -> bool:
    return session.most_lines < 50_000_000


def _events(log: Path) -> int:
    rows = json.loads((log / "log.json").read_text())["rows"]
    return int(rows["impressions"] + rows["events"])


def _bytes(log: Path) -> int:
    """Of the Parquet files that analyses read."""
    return sum(file.stat().st_size for file in log.glob("tables-*/**/*.parquet"))


def _analysed(cluster: Spark, warm: Path, log: Path, repeats: int, analyses: Sequence[str]) -> OnSpark:
    script = [sys.executable, str(SCRIPTS / "spark_analyses.py"), *cluster.arguments]
    watched = cluster.watched([*script, str(warm), str(log), str(repeats), *analyses])
    found = json.loads(watched.printed)
    return OnSpark(found.pop("session"), found, watched)


def _session_note(found: OnSpark) -> str:
    held = found.watched
    return (
        f"a session was there after {seconds(found.start)}, which is not counted; at most the driver held "
        f"{megabytes(held.driver)}, and executors {megabytes(held.executors)}."
    )


def _check(session: Session, title: str, duck: Any, found: Any) -> None:
    if differ := list(differing(duck, found)):
        session.note_wrong(f"{title}: Spark has other numbers, such as {differ[0]}")
