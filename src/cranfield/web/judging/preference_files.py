"""The preferences of a project as files, for its managers."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_GET

from cranfield.errors import CranfieldError, UsageError, did_you_mean
from cranfield.web.attachments import attachment
from cranfield.web.judging.preferences import preference_events, preferences
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project


def _trec(project: Project, rule: str) -> bytes:
    from cranfield.formats.trec_prefs import write_preferences

    out = io.BytesIO()
    write_preferences(preferences(project, rule), out)
    return out.getvalue()


def _pairs(project: Project, rule: str) -> bytes:
    from cranfield.formats.preference_pairs import write_preferences

    out = io.BytesIO()
    write_preferences(preferences(project, rule), out)
    return out.getvalue()


def _events(project: Project, rule: str) -> bytes:
    return "".join(
        json.dumps(event.to_dict(), ensure_ascii=False) + "\n" for event in preference_events(project, everything=True)
    ).encode()


FILES: dict[str, tuple[Callable[[Project, str], bytes], str]] = {
    "trec": (_trec, "preferences.prefs"),
    "pairs": (_pairs, "preferences.pairs"),
    "events": (_events, "preference-events.jsonl"),
}
"""What writes each kind of file, and its name."""


@require_GET
@members_only(Role.MANAGER)
def download(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponseBase:
    """`?format=trec` (or pairs, or events) and `&rule=each` (or majority)."""
    kind = request.GET.get("format", "trec")
    try:
        if kind not in FILES:
            raise UsageError(f"unknown format {kind!r:.40}{did_you_mean(kind, FILES)} There are: {', '.join(FILES)}")
        write, name = FILES[kind]
        content = write(project, request.GET.get("rule", "each"))
    except CranfieldError as error:
        return HttpResponse(f"{error}\n", status=400, content_type="text/plain; charset=utf-8")
    return HttpResponse(content, content_type="text/plain; charset=utf-8", headers=attachment(name))
