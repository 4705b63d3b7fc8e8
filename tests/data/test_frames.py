"""Judgments and runs from dataframes: the same table in every library gives the same result."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from cranfield.data.frames import as_qrels, as_run, is_frame
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import DataError, FormatError, UsageError

Build = Callable[[dict[str, Any]], Any]

libraries = pytest.mark.parametrize(
    "build",
    [
        pytest.param(pd.DataFrame, id="pandas"),
        pytest.param(lambda columns: pd.DataFrame(columns).astype(object), id="pandas objects"),
        pytest.param(lambda columns: pd.DataFrame(columns).convert_dtypes(), id="pandas nullable"),
        pytest.param(pl.DataFrame, id="polars"),
        pytest.param(pl.LazyFrame, id="polars lazy"),
        pytest.param(pa.table, id="pyarrow"),
    ],
)
JUDGMENTS: dict[str, list[Any]] = {
    "qid": ["q2", "q1", "q1"],
    "docno": ["dé", "d2", "d1"],
    "label": [2, 0, 1],
    "other": [None, None, None],
}


@libraries
def test_judgments(build: Build) -> None:
    qrels = as_qrels(build(JUDGMENTS))
    assert qrels.to_dict() == {"q1": {"d2": 0, "d1": 1}, "q2": {"dé": 2}}
    assert list(Qrels.from_frame(build(JUDGMENTS), name="x").rows()) == list(qrels.rows())


@libraries
def test_judgments_with_subtopics(build: Build) -> None:
    columns = {"query_id": ["q", "q"], "subtopic": ["a", "b"], "doc_id": ["d", "d"], "relevance": [1.0, 0.5]}
    assert list(as_qrels(build(columns)).rows()) == [("q", "a", "d", 1), ("q", "b", "d", 0.5)]


@libraries
def test_a_run_with_whole_numbers_as_identifiers(build: Build) -> None:
    run = as_run(build({"query_id": [10, 9], "doc_id": [7, -3], "score": [0.5, 1.0]}))
    assert run.to_dict() == {"10": {"7": 0.5}, "9": {"-3": 1.0}}
    assert run.queries == ("10", "9")  # in byte order


@libraries
def test_ranks_instead_of_scores(build: Build) -> None:
    run = Run.from_frame(build({"qid": ["q", "q"], "pid": ["a", "b"], "rank": [2, 1]}))
    assert run["q"] == {"b": -1.0, "a": -2.0}


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"qid": [], "docno": [], "score": []}).astype({"qid": str, "docno": str}),
        pl.DataFrame(schema={"qid": pl.String, "docno": pl.String, "score": pl.Float64}),
        pa.schema({"qid": pa.string(), "docno": pa.string(), "score": pa.int8()}).empty_table(),
    ],
    ids=lambda frame: type(frame).__module__,
)
def test_no_rows(frame: Any) -> None:
    assert len(as_run(frame)) == 0


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(JUDGMENTS).astype({"qid": "category", "docno": "category"}),
        pl.DataFrame(JUDGMENTS, schema_overrides={"qid": pl.Categorical, "label": pl.Float32}),
        pl.DataFrame(JUDGMENTS, schema_overrides={"label": pl.Decimal(5, 2)}),
        pa.table({**JUDGMENTS, "docno": pa.array(JUDGMENTS["docno"], pa.string_view())}),
        pa.table({**JUDGMENTS, "docno": pa.array(JUDGMENTS["docno"], pa.large_string()).dictionary_encode()}),
        pa.table({**JUDGMENTS, "docno": pa.array([d.encode() for d in JUDGMENTS["docno"]], pa.binary())}),
        pa.concat_tables([pa.table(JUDGMENTS).slice(0, 1), pa.table(JUDGMENTS).slice(1)]),
        pa.concat_tables([pa.table(JUDGMENTS), pa.table(JUDGMENTS)]).slice(3),
    ],
    ids=lambda frame: type(frame).__name__,
)
def test_unusual_types_of_columns(frame: Any) -> None:
    assert as_qrels(frame).to_dict() == {"q1": {"d2": 0, "d1": 1}, "q2": {"dé": 2}}


def test_true_and_false_as_grades() -> None:
    assert as_qrels(pl.DataFrame({**JUDGMENTS, "label": [True, False, True]}))["q2"] == {"dé": 1}


def test_identifiers_of_several_types() -> None:
    frame = pd.DataFrame({"qid": ["q", 1], "docno": [b"\xff", "d"], "label": [1, 2]})
    assert list(as_qrels(frame).rows()) == [("1", "0", "d", 2), ("q", "0", "\udcff", 1)]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"qid": [1.0, 2.0, 3.0]},
            "qrels: qid is a column of floats; expected text or whole numbers. Missing values turn whole numbers into "
            "floats: drop those rows, then convert it to text.",
        ),
        ({"qid": ["1", None, "2"]}, "qrels, row 2: qid is missing"),
        ({"label": [1, None, 2]}, "qrels, row 2: label is missing"),
        ({"label": [1.0, 2.0, float("inf")]}, "qrels, row 3: label inf is not a finite number"),
        ({"label": ["1", "2", "3"]}, "qrels: label is a column of type String; expected numbers"),
        (
            {"docno": [["a"], ["b"], ["c"]]},
            "qrels: docno is a column of type large_list<item: large_string>; expected text or whole numbers. "
            "Convert it to text first.",
        ),
    ],
)
def test_what_cannot_be_used(changed: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(DataError) as error:
        as_qrels(pl.DataFrame({**JUDGMENTS, **changed}))
    assert str(error.value) == message


@libraries
def test_a_missing_column(build: Build) -> None:
    with pytest.raises(DataError, match="qrels: no column for the grade; it has qid, docno"):
        as_qrels(build({"qid": ["q"], "docno": ["d"]}))


@libraries
def test_duplicates_are_found(build: Build) -> None:
    columns = {"qid": ["q2", "q1", "q2"], "docno": ["d", "d", "d"], "score": [1.0, 2.0, 3.0]}
    with pytest.raises(FormatError) as error:
        as_run(build(columns))
    assert str(error.value) == (
        "run: row 3: document 'd' is returned twice for query 'q2' (first at row 1). Keep one of them."
    )


def test_plain_python() -> None:
    expected = {"q": {"d": 1}}
    Record = namedtuple("Record", ["query_id", "doc_id", "relevance", "iteration"])  # as ir_measures has it
    for judgments in (
        expected,
        [("q", "d", 1)],
        (row for row in [("q", "d", 1)]),
        [{"query_id": "q", "doc_id": "d", "relevance": 1}],
        [Record("q", "d", 1, "0")],
        Qrels.from_dict(expected),
    ):
        assert as_qrels(judgments).to_dict() == expected
    for results in (expected, [("q", "d", 1)], [{"qid": "q", "docno": "d", "score": 1}], Run.from_dict(expected)):
        assert as_run(results).to_dict() == expected
    assert not is_frame([])
    assert not is_frame("qrels.txt")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            3,
            "cannot make a run of int 3; expected {query: {document: score}}, a list of tuples, or a pandas, polars or "
            "pyarrow table",
        ),
        (
            "a.run",
            "cannot make a run of str 'a.run'; expected {query: {document: score}}, a list of tuples, or a pandas, "
            "polars or pyarrow table",
        ),
    ],
)
def test_what_is_no_run(wrong: object, message: str) -> None:
    with pytest.raises(UsageError) as error:
        as_run(wrong)
    assert str(error.value) == message
    with pytest.raises(UsageError, match="expected a pandas, polars or pyarrow table, found"):
        Run.from_frame(wrong)


def test_records_that_lack_a_key() -> None:
    with pytest.raises(DataError, match="run: not every record has 'score'"):
        as_run([{"qid": "q", "docno": "d", "score": 1}, {"qid": "q", "docno": "e"}])
