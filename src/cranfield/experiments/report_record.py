"""What the report of a workspace was made of, so that it is known when it is out of date, and how to make it again."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cranfield.experiments.known_bytes import known_bytes
from cranfield.experiments.local_folder import local_folder
from cranfield.experiments.split_files import is_split
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
    judgments: str | None
    """The place of the judgments, as `cranfield.toml` names it; None where they were given to the command."""
    undivided: bool = False
    """Whether it is about all topics because the workspace was not divided."""

    def why_stale(self, workspace: Workspace, *, besides: Collection[str] = ()) -> list[str]:
        """Why it is out of date; of runs whether they are the files that it was made of, and not how these are.

        Nothing is said of the files `besides`, which are known to be out of date themselves.
        """
        now = {path: _hash(workspace, workspace.root / path) for path in self.inputs if path not in besides}
        gone = [f"{path} is missing" for path, sha256 in now.items() if sha256 is None]
        changed = [path for path, sha256 in now.items() if sha256 not in (self.inputs[path], None)]
        why = [*gone, *([f"{', '.join(changed)} changed"] if changed else [])]
        if self.judgments not in (None, judgments_named(workspace)):
            why.append(f"the judgments are those of {judgments_named(workspace)} now")
        if self.measures != list(workspace.measures):
            why.append("the measures changed")
        if self.systems and self.systems != list(workspace.systems):
            why.append("there are other systems")
        if self.undivided and is_split(workspace):
            why.append("the topics have been divided since, and it is about all of them")
        return why


def note_report(
    workspace: Workspace,
    options: Mapping[str, Any],
    inputs: Sequence[str],
    *,
    all_systems: bool,
    own_judgments: bool,
    undivided: bool,
) -> None:
    """Write down what the report that has just been written is made of."""
    files = {os.path.relpath(path, workspace.root): sha for path in inputs if (sha := _hash(workspace, Path(path)))}
    record = ReportRecord(
        sha256=_hash(workspace, workspace.report) or "",
        options=dict(options),
        folder=os.path.relpath(os.getcwd(), workspace.root),
        inputs=files,
        measures=list(workspace.measures),
        systems=list(workspace.systems) if all_systems else [],
        judgments=judgments_named(workspace) if own_judgments else None,
        undivided=undivided,
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
    return record if record.sha256 == _hash(workspace, workspace.report) else None


def judgments_named(workspace: Workspace) -> str:
    """The judgments as `cranfield.toml` names them: their own file, or the collection that they are in."""
    return workspace.qrels or workspace.collection


def _hash(workspace: Workspace, path: Path) -> str | None:
    try:
        return known_bytes(workspace, path)
    except OSError:
        return None
