"""The lines of a single query, found without reading the others."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cranfield.errors import DataError
from cranfield.formats import one_query, read_preferences, read_qrels, read_run, write_qrels
from cranfield.formats.one_query import of_query, read_query

RUN = b"""# a comment
q1 Q0 d1 1 9 tag
q10 Q0 d1 1 9 tag
  q1\tQ0   d2 2 8 tag more fields
q2 Q0 q1 1 9 q1
#q1 Q0 d9 1 99 tag

\tq1 Q0 d3 3 7 tag\r
q Q0 d1 1 9 tag
q1 Q0 d4 4 6 tag"""


def content(thing: Any) -> Any:
    """What there is, whatever it is called."""
    return None if thing is None else [sorted(column.tolist()) for column in thing.to_columns().ids.values()]


@pytest.mark.parametrize("packed", [False, True])
def test_lines_wherever_they_stand(tmp_path: Path, packed: bool) -> None:
    file = tmp_path / "run.txt"
    file.write_bytes(gzip.compress(RUN) if packed else RUN)
    assert read_query("run", file, b"q1").to_dict() == {"q1": {"d1": 9, "d2": 8, "d3": 7, "d4": 6}}
    assert read_query("run", file, b"q2").to_dict() == {"q2": {"q1": 9}}
    assert read_query("run", file, b"q").to_dict() == {"q": {"d1": 9}}
    for absent in (b"q3", b"Q0", b"#q1", b"#", b"d1", b"", b"q1 Q0"):
        assert read_query("run", file, absent) is None


IDS = st.sampled_from([b"1", b"10", b"101", b"q", b"q-1", b"\xff"])
BLANKS = st.sampled_from([b" ", b"\t", b"  ", b" \t ", b"\x0b"])


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """A run in which every document is returned once, lines of a query anywhere, white space of all sorts."""
    ids = draw(st.lists(IDS, min_size=1, max_size=30))
    text = [b"1 Q0 first 1 1 tag"]
    for number, query in enumerate(ids):
        fields = [query, b"Q0", b"d%d" % number, b"1", b"%d" % draw(st.integers(0, 5)), b"tag"]
        before = draw(st.sampled_from([b"", b"", b" ", b"\t\t"]))
        text.append(before + draw(BLANKS).join(fields))
        text += draw(st.sampled_from([[], [], [b""], [b"# 1 Q0 x 1 1 tag"], [b"   "]]))
    return draw(st.sampled_from([b"\n", b"\r\n"])).join(text) + draw(st.sampled_from([b"", b"\n"]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=lines(), block=st.sampled_from([16, 64, 1 << 20]))
def test_it_is_what_reading_all_of_it_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: bytes, block: int
) -> None:
    file = tmp_path / "run.txt"
    file.write_bytes(text)
    monkeypatch.setattr(one_query, "BLOCK", block)
    whole = read_run(file)
    for query in (*whole.query_ids, b"nowhere"):
        found, expected = read_query("run", file, query), of_query(whole, query)
        assert (found is None) == (expected is None)
        assert found is None or found.to_dict() == expected.to_dict()


def test_other_formats(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_bytes(b"q1 0 d1 2\nq2 0 d1 1\nq1 0 d2 0\n")
    whole = read_qrels(qrels)
    assert read_query("qrels", qrels, b"q1").to_dict() == {"q1": {"d1": 2, "d2": 0}}
    for name in ("qrels.json", "qrels.jsonl", "qrels.csv", "qrels.tsv"):
        write_qrels(whole, tmp_path / name)
        assert read_query("qrels", tmp_path / name, b"q1").to_dict() == {"q1": {"d1": 2, "d2": 0}}
        assert read_query("qrels", tmp_path / name, b"q9") is None
    preferences = tmp_path / "preferences.txt"
    preferences.write_bytes(b"q1 1 0 d1 2\nq2 1 0 d2 1\nq1 1 0 d2 1\n")
    found = read_query("preferences", preferences, b"q1")
    assert content(found) == content(read_preferences(preferences).of_query(b"q1"))
    assert list(found.rows()) == [("q1", "1", "0", "d1", 2), ("q1", "1", "0", "d2", 1)]


def test_a_mark_at_the_beginning(tmp_path: Path) -> None:
    file = tmp_path / "run.txt"
    file.write_bytes(b"\xef\xbb\xbfq1 Q0 d1 1 9 tag\n")
    assert read_query("run", file, b"q1").to_dict() == {"q1": {"d1": 9}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            b"q1 Q0 d1 1 9 tag\nq2 Q0 d1 1 9 tag\nq2 Q0 d2 1 nine tag\n",
            "run.txt:3: score 'nine' is not a finite number",
        ),
        (b"q1 Q0 d1 1 9 tag\nq2 Q0 d1 1 9 tag\nq2 Q0 d2 1 9\n", "run.txt:3: expected 6 fields"),
        (b"q1 Q0 d1 1 9 t\nq2 Q0 d1 1 9 t\nq2 Q0 d1 1 8 t\n", "run.txt:3: document 'd1' is returned twice"),
        (b"", "run.txt: the file is empty"),
    ],
)
def test_mistakes_are_said_with_the_line_of_the_file(tmp_path: Path, text: bytes, message: str) -> None:
    file = tmp_path / "run.txt"
    file.write_bytes(text)
    with pytest.raises(DataError, match=re.escape(message)):
        read_query("run", file, b"q2")


def test_mistakes_in_other_queries_do_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "run.txt"
    file.write_bytes(b"q1 Q0 d1 1 9 tag\nq2 Q0 d1 1 nine tag\n")
    assert read_query("run", file, b"q1").to_dict() == {"q1": {"d1": 9}}
