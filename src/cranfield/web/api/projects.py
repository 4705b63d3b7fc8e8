"""The project of a token, and its topics."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Max

from cranfield.web.api.operations import Asked, Operation
from cranfield.web.api.schemas import BOOLEAN, NUMBER, Schema, list_of, one_of, or_null, shape, text, time, uuid, whole
from cranfield.web.judging.models import Event
from cranfield.web.projects.models import Project, ScaleVersion

GRADE = shape(
    "A grade of the scale",
    {"value": NUMBER, "name": {"type": "string"}, "definition": {"type": "string"}, "key": {"type": "string"}},
)
SCALE = shape(
    "The scale that is judged by now",
    {
        "version": {"type": "string", "description": "The hash of its content: what labels refer to"},
        "number": whole("The first version is 1", 1),
        "grades": list_of(GRADE),
        "guideline": text("How to judge, in Markdown"),
    },
)
PROJECT = shape(
    "A project",
    {
        "id": uuid("What addresses have"),
        "name": {"type": "string"},
        "description": {"type": "string"},
        "mode": one_of("What assessors give: grades, or which of two documents is better", *Project.Mode.values),
        "overlap": whole("How many assessors judge a document"),
        "created_at": time("When it was made"),
        "closed_at": or_null(time("When it was closed; null while people judge")),
        "hidden_qrels": BOOLEAN,
        "scale": or_null(SCALE),
        "topics": whole("How many topics"),
        "items": whole("How many documents are to be judged, topic by topic"),
        "last_event": whole("The number of the last event", most=2**63 - 1),
    },
)
TOPIC: Schema = shape(
    "A topic",
    {
        "topic": {"type": "string", "description": "Its identifier"},
        "title": {"type": "string"},
        "description": {"type": "string"},
        "narrative": {"type": "string"},
        "items": whole("How many documents are to be judged for it"),
    },
)


def one_project(asked: Asked) -> dict[str, Any]:
    project = asked.project
    return {
        "id": str(project.pk),
        "name": project.name,
        "description": project.description,
        "mode": project.mode,
        "overlap": project.overlap,
        "created_at": project.created_at.isoformat(),
        "closed_at": project.closed_at.isoformat() if project.closed_at else None,
        "hidden_qrels": project.hidden_qrels,
        "scale": _scale(project.current_scale),
        "topics": project.topics.count(),
        "items": project.items.filter(withdrawn=False).count(),
        "last_event": Event.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0,
    }


def _projects(asked: Asked) -> dict[str, Any]:
    return {"projects": [one_project(asked)]}


def _topics(asked: Asked) -> dict[str, Any]:
    return {
        "topics": [
            {
                "topic": topic.name,
                "title": topic.title,
                "description": topic.description,
                "narrative": topic.narrative,
                "items": topic.item_count,
            }
            for topic in asked.project.topics.annotate(item_count=Count("items")).order_by("place")
        ]
    }


def _scale(scale: ScaleVersion | None) -> dict[str, Any] | None:
    if scale is None:
        return None
    grades = [{"definition": "", "key": "", **grade} for grade in scale.content]
    return {"version": scale.version, "number": scale.number, "grades": grades, "guideline": scale.guideline}


OPERATIONS = (
    Operation(
        "GET",
        "projects",
        "projects",
        "The projects that the token is good for: one",
        _projects,
        shape("Projects", {"projects": list_of(PROJECT)}),
    ),
    Operation("GET", "projects/{project}", "project", "A project", one_project, PROJECT),
    Operation(
        "GET",
        "projects/{project}/topics",
        "topics",
        "The topics of a project, in its order",
        _topics,
        shape("Topics", {"topics": list_of(TOPIC)}),
    ),
)
