"""Files that were sent in, kept until what is in them was looked at, and carried out or discarded."""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from cranfield.errors import DataError
from cranfield.formats.given_judgments import refuse_packed
from cranfield.web import instance
from cranfield.web.accounts.models import User
from cranfield.web.exchange.importing import KEEP
from cranfield.web.projects.models import Project

FOLDER = "uploads"
"""Where they are, in the folder of the installation."""
_KEPT_FOR = 24 * 3600.0
_LONGEST_NAME = 120


@dataclass(frozen=True)
class Upload:
    """A file, of what project it is, and how it is to be read."""

    id: str
    project: str
    user: int
    name: str
    format: str
    """Empty: as the file says."""
    assessor: str
    surplus: str
    prefix_of_names: str
    """What is put before the names of assessors in the file."""
    merge: bool
    """Whether names that people have here are theirs in the file too."""
    at: str
    """When it came: what the file gives no time for was done then, as far as anybody knows."""

    @property
    def path(self) -> Path:
        return _folder() / f"{self.id}.content"

    def discard(self) -> None:
        """Forget it."""
        for path in (self.path, _about(self.id)):
            with contextlib.suppress(FileNotFoundError):
                path.unlink()


def keep(
    file: UploadedFile[Any],
    project: Project,
    user: User,
    *,
    at: str,
    assessor: str,
    format: str = "",
    surplus: str = KEEP,
    prefix_of_names: str = "",
    merge: bool = False,
) -> Upload:
    """Keep a file for a day; an error if it is too large, or packed."""
    _clear()
    name = "".join(one for one in str(file.name or "file") if one.isprintable())[-_LONGEST_NAME:] or "file"
    upload = Upload(uuid4().hex, project.pk.hex, user.pk, name, format, assessor, surplus, prefix_of_names, merge, at)
    if file.size is None or file.size > settings.JUDGMENTS_UPLOAD_MAX_SIZE:
        most = settings.JUDGMENTS_UPLOAD_MAX_SIZE // 1024**2
        raise DataError(f"{name}: this is larger than {most} MB, which is more than is taken here: divide it")
    try:
        with upload.path.open("wb") as out:
            for number, chunk in enumerate(file.chunks()):
                if not number:
                    refuse_packed(chunk, name)
                out.write(chunk)
        _about(upload.id).write_text(json.dumps(asdict(upload)))
    except BaseException:
        upload.discard()
        raise
    return upload


def kept(project: Project, upload: UUID) -> Upload | None:
    """A file that was sent in for a project, if it is still there."""
    try:
        found = Upload(**json.loads(_about(upload.hex).read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return found if found.project == project.pk.hex and found.path.exists() else None


def _folder() -> Path:
    folder = instance.folder() / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _about(upload: str) -> Path:
    return _folder() / f"{upload}.json"


def _clear() -> None:
    """Forget what nobody came back for."""
    for path in _folder().iterdir():
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < time.time() - _KEPT_FOR:
                path.unlink()
