"""Chance that is the same every time: what is drawn depends on the project's seed, the assessor and the thing."""

from __future__ import annotations

import hashlib

from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Project


def lot(project: Project, assessor: User | None, what: str) -> float:
    """A number from 0 up to 1, for this assessor and this thing; any two of them have nothing to do with each other.

    Without an assessor it is the same for all.
    """
    whose = "everybody" if assessor is None else assessor.pk
    drawn = hashlib.sha256(f"{project.seed} {project.pk} {whose} {what}".encode()).digest()
    return int.from_bytes(drawn[:6]) / 2**48
