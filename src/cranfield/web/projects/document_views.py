"""Documents and topics of a project, and one document with all that was said of it."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from cranfield.web.accounts.models import User
from cranfield.web.judging.models import Event
from cranfield.web.judging.showing import clean_html
from cranfield.web.judging.standing import decisions_by_slot
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.documents import STATES, items_of
from cranfield.web.projects.models import Document, Item, Membership, Project
from cranfield.web.projects.withdrawing import withdraw

ON_A_PAGE = 100


@require_safe
@members_only(Role.MANAGER)
def documents(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """What is judged, topic by topic, as far as it is asked for."""
    topic, words, state = (request.GET.get(name, "").replace("\0", "") for name in ("topic", "words", "state"))
    items = items_of(project, topic=topic, words=words, state=state)
    context = {
        "project": project,
        "here": "overview",
        "page": Paginator(items, ON_A_PAGE).get_page(request.GET.get("page")),
        "topics": project.topics.all(),
        "states": list(STATES.items()),
        "topic": topic,
        "words": words,
        "state": state,
    }
    return render(request, "projects/documents.html", context)


@members_only(Role.MANAGER)
def document(request: HttpRequest, project: Project, membership: Membership | None, item: int) -> HttpResponse:
    """A document for a topic: its text, its judgments, and taking it out of the pool."""
    one = get_object_or_404(
        Item.objects.select_related("project", "topic", "document", "other"), project=project, pk=item
    )
    if request.method == "POST":
        if (wish := request.POST.get("do")) in ("withdraw", "put back"):
            withdraw(one, cast(User, request.user), withdrawn=wish == "withdraw")
            messages.success(request, "Kept.")
        return redirect("project-document", project=project.pk, item=one.pk)
    context = {
        "project": project,
        "here": "overview",
        "item": one,
        "texts": [_text(each) for each in (one.document, one.other) if each is not None],
        "judgments": _judgments(project, one),
        "decisions": one.decisions.select_related("decided_by"),
    }
    return render(request, "projects/document.html", context)


def _text(document: Document) -> dict[str, Any]:
    later = document.other_texts.filter(sha256=document.changed_sha256).first() if document.changed_sha256 else None
    return {
        "document": document,
        "html": clean_html(document.text),
        "later": clean_html(later.text) if later is not None else "",
        "later_title": later.title if later is not None else "",
    }


def _judgments(project: Project, item: Item) -> list[dict[str, Any]]:
    """All that was said of a document, the latest last; `counts` is what stands and is counted."""
    events = list(Event.objects.filter(item=item).select_related("slot", "scale", "supersedes"))
    names = project.pseudonyms
    stand = {event.pk for event in decisions_by_slot(events).values()}
    return [
        {
            "event": event,
            "who": names.get(event.assessor_id, f"assessor-{event.assessor_id}"),
            "kind": _kind(event),
            "counts": event.pk in stand,
            "old_text": event.document_sha256 != item.document.sha256,
        }
        for event in events
    ]


def _kind(event: Event) -> str:
    if event.slot is None:
        return "late"
    return "repeat" if event.slot.repeat_of_id is not None else ""
