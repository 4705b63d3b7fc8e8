"""Files that are handed out: topics, the list of documents, and runs to whom they belong."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_safe

from cranfield.web.attachments import attachment
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project
from cranfield.web.tasks.lookups import submission_of, task_of
from cranfield.web.tasks.material import documents_file, topics_of
from cranfield.web.tasks.models import Submission


@require_safe
@members_only(Role.MANAGER, Role.PARTICIPANT)
def topics(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """The topics, an object a line."""
    from cranfield.formats.topics import json_lines

    task_of(project)
    out = io.BytesIO()
    json_lines.write(topics_of(project), out)
    return _file(out.getvalue(), "topics.jsonl", "application/x-ndjson")


@require_safe
@members_only(Role.MANAGER, Role.PARTICIPANT)
def documents(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """The names of the documents there are, a line each."""
    listed = documents_file(task_of(project, whole=True))
    if listed is None:
        raise Http404
    return _file(listed, "documents.txt", "text/plain; charset=utf-8")


@require_safe
@members_only(Role.MANAGER, Role.PARTICIPANT)
def submission(request: HttpRequest, project: Project, membership: Membership | None, submission: UUID) -> HttpResponse:
    """A run as it was handed in, unpacked."""
    found = submission_of(request, project, membership, submission)
    return _file(gzip.decompress(found.run), f"{found.name}.run", "text/plain; charset=utf-8")


@require_safe
@members_only(Role.MANAGER)
def submissions(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponseBase:
    """Every run that stands, packed, each in the folder of its participant."""
    return StreamingHttpResponse(
        _archive(project),
        content_type="application/zip",
        headers=attachment("submissions.zip"),
    )


def _archive(project: Project) -> Iterator[bytes]:
    """A zip file piece by piece: one run at a time is in memory."""
    names = project.pseudonyms
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as archive:
        for found in Submission.objects.filter(project=project, withdrawn_at=None).iterator(chunk_size=1):
            folder = re.sub(r"[^A-Za-z0-9_-]+", "_", names.get(found.participant_id, "organisers"))
            archive.writestr(f"{folder}/{found.name}.run.gz", bytes(found.run))
            yield sink.taken()
    yield sink.taken()


class _Sink(io.RawIOBase):
    """Keeps what is written until it is taken."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        return len(self._pieces[-1])

    def taken(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _file(content: bytes, name: str, content_type: str) -> HttpResponse:
    return HttpResponse(content, content_type=content_type, headers=attachment(name))
