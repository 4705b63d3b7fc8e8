"""What the labels of a project come to: one grade for each document, how far the work is, how far assessors agree."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q

from cranfield.data.judging_record import RULES, current
from cranfield.web.api.operations import Asked, Operation
from cranfield.web.api.problems import ProblemError
from cranfield.web.api.schemas import ANYTHING, NUMBER, list_of, one_of, shape, whole
from cranfield.web.judging.judgments import decided, judgments, record_of
from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import PERSONAL

RULE = {**one_of("How the grades of several assessors become one", *RULES), "default": "majority"}
JUDGMENT = shape(
    "A document with one grade",
    {
        "topic": {"type": "string"},
        "document": {"type": "string"},
        "grade": NUMBER,
        "adjudicated": {"type": "boolean", "description": "Whether it was decided, not counted"},
    },
)
COUNTS = {
    "items": whole("Documents that are to be judged"),
    "wanted": whole("Judgments that are wanted of them"),
    "done": whole("Judgments that are there, those that skip a document aside"),
}


def _judgments(asked: Asked) -> dict[str, Any]:
    adjudicated = decided(asked.project)
    grades = judgments(asked.project, asked.parameters["rule"]).to_dict()
    return {
        "rule": asked.parameters["rule"],
        "judgments": [
            {"topic": topic, "document": name, "grade": grade, "adjudicated": (topic, name) in adjudicated}
            for topic, documents in grades.items()
            for name, grade in documents.items()
        ],
    }


def _progress(asked: Asked) -> dict[str, Any]:
    items = asked.project.items.filter(withdrawn=False).exclude(origin="gold")
    slots = Slot.objects.filter(item__in=items, number__lt=PERSONAL, replacement=None)
    counts = slots.values_list("item__topic__name").annotate(
        items=Count("item", distinct=True), wanted=Count("pk"), done=Count("pk", filter=Q(done_at__isnull=False))
    )
    by_topic = {name: numbers for name, *numbers in counts}
    topics = [
        {"topic": name, **dict(zip(COUNTS, by_topic.get(name, [0, 0, 0]), strict=True))}
        for name in asked.project.topics.order_by("place").values_list("name", flat=True)
    ]
    return {**{key: sum(int(topic[key]) for topic in topics) for key in COUNTS}, "topics": topics}


def _agreement(asked: Asked) -> dict[str, Any]:
    from cranfield.evaluation.agreement import agreement

    labels = current(record_of(asked.project))
    if not len(labels):
        raise ProblemError(409, "there is no grade yet that agreement could be counted on")
    return agreement(labels, resamples=asked.parameters["resamples"]).to_dict()


OPERATIONS = (
    Operation(
        "GET",
        "projects/{project}/judgments",
        "judgments",
        "One grade for each document that was judged",
        _judgments,
        shape("Judgments", {"rule": RULE, "judgments": list_of(JUDGMENT)}),
        said="What was decided in adjudication, and otherwise what the rule makes of the grades of all assessors.",
        parameters={"rule": RULE},
    ),
    Operation(
        "GET",
        "projects/{project}/progress",
        "progress",
        "How far the judging has come, topic by topic",
        _progress,
        shape("Progress", {**COUNTS, "topics": list_of(shape("Of a topic", {"topic": {"type": "string"}, **COUNTS}))}),
    ),
    Operation(
        "GET",
        "projects/{project}/agreement",
        "agreement",
        "How far assessors agree, with intervals",
        _agreement,
        ANYTHING,
        said="As `cranfield agreement --format json` has it for the exported labels.",
        parameters={"resamples": {**whole("Samples that intervals are made of", 100, 5000), "default": 2000}},
        statuses={409: "There is no grade yet"},
    ),
)
