"""Validation finds everything: each kind of problem, how often, and where."""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.qrels import Qrels
from cranfield.formats import read_qrels, read_run
from cranfield.formats.validation import validate
from cranfield.formats.validation.findings import TITLES, Findings, Validation
from cranfield.formats.validation.topics import find_alike


def named(content: str | bytes) -> Any:
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    file.name = "f"
    return file


def found(report: Validation) -> dict[str, tuple[str, int, tuple[int, ...]]]:
    return {finding.kind: (finding.severity, finding.count, finding.places) for finding in report.findings}


def example(report: Validation, kind: str) -> str:
    (finding,) = [finding for finding in report.findings if finding.kind == kind]
    return finding.example


def test_a_run_without_fault() -> None:
    report = validate(named("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 a 1 1 t\n"))
    assert (report.kind, report.format, report.records, report.queries) == ("run", "trec", 3, 2)
    assert report.findings == ()
    assert report.facts == {"tags": ["t"]}


def test_everything_that_can_be_wrong_with_the_lines_of_a_run() -> None:
    report = validate(
        named(
            "q1 Q0 a 1 9 t\n"
            "q1 Q0 b 2\n"
            "q1 Q0 c 3 high t\n"
            "q1 Q0 d 4 nan t\n"
            "q1 Q0 a 5 5 t\n"
            "nothing\n"
            "q1 Q0 e\0 1 1 t\n"
            "q1 Q0 f 6 4 t\n"
            "q1 Q0 a 7 3 t\n"
        )
    )
    assert found(report) == {
        "fields": ("error", 2, (2, 6)),
        "nul": ("error", 1, (7,)),
        "number": ("error", 2, (3, 4)),
        "duplicate": ("error", 2, (5, 9)),
    }
    assert (report.errors, report.warnings, report.records) == (4, 0, 4)
    assert example(report, "fields") == "expected 6 fields (query Q0 document rank score tag), found 4."
    assert example(report, "number") == "score 'high' is not a finite number"
    assert example(report, "duplicate") == "query 'q1': the same document as at line 1"


def test_everything_worth_knowing_about_a_run() -> None:
    report = validate(
        named(
            "\ufeff# a comment\r\n"
            "q1 Q0 a 0 5 t extra words\r\n"
            "q1 Q0 b 1 5 t\r\n"
            "q2 Q0 a 1 1 u\r\n"
            "q1 Q0 c 3 7 t\r\n"
            "q1 Q0 d x 1.00000001 t\r\n"
            "q1 Q0 e 9 1 t\r\n"
        )
    )
    assert found(report) == {
        "bom": ("warning", 1, (1,)),
        "crlf": ("warning", 7, (1, 2, 3, 4, 5, 6, 7)),
        "comments": ("warning", 1, (1,)),
        "trailing": ("warning", 1, (2,)),
        "tags": ("warning", 2, (2, 4)),
        "rank-number": ("warning", 1, (6,)),
        "rank-start": ("warning", 1, (2,)),
        "rank-order": ("warning", 1, (5,)),
        "ties": ("warning", 2, (2, 3)),
        "ties-single": ("warning", 2, (6, 7)),
        "order": ("warning", 1, (5,)),
        "unsorted": ("warning", 1, (5,)),
    }
    assert (report.errors, report.warnings) == (0, 12)
    assert example(report, "rank-start") == "query 'q1' starts at rank 0"
    assert example(report, "rank-order") == "rank 3 has score 7, above the 5 of rank 1"
    assert example(report, "tags") == "'t', 'u'"
    assert example(report, "order") == "query 'q1'"


def test_everything_about_judgments() -> None:
    report = validate(named("q1 0 a 1\nq1 1 a 0\nq1 0 b -1\nq2 0 a 0\nq1 0 a 2\nq1 0 c x\nq1 0 c\nq3 0 a 0.5\n"))
    assert found(report) == {
        "fields": ("error", 1, (7,)),
        "number": ("error", 1, (6,)),
        "duplicate": ("error", 1, (5,)),
        "order": ("warning", 1, (5,)),
        "negative-grades": ("warning", 1, (3,)),
        "fractions": ("warning", 1, (8,)),
        "no-relevant": ("warning", 1, ()),
        "iterations": ("warning", 2, ()),
        "judged-more": ("warning", 1, (2,)),
    }
    assert example(report, "iterations") == "'0' (5), '1' (1)"
    assert example(report, "no-relevant") == "'q2'"
    assert report.facts == {"grades": {"-1": 1, "0": 2, "0.5": 1, "1": 1, "2": 1}}


