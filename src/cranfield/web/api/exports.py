"""Exports: the files that managers can take out of a project; whoever has the newest is told so and gets nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable

from django.http import HttpResponse
from django.utils.http import parse_etags

import cranfield
from cranfield.web.accounts.models import AuditEntry
from cranfield.web.api.judgments import RULE
from cranfield.web.api.operations import JSON, Asked, Operation
from cranfield.web.api.schemas import one_of
from cranfield.web.attachments import attachment
from cranfield.web.exchange.bundling import bundled
from cranfield.web.exchange.downloads import DOWNLOADS, LINES, TEXT, Download
from cranfield.web.judging.models import Decision, Event
from cranfield.web.judging.preference_files import FILES
from cranfield.web.projects.models import Project

ZIP = "application/zip"


def _bundle(project: Project, rule: str) -> Iterable[bytes]:
    with bundled(project, rule=rule) as file:
        yield file.read()


def _preferences(kind: str) -> Callable[[Project, str], Iterable[bytes]]:
    write, _ = FILES[kind]
    return lambda project, rule: [write(project, "each")]


EXPORTS = {
    **DOWNLOADS,
    "preferences": Download(
        "Preferences", "of a project of pairs, as TREC has them", "prefs", TEXT, _preferences("trec")
    ),
    "preference-pairs": Download("Pairs", "the same, a pair to a line", "pairs", TEXT, _preferences("pairs")),
    "preference-events": Download(
        "Events of pairs", "all that was ever said of pairs, as JSON lines", "jsonl", LINES, _preferences("events")
    ),
    "bundle": Download("Bundle", "all of it, from which it can be made again", "bundle.zip", ZIP, _bundle),
}


def _export(asked: Asked) -> HttpResponse:
    name, rule = asked.parts["export"], asked.parameters["rule"]
    etag = _etag(asked.project, name, rule)
    given = parse_etags(asked.unless)
    if "*" in given or etag in [one.removeprefix("W/") for one in given]:
        return HttpResponse(status=304, headers={"ETag": etag})
    kind = EXPORTS[name]
    content = b"".join(kind.pieces(asked.project, rule))
    headers = {"ETag": etag, **attachment(kind.file_name(asked.project))}
    return HttpResponse(content, content_type=kind.content_type, headers=headers)


def _etag(project: Project, name: str, rule: str) -> str:
    """Another one whenever somebody judged, decided, or changed something: what managers do is in the audit trail."""
    state = [
        *(cranfield.__version__, str(project.pk), name, rule),
        Event.objects.filter(project=project).count(),
        Decision.objects.filter(item__project=project).count(),
        AuditEntry.objects.filter(project=project).count(),
        project.items.count(),
    ]
    return f'"{hashlib.sha256(json.dumps(state).encode()).hexdigest()[:32]}"'


OPERATIONS = (
    Operation(
        "GET",
        "projects/{project}/exports/{export}",
        "export",
        "A file",
        _export,
        {},
        said="; ".join(f"`{name}`: {kind.words}" for name, kind in EXPORTS.items())
        + ". With the `ETag` of an earlier answer in `If-None-Match` there is 304 while nothing has changed.",
        parts={"export": one_of("Which file", *EXPORTS)},
        parameters={"rule": RULE},
        media_types=tuple(sorted({kind.content_type for kind in EXPORTS.values()} | {JSON})),
        statuses={304: "Nothing has changed", 409: "There is no judgment yet, or the pool is not one for such a file"},
    ),
)
