"""The scale of a project: a new version whenever anything in it changes, and the old ones stay."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction

from cranfield.data.scale import Grade, Scale
from cranfield.errors import UsageError
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.projects.document_columns import storable
from cranfield.web.projects.models import Project, ScaleVersion


def scale_of(version: ScaleVersion) -> Scale:
    """A version as the library has it: its hash is that of the version."""
    return Scale(version.name, tuple(Grade(**grade) for grade in version.content), version.guideline)


@transaction.atomic
def add_scale(project: Project, scale: Scale, by: User | None = None) -> ScaleVersion:
    """Judge by this scale from now on. What was judged by another stays so, and says by which."""
    Project.objects.select_for_update().get(pk=project.pk)
    last = project.current_scale
    scale = Scale(
        storable(scale.name),
        tuple(Grade(each.value, storable(each.name), storable(each.definition), each.key) for each in scale.grades),
        storable(scale.guideline),
    )
    if last is not None and last.version == scale.version:
        raise UsageError("nothing in the scale has changed")
    version = ScaleVersion.objects.create(
        project=project,
        number=1 if last is None else last.number + 1,
        name=scale.name,
        version=scale.version,
        content=[asdict(grade) for grade in scale.grades],
        guideline=scale.guideline,
        created_by=by,
    )
    if last is not None:
        note(by, project, "scale changed", number=version.number, version=version.version)
    return version
