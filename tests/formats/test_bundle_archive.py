"""Archives that come out the same, and those that are refused."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from cranfield.data.judging import JudgingEvent
from cranfield.errors import CranfieldError, UsageError
from cranfield.formats.bundle_archive import BundleWriter, reading_bundle
from cranfield.formats.judging_bundle import SCHEMA, counted_record, verify_bundle
from cranfield.formats.judging_events import event_line

TIME = "2026-03-01T09:30:00Z"


def event(number: int, assessor: str, action: str = "grade", **more: object) -> JudgingEvent:
    more = {"grade": 1, **more} if action == "grade" else more
    return JudgingEvent(f"00000000-0000-4000-8000-{number:012}", TIME, assessor, "q1", "d1", action, **more)  # type: ignore[arg-type]


def write(path: Path, **members: bytes) -> None:
    with BundleWriter(path, {"schema": SCHEMA, "rule": "majority"}) as bundle:
        for name, content in members.items():
            bundle.add(name.replace("__", "."), [content])


def good(path: Path, qrels: bytes = b"q1 0 d1 2\n") -> None:
    write(
        path,
        events__jsonl=event_line(event(1, "ann", assignment="pool x", grade=1)),
        decisions__jsonl=b'{"item": ["q1", "d1", null], "grade": 2}\n',
        topics__jsonl=b'{"name": "q1"}\n',
        qrels__txt=qrels,
        qrels_jg__txt=b"q1 ann d1 1\n",
    )


def test_the_same_bytes_in_whatever_order_members_come(tmp_path: Path) -> None:
    write(tmp_path / "one", a=b"1", b=b"2")
    write(tmp_path / "two", b=b"2", a=b"1")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with zipfile.ZipFile(tmp_path / "one") as archive:
        assert archive.namelist() == ["manifest.json", "a", "b"]
        assert {(one.date_time, one.compress_type) for one in archive.infolist()} == {((1980, 1, 1, 0, 0, 0), 0)}


def test_a_bundle_that_holds_together(tmp_path: Path) -> None:
    good(tmp_path / "bundle")
    found = verify_bundle(tmp_path / "bundle")
    assert (found.files, found.events, found.judgments, found.decided, found.assessors) == (5, 1, 1, 1, 1)


def test_judgments_that_do_not_follow_from_the_events(tmp_path: Path) -> None:
    good(tmp_path / "bundle", qrels=b"q1 0 d1 1\n")
    with pytest.raises(CranfieldError, match=r"qrels\.txt is not what comes out of events\.jsonl"):
        verify_bundle(tmp_path / "bundle")


def test_nothing_is_written_when_something_goes_wrong(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be the name"), BundleWriter(tmp_path / "bundle", {}) as bundle:
        bundle.add("../out", [b""])
    assert not list(tmp_path.iterdir())


def remade(path: Path, **changes: bytes | None) -> None:
    """The archive with members that are other ones, whatever the manifest says; None: packed."""
    with zipfile.ZipFile(path) as archive:
        members: dict[str, bytes | None] = {name: archive.read(name) for name in archive.namelist()}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, member in {**members, **{key.replace("__", "."): value for key, value in changes.items()}}.items():
            if member is None:
                archive.writestr(name, members[name] or b"", compress_type=zipfile.ZIP_DEFLATED)
            else:
                archive.writestr(name, member)
    path.write_bytes(content.getvalue())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"qrels__txt": b"q1 0 d1 3\n"}, r"qrels\.txt is not as it was written"),
        ({"qrels__txt": b"q1 0 d1 2\nq1 0 d2 2\n"}, "or their sizes, are not those of the manifest"),
        ({"more": b""}, "or their sizes, are not those of the manifest"),
        ({"../../etc/passwd": b""}, r"refused: '\.\./\.\./etc/passwd' is no name"),
        ({"/etc/passwd": b""}, "refused: '/etc/passwd' is no name"),
        ({"a\\b": b""}, "is no name that a bundle has"),
        ({"events__jsonl": None}, r"refused: events\.jsonl is packed or locked"),
        ({"manifest__json": b"[]"}, "expected an object with schema and files"),
        ({"manifest__json": b'{"schema": "other/1", "files": {}}'}, "its schema is 'other/1'"),
        ({"manifest__json": json.dumps({"schema": SCHEMA, "files": {"a": 1}}).encode()}, "expected an object with"),
    ],
)
def test_what_is_refused(changes: dict[str, bytes | None], said: str, tmp_path: Path) -> None:
    good(tmp_path / "bundle")
    remade(tmp_path / "bundle", **changes)
    with pytest.raises(CranfieldError, match=said):
        verify_bundle(tmp_path / "bundle")


def test_what_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("q1 0 d1 1\n")
    with pytest.raises(CranfieldError, match="this is no bundle"):
        verify_bundle(tmp_path / "text")
    with pytest.raises(UsageError, match="there is no such file"):
        verify_bundle(tmp_path / "none")
    good(tmp_path / "bundle")
    (tmp_path / "half").write_bytes((tmp_path / "bundle").read_bytes()[:-40])
    with pytest.raises(CranfieldError, match="this is no bundle"):
        verify_bundle(tmp_path / "half")


def test_a_member_that_is_not_there(tmp_path: Path) -> None:
    good(tmp_path / "bundle")
    with reading_bundle(tmp_path / "bundle", SCHEMA) as bundle:
        assert list(bundle.rows("nothing.jsonl")) == []
        with pytest.raises(CranfieldError, match="there is no nothing in the bundle"):
            bundle.read("nothing")


def test_which_events_count() -> None:
    """By hand: gold, repeats and late ones do not; where bob was asked again after ann, bob's do."""
    first, second = event(1, "ann", assignment="pool x"), event(2, "bob", assignment="pool x")
    others = [event(3 + number, "cem", assignment=kind) for number, kind in enumerate(("gold y", "repeat z", "late"))]
    assert [one.event for one in counted_record([first, *others]).events] == [first.event]
    assert [one.event for one in counted_record([first, second]).events] == [second.event]
    back = event(9, "bob", "withdraw", supersedes=second.event, assignment="pool x")
    assert counted_record([first, second, back]).events == [first]
