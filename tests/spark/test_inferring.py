"""Judgments and preferences that workers make and write: the same as here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from click.testing import CliRunner, Result

from cranfield.cli.main import cli
from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError, UsageError
from cranfield.logs.grading import INTERVAL, THRESHOLDS
from cranfield.logs.inferring import COLUMNS, infer_qrels
from cranfield.logs.log import Log
from cranfield.logs.preference_file import COLUMNS as PREFERENCE_COLUMNS
from cranfield.logs.preference_file import topic_preferences
from cranfield.logs.preferences import infer_preferences
from cranfield.logs.spark_engine import SparkEngine
from cranfield.logs.spark_inferring import write_inferred_qrels
from cranfield.logs.spark_preferences import write_inferred_preferences
from cranfield.spark.session import Cluster
from tests.logs.made_up import simulated

pytestmark = pytest.mark.slow

ENOUGH = 250
"""So many that some documents are judged and some not."""


@pytest.fixture(scope="module")
def engine(cluster: Cluster) -> SparkEngine:
    return SparkEngine(cluster)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("searches") / "log"
    simulated(made, sessions=2500, days=3, topics=12, shuffled=0.3)
    return made


def read(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(folder).to_pylist()
    return rows


@pytest.mark.parametrize(("source", "rule"), [("coec", INTERVAL), ("coec", THRESHOLDS), ("cascade", INTERVAL)])
def test_judgments(
    source: str, rule: str, path: Path, engine: SparkEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twelve texts become topics in three parts."""
    monkeypatch.setattr("cranfield.logs.spark_topics._TEXTS_A_PART", 5)
    made = write_inferred_qrels(
        Log(path, engine=engine),
        engine,
        str(tmp_path / "judged.parquet"),
        source,
        rule=rule,
        enough=ENOUGH,
        topics_output=str(tmp_path / "topics.parquet"),
    )
    expected = infer_qrels(Log(path), source, rule=rule, enough=ENOUGH)
    assert (len(made), made.thin) == (len(expected), expected.thin)
    assert made.thin > 0
    rows = read(tmp_path / "judged.parquet")
    assert tuple(rows[0]) == COLUMNS
    found = {(row["query_id"], row["doc_id"]): row for row in rows}
    of = expected.evidence
    for at, key in enumerate(zip(expected.topic.tolist(), of.document.tolist(), strict=True)):
        row = found.pop(key)
        assert (row["relevance"], row["shown"], row["clicked"]) == (expected.grade[at], of.shown[at], of.clicked[at])
        numbers = (of.value[at], of.lower[at], of.upper[at])
        assert (row["value"], row["low"], row["high"]) == pytest.approx(numbers, rel=1e-9)
    assert not found
    topics = {row["query_id"]: row["text"] for row in read(tmp_path / "topics.parquet")}
    assert topics == expected.topics.queries()
    assert made.topics == len(set(expected.topic.tolist()))


def test_topics_that_are_given(path: Path, engine: SparkEngine, tmp_path: Path) -> None:
    """T3 is a text of the log in capitals; nobody searched for the other one."""
    topics = Topics([Topic("a", {"text": "T3"}), Topic("b", {"text": "nothing"})])
    log, output = Log(path, engine=engine), str(tmp_path / "judged.parquet")
    made = write_inferred_qrels(log, engine, output, topics=topics, enough=5)
    expected = infer_qrels(Log(path), topics=topics, enough=5)
    assert {row["query_id"] for row in read(tmp_path / "judged.parquet")} == {"a"}
    assert len(made) == len(expected)
    matched = expected.matched
    assert (made.matched.silent, made.matched.strangers) == (matched.silent, matched.strangers) == (1, 11)
    strangers = Topics([Topic("b", {"text": "nothing"})])
    with pytest.raises(DataError, match="none of these 1 topics has words that were searched for"):
        write_inferred_qrels(log, engine, str(tmp_path / "none.parquet"), topics=strangers)


def test_judgments_in_memory(path: Path, engine: SparkEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    found, expected = (infer_qrels(log, "cascade") for log in (Log(path, engine=engine), Log(path)))
    assert sorted(found.qrels().rows()) == sorted(expected.qrels().rows())
    values = [
        {
            (topic, document): value
            for topic, document, value in zip(each.topic, each.evidence.document, each.evidence.value, strict=True)
        }
        for each in (found, expected)
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-9)
    monkeypatch.setattr("cranfield.logs.spark_evidence.MOST", 3)
    with pytest.raises(UsageError, match="more than 3 rows are too many for one file; let the workers write them"):
        infer_qrels(Log(path, engine=engine))


def test_nothing_is_known(path: Path, engine: SparkEngine, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no document was shown 1000000 times for one query"):
        write_inferred_qrels(Log(path, engine=engine), engine, str(tmp_path / "none.parquet"), enough=1_000_000)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("uncertain", [False, True])
def test_preferences(uncertain: bool, path: Path, engine: SparkEngine, tmp_path: Path) -> None:
    made = write_inferred_preferences(
        Log(path, engine=engine), engine, str(tmp_path / "preferred.parquet"), uncertain=uncertain
    )
    inferred = infer_preferences(Log(path))
    expected = topic_preferences(inferred, uncertain=uncertain)
    expected.write(tmp_path / "expected.tsv")
    assert (made.pairs, made.one_sided, made.certain) == (
        len(inferred),
        int(inferred.one_sided.sum()),
        int(inferred.certain.sum()),
    )
    assert made.written == len(expected)
    rows = read(tmp_path / "preferred.parquet")
    assert tuple(rows[0]) == PREFERENCE_COLUMNS
    header, *lines = (line.split("\t") for line in (tmp_path / "expected.tsv").read_text().splitlines())
    assert header == list(PREFERENCE_COLUMNS)
    found = [[*map(str, list(row.values())[:7]), f"{row['low']:.6g}", f"{row['high']:.6g}"] for row in rows]
    assert sorted(found) == sorted(lines)


@pytest.mark.parametrize(
    "command",
    [("infer-qrels", "--enough", str(ENOUGH)), ("infer-preferences", "--rule", "skip-above", "--all")],
    ids=lambda command: command[0],
)
def test_the_commands(command: tuple[str, ...], path: Path, cluster: Cluster, tmp_path: Path) -> None:
    """They count the same, be it into a file or a folder that workers write; what is of files alone is refused."""

    def ran(output: str, *more: str) -> Result:
        arguments = ["logs", command[0], str(path), "-o", str(tmp_path / output), *command[1:], *more]
        return CliRunner().invoke(cli, arguments)

    on_spark = ("--engine", "spark", "--master", cluster.master)
    told = []
    for output, *more in (("here.tsv",), ("there.tsv", *on_spark), ("there.parquet", *on_spark)):
        done = ran(output, "--format", "json", *more)
        assert done.exit_code == 0, done.output
        told.append({name: value for name, value in json.loads(done.stdout).items() if name != "output"})
    assert told[0] == told[1] == told[2]
    rows = [set((tmp_path / name).read_text().splitlines()) for name in ("here.tsv", "there.tsv")]
    assert rows[0] == rows[1]
    assert len(read(tmp_path / "there.parquet")) == len(rows[0]) - 1
    shown = ran("shown.parquet", "--format", "table", *on_spark)
    assert f"shown.topics.parquet: {told[0]['topics']} topics, the words of each query" in " ".join(
        shown.stdout.split()
    )
    refused = ran("other.parquet", *on_spark, "--output-format", "trec")
    assert isinstance(refused.exception, UsageError)
    assert "is of a file" in str(refused.exception)
