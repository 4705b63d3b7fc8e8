"""Queries, caches and histories on real logs, against loops over the rows of their tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow.dataset
import pytest

from cranfield.logs.caching import caching
from cranfield.logs.folder import LogFolder
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.log import Log
from cranfield.logs.needs import spreads
from cranfield.logs.personal import personal
from cranfield.logs.phrasings import phrasings
from cranfield.logs.reformulation_graph import reformulation_graph
from cranfield.logs.settling import Rules
from cranfield.logs.topic_sample import sample_log

FILES = {
    "ubi_chorus/ubi_queries_events.ndjson": ("ubi", {"Chorus": 1, "esci_ubi_sample": 0, "ubi-demo": 1}),
    "clicks/tiangong_demo/train_per_query_quid.txt": ("lists", {}),
}


@pytest.mark.real_data
@pytest.mark.parametrize("name", FILES)
def test_real_logs(real_data: Path, tmp_path: Path, name: str) -> None:
    kind, first_rank = FILES[name]
    import_files([real_data / name], tmp_path / "log", Ways(kind, rank_base=first_rank, salt="pepper"), Rules())
    log = Log(tmp_path / "log")
    rows = pyarrow.dataset.dataset(LogFolder(log.path).table("queries"), format="parquet").to_table().to_pylist()
    rows = sorted((row for row in rows if not row["bot"]), key=lambda row: (row["time_ms"], row["query_id"]))
    texts = Counter(row["text"] for row in rows)

    cached = caching(log)
    assert (cached.queries, cached.texts) == (len(rows), len(texts))
    assert cached.results[-1].hits == len(rows) - len(texts)
    limited = next(row for row in cached.results if row.policy == "lru" and row.hits)
    kept, hits = list[str](), 0
    for row in rows:
        hits += row["text"] in kept
        kept = [*(text for text in kept if text != row["text"]), row["text"]][-(limited.size or 0) :]
    assert limited.hits == hits

    own = Counter((row["user_id"], row["text"]) for row in rows if row["user_id"] is not None and row["text"])
    assert personal(log).shares[0].part == sum(own.values()) - len(own)

    changes, last = 0, dict[str, tuple[str, int]]()
    for row in rows:
        text, time = last.get(row["session_id"], ("", 0))
        changes += bool(text and row["text"] and text != row["text"] and row["time_ms"] - time <= 300_000)
        last[row["session_id"]] = row["text"], row["time_ms"]
    assert reformulation_graph(log).changes == changes

    same = phrasings(log)
    assert same.texts == len([text for text in texts if text])
    assert same.needs
    assert spreads(log).told >= 1
    people = {
        text: {row["user_id"] or row["session_id"] for row in rows if row["text"] == text} for text in texts if text
    }
    assert sample_log(log, 20).different == sum(len(who) >= 2 for who in people.values())
