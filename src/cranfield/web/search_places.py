"""Where on the server an index or a collection may lie that a manager names.

Whoever could name any file would read all of the server's files as documents, and run whatever an engine's
configuration says. So the operator says in which folders they are, and which engines may run programs; and what is
wrong with a file is told without what is in it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from cranfield.errors import CranfieldError, MissingExtraError, UsageError
from cranfield.web import instance

if TYPE_CHECKING:
    from cranfield.engines.configuration import Configuration

_PROGRAMS = frozenset({"command", "python"})
"""Engines that run what their configuration says."""
_FUNCTIONS = frozenset({"encode", "encode_queries"})
"""Parameters of others that name a function to be run."""

_log = logging.getLogger(__name__)


def checked_engine(text: str) -> str:
    """The full path of an index, or of a file that describes an engine; an error in words if it cannot be used."""
    path = allowed(text)
    with without_contents(text, path):
        configuration_at(path).make().close()
    return str(path)


def checked_collection(text: str) -> str:
    """The full path of a collection; an error in words if there is none, or it cannot be used."""
    from cranfield.formats.collections import open_collection

    path = allowed(text)
    with without_contents(text, path):
        open_collection(path)
    return str(path)


def configuration_at(path: Path) -> Configuration:
    """The engine of an index or a file that may be named; one that runs programs has to be on the operator's list."""
    from cranfield.engines.configuration import open_configuration

    found = open_configuration(path)
    if _runs_programs(found.kind, found.settings) and path not in map(Path.resolve, map(Path, settings.ENGINE_FILES)):
        raise UsageError(
            f"{path}: the engine {found.kind} runs programs on the server as this file says. The operator allows that "
            f"by naming the file in {instance.ENGINES}"
        )
    return found


def allowed(text: str) -> Path:
    """The full path of something in one of the folders; a relative one begins in one of them."""
    folders = _folders()
    if not folders:
        raise UsageError(
            "there is no folder on the server to search in: start the application for a workspace, or let its "
            f"operator name folders in {instance.COLLECTIONS}"
        )
    candidates = [path for folder in folders if (path := _inside(folder, text)) is not None]
    if not candidates:
        raise UsageError(
            f"{text}: lies outside of the folders that can be named here, or in a hidden one. The operator of the "
            f"application can name more folders in {instance.COLLECTIONS}"
        )
    there = [path for path in candidates if path.exists()]
    if not there:
        raise UsageError(f"{text}: there is no such file or folder in those that can be named here")
    return there[0]


@contextmanager
def without_contents(named: str, path: Path) -> Iterator[None]:
    """While this lasts, errors about a file of the server speak of it as who named it does, and quote nothing of it."""
    try:
        yield
    except CranfieldError as error:
        if str(path) not in str(error):
            raise
        _log.warning("%s", error)
        raise UsageError(told(error, named, path)) from error


def told(error: BaseException, named: str, path: Path) -> str:
    """What of an error a manager reads: that of a wrong request whole, of others where, and not what is there."""
    if type(error) in (UsageError, MissingExtraError):
        return str(error).replace(str(path), named)
    line = getattr(error, "line", None)
    return f"{named}{f':{line}' if line else ''}: cannot be used as it is; the server's log says why"


def _runs_programs(kind: str, parameters: Mapping[str, Any]) -> bool:
    parts = parameters.get("parts")
    inner = [part for part in parts if isinstance(part, Mapping)] if isinstance(parts, list | tuple) else []
    return (
        kind in _PROGRAMS
        or not _FUNCTIONS.isdisjoint(parameters)
        or any(_runs_programs(str(part.get("engine")), part) for part in inner)
    )


def _folders() -> list[Path]:
    """Those that the operator named, the workspace, and what the workspace says its documents are."""
    folders = [Path(folder).resolve() for folder in settings.COLLECTION_FOLDERS]
    if settings.WORKSPACE:
        from cranfield.experiments.finding import find_workspace

        with suppress(CranfieldError):  # a workspace that cannot be read has no documents
            workspace = find_workspace(settings.WORKSPACE)
            place = Path(workspace.collection_place) if workspace is not None else None
            folders += [place.resolve()] if place is not None and place.exists() else []
    return folders


def _inside(folder: Path, text: str) -> Path | None:
    """A path in a folder, but for what is hidden there, and for the installation's own files."""
    try:
        path = (folder / text).resolve()
    except (OSError, ValueError):  # such as a name with NUL
        return None
    if not path.is_relative_to(folder) or any(part.startswith(".") for part in path.relative_to(folder).parts):
        return None
    return None if path.is_relative_to(instance.folder().resolve()) else path
