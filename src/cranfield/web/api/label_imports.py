"""Labels that were given elsewhere, by the rules of files that managers import."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from cranfield.data.judging import JudgingEvent
from cranfield.formats.given_judgments import GivenJudgments
from cranfield.web.api.labels import EVENT
from cranfield.web.api.operations import Asked, Operation
from cranfield.web.api.problems import Mistake, ProblemError
from cranfield.web.api.schemas import BOOLEAN, MOST_AT_ONCE, NUMBER, Schema, list_of, one_of, shape, whole
from cranfield.web.exchange.importing import KEEP, SURPLUS, carry_out
from cranfield.web.exchange.planning import THERE, plan

_NEEDED = ("event", "time", "assessor", "topic", "document", "action")
_OPTIONAL = ("reason", "scale", "document_sha256", "shown_at", "active_ms")


def _given(actions: tuple[str, ...], **needed: Schema) -> Schema:
    required = {key: EVENT[key] for key in _NEEDED} | {"action": one_of("What was done", *actions), **needed}
    optional = {key: EVENT[key] for key in _OPTIONAL} | ({} if needed else {"grade": {"type": "null"}})
    return shape(f"A label: {', '.join(actions)}", required, optional)


GIVEN: Schema = {
    "oneOf": [_given(("grade",), grade={**NUMBER, "description": "A grade of the scale"}), _given(("unsure", "skip"))],
    "discriminator": {"propertyName": "action"},
}


@transaction.atomic
def _import(asked: Asked) -> dict[str, int]:
    if asked.project.closed_at is not None:
        raise ProblemError(409, "the project is closed: no label is taken any more")
    events = tuple(JudgingEvent.from_dict(_whole(content)) for content in asked.body["events"])
    given = GivenJudgments("events", events)
    merge = asked.body.get("merge", False)
    planned = plan(asked.project, given, merge=merge)
    mistakes = [Mistake(", ".join(one.names), one.reason) for one in planned.reasons() if one.reason != THERE]
    if mistakes:
        raise ProblemError(409, f"nothing was taken: {mistakes[0].said}: {mistakes[0].where}", mistakes)
    there = len(events) - len(planned.taken)
    if not planned.taken:
        return {"taken": 0, "there_already": there, "counted": 0}
    surplus = asked.body.get("surplus", KEEP)
    done = carry_out(
        asked.project, given, surplus=surplus, merge=merge, by=asked.token.user, source=f"token {asked.token.name}"
    )
    return {"taken": len(done.plan.taken), "there_already": there, "counted": done.counted}


def _whole(content: dict[str, Any]) -> dict[str, Any]:
    """All fields of an event, times and identifiers as events have them."""
    times = {key: _utc(content[key]) for key in ("time", "shown_at") if content.get(key)}
    return {**dict.fromkeys(EVENT), **content, **times, "event": content["event"].lower(), "input": "import"}


def _utc(time: str) -> str:
    return datetime.fromisoformat(time.upper()).astimezone(UTC).isoformat()[: -len("+00:00")] + "Z"


OPERATIONS = (
    Operation(
        "POST",
        "projects/{project}/labels",
        "importLabels",
        "Import labels that were given elsewhere",
        _import,
        shape(
            "What was new",
            {
                "taken": whole("Labels that were new"),
                "there_already": whole("Labels that were there, which changes nothing"),
                "counted": whole("Of the new ones, those that count"),
            },
        ),
        said="All of them or none; the same again changes nothing, by the identifier of each. Assessors who are not "
        "known here become members who cannot log in; so do those whose names belong to people who can, with "
        "`-imported` behind them, unless `merge` is true. A label that is more than are wanted of a document is kept "
        "and does not count, unless `surplus` says so.",
        body=shape(
            "Labels",
            {"events": list_of(GIVEN, MOST_AT_ONCE, 1)},
            {
                "surplus": one_of("Labels that are more than are wanted of a document", *SURPLUS),
                "merge": {**BOOLEAN, "description": "Whether names that people have here are theirs; else others'"},
            },
        ),
    ),
)
