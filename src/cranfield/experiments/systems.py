"""The systems of a workspace: what each is told, where its index is, and how it is made."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cranfield.engines import engine_class, make_engine
from cranfield.engines.engine import Engine
from cranfield.engines.parameters import check_names
from cranfield.errors import ParameterError
from cranfield.evaluation.provenance.fingerprints import of_file
from cranfield.experiments.workspace import System, Workspace


def configuration(workspace: Workspace, system: System) -> dict[str, Any]:
    """All that the run of a system depends on beside documents and topics, as it is written beside the run.

    Parameters that are not given have their usual values. Files that parameters name, such as that of a function, are
    there with their hashes.
    """
    parameters = _complete(workspace, system)
    content = {
        "engine": system.engine,
        "parameters": parameters,
        "files": _named_files(workspace, parameters),
        "topic_fields": list(system.fields),
        "k": system.k,
    }
    return _plain(content)


def index_folder(workspace: Workspace, system: System) -> Path | None:
    """Where the index of a system is, or will be; None for an engine that is given no documents.

    The name is made of what the index depends on, so that systems which differ only in what is free for every query
    have one index.
    """
    engine = engine_class(system.engine)
    if not engine.indexes:
        return None
    _complete(workspace, system)
    settled = engine.settled(system.parameters)
    content = {"engine": system.engine, "settled": settled, "files": _named_files(workspace, settled)}
    text = json.dumps(_plain(content), sort_keys=True)
    return workspace.indexes / f"{system.engine}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def system_engine(workspace: Workspace, system: System) -> Engine:
    """The engine of a system, with its index where it has one."""
    with _told_where(workspace, system), contextlib.chdir(workspace.root):
        return make_engine(system.engine, system.parameters, folder=index_folder(workspace, system))


def _complete(workspace: Workspace, system: System) -> dict[str, Any]:
    with _told_where(workspace, system):
        engine = engine_class(system.engine)
        check_names(engine, system.parameters)
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
    """The files in the workspace that parameters name, alone or as `file.py:function`, with their hashes."""
    if isinstance(value, Mapping):
        return {name: sha for each in value.values() for name, sha in _named_files(workspace, each).items()}
    if isinstance(value, list | tuple):
        return {name: sha for each in value for name, sha in _named_files(workspace, each).items()}
    if not isinstance(value, str):
        return {}
    for name in (value, value.rpartition(":")[0]):
        with contextlib.suppress(OSError, ValueError):
            if name and (workspace.root / name).is_file():
                return {name: of_file(str(workspace.root / name))[0].sha256}
    return {}


def _plain(content: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON has it, so that what is and what was written down can be compared."""
    plain: dict[str, Any] = json.loads(json.dumps(content, default=str))
    return plain