def test_preferences_that_contradict_each_other() -> None:
    lines = ["q g 1 a 2", "q g 1 b 1", "q g 2 b 2", "q g 2 c 1", "q g 3 c 2", "q g 3 a 1", "q h 1 a 1", "q h 1 a 2"]
    report = validate(named("\n".join(lines)), kind="preferences")
    assert found(report) == {"duplicate": ("error", 1, (8,)), "contradiction": ("error", 1, ())}
    circle = example(report, "contradiction").removeprefix("query 'q', group 'g': ").split(" above ")
    assert circle[0] == circle[-1]
    better = {("a", "b"), ("b", "c"), ("c", "a")}
    assert set(pairwise(circle)) == better
    assert report.facts == {"groups": 2}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"qid": "q", "docno": "d", "label": 1}\nx\n{"qid": 1.5, "docno": "d", "label": 1}\n{"qid": "q"}\n{"qid": "q", "docno": "e", "label": "1"}\n{"qid": "q", "docno": "d", "label": 0}\n',
         {"json": (1, (2,)), "identifier": (1, (3,)), "missing": (1, (4,)), "number": (1, (5,)), "duplicate": (1, (6,))}),
        ('qid,docno,label\nq,d,1\nq,e\nq,,1\nq,f,x\nq,"d",0\n',
         {"fields": (1, (3,)), "missing": (1, (4,)), "number": (1, (5,)), "duplicate": (1, (6,))}),
        ('{"q": {"d": 1, "d": 2, "e": "x", "f": null}, "r": 3}',
         {"json": (1, (5,)), "number": (2, (3, 4)), "duplicate": (1, (2,))}),
        ("q a 1 0 0.5\nq b 1 0 2\nq c 1 x 1\nq a 0 0 1\n", {"number": (2, (2, 3)), "duplicate": (1, (4,))}),
    ],
)  # fmt: skip
def test_other_formats(content: str, expected: dict[str, tuple[int, tuple[int, ...]]]) -> None:
    report = validate(named(content), kind="qrels")
    errors = {
        finding.kind: (finding.count, finding.places) for finding in report.findings if finding.severity == "error"
    }
    assert errors == expected


def test_parquet(tmp_path: Path) -> None:
    columns = {
        "qid": ["q", "q", None, "q", ""],
        "docno": ["a", "b", "c", "a", "d"],
        "score": [1, float("nan"), 2, 3, 4],
    }
    pq.write_table(pa.table(columns), tmp_path / "f")
    report = validate(tmp_path / "f")
    assert (report.kind, report.format, report.unit, report.records) == ("run", "parquet", "row", 2)
    assert found(report) == {
        "missing": ("error", 2, (3, 5)),
        "number": ("error", 1, (2,)),
        "duplicate": ("error", 1, (4,)),
        "unsorted": ("warning", 1, (4,)),
    }


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"\x7fELF\0\1\2", "this is not a text file, and no known binary format"),
        (gzip.compress(b"q Q0 d 1 1 t\n" * 5000, mtime=0)[:-20], "the compressed data is damaged or ends early"),
        (gzip.compress(b"q Q0 d 1 1 t\n", mtime=0)[:12], "the compressed data is damaged or ends early"),
        (b'{"q": {"d": 1', "line 1: this is not valid JSON: Expecting ',' delimiter"),
        (b"qid,docno,text\nq,d,t\n", "no column for the score; it has qid, docno, text. Give it one named score."),
        (b"one\ntwo\n", "this is neither qrels nor a run nor preferences in any format known here"),
        (b"q Q0 d 1 1 t\rq Q0 e 2 2 t", "its lines end in CR alone"),
        (b"q Q0 d 1 1\n", "line 1: expected 6 fields (query Q0 document rank score tag), found 5. Is the tag missing?"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_used(content: bytes, reason: str) -> None:
    report = validate(named(content))
    assert example(report, "file").startswith(reason)
    assert report.name == "f"
    assert report.errors >= 1


def test_a_run_and_judgments_that_meet() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0, "c": -1}, "2": {"a": 1}, "3": {"a": 1}})
    lines = [f"1 Q0 {document} 1 {20 - at} t" for at, document in enumerate("abcdefghijkl")]
    report = validate(named("\n".join([*lines, "2 Q0 x 1 1 t", "9 Q0 a 1 1 t"])), qrels=qrels)
    assert found(report) == {
        "topics-missing": ("error", 1, ()),
        "topics-unjudged": ("warning", 1, ()),
    }
    assert example(report, "topics-missing") == "'3'"
    assert example(report, "topics-unjudged") == "'9'"
    # By hand: ten documents of topic 1 and one of topic 2 are shown, of which a and b are judged (-1 means not).
    assert report.facts == {"tags": ["t"], "topics_judged": 3, "topics_found": 2, "top_10": 11, "top_10_judged": 2}


def test_the_first_ten_are_those_with_the_best_scores_wherever_they_stand() -> None:
    qrels = Qrels.from_dict({"q": {f"d{at:03}": 1 for at in range(0, 300, 2)}})
    scores = {f"d{at:03}": at * 7919 % 300 for at in range(300)}
    lines = [f"q Q0 {document} 0 {score} t\nr Q0 {document} 0 1 t\n" for document, score in scores.items()]
    expected = sum(int(d[1:]) % 2 == 0 for d in sorted(scores, key=scores.__getitem__, reverse=True)[:10])
    assert validate(named("".join(lines)), qrels=qrels).facts["top_10_judged"] == expected


