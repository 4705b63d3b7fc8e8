"""What the page of searching talks to, beside the endpoints of judging; `docs/judging/protocol.md` has it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.http import HttpRequest
from django.views.decorators.http import require_POST

from cranfield.errors import DataError, EngineError, UsageError
from cranfield.web.judging.endpoints import assessor_of, body_of, count_of, endpoint
from cranfield.web.judging.found_items import leave_found, open_found
from cranfield.web.judging.handing_out import with_documents
from cranfield.web.judging.models import Event, SearchQuery, Slot
from cranfield.web.judging.search_results import Result, State, queries_of, search, state_of, was_found
from cranfield.web.judging.showing import shown_answer, shown_document, shown_item, words_to_mark
from cranfield.web.judging.snippets import snippet
from cranfield.web.judging.standing import decisions_by_slot
from cranfield.web.moments import utc
from cranfield.web.permissions import Role
from cranfield.web.projects.document_columns import storable
from cranfield.web.projects.models import Membership, Project, Topic
from cranfield.web.search_places import told

LONGEST_QUERY = 1000


@require_POST
@endpoint(Role.ASSESSOR, Role.MANAGER)
def search_for(request: HttpRequest, project: Project, membership: Membership | None) -> dict[str, Any]:
    assessor, content = assessor_of(request, membership), body_of(request)
    topic, query = _topic(project, content), _query(content)
    _refuse_closed(project)
    with _saying_why(project, membership):
        found = search(topic, assessor, query, count_of(content.get("n", 30), "n"))
    words = words_to_mark(query)
    return {
        "query": query,
        "results": [_shown(result, words) for result in found.results],
        "words": words,
        "without_text": found.without_text,
        "queries": [shown_query(one) for one in queries_of(topic, assessor)],
    }


@require_POST
@endpoint(Role.ASSESSOR, Role.MANAGER)
def open_document(request: HttpRequest, project: Project, membership: Membership | None) -> dict[str, Any]:
    assessor, content = assessor_of(request, membership), body_of(request)
    topic, name = _topic(project, content), _document(content)
    _refuse_closed(project)
    if not project.engine or not was_found(topic, assessor, name):
        raise DataError(f"document {name!r:.80} is none that you found for this topic: search for it first")
    with _saying_why(project, membership):
        document, slot = open_found(topic, assessor, name)
    if slot is None:
        item = {"slot": None, "topic": str(topic.pk), "document": shown_document(document), "other": None}
        withdrawn = topic.items.filter(document=document, other=None, withdrawn=True).exists()
        return {"item": item | {"standing": None}, "state": State.OUT if withdrawn else State.ENOUGH}
    slot = with_documents(Slot.objects.filter(pk=slot.pk)).get()
    events = Event.objects.filter(slot=slot, assessor=assessor).select_related("scale").order_by("number")
    return {
        "item": shown_item(slot, decisions_by_slot(events).get(slot.pk)),
        "state": state_of(slot.item, assessor),
    }


@require_POST
@endpoint(Role.ASSESSOR, Role.MANAGER)
def leave_document(request: HttpRequest, project: Project, membership: Membership | None) -> dict[str, Any]:
    assessor, content = assessor_of(request, membership), body_of(request)
    return {"left": leave_found(_topic(project, content), assessor, _document(content))}


def shown_query(query: SearchQuery) -> dict[str, Any]:
    """A query that was kept, as JSON has it."""
    return {"text": query.text, "found": query.found, "new": query.new, "at": utc(query.at)}


@contextmanager
def _saying_why(project: Project, membership: Membership | None) -> Iterator[None]:
    """Managers can do something about an engine that is down, and read why it is; assessors read that it is."""
    try:
        yield
    except EngineError as error:
        if error.__cause__ is None or membership is None or membership.role != Role.MANAGER:
            raise
        raise EngineError(f"it cannot be searched: {_why(project, error.__cause__)}") from error


def _why(project: Project, cause: BaseException) -> str:
    for place in filter(None, (project.engine, project.collection)):
        if place in str(cause):
            return told(cause, Path(place).name, Path(place))
    if isinstance(cause, EngineError | UsageError):
        return str(cause)
    return f"{type(cause).__name__}; the server's log says more"


def _shown(result: Result, words: list[str]) -> dict[str, Any]:
    document = result.document
    return {
        "document": document.name,
        "title": document.title,
        "snippet": snippet(document.text, words),
        "state": result.state,
        "standing": shown_answer(result.decision) if result.decision is not None else None,
    }


def _topic(project: Project, content: dict[str, Any]) -> Topic:
    if project.mode == Project.Mode.PAIRS:
        raise DataError("in a project of pairs one does not search: documents are compared, and not judged")
    key = str(content.get("topic") or "")
    found = project.topics.filter(pk=int(key)).first() if key.isascii() and key.isdigit() and len(key) < 19 else None
    if found is None:
        raise DataError(f"topic is {key!r:.60}, and there is none such in this project")
    found.project = project
    return found


def _query(content: dict[str, Any]) -> str:
    query = content.get("query")
    text = storable(" ".join(query.split())) if isinstance(query, str) else ""
    if not text or len(text) > LONGEST_QUERY:
        raise DataError(f"query is {query!r:.60}; expected some words, {LONGEST_QUERY:,} characters at most")
    return text


def _document(content: dict[str, Any]) -> str:
    name = content.get("document")
    if not isinstance(name, str) or not name or storable(name) != name:
        raise DataError(f"document is {name!r:.60}; expected the name of one that was found")
    return name


def _refuse_closed(project: Project) -> None:
    if project.closed_at is not None:
        raise DataError("the project was closed: there is nothing more to judge")
