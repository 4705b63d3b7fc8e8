"""Runs that were handed in as a source of documents to judge: the project's pool, extended by their first documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.errors import UsageError
from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Project
from cranfield.web.tasks.material import topics_of
from cranfield.web.tasks.releases import standing
from cranfield.web.tasks.scoring import run_of

if TYPE_CHECKING:
    from cranfield.data.collection import Collection
    from cranfield.data.pool import Pool
    from cranfield.web.projects.bringing_in import BroughtIn


def pool_with_submissions(project: Project, depth: int) -> Pool:
    """The pool that was brought in last, and the first documents of each run that stands, for each topic."""
    from cranfield.pooling.building import build_pool, extend_pool
    from cranfield.pooling.depth import Depth
    from cranfield.web.projects.bringing_in import last_pool

    submissions = standing(project)
    if not submissions:
        raise UsageError("no run stands: there is nothing to pool")
    runs = [run_of(submission) for submission in submissions]
    for number, run in enumerate(runs, 1):
        run.name = f"{number}-{run.name}"  # those of two participants may have the same
    topics = list(project.topics.values_list("name", flat=True))
    before = last_pool(project)
    if before is None:
        return build_pool(runs, Depth(depth), seed=project.seed, topics=topics).pool
    return extend_pool(before, runs, Depth(depth), seed=project.seed, topics=topics).pool


def bring_in_submissions(
    project: Project, depth: int, collection: Collection, *, leave_out: bool = False, by: User | None = None
) -> BroughtIn:
    """Have the first documents of the runs judged. What is judged already, or is to be, stays as it is."""
    from cranfield.web.projects.bringing_in import bring_in

    pool, topics_sha256 = pool_with_submissions(project, depth), project.topics_sha256
    brought = bring_in(project, pool, topics_of(project), collection, leave_out=leave_out, by=by)
    project.topics_sha256 = topics_sha256  # the topics are those that were there, and so is where they came from
    project.save(update_fields=("topics_sha256",))
    return brought
