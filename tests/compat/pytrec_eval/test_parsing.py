"""Runs and judgments from every kind of lines."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval as original

from cranfield.compat import pytrec_eval
from cranfield.compat.pytrec_eval.held import Unread
from cranfield.errors import CranfieldError, FormatError

TEXT = "q2 Q0 d1 1 0.5 t\nq2 Q0 d2 2 .25 t\nq1\tQ0  d1 1 -1e-3 t\n"
RUN = {"q2": {"d1": 0.5, "d2": 0.25}, "q1": {"d1": -0.001}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "some.run"
    path.write_text(TEXT)
    return path


def read_in_columns(run: Any) -> bool:
    return all(type(documents) is Unread for documents in run.values())


@pytest.mark.parametrize(
    "lines",
    [
        TEXT.splitlines(),
        TEXT.splitlines(keepends=True),
        tuple(TEXT.splitlines()),
        io.StringIO(TEXT),
        io.BytesIO(TEXT.encode()),
        [line.encode() for line in TEXT.splitlines()],
        TEXT.replace("\n", "\r\n").splitlines(keepends=True),
    ],
    ids=["list", "ends kept", "tuple", "text", "bytes", "lines of bytes", "carriage returns"],
)
def test_lines_of_all_kinds(lines: Iterable[str]) -> None:
    run = pytrec_eval.parse_run(lines)
    assert read_in_columns(run)
    assert run == RUN


def test_a_generator() -> None:
    assert pytrec_eval.parse_run(line for line in TEXT.splitlines()) == RUN


def test_files(path: Path, tmp_path: Path) -> None:
    packed = tmp_path / "some.run.gz"
    packed.write_bytes(gzip.compress(TEXT.encode()))
    latin = tmp_path / "latin.run"
    latin.write_bytes("q1 Q0 café 1 1 t\n".encode("latin-1"))
    marked = tmp_path / "marked.run"
    marked.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    with path.open() as text, path.open("rb") as binary, gzip.open(packed, "rt") as unpacked, packed.open() as as_it_is:
        for file in (text, binary, unpacked, as_it_is):
            run = pytrec_eval.parse_run(file)
            assert read_in_columns(run)
            assert run == RUN
        assert text.read() == ""
    with latin.open(encoding="latin-1") as file, marked.open() as with_mark:
        assert pytrec_eval.parse_run(file) == {"q1": {"café": 1.0}}
        assert pytrec_eval.parse_run(with_mark) == RUN


def test_a_file_of_which_some_was_read(path: Path) -> None:
    rest = {"q2": {"d2": 0.25}, "q1": {"d1": -0.001}}
    with path.open() as file:
        file.readline()
        assert pytrec_eval.parse_run(file) == rest
    with path.open() as file:
        next(file)
        assert pytrec_eval.parse_run(file) == rest


def test_a_file_may_go_or_change_afterwards(path: Path) -> None:
    with path.open() as file:
        run = pytrec_eval.parse_run(file)
    path.write_text("q1 Q0 other 1 1 t\n" * 3)
    path.unlink()
    assert run == RUN


def test_queries_whose_lines_do_not_stand_together() -> None:
    lines = ["q1 Q0 a 1 1 t", "q2 Q0 a 1 2 t", "q1 Q0 b 1 3 t", "q2 Q0 c 1 4 t", "q1 Q0 c 1 5 t"]
    run = pytrec_eval.parse_run(lines)
    assert read_in_columns(run)
    assert [(q, list(d.items())) for q, d in run.items()] == [
        (q, list(d.items())) for q, d in original.parse_run(lines).items()
    ]


@pytest.mark.parametrize("lines", [[], [""], ["\n", "  \n"], io.StringIO("")])
def test_nothing(lines: Iterable[str]) -> None:
    assert pytrec_eval.parse_run(lines) == {}
    assert pytrec_eval.parse_qrel(lines) == {}


@pytest.mark.parametrize("score", ["inf", "-inf", "1e400", "1_000.5", "+1", "0x1p3", "nan", "٣"])
def test_scores_are_what_float_says(score: str) -> None:
    line = f"q1 Q0 d1 1 {score} t"
    if score == "0x1p3":
        with pytest.raises(ValueError, match=r"^f_run:1: score '0x1p3' is not a number$"):
            pytrec_eval.parse_run([line])
        return
    ours, theirs = (module.parse_run([line])["q1"]["d1"] for module in (pytrec_eval, original))
    assert repr(ours) == repr(theirs)


@pytest.mark.parametrize(
    ("grade", "expected"), [("2", 2), ("-1", -1), ("0.5", 0.5), ("2.0", 2), ("1e1", 10), ("1_0", 10)]
)
def test_grades_are_whole_where_they_can_be(grade: str, expected: float) -> None:
    found = pytrec_eval.parse_qrel([f"q1 0 d1 {grade}"])["q1"]["d1"]
    assert found == expected
    assert type(found) is type(expected)


def test_a_line_that_begins_with_a_hash_is_a_line() -> None:
    lines = ["#q1 Q0 d1 1 0.5 t", "q2 Q0 d1 1 0.5 t"]
    assert pytrec_eval.parse_run(lines) == original.parse_run(lines) == {"#q1": {"d1": 0.5}, "q2": {"d1": 0.5}}
    with pytest.raises(ValueError, match="f_run:1: expected 6 fields"):
        pytrec_eval.parse_run(["# a comment", "q2 Q0 d1 1 0.5 t"])


WRONG: list[tuple[str, type[Exception], str]] = [
    (
        "q1 Q0 d1 1 0.5",
        ValueError,
        "expected 6 fields (query Q0 document rank score tag), found 5. Is the tag missing?",
    ),
    ("q1 Q0 d1 1 0.5 t x", ValueError, "expected 6 fields (query Q0 document rank score tag), found 7."),
    ("q1 Q0 d3 1 high t", ValueError, "score 'high' is not a number"),
    ("q1 Q0 d1 1 0.4 t", AssertionError, "document 'd1' is returned twice for query 'q1'. Keep one of the lines."),
]


@pytest.mark.parametrize(("line", "error", "message"), WRONG)
def test_a_line_that_is_wrong(line: str, error: type[Exception], message: str, tmp_path: Path) -> None:
    # The same exceptions as pytrec_eval's, and where it is and what it is.
    lines = ["q1 Q0 d1 1 0.5 t", "q1 Q0 d2 1 0.5 t", line]
    path = tmp_path / "bad.run"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(error):
        original.parse_run(lines)
    for given, name in ((lines, "f_run"), (path.open(), str(path))):
        with pytest.raises(error) as raised:
            pytrec_eval.parse_run(given)
        assert str(raised.value) == f"{name}:3: {message}"
        assert isinstance(raised.value, FormatError)
        if isinstance(given, io.IOBase):
            given.close()


def test_judgments_that_are_wrong() -> None:
    with pytest.raises(ValueError, match=r"^f_qrel:2: expected 4 fields \(query iteration document grade\), found 3\."):
        pytrec_eval.parse_qrel(["q1 0 d1 1", "q1 0 d2"])
    with pytest.raises(ValueError, match=r"^f_qrel:1: grade 'high' is not a number$"):
        pytrec_eval.parse_qrel(["q1 0 d1 high"])
    with pytest.raises(AssertionError, match=r"^f_qrel:2: document 'd1' is judged twice for query 'q1'\."):
        pytrec_eval.parse_qrel(["q1 0 d1 1", "q1 0 d1 1"])


def test_what_is_not_lines() -> None:
    with pytest.raises(
        ValueError, match=r"f_run is a text, not an open file or a list of lines\. Open the file: open\('a\.run'\)"
    ):
        pytrec_eval.parse_run("a.run")
    with pytest.raises(TypeError, match="f_qrel is NoneType, not an open file"):
        pytrec_eval.parse_qrel(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="line 2 is int 3, not text"):
        pytrec_eval.parse_run(["q1 Q0 d1 1 0.5 t", 3])  # type: ignore[arg-type]
    with pytest.raises(CranfieldError):
        pytrec_eval.parse_run("a.run")
