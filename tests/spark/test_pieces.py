"""Streams of rows taken piece by piece: what comes out does not depend on how they are cut. No cluster is needed."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from cranfield.errors import FormatError
from cranfield.spark.by_query import pieces
from cranfield.spark.query_values import QueryValues
from cranfield.spark.rows import JUDGMENTS, Origin, RowLayout
from cranfield.spark.text_rows import TextParser
from tests.spark import drawn_runs
from tests.spark.test_evaluation import all_measures


def parsed(path: Path, kind: str, run: int) -> pa.Table:
    """The rows of a file, as a worker makes them of lines."""
    content = path.read_bytes()
    lines = (gzip.decompress(content) if path.suffix == ".gz" else content).split(b"\n")[:-1]
    table = pa.table({"line": pa.array(lines, pa.binary()), "file": [9] * len(lines), "block": [0] * len(lines)})
    layout = RowLayout(query_order=True)
    parser = TextParser(kind, "trec", {9: Origin(run, 0, path.name)}, layout)
    return pa.Table.from_batches(list(parser(table.to_batches(max_chunksize=50))))


def drawn(tmp_path: Path) -> pa.Table:
    """Rows of judgments and runs, sorted as `by_query` sorts them."""
    chance = random.Random(7)
    qrels, runs = drawn_runs.plain_qrels(tmp_path, chance), drawn_runs.runs(tmp_path, chance)
    rows = [parsed(qrels, "qrels", JUDGMENTS), *(parsed(run, "run", at) for at, run in enumerate(runs))]
    return pa.concat_tables(rows).sort_by([("query", "ascending"), ("run", "ascending"), ("place", "ascending")])


@pytest.mark.parametrize("most", [1, 30, 100, 1_000_000])
def test_pieces_have_whole_lists_and_their_judgments(most: int, tmp_path: Path) -> None:
    rows = drawn(tmp_path)
    seen: dict[tuple[bytes, int], int] = {}
    last: bytes | None = None
    for piece in pieces(rows.to_batches(max_chunksize=20), most):
        queries = piece.table.column("query").to_pylist()
        assert piece.continued == (queries[0] == last)
        last = queries[-1]
        here: dict[tuple[bytes, int], int] = {}
        for query, run in zip(queries, piece.table.column("run").to_pylist(), strict=True):
            here[query, run] = here.get((query, run), 0) + 1
        for (query, run), size in here.items():
            if run != JUDGMENTS:
                assert (query, run) not in seen
                assert here.get((query, JUDGMENTS), 0) == judged(rows, query)
            seen[query, run] = size
    whole: dict[tuple[bytes, int], int] = {}
    for query, run in zip(rows.column("query").to_pylist(), rows.column("run").to_pylist(), strict=True):
        whole[query, run] = whole.get((query, run), 0) + 1
    assert seen == whole


def judged(rows: pa.Table, query: bytes) -> int:
    pairs = zip(rows.column("query").to_pylist(), rows.column("run").to_pylist(), strict=True)
    return sum(pair == (query, JUDGMENTS) for pair in pairs)


def test_values_do_not_depend_on_pieces(tmp_path: Path) -> None:
    rows = drawn(tmp_path)
    measures = tuple(all_measures("qrels", "anything"))

    def values(most: int) -> Any:
        task = QueryValues(measures, {}, None, ("one", "two", "three"), "drawn.qrels", True, most)
        table = pa.Table.from_batches(list(task(rows.to_batches(max_chunksize=20))))
        return table.sort_by([("query", "ascending"), ("run", "ascending")]).to_pylist()

    at_once = values(1_000_000)
    assert values(1) == at_once
    assert values(60) == at_once
    topics = {row["query"] for row in at_once if row["run"] == JUDGMENTS}
    assert topics == {query.encode() for query in drawn_runs.QUERIES[:-2]}
    assert len(at_once) == len({(row["query"], row["run"]) for row in at_once})


def test_a_bad_line_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "bad.run"
    path.write_text("q Q0 d 1 0.5 t\n" * 120 + "q Q0 d 1 x t\n")
    with pytest.raises(FormatError) as caught:
        parsed(path, "run", 0)
    assert str(caught.value) == "bad.run:121: score 'x' is not a finite number (the line: 'q Q0 d 1 x t')"
