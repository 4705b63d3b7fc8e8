"""What the assessor's screen talks to: JSON in, JSON out; `docs/judging/protocol.md` says what each field means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import wraps
from typing import Any

from django.db import InterfaceError, OperationalError
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from cranfield.errors import DataError
from cranfield.web.accounts.models import User
from cranfield.web.json_bodies import read_json
from cranfield.web.judging.handing_out import hand_out, with_documents
from cranfield.web.judging.models import Event, Slot
from cranfield.web.judging.progress import progress
from cranfield.web.judging.recording import record
from cranfield.web.judging.showing import shown_item, shown_scale, shown_topics
from cranfield.web.judging.standing import decisions_by_slot
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project

MOST_ITEMS = 50
MOST_ANSWERS = 500

View = Callable[..., dict[str, Any]]


def endpoint(*roles: str) -> Callable[[View], Callable[..., HttpResponseBase]]:
    """A view that gives what becomes JSON; a request that cannot be read gets 400, a busy database 503."""

    def around(view: View) -> Callable[..., HttpResponseBase]:
        @never_cache
        @members_only(*roles)
        @wraps(view)
        def answered(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponseBase:
            user = str(_user(request).pk)
            if request.headers.get("X-Cranfield-Person", user) != user:
                return JsonResponse({"error": "somebody else is logged in by now"}, status=409)
            try:
                return JsonResponse(view(request, project, membership))
            except DataError as error:
                return JsonResponse({"error": str(error)}, status=400)
            except (InterfaceError, OperationalError):
                return JsonResponse(
                    {"error": "the database is busy; try again"}, status=503, headers={"Retry-After": "1"}
                )

        return answered

    return around


@require_GET
@endpoint(Role.ASSESSOR, Role.MANAGER)
def next_items(request: HttpRequest, project: Project, membership: Membership | None) -> dict[str, Any]:
    return _next(
        project, assessor_of(request, membership), count_of(request.GET.get("n", "1"), "n"), request.GET.getlist("have")
    )


@require_POST
@endpoint(Role.ASSESSOR, Role.MANAGER)
def answers(request: HttpRequest, project: Project, membership: Membership | None) -> dict[str, Any]:
    content = body_of(request)
    given = content.get("answers")
    if not isinstance(given, list) or len(given) > MOST_ANSWERS:
        raise DataError(f"answers: expected a list of at most {MOST_ANSWERS} answers")
    prefetch_related_objects([project], "scales")
    outcomes = [asdict(outcome) for outcome in record(project, assessor_of(request, membership), given)]
    if not content.get("next"):
        return {"outcomes": outcomes}
    have = content.get("have") or []
    if not isinstance(have, list):
        raise DataError("have: expected a list of handles")
    return {
        "outcomes": outcomes,
        **_next(project, assessor_of(request, membership), count_of(content["next"], "next"), have),
    }


@require_GET
@endpoint(Role.ASSESSOR, Role.MANAGER)
def answered(request: HttpRequest, project: Project, membership: Membership | None) -> dict[str, Any]:
    assessor = assessor_of(request, membership)
    count = count_of(request.GET.get("n", "20"), "n")
    done = Slot.objects.filter(item__project=project, assessor=assessor, done_at__isnull=False)
    slots = list(with_documents(done).order_by("-done_at", "-pk")[:count])
    events = Event.objects.filter(slot__in=slots, assessor=assessor).select_related("scale")
    decisions = decisions_by_slot(events)
    return {
        "items": [shown_item(slot, decisions.get(slot.pk)) for slot in slots],
        "topics": shown_topics({slot.item.topic for slot in slots}, assessor),
    }


@require_GET
@endpoint(Role.ASSESSOR, Role.MANAGER)
def own_progress(request: HttpRequest, project: Project, membership: Membership | None) -> dict[str, Any]:
    rows = progress(project, assessor_of(request, membership))
    topics = [
        {
            "topic": str(row.topic.pk),
            "name": row.topic.name,
            "title": row.topic.title,
            "done": row.done,
            "left": row.left,
        }
        for row in rows
    ]
    return {"topics": topics, "done": sum(row.done for row in rows), "left": sum(row.left for row in rows)}


def _next(project: Project, assessor: User, count: int, have: list[Any]) -> dict[str, Any]:
    held = hand_out(project, assessor, count, have)
    new = [slot for slot in held if str(slot.handle) not in have]
    return {
        "items": [shown_item(slot) for slot in new],
        "held": [str(slot.handle) for slot in held],
        "topics": shown_topics({slot.item.topic for slot in new}, assessor),
        "scale": shown_scale(project.current_scale),
        "mode": project.mode,
        "closed": project.closed_at is not None,
        "break_minutes": project.break_minutes,
    }


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def assessor_of(request: HttpRequest, membership: Membership | None) -> User:
    """Who judges; an administrator can look at every project, but judges only as a member."""
    if membership is None:
        raise DataError("you are no member of this project; join it to judge")
    return _user(request)


def body_of(request: HttpRequest) -> dict[str, Any]:
    """The JSON object that was sent."""
    content = read_json(request.body)
    if not isinstance(content, dict):
        raise DataError("expected a JSON object")
    return content


def count_of(value: object, name: str) -> int:
    """A number of documents that was asked for, within reason."""
    try:
        return max(1, min(MOST_ITEMS, int(str(value))))
    except ValueError:
        raise DataError(f"{name} is {value!r:.60}; expected a number from 1 to {MOST_ITEMS}") from None
