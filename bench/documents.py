"""Documents in JSON lines beside `json.loads` for each line."""

import itertools
import json
import random
from pathlib import Path

from bench import data
from bench.processes import Times, timed
from bench.report import Table, megabytes, ratio, seconds, verdict
from bench.session import Session
from bench.tools import json_documents

TIMES_ALLOWED = 2
"""How many times as long as json.loads line by line reading documents may take."""
WORDS = {"titles": (300_000, 8), "passages": (200_000, 60), "articles": (20_000, 800)}
"""How many documents there are, and how many words each has."""
MORE_REPEATS = 4


def read_documents(session: Session) -> Table:
    """Documents in JSON lines, ours and json.loads."""
    table = Table(
        ("documents", "size", "tool", "best", "median", "ours / theirs, best", "median", "allowed", ""),
        notes=[
            "In one process, in turn. json.loads only parses; ours also checks encoding and identifiers, and finds out "
            "whether a document is there twice.",
        ],
    )
    for name, (count, words) in WORDS.items():
        path = _made(name, count, words)
        printed = timed(json_documents(path, MORE_REPEATS * session.large_repeats))[1].splitlines()
        times = {tool: Times(tuple(map(float, values))) for tool, *values in (line.split("\t") for line in printed)}
        ours, theirs = times["cranfield"], times["json.loads"]
        slower = [ours.best / theirs.best, ours.median / theirs.median]
        met = max(slower) <= TIMES_ALLOWED
        session.note_missed(met, f"{name}: {ratio(max(slower))} as long as json.loads, allowed {TIMES_ALLOWED}x")
        row = [f"{count:,} {name}", megabytes(path.stat().st_size)]
        table.rows.append([*row, "cranfield", seconds(ours.best), seconds(ours.median), "", "", "", ""])
        figures = [seconds(theirs.best), seconds(theirs.median), *map(ratio, slower)]
        table.rows.append(["", "", "json.loads", *figures, f"{TIMES_ALLOWED}x", verdict(met)])
    return table


def _made(name: str, count: int, words: int) -> Path:
    """A file of documents with words as frequent as Zipf has them."""
    path = data.folder() / f"documents-{name}.jsonl"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    chance = random.Random(name)
    known = [f"{chance.randrange(16**6):x}" for _ in range(20_000)]
    weights = list(itertools.accumulate(1 / rank for rank in range(1, len(known) + 1)))
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as out:
        for at in range(count):
            drawn = chance.choices(known, cum_weights=weights, k=words)
            record = {"_id": f"doc-{at}", "title": " ".join(drawn[:6]), "text": " ".join(drawn)}
            out.write(json.dumps(record) + "\n")
    part.replace(path)
    return path
