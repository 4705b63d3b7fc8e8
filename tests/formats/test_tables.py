"""Tables with named columns: CSV, TSV, BEIR, JSON, JSON lines and Parquet."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import DataError
from cranfield.formats import read_preferences, read_qrels, read_run, write_preferences, write_qrels, write_run


def named(content: bytes | str) -> Any:
    file = io.BytesIO(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)
    file.name = "f"
    return file


def parquet(**columns: Any) -> Any:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return named(file.getvalue())


# CSV, TSV and BEIR


@pytest.mark.parametrize(
    "content",
    [
        "qid,docno,label\nq1,d1,1\nq2,d2,0\n",
        "\r\nlabel,other,docno,qid\r\n1,x,d1,q1\r\n0,,d2,q2",
        'qid,docno,label\n"q1","d1",1\n"q2",d2,"0"\n',
        "QID\tDocNo\tLabel\nq1\td1\t1\n\nq2\td2\t0\n",
        "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t0\n",
    ],
)
def test_judgments_from_text_tables(content: str) -> None:
    assert read_qrels(named(content)).to_dict() == {"q1": {"d1": 1}, "q2": {"d2": 0}}


def test_quoted_cells_may_hold_anything() -> None:
    content = 'qid,docno,score\nq,plain,1\nq,"a ""b"", c",2\nq,"two\nlines",3\nq,last,4\n'
    assert read_run(named(content))["q"] == {"last": 4.0, "two\nlines": 3.0, 'a "b", c': 2.0, "plain": 1.0}


def test_a_quote_inside_a_cell_is_a_quote() -> None:
    assert read_run(named('qid,docno,score\nq,5"disk,1\n'))["q"] == {'5"disk': 1.0}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q,d", "f:3: expected 3 cells ('qid,docno,label'), found 2"),
        ("q,d,1,2", "f:3: expected 3 cells ('qid,docno,label'), found 4"),
        ("q,,1", "f:3: docno is missing"),
        ("q,d,", "f:3: label is missing"),
        ("q,d,x", "f:3: label 'x' is not a finite number"),
        ("q,d,nan", "f:3: label 'nan' is not a finite number"),
        ('"q",d,x', "f:3: label 'x' is not a finite number"),
        ('"q",d', "f:3: expected 3 cells ('qid,docno,label'), found 2"),
        ('"q"x,d,1', "f:3: ',' expected after '\"'. Nothing below it could be read."),
        ("q,first,2", "f:3: document 'first' is judged twice for query 'q': grades 1 and 2 (first at line 2). Keep one of them."),
    ],
)  # fmt: skip
def test_text_tables_that_cannot_be_read(line: str, message: str) -> None:
    with pytest.raises(DataError) as error:
        read_qrels(named(f"qid,docno,label\nq,first,1\n{line}\nq,last,1\n"))
    assert str(error.value) == message


def test_text_tables_without_records_or_columns() -> None:
    with pytest.raises(DataError, match=r"^f: the file has no records$"):
        read_qrels(named("qid,docno,label\n"))
    with pytest.raises(DataError, match=r"^f: no column for the grade; it has qid, docno, text"):
        read_qrels(named("qid,docno,text\nq,d,t\n"))
    with pytest.raises(DataError) as error:
        read_qrels(named("q1,d1,1\n"), format="csv")
    assert str(error.value) == (
        "f: expected a header that names the columns, such as 'query_id,doc_id,relevance', found 'q1,d1,1'"
    )


def test_many_lines_across_pieces_keep_their_numbers() -> None:
    lines = [f"q{at % 7},document number {at},{at % 3}\n" for at in range(70000)]
    content = "qid,docno,label\n" + "".join(lines)
    assert len(content) > 1 << 20
    assert len(read_qrels(named(content))) == 70000
    lines[60000] = 'q,"d,x",high\n'
    with pytest.raises(DataError, match=r"^f:60002: label 'high' is not a finite number$"):
        read_qrels(named("qid,docno,label\n" + "".join(lines)))


# JSON


@pytest.mark.parametrize(
    "content",
    [
        '{"q1": {"d1": 1}, "q2": {"d2": 0}}',
        '{ "q1" : { "d1" : 1 } ,\n "q2": { "d2" : 0.0 } , "q3": {} }',
        '{"q1": {"d1": 1}, "q2": {}, "q2": {"d2": 0}}',
        '[{"qid": "q1", "docno": "d1", "label": 1}, {"label": 0, "docno": "d2", "qid": "q2"}]',
        '{"qid": "q1", "docno": "d1", "label": 1}\r\n\n{"qid": "q2", "docno": "d2", "label": 0, "x": {}}',
    ],
)
def test_judgments_from_json(content: str) -> None:
    assert read_qrels(named(content)).to_dict() == {"q1": {"d1": 1}, "q2": {"d2": 0}}


def test_bytes_that_are_not_text_in_json() -> None:
    assert list(read_run(named(b'{"q": {"\xff": 1}}'))["q"]) == ["\udcff"]


def test_whole_numbers_as_identifiers() -> None:
    assert read_run(named('[{"qid": 7, "docno": 12, "score": 1}]')).to_dict() == {"7": {"12": 1.0}}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"q": {"d": "1"}}', "f: entry 1: query 'q', document 'd': score \"1\" is not a number"),
        ('{"q": {"d": true}}', "f: entry 1: query 'q', document 'd': score true is not a number"),
        ('{"q": {"d": null}}', "f: entry 1: query 'q', document 'd': score null is not a number"),
        ('{"q": {"d": NaN}}', "f: entry 1: query 'q', document 'd': score NaN is not a finite number"),
        ('{"q": {"d": 1e999}}', "f: entry 1: query 'q', document 'd': score Infinity is not a finite number"),
        ('{"q": {"": 1}}', "f: entry 1: query 'q', document '': document is empty"),
        ('{"q": {"\\ud800": 1}}', "f: entry 1: query 'q', document '\\ud800': document \"\\ud800\" holds half of a surrogate pair"),
        ('{"q": {"d": 1}, "r": 2}', "f: entry 2: query 'r': expected {document: score}, found '2'"),
        ('{"q": {"d": 1, "d": 2}}', "f: entry 2: document 'd' is returned twice for query 'q' (first at entry 1). Keep one of them."),
        ('{"q": {"d": 1}}\n}', "f:2: this is not valid JSON: Extra data"),
        ('{"q": {"d": 1', "f:1: this is not valid JSON: Expecting ',' delimiter"),
        ('{"q": {}}', "f: the file has no records"),
        ("{}", "f: the file has no records"),
        ("[]", "f: the list has no objects in it"),
        ("[[1, 2]]", "f: the list has no objects in it"),
        ('[{"qid": "q", "docno": "d", "score": 1}, 3]', "f: entry 2: expected an object such as {'qid': ..., 'docno': ..., 'score': ...}, found 3"),
        ('[{"qid": "q", "docno": "d", "score": 1}, {"qid": "q", "docno": "e"}]', "f: entry 2: score is missing"),
        ('[{"qid": 1.5, "docno": "d", "score": 1}]', "f: entry 1: qid 1.5 is neither text nor a whole number"),
        ("[" * 100000, "f: this is not valid JSON: it is nested too deeply"),
        ('{"q1": {"d1": ' + "1" * 5000 + "}}", "f: this is not valid JSON: it has a number of too many digits"),
        ('{\n"name": "mine",\n"ratings": []\n}', "f:1: what begins here goes on over several lines; expected one JSON object a line, or one document {\"query\": {\"document\": number}}"),
        ('{"qid": "q", "docno": "d", "score": 1}\n{"qid": "q"', "f:2: this is not a JSON object: Expecting ',' delimiter at column 12"),
        ('{"qid": "q", "docno": "d", "score": 1}\n3\n', "f:2: expected an object such as {'qid': ..., 'docno': ..., 'score': ...}, found 3"),
        ('{"qid": "q", "docno": null, "score": 1}\n', "f:1: docno is missing"),
        ('{"qid": "q", "docno": ["d"], "score": 1}\n', 'f:1: docno ["d"] is neither text nor a whole number'),
        ('{"qid": "q", "text": "d"}\n', "f: no column for the document; it has qid, text. Give it one named doc_id (or docno, docid, corpus_id, document_id, document, pid)."),
    ],
)  # fmt: skip
def test_json_that_cannot_be_read(content: str, message: str) -> None:
    with pytest.raises(DataError) as error:
        read_run(named(content))
    assert str(error.value) == message


def test_preferences_are_not_nested() -> None:
    with pytest.raises(DataError, match="preferences in JSON are a list of objects, not an object of objects"):
        read_preferences(named('{"q": {"d": 1}}'))


# Parquet


@pytest.mark.parametrize(
    "columns",
    [
        {"query_id": ["q1", "q2"], "doc_id": ["d1", "d2"], "relevance": [1, 0]},
        {"label": [1.0, 0.0], "docno": pa.array(["d1", "d2"], pa.large_string()), "qid": ["q1", "q2"]},
        {"qid": pa.array(["q1", "q2"]).dictionary_encode(), "docno": [b"d1", b"d2"], "label": [1, 0], "x": [[], []]},
    ],
)
def test_judgments_from_parquet(columns: dict[str, Any]) -> None:
    assert read_qrels(parquet(**columns)).to_dict() == {"q1": {"d1": 1}, "q2": {"d2": 0}}


def test_whole_numbers_as_identifiers_in_parquet() -> None:
    assert read_run(parquet(qid=[7], pid=pa.array([8], pa.uint16()), rank=[3])).to_dict() == {"7": {"8": -3.0}}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"docno": ["d", None]}, "f: row 2: docno is missing"),
        ({"docno": ["d", ""]}, "f: row 2: docno is empty"),
        ({"docno": [1.0, 2.0]}, "f: docno is a column of type double; expected text or whole numbers. Convert it to text first."),
        ({"score": [1.0, float("nan")]}, "f: row 2: score nan is not a finite number"),
        ({"score": [1.0, None]}, "f: row 2: score is missing"),
        ({"score": ["1", "2"]}, "f: score is a column of type string; expected numbers"),
        ({"score": [True, False]}, "f: score is a column of type bool; expected numbers"),
        ({"docno": ["d", "d"]}, "f: row 2: document 'd' is returned twice for query 'q' (first at row 1). Keep one of them."),
        ({"docno": [["d"], ["e"]]}, "f: docno is a column of type list<element: string>; expected text or whole numbers. Convert it to text first."),
    ],
)  # fmt: skip
def test_parquet_that_cannot_be_used(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as error:
        read_run(parquet(**{"qid": ["q", "q"], "docno": ["d", "e"], "score": [1.0, 2.0], **columns}))
    assert str(error.value) == message


def test_parquet_without_rows_or_columns() -> None:
    empty: Any = pa.array([], pa.string())
    with pytest.raises(DataError, match=r"^f: the file has no records$"):
        read_run(parquet(qid=empty, docno=empty, score=pa.array([], pa.float64())))
    with pytest.raises(DataError, match=r"^f: no column for the score; it has qid, docno"):
        read_run(parquet(qid=["q"], docno=["d"]))


@pytest.mark.parametrize("size", [4, 20, 100, -1, -50])
def test_parquet_that_is_cut_short(size: int, tmp_path: Path) -> None:
    content = parquet(qid=["q"], docno=["d"], score=[1.0]).getvalue()[:size]
    (tmp_path / "f").write_bytes(content)
    for what in (named(content), tmp_path / "f"):
        with pytest.raises(DataError, match="this Parquet file is damaged or cut short"):
            read_run(what)


# What is written


def test_tables_are_written_under_our_names(tmp_path: Path) -> None:
    qrels = Qrels.from_tuples([("q", "a", "d,1", 1), ("q", "b", "d,1", 0.5)])
    for name, expected in (
        ("q.csv", 'query_id,iteration,doc_id,relevance\nq,a,"d,1",1\nq,b,"d,1",0.5\n'),
        ("q.tsv", "query_id\titeration\tdoc_id\trelevance\nq\ta\td,1\t1\nq\tb\td,1\t0.5\n"),
        (
            "q.jsonl",
            '{"query_id": "q", "iteration": "a", "doc_id": "d,1", "relevance": 1}\n'
            '{"query_id": "q", "iteration": "b", "doc_id": "d,1", "relevance": 0.5}\n',
        ),
    ):
        write_qrels(qrels, tmp_path / name)
        assert (tmp_path / name).read_text() == expected
    write_qrels(qrels, tmp_path / "q.parquet")
    table = pq.read_table(tmp_path / "q.parquet")
    assert table.column_names == ["query_id", "iteration", "doc_id", "relevance"]
    write_qrels(qrels, tmp_path / "q.json")
    assert json.loads((tmp_path / "q.json").read_text())[1]["relevance"] == 0.5


def test_json_is_nested_where_that_holds_everything(tmp_path: Path) -> None:
    write_run(Run.from_dict({"q": {"d": 1, "é": 2}}), tmp_path / "r.json")
    assert (tmp_path / "r.json").read_text() == '{\n"q": {"é": 2.0, "d": 1.0}\n}\n'
    write_qrels(Qrels.from_tuples([("q", "x", "d", 1)]), tmp_path / "q.json")
    assert json.loads((tmp_path / "q.json").read_text()) == {"q": {"d": 1}}
    write_preferences(Preferences.from_tuples([("q", "g", "0", "d", 1)]), tmp_path / "p.json")
    expected = [{"query_id": "q", "group": "g", "subgroup": "0", "doc_id": "d", "level": 1}]
    assert json.loads((tmp_path / "p.json").read_text()) == expected


def test_beir_is_written_as_beir_has_it(tmp_path: Path) -> None:
    write_qrels(Qrels.from_tuples([("q", "x", "d", 1), ("r", "y", "d", 2)]), tmp_path / "b", format="beir")
    assert (tmp_path / "b").read_text() == "query-id\tcorpus-id\tscore\nq\td\t1\nr\td\t2\n"


def test_whole_grades_are_whole_numbers_in_parquet(tmp_path: Path) -> None:
    for grade, kind in ((2, pa.int64()), (0.5, pa.float64()), (1e300, pa.float64())):
        write_qrels(Qrels.from_dict({"q": {"d": grade}}), tmp_path / "q.parquet")
        assert pq.read_schema(tmp_path / "q.parquet").field("relevance").type == kind
        assert read_qrels(tmp_path / "q.parquet")["q"] == {"d": grade}