@pytest.mark.parametrize(
    ("run_topics", "judged_topics", "way"),
    [
        (["001", "002"], ["1", "2"], "'001' in the run and '1' in the judgments differ in leading zeros"),
        (["q1", "q2"], ["Q1", "Q2"], "'q1' in the run and 'Q1' in the judgments differ in upper and lower case"),
        (["1.0", "2.0"], ["1", "2"], "'1.0' in the run and '1' in the judgments differ in a decimal point"),
        (["MB001", "MB2"], ["1", "2"], "'MB001' in the run and '1' in the judgments differ in a prefix"),
        (["a.txt", "b.txt"], ["a", "b"], "'a.txt' in the run and 'a' in the judgments differ in an ending"),
    ],
)
def test_topics_that_were_written_differently(run_topics: list[str], judged_topics: list[str], way: str) -> None:
    qrels = Qrels.from_dict({topic: {"d": 1} for topic in judged_topics})
    report = validate(named("".join(f"{topic} Q0 d 1 1 t\n" for topic in run_topics)), qrels=qrels)
    assert found(report) == {"topics-apart": ("error", 1, ()), "topics-alike": ("error", 2, ())}
    assert example(report, "topics-alike") == way


def test_documents_that_were_written_differently() -> None:
    qrels = Qrels.from_dict({"1": {"DOC-1": 1, "DOC-2": 0}})
    report = validate(named("1 Q0 doc-1 1 2 t\n1 Q0 doc-2 2 1 t\n"), qrels=qrels)
    assert found(report) == {"documents-alike": ("error", 2, ()), "documents-apart": ("warning", 1, ())}
    unlike = validate(named("1 Q0 something 1 2 t\n"), qrels=qrels)
    assert found(unlike) == {"documents-apart": ("warning", 1, ())}


def test_identifiers_that_are_simply_different() -> None:
    assert find_alike({"a", "b"}, {"c"}) is None
    assert find_alike({"1", "01"}, {"1"}) is None  # 1 is there already, so 01 is another one


lines_of_runs = st.lists(
    st.tuples(st.sampled_from(["q1", "q2", "q3"]), st.sampled_from("abcdefgh"), st.integers(1, 9), st.integers(0, 4)),
    min_size=1,
    max_size=40,
)


@given(lines_of_runs)
def test_counts_against_a_simple_count(rows: list[tuple[str, str, int, int]]) -> None:
    report = validate(named("".join(f"{q} Q0 {d} {rank} {score} t\n" for q, d, rank, score in rows)))
    kinds = found(report)

    def count(kind: str) -> int:
        return kinds.get(kind, ("", 0, ()))[1]

    assert count("duplicate") == len(rows) - len({row[:2] for row in rows})
    scores = Counter((q, score) for q, _, _, score in rows)
    assert count("ties") == sum(number for number in scores.values() if number > 1)
    heads = [q for at, (q, *_) in enumerate(rows) if at == 0 or rows[at - 1][0] != q]
    assert count("order") == len(heads) - len(set(heads))
    start: dict[str, int] = {}
    for q, _, rank, _ in rows:
        start[q] = min(rank, start.get(q, rank))
    assert count("rank-start") == sum(rank != 1 for rank in start.values())
    rising = 0
    for query in start:
        of_query = [score for q, _, _, score in rows if q == query]
        rising += sum(after > before for before, after in pairwise(of_query))
    assert count("unsorted") == rising
    # What validation lets pass can be read, and what it does not cannot.
    if report.errors:
        with pytest.raises(Exception, match="returned twice"):
            read_run(named("".join(f"{q} Q0 {d} {rank} {score} t\n" for q, d, rank, score in rows)))
    else:
        assert len(read_run(named("".join(f"{q} Q0 {d} {rank} {score} t\n" for q, d, rank, score in rows)))) == len(
            rows
        )


@given(st.lists(st.sampled_from(["q1 0 a 1", "q1 0 b 0", "q1 s b 0", "q2 0 a", "q2 0 c x", "# c", "", "q3 0 a 2 9"])))
def test_judgments_pass_exactly_if_they_can_be_read(lines: list[str]) -> None:
    content = "q0 0 a 1\n" + "".join(f"{line}\n" for line in lines)
    report = validate(named(content), kind="qrels", format="trec")
    try:
        qrels = read_qrels(named(content), format="trec")
    except Exception:
        assert report.errors
    else:
        assert not report.errors
        assert report.records == len(qrels)


def test_json_of_a_report() -> None:
    report = validate(named("q Q0 a 1 1 t\nq Q0 a 2 1\n"))
    content = json.loads(json.dumps(report.to_dict()))
    assert content == {
        "valid": False,
        "name": "f",
        "kind": "run",
        "format": "trec",
        "unit": "line",
        "records": 1,
        "queries": 1,
        "findings": [
            {
                "severity": "error",
                "kind": "fields",
                "count": 1,
                "places": [2],
                "example": "expected 6 fields (query Q0 document rank score tag), found 5. Is the tag missing?",
                "title": "too few or too many fields",
            }
        ],
        "facts": {"tags": ["t"]},
    }


def test_every_kind_of_finding_has_a_title() -> None:
    findings = Findings()
    for kind in TITLES:
        findings.add("warning", kind, 1, [1])
    assert [finding.kind for finding in findings.result()] == list(TITLES)
