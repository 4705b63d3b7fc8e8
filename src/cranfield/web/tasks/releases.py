"""Releases: scores are made once, looked at by organisers, shown to participants, and taken back."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from cranfield.errors import UsageError
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Project
from cranfield.web.tasks.material import hidden_qrels, qrels_sha256
from cranfield.web.tasks.models import Release, Submission, Task
from cranfield.web.tasks.scoring import measures_of, score


def standing(project: Project) -> Sequence[Submission]:
    """The runs that are not withdrawn, with their files, in the order in which they came."""
    return list(Submission.objects.filter(project=project, withdrawn_at=None).order_by("at", "pk"))


def make_release(task: Task, by: User, measures: Sequence[str], audience: str, *, per_topic: bool) -> Release:
    """Score every run that stands, by the judgments as they are now. Participants see nothing of it yet."""
    names = measures_of(measures)
    qrels = hidden_qrels(task)
    scores = score(standing(task.project), qrels, names, per_topic=per_topic)
    with transaction.atomic():
        release = Release.objects.create(
            project=task.project,
            measures=scores["measures"],
            audience=audience,
            per_topic=per_topic,
            scores=scores,
            qrels_sha256=qrels_sha256(qrels),
            by=by,
        )
        note(by, task.project, "scores computed", release=release.pk, qrels_sha256=release.qrels_sha256)
    return release


@transaction.atomic
def show(release: Release, by: User) -> None:
    """Let participants see it. Not if a run has been withdrawn since: its scores are no longer ours to show."""
    if release.shown_at is not None or release.withdrawn_at is not None:
        return
    ids = [run["submission"] for run in release.scores["runs"]]
    gone = Submission.objects.filter(pk__in=ids).exclude(withdrawn_at=None).values_list("name", flat=True)
    if gone:
        raise UsageError(f"{', '.join(gone)}: withdrawn since these scores were computed; compute them again")
    release.shown_at = timezone.now()
    release.save(update_fields=["shown_at"])
    note(by, release.project, "scores released", release=release.pk, audience=release.audience)


@transaction.atomic
def withdraw_release(release: Release, by: User) -> None:
    """Participants see it no longer. What they have seen, they have seen."""
    if release.withdrawn_at is None:
        release.withdrawn_at = timezone.now()
        release.save(update_fields=["withdrawn_at"])
        note(by, release.project, "release of scores withdrawn", release=release.pk)
