"""The runs that a review can hold against judgments: those of the workspace, those handed in, and uploaded ones.

What is uploaded here is looked at once, and not kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from cranfield.errors import CranfieldError, DataError
from cranfield.web.projects.models import Project
from cranfield.web.projects.uploads import unpacked
from cranfield.web.tasks.models import Submission
from cranfield.web.tasks.scoring import run_of

if TYPE_CHECKING:
    from cranfield.data.run import Run

WORKSPACE, HANDED_IN = "workspace", "submission"


def runs_there(project: Project) -> dict[str, str]:
    """What there is to choose from: by a key, what the run is called."""
    found = {f"{WORKSPACE}:{name}": name for name in _of_workspace()}
    for submission in Submission.objects.filter(project=project, withdrawn_at=None).defer("run"):
        found[f"{HANDED_IN}:{submission.pk}"] = f"{submission.name} (handed in)"
    return found


def read_runs(project: Project, chosen: Iterable[str], uploads: Iterable[UploadedFile[bytes]]) -> dict[str, Run]:
    """The runs that were chosen and uploaded, by their names; two of the same name are an error."""
    from cranfield.formats import read_run, run_name

    found: dict[str, Run] = {}
    files = _of_workspace()

    def add(name: str, run: Run) -> None:
        if name in found:
            raise DataError(f"two of the runs are called {name}; choose one of them, or call the file otherwise")
        found[name] = run

    for key in chosen:
        kind, _, name = key.partition(":")
        if kind == WORKSPACE and name in files:
            add(name, read_run(files[name]))
        elif kind == HANDED_IN:
            submission = Submission.objects.get(project=project, pk=name, withdrawn_at=None)
            add(submission.name, run_of(submission))
    for upload in uploads:
        with ExitStack() as while_read:
            file = while_read.enter_context(unpacked(upload))
            add(run_name(file), read_run(file))
    return found


def _of_workspace() -> dict[str, Path]:
    """The run of each system that has one."""
    from cranfield.experiments.workspace_file import read_workspace

    if not settings.WORKSPACE:
        return {}
    try:
        workspace = read_workspace(settings.WORKSPACE)
    except CranfieldError:  # `cranfield status` says what is wrong with it; here are then no runs
        return {}
    files = {name: workspace.run_file(name) for name in workspace.systems}
    return {name: file for name, file in files.items() if file.is_file()}
