"""What Spark reads for evaluation: text and Parquet, files, folders and patterns; and what is wrong with some."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield.cli.score_tables import tsv
from cranfield.errors import CoverageError, DataError, FormatError, UsageError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.formats import read_qrels, read_run, write_qrels, write_run
from cranfield.spark import evaluating
from cranfield.spark.evaluating import SparkEvaluator
from cranfield.spark.session import Cluster
from tests.spark import drawn_runs
from tests.spark.test_evaluation import same, small_blocks

pytestmark = pytest.mark.slow

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 1\n"
LINES = "q1 Q0 d1 1 0.5 tag\nq1 Q0 d9 2 0.25 tag\nq2 Q0 d3 1 1 tag\n"


def evaluated(cluster: Cluster, qrels: Path | str, *runs: Path | str, **options: Any) -> Any:
    return SparkEvaluator(qrels, ["AP", "RR"], cluster=cluster, **options).evaluate_all(list(runs))


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_parquet_folders_and_patterns(cluster: Cluster, tmp_path: Path) -> None:
    chance = random.Random(5)
    qrels, runs = drawn_runs.plain_qrels(tmp_path, chance), drawn_runs.runs(tmp_path, chance)
    write_qrels(read_qrels(qrels), tmp_path / "qrels.parquet")
    write_run(read_run(runs[0]), tmp_path / "one.parquet")
    parts = tmp_path / "parts.parquet"
    parts.mkdir()
    whole = pq.read_table(tmp_path / "one.parquet")
    for number in range(3):
        rows = [row for row in range(len(whole)) if row % 3 == number]
        pq.write_table(whole.take(rows), parts / f"part-{number}.parquet")
    odd = tmp_path / "odd names"
    odd.mkdir()
    for run in runs:
        shutil.copy(run, odd / f"100%20 [{run.name}")
    found = evaluated(cluster, tmp_path / "qrels.parquet", tmp_path / "one.parquet", parts, f"{odd}/*.run*", *runs[1:2])
    expected = Evaluator(qrels, ["AP", "RR"]).evaluate_all(runs)
    assert list(found) == ["one", "parts", "100%20 [one", "100%20 [three", "100%20 [two", "two"]
    for name, like in zip(found, ("one", "one", "one", "three", "two", "two"), strict=True):
        assert found[name].per_query == expected[like].per_query
        assert found[name].mean == expected[like].mean


def test_a_bad_line(cluster: Cluster, tmp_path: Path) -> None:
    line = "q2 Q0 d4 2 0.5"
    qrels, run = written(tmp_path / "qrels", QRELS), written(tmp_path / "bad.run", f"{LINES}{line}\n")
    with pytest.raises(FormatError) as caught:
        evaluated(cluster, qrels, run)
    reason = "expected 6 fields (query Q0 document rank score tag), found 5."
    assert str(caught.value).startswith(f"{run}:4: {reason}")
    assert f"(the line: {line!r})" in str(caught.value)


def test_a_bad_line_behind_where_a_worker_begins(cluster: Cluster, tmp_path: Path) -> None:
    many = "".join(f"q1 Q0 d{number} 0 {number} tag\n" for number in range(500))
    qrels, run = written(tmp_path / "qrels", QRELS), written(tmp_path / "bad.run", f"{many}q1 Q0 x 0 nought tag\n")
    with small_blocks(cluster), pytest.raises(FormatError) as caught:
        evaluated(cluster, qrels, run)
    assert str(caught.value).startswith(f"{run}: score 'nought' is not a finite number")
    assert "(the line: 'q1 Q0 x 0 nought tag')" in str(caught.value)


def test_what_cannot_be_used(cluster: Cluster, tmp_path: Path) -> None:
    qrels, run = written(tmp_path / "qrels", QRELS), written(tmp_path / "good.run", LINES)
    twice = written(tmp_path / "twice.run", LINES + "q1 Q0 d1 3 0.1 tag\n")
    with pytest.raises(DataError, match="document 'd1' is returned twice for query 'q1'"):
        evaluated(cluster, qrels, run, twice)
    with pytest.raises(DataError, match="document 'd1' is judged twice for query 'q1'"):
        evaluated(cluster, written(tmp_path / "twice.qrels", QRELS + "q1 0 d1 0\n"), run)
    with pytest.raises(UsageError, match=r"none\.run: there is no such file"):
        evaluated(cluster, qrels, tmp_path / "none.run")
    with pytest.raises(UsageError, match="Spark unpacks gzip"):
        evaluated(cluster, qrels, written(tmp_path / "packed.run.zst", ""))
    with pytest.raises(DataError, match="this looks like a run, not like judgments"):
        evaluated(cluster, run, run)
    with pytest.raises(UsageError, match="on Spark a file of qrels is text in the format trec or strata or prels"):
        evaluated(cluster, written(tmp_path / "table.csv", "query_id,doc_id,relevance\nq1,d1,1\n"), run)


def test_a_run_without_any_judged_topic(cluster: Cluster, tmp_path: Path) -> None:
    qrels, run = written(tmp_path / "qrels", QRELS), written(tmp_path / "other.run", "x Q0 d1 1 0.5 tag\n")
    with pytest.raises(CoverageError) as here:
        Evaluator(qrels, ["AP"])(run)
    with pytest.raises(CoverageError) as there:
        evaluated(cluster, qrels, run)
    assert str(there.value) == str(here.value)


def parquet(path: Path, columns: dict[str, Sequence[Any]]) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def test_parquet_files_that_differ(cluster: Cluster, tmp_path: Path) -> None:
    qrels = written(tmp_path / "qrels", QRELS)
    one = parquet(tmp_path / "one.parquet", {"query_id": ["q1"], "doc_id": ["d1"], "score": [0.5]})
    other = parquet(tmp_path / "other.parquet", {"qid": ["q1"], "docno": ["d1"], "score": [0.5]})
    kind = parquet(tmp_path / "kind.parquet", {"query_id": ["q1"], "doc_id": ["d1"], "score": ["a half"]})
    with pytest.raises(FormatError, match=r"other\.parquet: row 1: query_id is missing. Files that are read together"):
        evaluated(cluster, qrels, one, other)
    with pytest.raises(DataError, match="the columns of these Parquet files differ in their types"):
        evaluated(cluster, qrels, one, kind)
    with pytest.raises(DataError, match="no column for the document; it has query_id, score"):
        evaluated(cluster, qrels, parquet(tmp_path / "less.parquet", {"query_id": ["q1"], "score": [0.5]}))


def test_values_of_all_runs_in_a_folder(cluster: Cluster, tmp_path: Path) -> None:
    chance = random.Random(6)
    qrels, runs = drawn_runs.plain_qrels(tmp_path, chance), drawn_runs.runs(tmp_path, chance)
    folder = tmp_path / "values"
    measures, by = ["AP", "P(rel=2)@5", "RelString@5"], [("run", "ascending"), ("query", "ascending")]
    evaluator = SparkEvaluator(qrels, measures, cluster=cluster, per_query=str(folder), profile="trec_eval-9")
    expected = Evaluator(qrels, measures, profile="trec_eval-9").evaluate_all(runs)
    same(evaluator.evaluate_all(runs), expected)
    assert (folder / "_SUCCESS").exists()
    assert not list(tmp_path.glob(".*"))
    assert pq.read_table(folder).sort_by(by) == expected.to_arrow().sort_by(by)
    with pytest.raises(UsageError, match="there is something of that name already"):
        evaluator.evaluate_all(runs)


def test_means_alone_where_values_are_too_many(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluating, "MOST_VALUES", 2)
    qrels, run = written(tmp_path / "qrels", QRELS), written(tmp_path / "good.run", LINES)
    found = evaluated(cluster, qrels, run, needs_values=False)["good"]
    assert found.mean == {"AP": 1.0, "RR": 1.0}  # each topic has its one relevant document first
    assert found.per_query == {}
    assert [line.split("\t")[3] for line in tsv([found], by_query=False, summary=True)] == ["value", "1.0", "1.0"]
    with pytest.raises(UsageError, match="1 runs, 2 topics and 2 measures are 4 values, and at most 2 are held here"):
        evaluated(cluster, qrels, run)
