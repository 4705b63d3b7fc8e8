"""What the judgments of a project are, as the library reads them: of each assessor, and of all of them as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.web.judging.events import events_of
from cranfield.web.judging.models import Decision
from cranfield.web.projects.models import Project

if TYPE_CHECKING:
    from cranfield.data.judging_record import JudgingRecord
    from cranfield.data.qrels import Qrels

Place = tuple[str, str]
"""The names of a topic and a document."""


def record_of(project: Project) -> JudgingRecord:
    """The events that judgments come from, and what stands after them."""
    from cranfield.data.judging_record import JudgingRecord

    return JudgingRecord(events_of(project))


def decided(project: Project) -> dict[Place, float]:
    """What adjudicators decided, the last decision of each document."""
    rows = Decision.objects.filter(item__project=project, item__other=None).order_by("at", "pk")
    return {
        (topic, document): grade
        for topic, document, grade in rows.values_list("item__topic__name", "item__document__name", "grade")
    }


def judgments(project: Project, rule: str = "majority", record: JudgingRecord | None = None) -> Qrels:
    """One grade for each document that was judged: what was decided of it, or what the rule makes of its grades.

    Who has the record of the project already, gives it along.
    """
    from cranfield.data.judging_record import to_qrels
    from cranfield.data.qrels import Qrels

    graded = to_qrels(record if record is not None else record_of(project), rule).to_dict()
    grades = {(topic, name): grade for topic, documents in graded.items() for name, grade in documents.items()}
    return Qrels.from_tuples(
        [(*place, grade) for place, grade in (grades | decided(project)).items()], name="judgments"
    )
