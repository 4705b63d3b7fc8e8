"""New projects, whoever asks for them: a form, a command, or a program."""

from __future__ import annotations

import secrets
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from cranfield.data.collection import Collection
from cranfield.data.pool import Pool
from cranfield.data.scale import GRADED, Scale
from cranfield.data.topics import Topics
from cranfield.errors import UsageError
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.invitations import join
from cranfield.web.accounts.models import User
from cranfield.web.projects.bringing_in import BroughtIn, write
from cranfield.web.projects.gathering import gathered
from cranfield.web.projects.models import Membership, Project
from cranfield.web.projects.scales import add_scale

LARGEST_OVERLAP = 100
"""More assessors than that on one document are a slip of the finger."""


def create_project(
    name: str,
    *,
    pool: Pool,
    topics: Topics,
    collection: Collection,
    scale: Scale = GRADED,
    by: User | None = None,
    leave_out: bool = False,
    per_document: int | None = None,
    collection_place: str = "",
    **settings: Any,
) -> tuple[Project, BroughtIn]:
    """A project with all there is to judge, and what was brought in; whoever makes it manages it.

    `collection_place` is where the documents are on the server, if they are to be searched or compared later on;
    `settings` are fields of `Project`, such as overlap, order and repeat_share. An error leaves nothing behind.
    """
    project = Project(name=name.strip(), collection=collection_place, **{"seed": secrets.randbelow(2**31), **settings})
    _check(project)
    with gathered(pool, topics, collection, leave_out=leave_out) as material, transaction.atomic():
        project.save(force_insert=True)
        add_scale(project, scale, by)
        if by is not None:
            join(project, by, role=Membership.Role.MANAGER)
        note(by, project, "project made", name=project.name, overlap=project.overlap, scale=scale.version)
        return project, write(project, material, per_document=per_document, by=by)


def _check(project: Project) -> None:
    """An error for settings that cannot be."""
    for name in ("overlap_share", "repeat_share"):
        if not 0 <= getattr(project, name) <= 1:
            raise UsageError(f"{name} is {getattr(project, name)}; expected a share from 0 to 1")
    if not 1 <= project.overlap <= LARGEST_OVERLAP:
        raise UsageError(f"overlap is {project.overlap}; expected 1 to {LARGEST_OVERLAP}")
    for name in ("lease_minutes", "break_minutes"):
        if getattr(project, name) < 1:
            raise UsageError(f"{name} is {getattr(project, name)}; expected at least 1")
    try:
        project.full_clean(exclude=("recipe",))
    except ValidationError as error:
        said = "; ".join(f"{field}: {' '.join(each)}" for field, each in error.message_dict.items())
        raise UsageError(said) from None
