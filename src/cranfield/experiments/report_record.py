"""What the report of a workspace was made of, so that it is known when it is out of date, and how to make it again."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cranfield.evaluation.provenance.fingerprints import of_file
from cranfield.experiments.local_folder import local_folder
from cranfield.experiments.workspace import Workspace
from cranfield.formats.writing import writing


@dataclass(frozen=True)
class ReportRecord:
    """A report that was written, and the command that wrote it."""

    sha256: str
    """Of the page."""
    options: dict[str, Any]
    """Given to `cranfield report`."""
    folder: str
    """Where that was typed, from the workspace."""
    inputs: dict[str, str]
    """Hashes of judgments and runs by their paths from the workspace."""
    measures: list[str]
    """Of the workspace."""
    systems: list[str]
    """Of the workspace, if it is about all of them."""


def note_report(workspace: Workspace, options: Mapping[str, Any], inputs: Sequence[str], *, all_systems: bool) -> None:
    """Write down what the report that has just been written is made of."""
    files = {os.path.relpath(path, workspace.root): sha for path in inputs if (sha := _hash(Path(path)))}
    record = ReportRecord(
        sha256=_hash(workspace.report) or "",
        options=dict(options),
        folder=os.path.relpath(os.getcwd(), workspace.root),
        inputs=files,
        measures=list(workspace.measures),
        systems=list(workspace.systems) if all_systems else [],
    )
    with writing(local_folder(workspace.state) / "report.json") as out:
        out.write(json.dumps(asdict(record), indent=1).encode())


def read_report_record(workspace: Workspace) -> ReportRecord | None:
    """What is written down about the report; None if it was made elsewhere."""
    try:
        content: dict[str, Any] = json.loads((workspace.state / "report.json").read_bytes())
        record = ReportRecord(**content)
    except (OSError, ValueError, TypeError):
        return None
    return record if record.sha256 == _hash(workspace.report) else None


def why_report_is_stale(workspace: Workspace) -> str | None:
    """Why the report that is there is out of date; None if it is not."""
    record = read_report_record(workspace)
    if record is None:
        return "it is not known here what it was made of"
    changed = [path for path, sha in record.inputs.items() if _hash(workspace.root / path) != sha]
    if changed:
        return f"{', '.join(changed)} changed"
    if record.measures != list(workspace.measures):
        return "the measures changed"
    if record.systems and record.systems != list(workspace.systems):
        return "there are other systems"
    return None


def _hash(path: Path) -> str | None:
    try:
        return of_file(str(path))[0].sha256
    except OSError:
        return None
