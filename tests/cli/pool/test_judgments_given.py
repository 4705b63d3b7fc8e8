"""Judgments of a pool that come from events."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cranfield.cli.pool.export import command
from cranfield.data.judging import JudgingEvent
from cranfield.data.pool import Pool
from cranfield.errors import CranfieldError
from cranfield.formats.judging_events import event_line
from cranfield.formats.pools import write_pool
from tests.data.judging_material import event


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_pool(Pool.from_dict({"1": ["d1", "d2", "d3"]}), tmp_path / "pool.tsv")
    write(tmp_path / "ann", event(grade=3), event(document="d2", grade=0), event("unsure", document="d3"))
    write(tmp_path / "bob", event(assessor="bob", grade=1), event(assessor="bob", document="d2", grade=0))
    return tmp_path


def write(path: Path, *events: JudgingEvent) -> None:
    path.write_bytes(b"".join(map(event_line, events)))


def export(*arguments: str) -> tuple[str, str]:
    """What is written, and what is said."""
    done = CliRunner().invoke(command, ["pool.tsv", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout, done.stderr


def test_one_assessor(folder: Path) -> None:
    written, said = export("ann")
    assert written == "1 0 d1 3\n1 0 d2 0\n"
    assert said == (
        "cranfield: 1 documents of which an assessor was unsure have no grade of that assessor\n"
        "cranfield: 1 of the documents to judge have no judgment yet\n"
    )


@pytest.mark.parametrize(("rule", "grade"), [("majority", "1"), ("max", "3"), ("mean", "2")])
def test_several_assessors_and_the_rule_is_said(folder: Path, rule: str, grade: str) -> None:
    written, said = export("ann", "bob", "--rule", rule)
    assert written == f"1 0 d1 {grade}\n1 0 d2 0\n"
    assert "2 documents have grades of several assessors, 1 of them differ: the " in said


def test_a_column_for_the_assessor(folder: Path) -> None:
    written, _ = export("ann", "bob", "--to", "qrels_jg")
    assert written == "1 ann d1 3\n1 bob d1 1\n1 ann d2 0\n1 bob d2 0\n"


def test_grades_by_different_scales_are_said(folder: Path) -> None:
    write(folder / "ann", event(grade=3, scale="a"), event(document="d2", grade=0, scale="b"))
    assert "by different scales (versions a, b): do they mean the same?" in export("ann")[1]


def test_a_line_that_is_not_whole_is_said(folder: Path) -> None:
    with (folder / "ann").open("ab") as file:
        file.write(b'{"event')
    assert "cranfield: ann: the last line is not whole, and is left out" in export("ann")[1]


def test_a_first_line_that_is_not_whole_is_still_an_event(folder: Path) -> None:
    (folder / "ann").write_bytes(event_line(event())[:60])
    with pytest.raises(CranfieldError, match="ann: there is no grade in it yet"):
        export("ann")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ann", "qrels"], "qrels: this has no judging events, and ann has"),
        (["qrels", "qrels"], "only judging events may be in several files"),
        (["qrels", "--to", "qrels_jg"], "--to qrels_jg needs judging events"),
        (["notes"], "notes: there is no grade in it yet"),
    ],
)
def test_what_does_not_go_together(folder: Path, arguments: list[str], words: str) -> None:
    (folder / "qrels").write_text("1 0 d1 1\n")
    write(folder / "notes", event("note", reason="odd"))
    with pytest.raises(CranfieldError, match=words):
        export(*arguments)
