"""The pool: what is to be judged, and more of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from cranfield.data.documents import Document as Content
from cranfield.web.accounts.audit import note
from cranfield.web.api.operations import Asked, Operation
from cranfield.web.api.problems import ProblemError
from cranfield.web.api.schemas import (
    AFTER,
    DOCUMENT,
    LIMIT,
    MOST_AT_ONCE,
    TOPIC,
    Schema,
    list_of,
    name,
    one_of,
    or_null,
    shape,
    text,
    whole,
)
from cranfield.web.judging.slots import PERSONAL
from cranfield.web.projects.adding import Wanted, add_to_pool
from cranfield.web.projects.models import Item

STATE = one_of("open: more judgments are wanted; judged: all are there; withdrawn: not to be judged", *(
    "open", "judged", "withdrawn"
))  # fmt: skip
FIELDS: Schema = {
    "type": "object",
    "description": "What else there is to say of a document",
    "additionalProperties": {"type": ["string", "number", "boolean", "null"], "maxLength": 100_000},
    "propertyNames": {
        "type": "string",
        "description": "a name; title and text have places of their own",
        "minLength": 1,
        "maxLength": 100,
        "pattern": r"^(?!(title|text)$)[^\u0000]*$",
    },
    "maxProperties": 100,
}
ITEM = shape(
    "A document that is to be judged for a topic",
    {
        "number": whole("What the next page goes on after", most=2**63 - 1),
        "topic": {"type": "string"},
        "document": {"type": "string"},
        "other": {"type": ["string", "null"], "description": "In a project of pairs, the second document"},
        "title": {"type": "string"},
        "sha256": {"type": "string", "description": "Of the document as it is shown"},
        "changed": {"type": "boolean", "description": "Whether the collection has another text of it by now"},
        "origin": one_of("Where it comes from", *Item.Origin.values),
        "round": whole("When the pool got it: 0 is the first build"),
        "state": STATE,
        "wanted": whole("How many judgments it shall have"),
        "done": whole("How many it has"),
    },
    {"text": {"type": "string"}, "fields": {"type": "object"}},
)
NEW = shape(
    "A document to be judged for a topic",
    {"topic": TOPIC, "document": DOCUMENT},
    {"title": text("What it is headed by", 10_000), "text": text("What it says"), "fields": FIELDS},
)


def _pool(asked: Asked) -> dict[str, Any]:
    given = asked.parameters
    items = _counted(asked.project.items.filter(pk__gt=given["after"]))
    if "topic" in given:
        items = items.filter(topic__name=given["topic"])
    if "state" in given:
        items = items.filter(_STATES[given["state"]])
    rows = list(items.select_related("topic", "document", "other").order_by("pk")[: given["limit"] + 1])
    page, more = rows[: given["limit"]], len(rows) > given["limit"]
    return {"items": [_shown(item, given["content"]) for item in page], "next": page[-1].pk if more else None}


def _counted(items: QuerySet[Item]) -> QuerySet[Item]:
    """With `done`: a document that somebody skipped is not judged by that, for somebody else gets it."""
    done = Q(slots__number__lt=PERSONAL, slots__done_at__isnull=False, slots__replacement=None)
    return items.annotate(done=Count("slots", filter=done))


_STATES = {
    "open": Q(withdrawn=False, done__lt=F("wanted")),
    "judged": Q(withdrawn=False, done__gte=F("wanted")),
    "withdrawn": Q(withdrawn=True),
}


def _shown(item: Any, content: bool) -> dict[str, Any]:
    document = item.document
    return {
        "number": item.pk,
        "topic": item.topic.name,
        "document": document.name,
        "other": item.other.name if item.other is not None else None,
        "title": document.title,
        "sha256": document.sha256,
        "changed": bool(document.changed_sha256),
        "origin": item.origin,
        "round": item.round,
        "state": "withdrawn" if item.withdrawn else "judged" if item.done >= item.wanted else "open",
        "wanted": item.wanted,
        "done": item.done,
        **({"text": document.text, "fields": document.fields} if content else {}),
    }


def _add(asked: Asked) -> dict[str, Any]:
    wanted = [_wanted(one) for one in asked.body["documents"]]
    if asked.project.closed_at is not None:
        raise ProblemError(409, "the project is closed: nothing is judged any more")
    added = add_to_pool(asked.project, wanted)
    if added.items or added.documents:
        note(asked.token.user, asked.project, "pool extended by a program", token=asked.token.name, **asdict(added))
    return asdict(added)


def _wanted(one: dict[str, Any]) -> Wanted:
    content = {name: one[name] for name in ("title", "text") if name in one} | one.get("fields", {})
    return Wanted(one["topic"], one["document"], Content(one["document"], content) if content else None)


OPERATIONS = (
    Operation(
        "GET",
        "projects/{project}/pool",
        "pool",
        "What is to be judged",
        _pool,
        shape(
            "A page of the pool",
            {
                "items": list_of(ITEM),
                "next": or_null(whole("What to ask for with `after`; null at the end", most=2**63 - 1)),
            },
        ),
        said="In the order in which documents came into the project. `next` is for the parameter `after`.",
        parameters={
            "topic": name("Only of this topic", 200),
            "state": STATE,
            "content": {"type": "boolean", "description": "With the text and fields of documents", "default": False},
            "after": AFTER,
            "limit": LIMIT,
        },
    ),
    Operation(
        "POST",
        "projects/{project}/pool",
        "addToPool",
        "Add documents to the pool",
        _add,
        shape(
            "What was new",
            {
                "items": whole("New entries of the pool"),
                "documents": whole("New documents"),
                "there_already": whole("Entries that were there, and stay as they were"),
            },
        ),
        said="All of them or none. The same again changes nothing. A document that the project has already needs "
        "no title and text; one with another content than the project has is refused.",
        body=shape("Documents", {"documents": list_of(NEW, MOST_AT_ONCE, 1)}),
        statuses={409: "The project is closed, or has no such topic, or has another content of a document"},
    ),
)
