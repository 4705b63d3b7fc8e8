"""Many runs of size L evaluated on Spark, beside the same on this machine alone."""

import sys

from bench import data
from bench.agreement import differences, read_means
from bench.data import Files
from bench.processes import peak_memory, timed
from bench.progress import say
from bench.report import Table, megabytes, ratio, seconds, verdict
from bench.session import Session
from bench.spark_cluster import TWO_WORKERS, Spark, Watched, spark
from bench.spark_logs import DISK, MEMORY
from bench.tools import OURS, SCRIPTS, evaluate

RUNS, FEW_RUNS = (5, 50), (1, 3)
"""How many runs of size L; and how many for a first look."""
DRIVER_ALLOWED = 1_000_000_000
COLUMNS = (
    *("runs", "lines", "files", "here", "peak memory", "Spark", "ratio", "a further line"),
    *("driver", "asked for", "", "executors: Java", "Python", "disk"),
)


def evaluate_many_runs(session: Session) -> Table:
    """Some runs, then more of them."""
    table = Table(
        COLUMNS,
        notes=[
            "Runs of 6980 queries x 1000 (links to two files), trec_eval's default measures, from text to means. Here "
            "is `cranfield evaluate` on the same two cores; Spark has two workers of one core each, and a session that "
            "was there before. Both have to print the same means. A further line costs the seconds beyond those of the "
            "row above, by the lines beyond.",
            MEMORY + DISK,
        ],
    )
    before = (0, 0.0)
    for runs in FEW_RUNS if session.most_lines < 50_000_000 else RUNS:
        files, lines = data.many_l_files(runs), runs * data.L_QUERIES * data.DEPTH
        say(f"{runs} runs of size L, here")
        here, printed = timed(evaluate(OURS, files))
        peak = peak_memory(evaluate(OURS, files))
        say(f"{runs} runs of size L, Spark")
        with spark(TWO_WORKERS) as cluster:
            start, took, means, held = _on_spark(cluster, files)
        if found := differences(read_means(printed), read_means(means)):
            session.note_wrong(f"{runs} runs: Spark has other means, such as {found[0]}")
        further = f"{1e6 * (took - before[1]) / (lines - before[0]):.3f} us" if before[0] else ""
        before = (lines, took)
        met = held.driver <= DRIVER_ALLOWED
        session.note_missed(met, f"{runs} runs: the driver held {megabytes(held.driver)}")
        table.rows.append(
            [
                *(str(runs), f"{lines:,}", megabytes(sum(run.stat().st_size for run in files.runs))),
                *(seconds(here), megabytes(peak), seconds(took), ratio(took / here), further),
                *(megabytes(held.driver), f"at most {megabytes(DRIVER_ALLOWED)}", verdict(met)),
                *(megabytes(held.java), megabytes(held.python), megabytes(held.disk)),
            ]
        )
        table.notes.append(f"{runs} runs: a session was there after {seconds(start)}.")
    return table


def _on_spark(cluster: Spark, files: Files) -> tuple[float, float, str, Watched]:
    """Seconds until there was a session, from then to the means; these; and what was held."""
    script = [sys.executable, str(SCRIPTS / "spark_evaluation.py"), *cluster.arguments]
    watched = cluster.watched([*script, str(files.qrels), *map(str, files.runs)])
    times, _, means = watched.printed.partition("\n")
    start, took = map(float, times.split("\t"))
    return start, took, means, watched
