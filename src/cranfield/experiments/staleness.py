"""What in a workspace is there, what is no longer what it would be if it were made now, and why: by hashes alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from cranfield.data.collection import Content
from cranfield.engines.index_record import is_index, read_index_record
from cranfield.engines.journal import journal_file
from cranfield.errors import CranfieldError
from cranfield.evaluation.provenance.beside_run import provenance_file
from cranfield.experiments import materials
from cranfield.experiments.differences import differences
from cranfield.experiments.known_bytes import known_bytes
from cranfield.experiments.lock import holder
from cranfield.experiments.report_record import read_report_record
from cranfield.experiments.split_files import is_split, why_split_is_broken, why_split_is_stale
from cranfield.experiments.systems import configuration, index_folder
from cranfield.experiments.workspace import GivenRun, System, Workspace
from cranfield.formats import iter_records
from cranfield.formats.file_lock import Holder

Condition = Literal["current", "stale", "missing", "broken", "unknown", "elsewhere"]


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
    absent: bool = False
    """Whether nobody says that there is any, which is no mistake: systems can search before there are judgments."""


@dataclass(frozen=True)
class SystemState:
    """A system, its index and its run."""

    system: System
    index: State
    run: State
    folder: Path | None = None
    """Where its index is; None for an engine that is given no documents."""

    @property
    def unusable(self) -> bool:
        """Whether someone has to put it right: what it is told is wrong, or the run that it is cannot be used."""
        return self.index.condition == "broken" and self.folder is None


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
    def unreadable(self) -> dict[str, str]:
        """What is wrong with documents, topics and judgments: nothing can be made before that is put right."""
        return {name: one.problem for name, one in self.materials.items() if one.problem and not one.absent}

    @property
    def problems(self) -> dict[str, str]:
        """All that has to be put right by hand, and what is wrong with it."""
        unusable = {f"the system {one.system.name}": one.run.why for one in self.systems if one.unusable}
        return self.unreadable | unusable

    @property
    def lacks_indexes(self) -> bool:
        """Whether an index is not there that nothing needs now, because the run is current, as in a clone."""
        return any(one.run.current and not one.index.current for one in self.systems)


def status(workspace: Workspace) -> WorkspaceStatus:
    """Look at everything in a workspace; nothing is changed."""
    documents, topics = _documents(workspace), _topics(workspace)
    qrels = _qrels(workspace)
    systems = system_states(workspace, list(workspace.systems), documents, topics)
    used = {one.folder for one in systems}
    there = sorted(workspace.indexes.iterdir()) if workspace.indexes.is_dir() else []
    unused = tuple(one for one in there if one not in used and is_index(one))
    report = _report(workspace, systems)
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


def _report(workspace: Workspace, systems: Sequence[SystemState]) -> State:
    """What is made of something stale is stale."""
    if not workspace.report.is_file():
        return State("missing")
    record = read_report_record(workspace)
    if record is None:
        return State("stale", "it is not known here what it was made of")
    files = {os.path.relpath(workspace.run_file(one.system), workspace.root): one for one in systems}
    runs = {file: one for file, one in files.items() if file in record.inputs}
    unsure = [one.run for one in runs.values() if one.run.condition == "unknown"]
    stale = {file: one for file, one in runs.items() if not one.run.current and one.run not in unsure}
    why = [f"the run of {one.system.name} is {one.run.condition}" for one in stale.values()]
    why += record.why_stale(workspace, besides=stale)
    if why:
        return State("stale", "; ".join(why))
    return unsure[0] if unsure else State("current")


def system_states(
    workspace: Workspace, names: Sequence[str], documents: Material | None = None, topics: Material | None = None
) -> tuple[SystemState, ...]:
    """How the indexes and the runs of some systems are; without documents or topics that is not known."""
    documents = documents or _documents(workspace)
    topics = topics or _topics(workspace)
    return tuple(_system(workspace, workspace.system(name), documents, topics) for name in names)


def _documents(workspace: Workspace) -> Material:
    return _material(workspace.collection, partial(materials.documents_content, workspace))


def _topics(workspace: Workspace) -> Material:
    return _material(workspace.topics or workspace.collection, partial(materials.topics_content, workspace))


def _qrels(workspace: Workspace) -> Material:
    found = _material(workspace.qrels or workspace.collection, partial(materials.qrels_content, workspace))
    return replace(found, absent=not materials.judged(workspace))


def _material(place: str, content: Callable[[], Content]) -> Material:
    try:
        return Material(place, content())
    except CranfieldError as error:
        return Material(place, problem=str(error))


def _system(workspace: Workspace, system: System, documents: Material, topics: Material) -> SystemState:
    if system.given is not None:
        state = _given(workspace, system, system.given)
        return SystemState(system, state, state)
    try:
        folder = index_folder(workspace, system)
        now = configuration(workspace, system)
    except CranfieldError as error:
        broken = State("broken", str(error))
        return SystemState(system, broken, broken)
    index = State("elsewhere") if folder is None else _index(folder, documents)
    made_of = {"topics": topics} if folder is None else {"documents": documents, "topics": topics}
    return SystemState(system, index, _run(workspace, system, now, made_of), folder)


def _given(workspace: Workspace, system: System, given: GivenRun) -> State:
    """A run that was made elsewhere: a file that begins like one, with the hash that is said or written beside it."""
    file, where = workspace.run_file(system), workspace.where("systems", system.name, "run")
    if not file.is_file():
        return State("broken", f"{where}: there is no {file}: put it there, or take the system out")
    record = run_record(file)
    expected = given.sha256 or (record["run"]["sha256"] if record else None)
    if expected is not None and (found := known_bytes(workspace, file)) != expected:
        said = "sha256 says" if given.sha256 else f"{provenance_file(file).name} says"
        return State("broken", f"{where}: {given.file} has the SHA-256 {found}, and {said} {expected}: another file?")
    try:
        next(iter_records("run", str(file)), None)
    except CranfieldError as error:
        return State("broken", f"{where}: {error}")
    return State("elsewhere")


def _index(folder: Path, documents: Material) -> State:
    if not folder.is_dir():
        return State("missing")
    try:
        record = read_index_record(folder)
    except CranfieldError as error:
        return State("broken", str(error))
    if documents.content is None:
        return _unknown(["documents"])
    if record.collection.sha256 != documents.content.sha256:
        return State("stale", "the documents changed")
    return State("current")


def _unknown(lacking: Sequence[str]) -> State:
    return State("unknown", f"the {' and the '.join(lacking)} cannot be read")


def _run(workspace: Workspace, system: System, now: Mapping[str, Any], made_of: Mapping[str, Material]) -> State:
    file = workspace.run_file(system)
    if not file.is_file():
        begun = journal_file(file).is_file()
        return State("missing", "a search for it did not end" if begun else "")
    record = run_record(file)
    if record is None:
        return State("stale", "it is not known what it was made of")
    if known_bytes(workspace, file) != record["run"]["sha256"]:
        return State("broken", "it is not the file that was written: half of it, or edited since")
    why = list(_outdated(record, now, {name: one.content for name, one in made_of.items()}))
    if why:
        return State("stale", "; ".join(why))
    lacking = [name for name, one in made_of.items() if one.content is None]
    return _unknown(lacking) if lacking else State("current")


def run_record(file: Path) -> dict[str, Any] | None:
    """The provenance of a run, if it has one with the hash of the run in it."""
    try:
        record = json.loads(provenance_file(file).read_bytes())
        return record if isinstance(record["run"]["sha256"], str) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _outdated(
    record: Mapping[str, Any], now: Mapping[str, Any], made_of: Mapping[str, Content | None]
) -> Iterator[str]:
    """What was otherwise when a run was made."""
    then = record.get("configuration")
    if not isinstance(then, Mapping):
        yield "it is not known with which parameters it was made"
        return
    for one in differences(then, now):
        yield one.over_time
    for name, content in made_of.items():
        noted = record.get("collection" if name == "documents" else name) or {}
        if content is not None and noted.get("sha256") != content.sha256:
            yield f"the {name} changed"
    if not record.get("complete", True):
        yield f"{len(record.get('failures', ()))} topics failed"
