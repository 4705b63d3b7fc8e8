"""Which document is next: active learning between two judgments."""

import sys
import tempfile
from pathlib import Path
from statistics import median

from bench.processes import Times, timed
from bench.progress import say
from bench.report import Table, seconds, verdict
from bench.session import Session
from bench.tools import SCRIPTS

DOCUMENTS, JUDGMENTS = 20_000, 300
ALLOWED = 1.0
"""Seconds between a judgment and the next document."""
FILES = (
    "pool.tsv",
    "--order",
    "active",
    "--collection",
    "documents.jsonl",
    "--topics",
    "topics.tsv",
    "--judgments",
    "judged.qrels",
)


def next_document(session: Session) -> Table:
    """In a process that goes on judging, and as a command of its own."""
    table = Table(
        ("what", "best", "median", "longest", "asked for", ""),
        notes=[
            f"One topic with {DOCUMENTS:,} made-up documents of 90 words, {JUDGMENTS} judgments. While judging, the "
            "classifier is trained only when a batch begins, so that the longest time is one of training. The command "
            "reads pool and judgments, loads the kept weights, and trains once; most of its time is loading "
            "scikit-learn. The first one also reads the documents and weighs their words.",
        ],
    )
    say("next document")
    with tempfile.TemporaryDirectory() as folder:
        script = [sys.executable, str(SCRIPTS / "next_document.py"), str(DOCUMENTS), str(JUDGMENTS), folder]
        (_, weighing), (_, *between) = (line.split("\t") for line in timed(script)[1].splitlines())
        times = [float(value) for value in between]
        met = max(times) < ALLOWED
        session.note_missed(met, f"{seconds(max(times))} from a judgment to the next document, allowed {ALLOWED} s")
        shown = [seconds(value) for value in (min(times), median(times), max(times))]
        table.rows.append(["between two judgments", *shown, f"{ALLOWED:g} s", verdict(met)])
        files = [str(Path(folder) / part) if "." in part else part for part in FILES]
        whole = [sys.executable, "-m", "cranfield", "pool", "next", *files]
        first = timed(whole)[0]
        again = Times(tuple(timed(whole)[0] for _ in range(session.large_repeats)))
        table.rows.append(["`pool next`, the first time", seconds(first), seconds(first), seconds(first), "report", ""])
        longest = max(again.seconds)
        table.rows.append(
            ["`pool next`, again", seconds(again.best), seconds(again.median), seconds(longest), "report", ""]
        )
        table.notes.append(f"Weighing the words of all documents in memory: {seconds(float(weighing))}.")
    return table
