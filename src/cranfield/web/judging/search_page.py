"""The page on which one searches for documents of a topic, and judges what one finds."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET

from cranfield.web.accounts.models import User
from cranfield.web.judging.guideline import guideline_html
from cranfield.web.judging.models import SearchQuery
from cranfield.web.judging.screen import allow_images
from cranfield.web.judging.search_endpoints import shown_query
from cranfield.web.judging.search_results import queries_of
from cranfield.web.judging.showing import shown_scale, shown_topics
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project, Topic

ADDRESSES = ("search", "search-open", "search-leave", "answers")


@require_GET
@members_only(Role.ASSESSOR, Role.MANAGER)
def begin(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponseBase:
    """To the topic that one last searched in, or the first."""
    last = SearchQuery.objects.filter(project=project, assessor=cast(User, request.user)).order_by("at", "pk").last()
    topic = last.topic if last is not None else project.topics.first()
    if topic is None:
        return redirect("judge", project=project.pk)
    return redirect("judge-searching", project=project.pk, topic=topic.pk)


@require_GET
@ensure_csrf_cookie
@members_only(Role.ASSESSOR, Role.MANAGER)
def page(request: HttpRequest, project: Project, membership: Membership | None, topic: int) -> HttpResponseBase:
    found = get_object_or_404(Topic, project=project, pk=topic)
    response = render(request, "judging/searching.html", _context(request, project, membership, found))
    allow_images(response, project)
    return response


def _context(request: HttpRequest, project: Project, membership: Membership | None, topic: Topic) -> dict[str, Any]:
    user = cast(User, request.user)
    scale = project.current_scale
    can_search = bool(project.engine) and project.mode == Project.Mode.GRADES
    return {
        "project": project,
        "membership": membership,
        "topic": topic,
        "topics": project.topics.all(),
        "scale": scale,
        "guideline": guideline_html(scale.guideline) if scale is not None else "",
        "can_search": can_search,
        "settings": {
            "addresses": {name: reverse(f"judge-{name}", args=[project.pk]) for name in ADDRESSES},
            "person": str(user.pk),
            "project": str(project.pk),
            "topic": str(topic.pk),
            "words": shown_topics([topic], user)[str(topic.pk)]["words"],
            "scale": shown_scale(scale),
            "break_minutes": project.break_minutes,
            "login": f"{reverse('login')}?next={request.path}",
            "judge": reverse("judge", args=[project.pk]),
            "queries": [shown_query(query) for query in queries_of(topic, user)],
        },
    }
