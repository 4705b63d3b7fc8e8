"""What assessors searched for, as a file for the managers of a project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_GET

from cranfield.web.attachments import attachment
from cranfield.web.judging.models import SearchQuery
from cranfield.web.moments import utc
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project


def searches(project: Project) -> Iterator[dict[str, Any]]:
    """Every query, in the order in which they were asked; assessors go by their pseudonyms."""
    names = project.pseudonyms
    rows = SearchQuery.objects.filter(project=project).select_related("topic").order_by("at", "pk")
    for query in rows.iterator(chunk_size=2000):
        yield {
            "time": utc(query.at),
            "assessor": names.get(query.assessor_id, f"assessor-{query.assessor_id}"),
            "topic": query.topic.name,
            "query": query.text,
            "found": query.found,
            "new": query.new,
        }


@require_GET
@members_only(Role.MANAGER)
def download(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponseBase:
    lines = "".join(json.dumps(query, ensure_ascii=False) + "\n" for query in searches(project))
    return HttpResponse(
        lines.encode(), content_type="application/jsonl; charset=utf-8", headers=attachment("searches.jsonl")
    )
