"""Judgments that say how they were sampled: strata beside prels, preferences and plain judgments, and in tables."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield.data.frames import as_qrels
from cranfield.data.qrels import Qrels
from cranfield.data.strings import Strings
from cranfield.errors import DataError, FormatError
from cranfield.formats import read_qrels, recognise, write_qrels
from cranfield.formats.conversion import convert
from cranfield.formats.files import open_source
from cranfield.formats.guessing import guess_kind
from cranfield.formats.validation import validate

STRATA = "q1 0 a 1 2\nq1 0 b 1 -1\nq1 0 c 2 0\nq2 0 a 1 1\n"


def named(content: str | bytes) -> Any:
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    file.name = "f"
    return file


def strata_of(qrels: Qrels) -> list[bytes]:
    assert qrels.stratum is not None
    return qrels.stratum.tolist()


def test_every_document_of_the_pool_has_a_stratum() -> None:
    qrels = read_qrels(named(STRATA))
    assert qrels.to_dict() == {"q1": {"a": 2, "b": -1, "c": 0}, "q2": {"a": 1}}
    assert strata_of(qrels) == [b"1", b"1", b"2", b"1"]
    assert qrels.inclusion.tolist() == [0.5, 0.5, 1.0, 1.0]


@pytest.mark.parametrize(
    ("content", "kind", "format"),
    [
        (STRATA, "qrels", "strata"),
        ("1 0 12 1 1\n1 0 13 2 1\n", "qrels", "strata"),  # as prels: document 0 twice
        ("# a comment\n1 0 12 1 1\n", "qrels", "strata"),
        ("q d 1 1 1\nq e 0 1 0.5\n", "qrels", "prels"),
        ("q d 1 0 1\nr d 1 0 1\n", "qrels", "prels"),
        ("q 0 1 1 0.5\nq 1 1 1 0.5\n", "qrels", "prels"),  # a document may be called 0
        ("q 0 d 1\n", "qrels", "trec"),
        ("q 0 0 12 1\nq 0 0 13 0\n", "preferences", "trec"),  # documents that are numbers
        ("q 0 0 d 1\n", "preferences", "trec"),
        ("q 7 0 12 1\nq 7 0 13 0\n", "preferences", "trec"),
        ("q Q0 d 1 -1 tag\n", "run", "trec"),
    ],
)
def test_what_has_five_fields_is_told_apart(content: str, kind: str, format: str) -> None:
    with open_source(named(content)) as source:
        guess = guess_kind(source)
        assert (guess.kind, guess.sure) == (kind, True)
        assert format == recognise(kind, source).NAME


def test_any_iteration_where_the_format_is_named() -> None:
    content = "q 7 a 1 1\nq 8 b 2 -1\n"
    assert strata_of(read_qrels(named(content), format="strata")) == [b"1", b"2"]
    content = "q 0 a 1 1\nq 0 b 2 -1\nq 8 c 2 -1\n"
    assert strata_of(read_qrels(named(content), format="strata")) == [b"1", b"2", b"2"]


def test_an_iteration_that_is_not_0_where_it_is_not_named() -> None:
    content = "q 0 a 1 1\nq 0 b 2 -1\nq 8 c 2 -1\n"
    with pytest.raises(FormatError) as error:
        read_qrels(named(content))
    assert (
        str(error.value) == "f:3: iteration '8' is not 0. If these are strata all the same, name their format: strata"
    )
    report = validate(named(content))
    assert (report.kind, report.format, report.findings[0].places) == ("qrels", "strata", (3,))
    with pytest.raises(DataError, match="this looks like preferences, not like judgments"):
        read_qrels(named("q 7 a 1 1\nq 8 b 2 -1\n"))


@pytest.mark.parametrize(
    ("content", "line", "probability"),
    [
        ("q1 a 1 1 0\nq1 b 0 0 1\n", 1, "0"),
        ("q1 a 1 1 1.5\nq1 b 1 0 1\n", 1, "1.5"),
        ("q1 a 1 1 -1\n", 1, "-1"),
        ("q1 a 1 1 high\nq1 b 1 0 1\n", 1, "high"),
        ("q1 a 1 1 0.5\nq1 b 0 0 0\n", 2, "0"),
    ],
)
def test_prels_with_an_impossible_chance_are_not_taken_for_something_else(
    content: str, line: int, probability: str
) -> None:
    reason = f"inclusion probability '{probability}' is not a number above 0 and at most 1"
    with pytest.raises(FormatError) as error:
        read_qrels(named(content))
    assert str(error.value) == f"f:{line}: {reason}"
    report = validate(named(content))
    assert (report.kind, report.format) == ("qrels", "prels")
    found = [(finding.severity, finding.places, finding.example) for finding in report.findings]
    assert ("error", (line,), reason) in found


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q 0 b 1", "f:2: expected 5 fields (query iteration document stratum grade), found 4. Is the grade missing?"),
        ("q 0 b 1 x", "f:2: grade 'x' is not a number"),
        ("q 0 b x 1", "f:2: stratum 'x' is not the number of a stratum (preferences, -R prefs, have five fields too)"),
        ("q 0 a 2 1", "f:2: document 'a' is judged twice for query 'q': grades 1 and 1 (first at line 1). Keep one of them."),
    ],
)  # fmt: skip
def test_lines_that_cannot_be_read(line: str, message: str) -> None:
    content = f"q 0 a 1 1\n{line}\nq 0 c 1 0\n"
    with pytest.raises(FormatError) as error:
        read_qrels(named(content))
    assert str(error.value) == message
    (finding,) = [finding for finding in validate(named(content)).findings if finding.severity == "error"]
    assert finding.places == (2,)


@pytest.mark.parametrize("probability", ["0", "1.5", "-0.5"])
def test_a_probability_that_is_impossible(tmp_path: Path, probability: str) -> None:
    message = f"inclusion probability {probability} is not above 0 and at most 1"
    files = {
        "csv": f"qid,docno,label,probability\nr,a,1,1\nq,a,1,{probability}\nq,b,1,0\n",
        "tsv": f"qid\tdocno\tlabel\tprobability\nr\ta\t1\t1\nq\ta\t1\t{probability}\nq\tb\t1\t0\n",
        "jsonl": '{"qid": "r", "docno": "a", "label": 1, "probability": 1}\n\n'
        f'{{"qid": "q", "docno": "a", "label": 1, "probability": {probability}}}\n'
        '{"qid": "q", "docno": "b", "label": 1, "probability": 0}\n',
    }
    for content in files.values():
        with pytest.raises(FormatError) as error:
            read_qrels(named(content))
        assert str(error.value) == f"f:3: {message}"
        (finding,) = validate(named(content), kind="qrels").findings
        assert (finding.kind, finding.places, finding.example) == ("number", (3, 4), message)
    columns = {"qid": ["r", "q"], "docno": ["a", "a"], "label": [1, 1], "probability": [1.0, float(probability)]}
    pq.write_table(pa.table(columns), tmp_path / "f")
    with pytest.raises(FormatError, match=f"row 2: {message}"):
        read_qrels(tmp_path / "f")
    for table in (
        pa.table(columns),
        [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
    ):
        with pytest.raises(FormatError, match=f"^qrels: row 2: {message}"):
            as_qrels(table)


@pytest.mark.parametrize("name", ["f.csv", "f.tsv", "f.jsonl", "f.json", "f.parquet"])
def test_tables_hold_strata(tmp_path: Path, name: str) -> None:
    (tmp_path / "strata").write_text(STRATA)
    done = convert(tmp_path / "strata", tmp_path / name)
    assert (done.input_format, done.lost, done.assumed) == ("strata", (), ())
    with open_source(tmp_path / name) as source:
        assert guess_kind(source).kind == "qrels"
    done = convert(tmp_path / name, tmp_path / "back", output_format="strata")
    assert (done.lost, done.assumed) == ((), ())
    assert (tmp_path / "back").read_text() == STRATA


def test_a_table_is_written_under_our_names(tmp_path: Path) -> None:
    write_qrels(read_qrels(named(STRATA)), tmp_path / "f.csv")
    assert (tmp_path / "f.csv").read_text().splitlines()[:3] == [
        "query_id,doc_id,relevance,stratum", "q1,a,2,1", "q1,b,-1,1",
    ]  # fmt: skip


def test_what_conversion_loses_and_assumes(tmp_path: Path) -> None:
    (tmp_path / "strata").write_text(STRATA)
    (tmp_path / "plain").write_text("q 0 a 1\n")
    (tmp_path / "prels").write_text("q a 1 1 0.5\n")
    for name, format, lost, assumed, text in (
        ("strata", "trec", ("strata",), (), "q1 0 a 2\nq1 0 b -1\nq1 0 c 0\nq2 0 a 1\n"),
        ("strata", "prels", ("strata",), ("every document was given the inclusion probability the share of its stratum that was judged",),
         "q1 a 2 1 0.5\nq1 b -1 1 0.5\nq1 c 0 1 1\nq2 a 1 1 1\n"),
        ("plain", "strata", (), ("all documents of a query are one stratum",), "q 0 a 1 1\n"),
        ("prels", "strata", ("sampling method", "inclusion probability"), ("all documents of a query are one stratum",), "q 0 a 1 1\n"),
    ):  # fmt: skip
        done = convert(tmp_path / name, tmp_path / "out", output_format=format)
        assert (done.lost, done.assumed, (tmp_path / "out").read_text()) == (lost, assumed, text)


def test_a_stratum_nobody_judged() -> None:
    content = "q 0 a 1 1\nq 0 b 2 -1\nq 0 c 2 -1\n"
    qrels = read_qrels(named(content))
    with pytest.raises(DataError) as error:
        write_qrels(qrels, "/dev/null", format="prels")
    assert str(error.value) == (
        "stratum '2' of query 'q' has no judged document: its documents had no chance of being judged, which prels cannot "
        "hold. Leave them out."
    )
    findings = {finding.kind: finding for finding in validate(named(content)).findings}
    assert findings["strata-unjudged"].places == (2,)
    assert findings["strata-unjudged"].example == "query 'q'"


def test_strata_that_are_no_numbers_need_a_table(tmp_path: Path) -> None:
    names = [Strings.from_list([text]) for text in (b"q", b"d", b"deep")]
    qrels = Qrels(names[0], names[1], np.array([1.0]), stratum=names[2])
    with pytest.raises(DataError) as error:
        write_qrels(qrels, tmp_path / "f", format="strata")
    assert str(error.value) == "stratum 'deep' is not a number. Write json, jsonl, csv, tsv or parquet instead."
    write_qrels(qrels, tmp_path / "f.csv")
    assert strata_of(read_qrels(tmp_path / "f.csv")) == [b"deep"]
