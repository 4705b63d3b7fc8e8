"""Files that come in, and projects they come into."""

from __future__ import annotations

import io
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile

from cranfield.formats.given_judgments import GivenJudgments, read_given_judgments
from cranfield.web.accounts.models import User
from cranfield.web.exchange.downloads import download_of
from cranfield.web.exchange.uploads import keep
from cranfield.web.projects.models import Project

TIME = "2026-03-01T09:30:00Z"


def an_upload(project: Project, user: User) -> UUID:
    """The address of a file that was sent in."""
    file = SimpleUploadedFile("judgments.qrels", b"q1 0 q1-d00001 1\n")
    return UUID(keep(file, project, user, assessor="imported", at=TIME).id)


def given(text: str | bytes, **options: str) -> GivenJudgments:
    content = text.encode() if isinstance(text, str) else text
    return read_given_judgments(io.BytesIO(content), time=TIME, **options)  # type: ignore[arg-type]


def taken_out(project: Project, what: str, rule: str = "majority") -> bytes:
    return b"".join(download_of(what).pieces(project, rule))
