"""Folders that are made aside: what a process left behind that was killed goes, what another works in stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.errors import UsageError
from cranfield.formats.workplaces import workplace
from cranfield.formats.writing import writing_folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_was_left_behind_is_removed_by_the_next_that_makes_the_same(tmp_path: Path) -> None:
    for left in (".soup.0a1b2c3d.part", ".soup.bread.0a1b2c3d.part", ".soup.0a1b2c3d.kept"):
        (tmp_path / left).mkdir()
        (tmp_path / left / "half").write_text("of something")
    with writing_folder(tmp_path / "soup") as place:
        (place / "whole").write_text("")
    # The second is of a target `soup.bread`, the third of someone who names things otherwise.
    assert names(tmp_path) == [".soup.0a1b2c3d.kept", ".soup.bread.0a1b2c3d.part", "soup"]


def test_what_another_works_in_stays(tmp_path: Path) -> None:
    with workplace(tmp_path / "soup", ".part") as others:
        with writing_folder(tmp_path / "soup") as place:
            (place / "ours").write_text("")
        assert names(tmp_path) == [others.name, "soup"]
    assert names(tmp_path) == ["soup"]


def test_what_goes_wrong_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="soup: cannot be written: No space left"), writing_folder(tmp_path / "soup"):
        raise OSError(28, "No space left on device")
    assert names(tmp_path) == []
