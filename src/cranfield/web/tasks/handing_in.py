"""Handing in a run: read with every check there is, held against topics and documents, and never against judgments."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from cranfield.errors import DataError
from cranfield.web.accounts.models import User
from cranfield.web.named_bytes import NamedBytes
from cranfield.web.tasks.material import document_names
from cranfield.web.tasks.models import Release, Submission, Task
from cranfield.web.tasks.unpacking import packed, unpacked

if TYPE_CHECKING:
    from cranfield.data.run import Run
    from cranfield.formats.validation.findings import Validation

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,79}")
_TRIES = 5
"""So many times the number that may stand can be handed in, those withdrawn included."""
_NAMED = 5


class NotTakenError(DataError):
    """A run is not taken: every reason by itself."""

    def __init__(self, *reasons: str) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


@dataclass(frozen=True)
class Taken:
    """A run that was taken, and what its owner should know of it."""

    submission: Submission
    notes: tuple[str, ...]


def hand_in(task: Task, participant: User, file: UploadedFile[bytes], name: str = "", description: str = "") -> Taken:
    """Take a run, if the task is open and the run is whole. Without a name it goes by its tag.

    A run that lacks topics is taken, with a note: they count as 0. Nothing here looks at a judgment.
    """
    _refuse_late(task)
    content = unpacked(file)
    run, notes = _read(content)
    topics = list(task.project.topics.values_list("name", flat=True))
    _refuse_strangers(task, run, content.name, topics)
    lacking = [topic for topic in topics if topic not in set(run.queries)]
    if lacking:
        notes = (
            *notes,
            f"{len(lacking)} of {len(topics)} topics have no documents ({_some(lacking)}): they count as 0.",
        )
    name = name or run.tag
    if not NAME.fullmatch(name):
        raise NotTakenError(f"the name {name!r} of the run: expected letters, digits and . _ + - only, at most 80")
    submission = Submission(
        project=task.project,
        participant=participant,
        name=name,
        tag=run.tag[:200],
        description=description,
        run=packed(content.getvalue()),
        sha256=hashlib.sha256(content.getvalue()).hexdigest(),
        topics=len(run.queries),
        documents=len(run),
    )
    return Taken(_kept(task, submission), notes)


@transaction.atomic
def _kept(task: Task, submission: Submission) -> Submission:
    """Keep it, unless that makes too many: of two that come at the same time, one waits for the other."""
    locked = Task.objects.select_for_update().defer("qrels", "documents").get(pk=task.pk)
    _refuse_late(locked)
    own = own_submissions(task, submission.participant)
    standing = own.filter(withdrawn_at=None)
    if standing.count() >= locked.most:
        raise NotTakenError(f"you have handed in {locked.most}, and no more may stand; withdraw one first")
    if own.count() >= _TRIES * locked.most:
        raise NotTakenError(f"you have handed in {own.count()}, those withdrawn included; no more are taken")
    same = standing.filter(sha256=submission.sha256).first()
    if same is not None:
        raise NotTakenError(f"this very file stands already, as {same.name}")
    try:
        with transaction.atomic():
            submission.save(force_insert=True)
    except IntegrityError:
        raise NotTakenError(f"you have a run of the name {submission.name} already; give this one another") from None
    return submission


def withdraw(submission: Submission, task: Task) -> None:
    """Take a run back, before the deadline, and before scores of it were shown."""
    if submission.withdrawn_at is not None:
        return
    if task.is_over:
        raise NotTakenError("the deadline has passed: what was handed in stands")
    if scored(submission):
        raise NotTakenError("scores of this run were released: it stands")
    set_aside(submission)


def set_aside(submission: Submission) -> None:
    """It stands no longer: no later score and no pool has it. The file is kept."""
    Submission.objects.filter(pk=submission.pk, withdrawn_at=None).update(withdrawn_at=timezone.now())


def own_submissions(task: Task, participant: User) -> QuerySet[Submission]:
    """What somebody handed in, the files left where they are."""
    return Submission.objects.filter(project=task.project_id, participant=participant).defer("run")


def scored(submission: Submission) -> bool:
    """Whether scores of it were ever shown."""
    shown = Release.objects.filter(project=submission.project_id).exclude(shown_at=None)
    return any(run["submission"] == str(submission.pk) for release in shown for run in release.scores["runs"])


def _refuse_late(task: Task) -> None:
    if task.is_over:
        raise NotTakenError(f"the deadline has passed: it was {task.deadline:%Y-%m-%d %H:%M} UTC")


def _read(content: NamedBytes) -> tuple[Run, tuple[str, ...]]:
    """The run, and what is odd about the file; whatever would change a number is an error, each with its lines."""
    from cranfield.formats import read_run
    from cranfield.formats.validation import validate

    report = validate(content, kind="run", format="trec")
    if report.errors:
        raise NotTakenError(*_said(report, "error"))
    content.seek(0)
    return read_run(content, format="trec", name=content.name), tuple(_said(report, "warning"))


def _said(report: Validation, severity: str) -> Iterator[str]:
    for finding in report.findings:
        if finding.severity == severity:
            places = [str(place) for place in finding.places]
            where = f"{report.name}:{places[0]}" if places else report.name
            words = f"{where}: {finding.title}" + (f": {finding.example}" if finding.example else "")
            yield words + (f" (also line {_some(places[1:], finding.count - 1)})" if places[1:] else "")


def _refuse_strangers(task: Task, run: Run, file: str, topics: Collection[str]) -> None:
    """Topics and documents that there are not, and lists that are too long."""
    import numpy as np

    from cranfield.data.strings import decode

    reasons = []
    unknown = sorted(set(run.queries) - set(topics))
    if unknown:
        reasons.append(f"{file}: {len(unknown)} topics are not of this task: {_some(unknown)}")
    size = np.diff(run.offset)
    if size.max(initial=0) > task.depth:
        longest = run.queries[int(size.argmax())]
        reasons.append(f"{file}: topic {longest} has {size.max()} documents; at most {task.depth} are taken")
    known = document_names(task)
    if known is not None:
        strangers = sorted({decode(name) for name in set(run.documents.tolist()) - known})
        if strangers:
            reasons.append(f"{file}: {len(strangers)} documents are not in the list of documents: {_some(strangers)}")
    if reasons:
        raise NotTakenError(*reasons)


def _some(names: Collection[str], count: int | None = None) -> str:
    count = len(names) if count is None else count
    return ", ".join(list(names)[:_NAMED]) + (f" and {count - _NAMED} more" if count > _NAMED else "")
