"""Decisions: what adjudicators said of documents on which assessors differ, and why."""

from __future__ import annotations

from typing import Any

from cranfield.web.api.operations import Asked, Operation
from cranfield.web.api.schemas import NUMBER, list_of, shape, time
from cranfield.web.judging.models import Decision

DECISION = shape(
    "A decision",
    {
        "topic": {"type": "string"},
        "document": {"type": "string"},
        "grade": NUMBER,
        "reason": {"type": "string"},
        "scale": {"type": "string", "description": "The version of the scale it was made by; empty if unknown"},
        "at": time("When it was made"),
        "by": {"type": "string", "description": "The pseudonym of who decided; empty if they are no member"},
        "holds": {"type": "boolean", "description": "Whether no later one was made of the same document"},
    },
)


def _decisions(asked: Asked) -> dict[str, Any]:
    names = asked.project.pseudonyms
    rows = Decision.objects.filter(item__project=asked.project, item__other=None).order_by("at", "pk")
    made = list(rows.select_related("item__topic", "item__document", "scale"))
    last = {decision.item_id: decision.pk for decision in made}
    return {
        "decisions": [
            {
                "topic": decision.item.topic.name,
                "document": decision.item.document.name,
                "grade": decision.grade,
                "reason": decision.reason,
                "scale": decision.scale.version if decision.scale is not None else "",
                "at": decision.at.isoformat(),
                "by": names.get(decision.decided_by_id, ""),
                "holds": last[decision.item_id] == decision.pk,
            }
            for decision in made
        ]
    }


OPERATIONS = (
    Operation(
        "GET",
        "projects/{project}/decisions",
        "decisions",
        "What was decided in adjudication, the oldest first",
        _decisions,
        shape("Decisions", {"decisions": list_of(DECISION)}),
        said="A later decision does not delete an earlier one. People decide; programs cannot.",
    ),
)
