"""TREC's own files: judgments, runs and preferences, and MS MARCO and prels beside them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import DataError, FormatError
from cranfield.formats import read_preferences, read_qrels, read_run, write_qrels, write_run


def named(content: bytes | str, name: str = "f") -> Any:
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    file.name = name
    return file


# Judgments


def test_judgments_however_they_are_laid_out() -> None:
    content = b"\xef\xbb\xbf# a comment\r\n\r\nq1\t0\td#1  2\r\n  # another\r\nq1 0  caf\xe9 \t-1\r\nq2 0 d 0.25"
    assert list(read_qrels(named(content)).rows()) == [
        ("q1", "0", "d#1", 2),
        ("q1", "0", "caf\udce9", -1),
        ("q2", "0", "d", 0.25),
    ]


@pytest.mark.parametrize("grade", ["-128", "-1", "0", "9007199254740993", "1e300", "+2", "0.5"])
def test_grades(grade: str) -> None:
    assert read_qrels(named(f"q 0 d {grade}\n"))["q"] == {"d": float(grade)}


def test_one_document_judged_by_several_assessors() -> None:
    qrels = read_qrels(named("q ann d 1\nq bob d 0\n"))
    assert qrels.iteration_ids == [b"ann", b"bob"]
    assert qrels.of_iteration(b"bob")["q"] == {"d": 0}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q 0 d", "f:2: expected 4 fields (query iteration document grade), found 3. Is the grade missing?"),
        ("q 0 d 1 x", "f:2: expected 4 fields (query iteration document grade), found 5."),
        ("q 0 d x", "f:2: grade 'x' is not a number"),
        ("q 0 d nan", "f:2: grade 'nan' is not a number"),
        ("q 0 d 1e999", "f:2: grade '1e999' is not a number"),
        ("q 0 d\0 1", "f:2: a NUL byte: this does not look like a text file"),
        (
            "q 0 first 3",
            "f:2: document 'first' is judged twice for query 'q': grades 1 and 3 (first at line 1). Keep one of them.",
        ),
    ],
)
def test_judgments_that_cannot_be_read(line: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read_qrels(named(f"q 0 first 1\n{line}\nq 0 last 1\n"))
    assert str(error.value) == message


def test_only_comments() -> None:
    with pytest.raises(DataError) as error:
        read_qrels(named("# nothing\n"), format="trec")
    assert str(error.value) == "f: the file has no records"


# Runs


def test_runs_however_they_are_laid_out() -> None:
    content = b"# c\nq1 Q0 a#b 1 0.5 tag more text\r\nq1\tQ0\tc\t7\t1e-3\ttag\n\nq1  BM25  d  0  -2  last"
    run = read_run(named(content))
    assert run.to_dict() == {"q1": {"a#b": 0.5, "c": 0.001, "d": -2.0}}
    assert run.tag == "last"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q Q0 d 1 2", "f:2: expected 6 fields (query Q0 document rank score tag), found 5. Is the tag missing?"),
        ("q Q0 d", "f:2: expected 6 fields (query Q0 document rank score tag), found 3."),
        ("q Q0 d 1 x t", "f:2: score 'x' is not a finite number"),
        ("q Q0 d 1 NaN t", "f:2: score 'NaN' is not a finite number"),
        ("q Q0 d 1 -inf t", "f:2: score '-inf' is not a finite number"),
        ("q Q0 first 9 9 t", "f:2: document 'first' is returned twice for query 'q' (first at line 1). Keep one of them."),
    ],
)  # fmt: skip
def test_runs_that_cannot_be_read(line: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read_run(named(f"q Q0 first 1 3 t\n{line}\nq Q0 last 3 1 t\n"))
    assert str(error.value) == message


def test_a_duplicate_megabytes_away() -> None:
    lines = [f"q{at % 50} Q0 document-{at} {at} {1 / (at + 1)!r} tag\n" for at in range(60000)]
    content = "".join([*lines, lines[7]])
    assert len(content) > 2 << 20
    with pytest.raises(FormatError) as error:
        read_run(named(content))
    assert str(error.value) == (
        "f:60001: document 'document-7' is returned twice for query 'q7' (first at line 8). Keep one of them."
    )


def test_an_error_far_into_the_file_has_the_right_line() -> None:
    lines = [f"q Q0 document-{at} {at} {1 / (at + 1)!r} tag\n" for at in range(60000)]
    lines[50000] = "q Q0 document 1 high tag\n"
    with pytest.raises(FormatError, match=r"^f:50001: score 'high' is not a finite number$"):
        read_run(named("".join(lines)))


def test_identifiers_with_white_space_cannot_be_written(tmp_path: Any) -> None:
    path = tmp_path / "old"
    path.write_text("old")
    for run, message in (
        ({"q": {"a b": 1}}, "document 'a b' holds white space, so it cannot be written as a TREC run. Write json, jsonl, csv, tsv or parquet instead."),
        ({"q\x85 ": {"d": 1}}, "query 'q\\x85 ' holds white space, so it cannot be written as a TREC run. Write json, jsonl, csv, tsv or parquet instead."),
        ({"#1": {"d": 1}}, "query '#1' cannot be written as a TREC run: the line would be read as a comment. Write json, jsonl, csv, tsv or parquet instead."),
        ({"q": {"": 1}}, "run: there is an empty document, which no file can hold"),
    ):  # fmt: skip
        with pytest.raises(DataError) as error:
            write_run(Run.from_dict(run), path, format="trec")
        assert str(error.value) == message
    assert path.read_text() == "old"


def test_what_is_written(tmp_path: Any) -> None:
    run = Run.from_dict({"q1": {"a": 0.1, "b": 2}, "q0": {"c": -1e-9}}, tag="my tag\n")
    write_run(run, tmp_path / "run")
    assert (tmp_path / "run").read_text() == ("q0 Q0 c 1 -1e-09 my_tag\nq1 Q0 b 1 2.0 my_tag\nq1 Q0 a 2 0.1 my_tag\n")
    write_run(run, tmp_path / "run", format="msmarco")
    assert (tmp_path / "run").read_text() == "q0\tc\t1\nq1\tb\t1\nq1\ta\t2\n"
    write_qrels(Qrels.from_tuples([("q", "x", "d", 1.5), ("q", "y", "d", -1)]), tmp_path / "qrels")
    assert (tmp_path / "qrels").read_text() == "q x d 1.5\nq y d -1\n"


# MS MARCO


def test_ms_marco_ranks_become_scores() -> None:
    assert read_run(named("q\tb\t2\nq\ta\t1\n"))["q"] == {"a": -1.0, "b": -2.0}


@pytest.mark.parametrize("rank", ["0.5", "-1", "x", "nan"])
def test_ms_marco_ranks_are_whole(rank: str) -> None:
    with pytest.raises(FormatError) as error:
        read_run(named(f"q a 1\nq b {rank}\n"))
    assert str(error.value) == f"f:2: rank {rank!r} is not a whole number counted up from 0 or 1"


# prels


def test_prels() -> None:
    qrels = read_qrels(named("q b 1 2 0.125\nq a 0 0 1\n"))
    assert qrels["q"] == {"b": 1, "a": 0}
    assert qrels.probability is not None
    assert qrels.method is not None
    assert (qrels.probability.tolist(), qrels.method.tolist()) == ([0.125, 1.0], [b"2", b"0"])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q b x 1 1", "f:2: grade 'x' is not a number"),
        ("q b 1 1 0", "f:2: inclusion probability '0' is not a number above 0 and at most 1"),
        ("q b 1 1 1.5", "f:2: inclusion probability '1.5' is not a number above 0 and at most 1"),
        ("q b 1 1 x", "f:2: inclusion probability 'x' is not a number above 0 and at most 1"),
        ("q b 1 m 1", "f:2: method 'm' is not the number of a method (preferences, -R prefs, have five fields too)"),
    ],
)
def test_prels_that_cannot_be_read(line: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read_qrels(named(f"q a 1 0 1\n{line}\n"))
    assert str(error.value) == message


def test_subtopics_cannot_become_prels_or_beir(tmp_path: Any) -> None:
    qrels = Qrels.from_tuples([("q", "s1", "d", 1), ("q", "s2", "d", 1)])
    for format, name in (("prels", "prels"), ("beir", "BEIR")):
        with pytest.raises(DataError) as error:
            write_qrels(qrels, tmp_path / "x", format=format)
        assert str(error.value) == (
            "document 'd' of query 'q' is judged more than once, by several assessors or for several subtopics: "
            f"{name} cannot hold that, trec, json, jsonl, csv and parquet can."
        )
    assert not list(tmp_path.iterdir())


# Preferences


def test_preferences() -> None:
    preferences = read_preferences(named("# c\nq1  F:a,b 0 d1\t5.5\nq1  F:a,b 0 d2 0\n"))
    assert list(preferences.rows()) == [("q1", "F:a,b", "0", "d1", 5.5), ("q1", "F:a,b", "0", "d2", 0)]


def test_each_pair_is_a_group_of_its_own() -> None:
    preferences = read_preferences(named("q1 a b b\nq2 a c a\nq1 b a a\n"))
    assert list(preferences.rows()) == [
        ("q1", "1", "0", "a", 0),
        ("q1", "1", "0", "b", 1),
        ("q1", "2", "0", "b", 0),
        ("q1", "2", "0", "a", 1),
        ("q2", "1", "0", "a", 1),
        ("q2", "1", "0", "c", 0),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q g 0 d 1\nq g 0 e x\n", "f:2: level 'x' is not a number"),
        (
            "q g 0 d 1\nq g 0 d 2\n",
            "f:2: document 'd' stands twice in group 'g', subgroup '0' of query 'q' (first at line 1). Keep one of them.",
        ),
        ("q a b a\nq a b c\n", "f:2: 'c' is preferred, but the two documents are 'a' and 'b'"),
        ("q a b a\nq a a a\n", "f:2: document 'a' is compared with itself"),
    ],
)
def test_preferences_that_cannot_be_read(content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read_preferences(named(content))
    assert str(error.value) == message


def test_queries_in_an_order_of_their_own(tmp_path: Path) -> None:
    run = Run.from_dict({"1": {"a": 0.1, "b": 0.7}, "10": {"c": 1 / 3}, "9": {"d": 2.0}})
    write_run(run, tmp_path / "run", queries=["9", "1", "10"])
    assert (tmp_path / "run").read_text() == (
        "9 Q0 d 1 2.0 run\n1 Q0 b 1 0.7 run\n1 Q0 a 2 0.1 run\n10 Q0 c 1 0.3333333333333333 run\n"
    )
    write_run(run, tmp_path / "run.jsonl", queries=["9", "1", "10"])
    assert read_run(tmp_path / "run.jsonl").to_dict() == run.to_dict()
