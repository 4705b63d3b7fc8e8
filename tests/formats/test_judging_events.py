"""Files of judging events: nothing is lost, and what is not whole or not theirs is said."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.judging import JudgingEvent
from cranfield.errors import DataError, FormatError, UsageError
from cranfield.formats import read_qrels
from cranfield.formats.file_lock import Holder
from cranfield.formats.judging_events import (
    JudgingFile,
    event_line,
    parse_judging_events,
    read_judging_events,
    read_several_events,
)
from cranfield.formats.validation import validate
from tests.data.judging_material import TIME, event

ANN = Holder(1234, "here", "cranfield judge --assessor ann", TIME)


def texts() -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(texts(), texts(), st.integers(0, 3) | st.floats(0, 5), texts())
def test_what_is_written_is_read_back(topic: str, document: str, grade: float, reason: str) -> None:
    one = event(document=document, topic=topic, grade=grade, reason=reason)
    line = event_line(one)
    assert line.count(b"\n") == 1
    assert parse_judging_events(line, "f").record.events == [one]


def test_identifiers_that_are_not_unicode() -> None:
    one = event(document="caf\udce9")
    assert parse_judging_events(event_line(one), "f").record.events == [one]


@pytest.mark.parametrize("one", [event(), event("skip")], ids=["grade", "skip"])
def test_events_are_not_read_as_judgments(tmp_path: Path, one: JudgingEvent) -> None:
    path = tmp_path / "pool.ann.events.jsonl"
    path.write_bytes(event_line(one))
    with pytest.raises(DataError, match=r"events of `cranfield judge`, not judgments\. `cranfield pool export POOL "):
        read_qrels(path)
    (finding,) = validate(path).findings
    assert "cranfield pool export" in str(finding)


def test_judgments_in_json_are_no_events() -> None:
    line = '{"query_id": "1", "doc_id": "d7", "relevance": 2, "event": "fair"}'
    assert len(read_qrels(io.StringIO(line))) == 1


def test_events_are_added_and_read(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    first, second = event(), event(document="d2")
    with JudgingFile(path, ANN) as file:
        file.append(first)
    with JudgingFile(path, ANN) as file:
        assert file.record.events == [first]
        file.append(second)
    assert read_judging_events(path).record.events == [first, second]
    assert path.read_bytes() == event_line(first) + event_line(second)
    assert [each.name for each in tmp_path.iterdir()] == ["events.jsonl"]


def test_every_cut_of_a_file_loses_the_line_that_was_cut_and_nothing_else(tmp_path: Path) -> None:
    """As kill -9 or a power failure may leave it; the next judging goes on behind what is whole."""
    whole = [event(document=f"d{number}") for number in range(3)]
    content = b"".join(map(event_line, whole))
    begin = len(content) - len(event_line(whole[2]))
    path, torn = tmp_path / "events.jsonl", tmp_path / "events.jsonl.torn"
    for end in (*range(begin, len(content), 29), *range(len(content) - 3, len(content) + 1)):
        path.write_bytes(content[:end])
        complete = end >= len(content) - 1  # only the end of the line is missing
        kept, rest = (whole, b"") if complete else (whole[:2], content[begin:end])
        assert read_judging_events(path).torn == rest
        with JudgingFile(path, ANN) as file:
            assert file.record.events == kept
            assert file.torn == (torn if rest else None)
            more = event(document="more")
            file.append(more)
        assert path.read_bytes() == b"".join(map(event_line, [*kept, more]))
        assert (torn.read_bytes() if rest else b"\n") == rest + b"\n"
        torn.unlink(missing_ok=True)


def test_zeros_at_the_end_are_set_aside(tmp_path: Path) -> None:
    """Some file systems leave them after a power failure."""
    path = tmp_path / "events.jsonl"
    path.write_bytes(event_line(event()) + bytes(40))
    with JudgingFile(path, ANN) as file:
        assert len(file.record.events) == 1
    assert path.with_name("events.jsonl.torn").read_bytes() == bytes(40) + b"\n"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "this is no judging event: Expecting property name"),
        (b"3", "expected a judging event, a JSON object"),
        (b"\xff{}", "this is no text in UTF-8"),
        (b'{"event": "x"}', "time, assessor, topic, .* missing"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b"1" * 5000, "it has a number of too many digits"),
    ],
)
def test_a_line_in_the_middle_that_is_none_is_an_error(line: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(event_line(event()) + line + b"\n" + event_line(event()))
    with pytest.raises(FormatError, match=f"{re.escape(str(path))}:2: {words}"):
        read_judging_events(path)
    content = path.read_bytes()
    with pytest.raises(FormatError):
        JudgingFile(path, ANN)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"grade": "2"}, "grade is '2'; expected a number"),
        ({"action": "guess"}, "action is 'guess'"),
        ({"colour": "red"}, "there is no field 'colour'"),
    ],
)
def test_an_edited_line_is_found(change: dict[str, Any], words: str) -> None:
    edited = json.dumps({**event().to_dict(), **change}).encode() + b"\n"
    with pytest.raises(FormatError, match=f"^f:2: {words}"):
        parse_judging_events(event_line(event()) + edited, "f")


def test_empty_lines_and_repeated_events_are_passed_over() -> None:
    line = event_line(event())
    assert len(parse_judging_events(b"\n" + line + b"\r\n" + line, "f").record.events) == 1


def test_the_second_judge_is_told_who_is_there(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with JudgingFile(path, ANN):
        with pytest.raises(UsageError, match=r"`cranfield judge --assessor ann` \(process 1234 on here, since 2026"):
            JudgingFile(path, Holder(1, "there", "cranfield judge --assessor bob", TIME))
        assert read_judging_events(path).record.events == []
    JudgingFile(path, ANN).close()


def test_a_holder_that_was_killed_is_in_nobodys_way(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.with_name("events.jsonl.holder").write_text('{"pid": 1, "host": "h", "command": "c", "since": "s"}')
    with JudgingFile(path, ANN) as file:
        file.append(event())
    assert not path.with_name("events.jsonl.holder").exists()


def moved(path: Path) -> None:
    path.rename(path.with_suffix(".away"))


def replaced(path: Path) -> None:
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)


def longer(path: Path) -> None:
    with path.open("ab") as file:
        file.write(event_line(event(document="other")))


@pytest.mark.parametrize("change", [moved, replaced, longer])
def test_a_file_that_others_change_is_not_written_to(change, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with JudgingFile(path, ANN) as file:
        file.append(event())
        change(path)
        with pytest.raises(UsageError, match="somebody else has changed, moved or removed this file"):
            file.append(event(document="d2"))
        assert len(file.record.events) == 1


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "events.jsonl"

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with JudgingFile(path, ANN) as file:
        file.append(event())
        before = path.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(UsageError, match="cannot be written: No space left on device"):
                file.append(event(document="d2"))
        assert path.read_bytes() == before
        file.append(event(document="d2"))
    assert len(read_judging_events(path).record.events) == 2


def test_an_event_that_does_not_fit_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with JudgingFile(path, ANN) as file, pytest.raises(DataError, match="no such event before this one"):
        file.append(event("withdraw", supersedes=event().event))
    assert path.read_bytes() == b""


def test_places_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_judging_events(tmp_path / "no")
    with pytest.raises(UsageError, match="cannot be written: No such file"):
        JudgingFile(tmp_path / "no" / "events.jsonl", ANN)
    with pytest.raises(UsageError, match="cannot be written: Is a directory"):
        JudgingFile(tmp_path, ANN)


def test_several_files_are_read_one_after_the_other(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    first, later, other = event(grade=1), event(grade=3), event(grade=0, assessor="bob")
    one.write_bytes(event_line(first))
    two.write_bytes(event_line(later) + event_line(other) + b'{"ev')
    said: list[str] = []
    record = read_several_events([one, two, one], said.append)
    assert [found.grade for found in record.decisions()] == [3, 0]
    assert said == [f"{two}: the last line is not whole, and is left out"]


def test_different_events_with_one_identifier_in_two_files(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    first = event(grade=1)
    one.write_bytes(event_line(first))
    two.write_bytes(event_line(JudgingEvent.from_dict({**first.to_dict(), "grade": 2})))
    with pytest.raises(DataError, match=f"{re.escape(str(two))}: event .* was there before"):
        read_several_events([one, two])
