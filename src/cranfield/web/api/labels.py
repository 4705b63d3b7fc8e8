"""Labels: every event of a project, in its order."""

from __future__ import annotations

from typing import Any

from cranfield.data.judging import ACTIONS, INPUTS
from cranfield.web.api.following import settled_until
from cranfield.web.api.operations import Asked, Operation
from cranfield.web.api.schemas import (
    AFTER,
    DOCUMENT,
    LIMIT,
    NUMBER,
    TOPIC,
    Schema,
    list_of,
    name,
    one_of,
    or_null,
    shape,
    text,
    time,
    uuid,
    whole,
)
from cranfield.web.judging.events import numbered_events

EVENT: dict[str, Schema] = {
    "event": uuid("Its own identifier"),
    "time": time("When it was done"),
    "assessor": name("The pseudonym of who did it", 40),
    "topic": TOPIC,
    "document": DOCUMENT,
    "action": one_of("What was done", *ACTIONS),
    "grade": or_null({**NUMBER, "description": "With the action grade: a grade of the scale"}),
    "reason": or_null(text("Why, in words; the text of a note", 20_000)),
    "scale": or_null(text("The version of the scale; without one, that of now", 64)),
    "document_sha256": or_null(
        {"type": "string", "description": "Of the document as it was shown", "pattern": "^[0-9a-f]{64}$"}
    ),
    "shown_at": or_null(time("When it came on screen")),
    "active_ms": or_null(whole("For how long the assessor was at work on it")),
    "input": one_of("Where it was done", *INPUTS),
    "assignment": or_null(text("What the event belongs to: pool, searched, gold or repeat with a slot, or late")),
    "supersedes": or_null(uuid("The earlier event that this one corrects or takes back")),
}
_PLAIN = ("type", "description", "enum", "format")
NUMBERED = shape(
    "An event, with its number",
    {"number": whole("What the next page goes on after", most=2**63 - 1)}
    | {key: {word: schema[word] for word in _PLAIN if word in schema} for key, schema in EVENT.items()},
)


def _labels(asked: Asked) -> dict[str, Any]:
    after, limit = asked.parameters["after"], asked.parameters["limit"]
    found = numbered_events(asked.project, after=after, until=settled_until(), most=limit + 1)
    page = found[:limit]
    return {
        "events": [{"number": number, **event.to_dict()} for number, event in page],
        "after": page[-1][0] if page else after,
        "more": len(found) > limit,
    }


OPERATIONS = (
    Operation(
        "GET",
        "projects/{project}/labels",
        "labels",
        "Every event in its order: grades, skips, notes, and what was taken back",
        _labels,
        shape(
            "A page of events",
            {
                "events": list_of(NUMBERED),
                "after": whole("What to ask for with `after` to go on, now or later", most=2**63 - 1),
                "more": {"type": "boolean", "description": "Whether there is more already"},
            },
        ),
        said="Nothing is ever changed or taken out, so a program that goes on after the number it saw last misses "
        "nothing and gets nothing twice. Events are as `cranfield judge` writes them to a file; assessors go by their "
        "pseudonyms. Preferences between two documents are left out.",
        parameters={"after": AFTER, "limit": LIMIT},
    ),
)
