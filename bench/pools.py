"""Pools beside trectools, and runs left out of one."""

import tempfile
import zlib
from pathlib import Path

from bench import data
from bench.processes import interleaved, timed
from bench.progress import say
from bench.report import Table, seconds, verdict
from bench.session import Session, both
from bench.tools import OURS, bias, pool

RUNS, TOPICS, DEPTH = 129, 50, 100
FLOOR = 10
"""How many times faster than trectools a depth pool has to be made."""
PEER = "trectools"
LEAVE_OUT_SECONDS_ALLOWED = 60
MEASURES = ("AP", "nDCG@10", "P@10", "bpref")
RELEVANT_ONE_IN = 16


def build_pools(session: Session) -> Table:
    """A depth pool from files, ours and trectools'."""
    table = Table(
        ("tool", "best", "median", "ratio of best", "ratio of median", "asked for", ""),
        notes=[
            f"Every document among the first {DEPTH} of any of {RUNS} runs of {TOPICS} topics x 1000 documents, the "
            "shape of TREC-8's ad hoc track: from run files to the pool, whole process. Ours also hashes the runs and "
            "writes the pool to a file.",
        ],
    )
    say("pools")
    runs = data.pool_files().runs
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "pool.tsv"
        commands = {tool: pool(tool, runs, DEPTH, written) for tool in (OURS, PEER)}
        timed(commands[OURS])
        ours = {tuple(line.split("\t")[:2]) for line in written.read_text().splitlines()[2:]}
        theirs = {tuple(line.split("\t")) for line in timed([*commands[PEER], "--list"])[1].splitlines()}
        if ours != theirs:
            session.note_wrong(f"{len(ours ^ theirs)} documents are in one pool and not in the other")
            return table
        times = interleaved(commands, session.large_repeats)
    table.rows.append([OURS, *both(times[OURS]), "", "", "", ""])
    table.rows.append([PEER, *both(times[PEER]), *session.compare("pool", times[OURS], PEER, times[PEER], FLOOR)])
    return table


def leave_one_out(session: Session) -> Table:
    """Every run left out of the pool in turn, and all evaluated without what it alone brought in."""
    table = Table(
        ("measures", "best", "median", "asked for", ""),
        notes=[
            f"{RUNS} runs of {TOPICS} topics x 1000 documents; the documents among the first {DEPTH} of any of them "
            f"are judged, one in {RELEVANT_ONE_IN} relevant. Each of the {RUNS} runs is left out, and all {RUNS} are "
            "evaluated anew: from files to the table, whole process.",
        ],
    )
    say("leave one out")
    runs = data.pool_files().runs
    with tempfile.TemporaryDirectory() as folder:
        pooled, qrels = Path(folder) / "pool.tsv", Path(folder) / "pool.qrels"
        timed(pool(OURS, runs, DEPTH, pooled))
        _judge(pooled, qrels)
        for measures in (MEASURES[:1], MEASURES):
            name = ", ".join(measures)
            times = interleaved({name: bias(qrels, runs, DEPTH, measures)}, session.large_repeats)[name]
            met = times.median < LEAVE_OUT_SECONDS_ALLOWED
            asked = f"under {LEAVE_OUT_SECONDS_ALLOWED} s"
            session.note_missed(met, f"{name}: {seconds(times.median)}, asked for {asked}")
            table.rows.append([name, *both(times), asked, verdict(met)])
    return table


def _judge(pooled: Path, qrels: Path) -> None:
    """Judge a pool: what is relevant follows from the identifiers of documents."""
    with pooled.open() as rows, qrels.open("w") as out:
        for line in list(rows)[2:]:
            topic, document = line.split("\t")[:2]
            relevant = zlib.crc32(f"{topic} {document}".encode()) % RELEVANT_ONE_IN == 0
            out.write(f"{topic} 0 {document} {int(relevant)}\n")
