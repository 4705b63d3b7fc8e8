"""The systems of a workspace: what each is told, where its index is, and how it is made."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cranfield.engines import engine_class, make_engine
from cranfield.engines.callables import source_of
from cranfield.engines.engine import Engine
from cranfield.engines.index_record import is_index, read_index_record
from cranfield.engines.parameters import check_names
from cranfield.errors import ParameterError, UsageError
from cranfield.evaluation.provenance.fingerprints import of_file
from cranfield.experiments.workspace import System, Workspace


def configuration(workspace: Workspace, system: System) -> dict[str, Any]:
    """All that the run of a system depends on beside documents and topics, as it is written beside the run.

    Parameters that are not given have their usual values; those that only say how patiently an engine is asked are left
    out. Files that parameters name, such as that of a function, are there with their hashes. Of a run that was made
    elsewhere no more is known than its file.
    """
    parameters = dict(system.parameters) if system.given is not None else _material(workspace, system)
    asked = {"topic_fields": list(system.fields), "k": system.k} if system.given is None else {}
    files = _named_files(workspace, parameters)
    return _plain({"engine": system.engine, "parameters": parameters, "files": files, **asked})


def index_folder(workspace: Workspace, system: System) -> Path | None:
    """Where the index of a system is, or will be; None for an engine that is given no documents, and for a run.

    The name is made of what the index depends on, so that systems which differ only in what is free for every query
    have one index.
    """
    engine = engine_class(system.engine) if system.given is None else None
    if engine is None or not engine.indexes:
        return None
    _complete(workspace, system)
    settled = engine.settled(system.parameters)
    content = {"engine": system.engine, "settled": settled, "files": _named_files(workspace, settled)}
    text = json.dumps(_plain(content), sort_keys=True)
    return workspace.indexes / f"{system.engine}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def system_engine(workspace: Workspace, system: System) -> Engine:
    """The engine of a system, with its index where it has one."""
    refuse_given_run(workspace, system)
    with _told_where(workspace, system), contextlib.chdir(workspace.root):
        return make_engine(system.engine, system.parameters, folder=index_folder(workspace, system))


def refuse_given_run(workspace: Workspace, system: System) -> None:
    """An error for a system that is no engine, where one is needed."""
    if system.given is not None:
        raise UsageError(
            f"{workspace.where('systems', system.name)}: {system.given.file} was made elsewhere, so that there is "
            "nothing here to index or to search. Put another file in its place, or name an engine"
        )


def withdraw_index_records(workspace: Workspace, system: System) -> None:
    """Remove what says that indexes are on a server in whose place the one of a system is about to be made.

    Systems may name the same index of a server and want different things in it. Then they take turns: the index of the
    others is missing from now on, and made again if it is needed.
    """
    place = engine_class(system.engine).place(system.parameters)
    for folder in workspace.indexes.iterdir() if place is not None and workspace.indexes.is_dir() else ():
        if is_index(folder):
            record = read_index_record(folder)
            if engine_class(record.engine).place(record.settings) == place:
                shutil.rmtree(folder)


def _material(workspace: Workspace, system: System) -> dict[str, Any]:
    immaterial = engine_class(system.engine).immaterial
    return {name: value for name, value in _complete(workspace, system).items() if name not in immaterial}


def _complete(workspace: Workspace, system: System) -> dict[str, Any]:
    with _told_where(workspace, system):
        engine = engine_class(system.engine)
        check_names(engine, system.parameters)
        if engine.made_at_once:
            make_engine(system.engine, system.parameters, folder=workspace.indexes if engine.embedded else None)
        return engine.complete(system.parameters)


@contextlib.contextmanager
def _told_where(workspace: Workspace, system: System) -> Iterator[None]:
    """What is wrong with a parameter is said with its line, as far as the message begins with its name."""
    try:
        yield
    except ParameterError as error:
        named = [name for name in system.parameters if str(error).startswith(name) or f"{name!r}" in str(error)]
        where = workspace.where("systems", system.name, *named[:1])
        raise ParameterError(f"{where}: {error}") from None


def _named_files(workspace: Workspace, value: Any) -> dict[str, str]:
    """The files that parameters name, alone or by a function that is in them, with their hashes."""
    if isinstance(value, Mapping):
        return {name: sha for each in value.values() for name, sha in _named_files(workspace, each).items()}
    if isinstance(value, list | tuple):
        return {name: sha for each in value for name, sha in _named_files(workspace, each).items()}
    if not isinstance(value, str) or not value:
        return {}
    with contextlib.suppress(OSError, ValueError):
        file = workspace.root / value
        named = value if file.is_file() else value.rpartition(":")[0]
        found = file if file.is_file() else source_of(value, workspace.root)
        return {} if found is None else {named: of_file(str(found))[0].sha256}
    return {}


def _plain(content: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON has it, so that what is and what was written down can be compared."""
    plain: dict[str, Any] = json.loads(json.dumps(content, default=str))
    return plain
