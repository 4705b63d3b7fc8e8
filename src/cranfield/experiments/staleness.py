"""What in a workspace is there, what is no longer what it would be if it were made now, and why: by hashes alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from cranfield.data.collection import Content
from cranfield.engines.index_record import is_index, read_index_record
from cranfield.engines.journal import journal_file
from cranfield.engines.run_provenance import provenance_file
from cranfield.errors import CranfieldError
from cranfield.evaluation.provenance.fingerprints import of_file
from cranfield.experiments import materials
from cranfield.experiments.differences import differences
from cranfield.experiments.lock import holder
from cranfield.experiments.report_record import why_report_is_stale
from cranfield.experiments.split_files import is_split, why_split_is_broken, why_split_is_stale
from cranfield.experiments.systems import configuration, index_folder
from cranfield.experiments.workspace import System, Workspace
from cranfield.formats.file_lock import Holder

Condition = Literal["current", "stale", "missing", "broken", "elsewhere"]


@dataclass(frozen=True)
class State:
    """How a file or folder is that is made of others."""

    condition: Condition
    why: str = ""

    @property
    def current(self) -> bool:
        """Whether nothing has to be done; what is elsewhere is not ours to do."""
        return self.condition in ("current", "elsewhere")

    def __str__(self) -> str:
        return f"{self.condition}: {self.why}" if self.why else self.condition


@dataclass(frozen=True)
class Material:
    """Something that the workspace is made of: its content, or what is wrong with it."""

    place: str
    content: Content | None = None
    problem: str = ""


@dataclass(frozen=True)
class SystemState:
    """A system, its index and its run."""

    system: System
    index: State
    run: State
    folder: Path | None = None
    """Where its index is; None for an engine that is given no documents."""


@dataclass(frozen=True)
class WorkspaceStatus:
    """What is there, and what is stale."""

    workspace: Workspace
    documents: Material
    topics: Material
    qrels: Material
    systems: tuple[SystemState, ...]
    report: State
    at_work: Holder | None
    """The command that writes in the workspace now."""
    unused: tuple[Path, ...]
    """Indexes that no system has any more."""
    split_problem: str = ""
    """What is wrong with the files of the split, or that they are not of these topics and judgments."""
    ledger_damaged: bool = False

    @property
    def materials(self) -> Mapping[str, Material]:
        return {"documents": self.documents, "topics": self.topics, "judgments": self.qrels}

    @property
    def problems(self) -> dict[str, str]:
        """What has to be put right by hand, and what is wrong with it."""
        unusable = {
            f"the system {one.system.name}": one.run.why
            for one in self.systems
            if one.index.condition == "broken" and one.folder is None
        }
        return {name: one.problem for name, one in self.materials.items() if one.problem} | unusable

    @property
    def stale(self) -> list[SystemState]:
        """The systems whose run has to be made, or made again."""
        return [one for one in self.systems if not one.run.current]


def status(workspace: Workspace) -> WorkspaceStatus:
    """Look at everything in a workspace; nothing is changed."""
    documents, topics = _documents(workspace), _topics(workspace)
    qrels = _material(workspace.qrels or workspace.collection, partial(materials.qrels_content, workspace))
    systems = system_states(workspace, list(workspace.systems), documents, topics)
    used = {one.folder for one in systems}
    there = sorted(workspace.indexes.iterdir()) if workspace.indexes.is_dir() else []
    unused = tuple(one for one in there if one not in used and is_index(one))
    report = _report(workspace)
    return WorkspaceStatus(
        workspace, documents, topics, qrels, systems, report, holder(workspace), unused, *_discipline(workspace)
    )


def _discipline(workspace: Workspace) -> tuple[str, bool]:
    """What is wrong with the split of a divided workspace, and whether its ledger is damaged."""
    if not is_split(workspace):
        return "", False
    from cranfield.experiments.looks import looks

    try:
        problem = why_split_is_broken(workspace) or why_split_is_stale(workspace) or ""
        return problem, bool(looks(workspace).problems)
    except CranfieldError as error:
        return str(error), False


def _report(workspace: Workspace) -> State:
    if not workspace.report.is_file():
        return State("missing")
    why = why_report_is_stale(workspace)
    return State("stale", why) if why else State("current")


def system_states(
    workspace: Workspace, names: Sequence[str], documents: Material | None = None, topics: Material | None = None
) -> tuple[SystemState, ...]:
    """How the indexes and the runs of some systems are; documents or topics that are not there say nothing about it."""
    documents = documents or _documents(workspace)
    topics = topics or _topics(workspace)
    return tuple(_system(workspace, workspace.system(name), documents.content, topics.content) for name in names)


def _documents(workspace: Workspace) -> Material:
    return _material(workspace.collection, partial(materials.documents_content, workspace))


def _topics(workspace: Workspace) -> Material:
    return _material(workspace.topics or workspace.collection, partial(materials.topics_content, workspace))


def _material(place: str, content: Callable[[], Content]) -> Material:
    try:
        return Material(place, content())
    except CranfieldError as error:
        return Material(place, problem=str(error))


def _system(workspace: Workspace, system: System, documents: Content | None, topics: Content | None) -> SystemState:
    try:
        folder = index_folder(workspace, system)
        now = configuration(workspace, system)
    except CranfieldError as error:
        broken = State("broken", str(error))
        return SystemState(system, broken, broken)
    index = State("elsewhere") if folder is None else _index(folder, documents)
    indexed = documents if folder is not None else None
    return SystemState(system, index, _run(workspace, system, now, indexed, topics), folder)


def _index(folder: Path, documents: Content | None) -> State:
    if not folder.is_dir():
        return State("missing")
    try:
        record = read_index_record(folder)
    except CranfieldError as error:
        return State("broken", str(error))
    if documents is not None and record.collection.sha256 != documents.sha256:
        return State("stale", "the documents changed")
    return State("current")


def _run(
    workspace: Workspace,
    system: System,
    now: Mapping[str, Any],
    documents: Content | None,
    topics: Content | None,
) -> State:
    file = workspace.run_file(system)
    if not file.is_file():
        begun = journal_file(file).is_file()
        return State("missing", "a search for it did not end" if begun else "")
    record = run_record(file)
    if record is None:
        return State("stale", "it is not known what it was made of")
    if of_file(str(file))[0].sha256 != record["run"]["sha256"]:
        return State("broken", "it is not the file that was written: half of it, or edited since")
    why = list(_outdated(record, now, documents, topics))
    return State("stale", "; ".join(why)) if why else State("current")


def run_record(file: Path) -> dict[str, Any] | None:
    """The provenance of a run, if it has one with the hash of the run in it."""
    try:
        record = json.loads(provenance_file(file).read_bytes())
        return record if isinstance(record["run"]["sha256"], str) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _outdated(
    record: Mapping[str, Any], now: Mapping[str, Any], documents: Content | None, topics: Content | None
) -> Iterator[str]:
    """What was otherwise when a run was made."""
    then = record.get("configuration")
    if not isinstance(then, Mapping):
        yield "it is not known with which parameters it was made"
        return
    for one in differences(then, now):
        yield one.over_time
    for name, content in (("collection", documents), ("topics", topics)):
        what = "documents" if name == "collection" else name
        if content is not None and (record.get(name) or {}).get("sha256") != content.sha256:
            yield f"the {what} changed"
    if not record.get("complete", True):
        yield f"{len(record.get('failures', ()))} topics failed"
