"""What of the server managers can name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import UsageError
from cranfield.experiments.beginning import begin_workspace
from cranfield.web.search_places import allowed, checked_collection, checked_engine


class TestPlaces:
    def test_only_what_is_in_the_folders_can_be_named(self, kitchen: Path, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to("/etc")
        for text in ("/etc/passwd", "../x", str(tmp_path / "link" / "passwd"), "..", "\0"):
            with pytest.raises(UsageError, match="lies outside of"):
                allowed(text)
        with pytest.raises(UsageError):
            allowed("link/passwd")
        assert allowed("docs.jsonl") == kitchen / "docs.jsonl"
        assert allowed(str(kitchen / "index")) == kitchen / "index"
        with pytest.raises(UsageError, match="there is no such file or folder in"):
            allowed("none")

    def test_without_folders_nothing_can(self, settings: Any) -> None:
        settings.COLLECTION_FOLDERS = []
        with pytest.raises(UsageError, match="CRANFIELD_COLLECTIONS"):
            allowed("docs.jsonl")

    def test_what_the_workspace_is_about_can(self, kitchen: Path, tmp_path: Path, settings: Any) -> None:
        begin_workspace(tmp_path / "w", collection=str(kitchen / "docs.jsonl"))
        settings.WORKSPACE = str(tmp_path / "w")
        settings.COLLECTION_FOLDERS = [settings.WORKSPACE]
        assert allowed(str(kitchen / "docs.jsonl")) == kitchen / "docs.jsonl"
        with pytest.raises(UsageError, match="lies outside of"):
            allowed(str(kitchen / "index"))

    def test_what_can_be_named_is_looked_at(self, kitchen: Path) -> None:
        assert checked_engine("index") == str(kitchen / "index")
        assert checked_collection("docs.jsonl") == str(kitchen / "docs.jsonl")
        with pytest.raises(UsageError, match=r"^docs\.jsonl: cannot be used as it is"):
            checked_engine("docs.jsonl")
