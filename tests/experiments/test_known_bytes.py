"""Hashes that are remembered are those of the bytes that are there."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from cranfield.experiments.known_bytes import NOTES, known_bytes
from cranfield.experiments.workspace import Workspace

LONG_AGO = 1_000_000_000


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path, "test", "documents")


def written(path: Path, content: bytes, *, seconds: float | None = LONG_AGO) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    if seconds is not None:
        os.utime(path, (seconds, seconds))
    return path


def notes(workspace: Workspace) -> dict[str, dict[str, str]]:
    file = workspace.state / NOTES
    found: dict[str, dict[str, str]] = json.loads(file.read_bytes()) if file.is_file() else {}
    return found


def test_a_file_has_its_sha256(workspace: Workspace) -> None:
    file = written(workspace.root / "documents", b"abc")
    # The first example of FIPS 180-4.
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert [known_bytes(workspace, file) for _ in range(2)] == [expected] * 2


def test_what_is_noted_is_not_read_again(workspace: Workspace) -> None:
    """A note that is wrong is believed: by that one sees that it is used."""
    file = written(workspace.root / "documents", b"abc")
    known_bytes(workspace, file)
    noted = notes(workspace)
    noted["documents"]["sha256"] = "of the note"
    (workspace.state / NOTES).write_text(json.dumps(noted))
    assert known_bytes(workspace, file) == "of the note"


def test_another_content_of_the_same_size_is_noticed_by_its_time(workspace: Workspace) -> None:
    file = written(workspace.root / "documents", b"abc")
    known_bytes(workspace, file)
    assert list(notes(workspace)) == ["documents"]
    written(file, b"xyz", seconds=LONG_AGO + 1)
    assert known_bytes(workspace, file) == hashlib.sha256(b"xyz").hexdigest()


def test_a_file_that_has_just_been_written_is_read_again(workspace: Workspace) -> None:
    """It may be written once more before the clock ticks, with the same size and the same time."""
    file = written(workspace.root / "documents", b"abc", seconds=None)
    time = file.stat().st_mtime_ns
    known_bytes(workspace, file)
    assert notes(workspace) == {}
    file.write_bytes(b"xyz")
    os.utime(file, ns=(time, time))
    assert known_bytes(workspace, file) == hashlib.sha256(b"xyz").hexdigest()


def test_of_a_folder_every_name_and_byte_counts(workspace: Workspace) -> None:
    folder = workspace.root / "documents"
    seen = set()
    written(folder / "a.txt", b"one")
    seen.add(known_bytes(workspace, folder))
    written(folder / "b.txt", b"two")
    seen.add(known_bytes(workspace, folder))
    (folder / "b.txt").rename(folder / "c.txt")
    seen.add(known_bytes(workspace, folder))
    written(folder / "c.txt", b"owt", seconds=LONG_AGO + 1)
    seen.add(known_bytes(workspace, folder))
    (folder / "c.txt").unlink()
    assert len(seen) == 4
    assert known_bytes(workspace, folder) in seen  # as it was at first


def test_notes_are_of_use_and_never_needed(workspace: Workspace) -> None:
    file = written(workspace.root / "documents", b"abc")
    (workspace.root / ".cranfield").write_text("a file where the folder of notes should be")
    assert known_bytes(workspace, file) == hashlib.sha256(b"abc").hexdigest()
    with pytest.raises(FileNotFoundError):
        known_bytes(workspace, workspace.root / "nowhere")


@pytest.mark.parametrize("content", ["{", "[]", '{"documents": 1}', '{"documents": {"stamp": "x"}}'])
def test_notes_that_cannot_be_read_are_none(workspace: Workspace, content: str) -> None:
    file = written(workspace.root / "documents", b"abc")
    workspace.state.mkdir()
    (workspace.state / NOTES).write_text(content)
    assert known_bytes(workspace, file) == hashlib.sha256(b"abc").hexdigest()
    assert list(notes(workspace)) == ["documents"]
