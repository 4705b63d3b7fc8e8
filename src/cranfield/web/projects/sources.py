"""What a form names to be brought in: files on the server's disk, uploads, or what the workspace has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from django.conf import settings

from cranfield.data.collection import Collection
from cranfield.data.pool import Pool
from cranfield.data.scale import Scale
from cranfield.data.topics import Topics
from cranfield.errors import CranfieldError, UsageError
from cranfield.formats.document_lists import read_pool_or_list
from cranfield.formats.pools import MARK
from cranfield.formats.scales import read_scale
from cranfield.web.projects.uploads import Upload, unpacked
from cranfield.web.search_places import allowed, without_contents

if TYPE_CHECKING:
    from cranfield.experiments.workspace import Workspace

_MOST_POOLS = 50
_FOLDERS = (".", "pools", "judgments")


class Sources:
    """Opens what a form names. A context: uploads are on the disk while it lasts."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Sources:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._stack.__exit__(kind, error, trace)  # where errors get the names of the uploads

    def place(self, named: str, upload: Upload | None) -> Path | None:
        """The file that was uploaded, or else named; None if neither."""
        if upload is not None:
            return self._stack.enter_context(unpacked(upload))
        if not named.strip():
            return None
        path = allowed(named.strip())
        self._stack.enter_context(without_contents(named.strip(), path))
        return path

    def pool(self, named: str, upload: Upload | None) -> Pool:
        """A pool, or another list of documents for topics."""
        found = self.place(named, upload)
        if found is None:
            raise UsageError("there is no pool: name one, or upload a file")
        return read_pool_or_list(found)

    def collection(self, named: str, upload: Upload | None) -> Collection:
        """Documents; those of the workspace if nothing is said of them."""
        from cranfield.formats.collections import open_collection

        found = self.place(named, upload)
        if found is not None:
            collection = open_collection(found)
            next(iter(collection.documents()), None)  # what is wrong with them is said before anything of topics
            return collection
        if (workspace := this_workspace()) is None:
            raise UsageError("there are no documents: name where they are on the server, or upload a file")
        from cranfield.experiments import materials

        self._stack.enter_context(without_contents(workspace.name, workspace.root))
        return materials.collection(workspace)

    def collection_place(self, named: str, upload: Upload | None) -> str:
        """Where on the server the documents are; empty if they are only uploaded, or not on its disk."""
        if upload is not None:
            return ""
        if named.strip():
            return str(allowed(named.strip()))
        workspace = this_workspace()
        place = "" if workspace is None else workspace.collection_place
        return place if Path(place).exists() else ""

    def topics(self, named: str, upload: Upload | None, collection: Collection, *, of_workspace: bool) -> Topics:
        """Topics; if nothing is said those of the collection, or of the workspace: with `of_workspace` these first."""
        from cranfield.formats.topics import read_topics

        found = self.place(named, upload)
        if found is not None:
            return read_topics(found)
        workspace = this_workspace()
        if workspace is not None and (of_workspace or collection.topics is None):
            from cranfield.experiments import materials

            self._stack.enter_context(without_contents(workspace.name, workspace.root))
            return materials.topics(workspace)
        if collection.topics is None:
            raise UsageError(f"{collection.name} has no topics of its own: name their file, or upload it")
        return collection.topics


def this_workspace() -> Workspace | None:
    """The workspace that the application was started for."""
    from cranfield.experiments.finding import find_workspace

    return find_workspace(settings.WORKSPACE) if settings.WORKSPACE else None


def workspace_has_scale() -> bool:
    """Whether the workspace says by which scale it is judged."""
    workspace = _readable_workspace()
    return workspace is not None and workspace.scale_place is not None


def workspace_scale() -> Scale:
    """The scale of the workspace."""
    workspace = this_workspace()
    if workspace is None or workspace.scale_place is None:
        raise UsageError("the workspace has no scale: choose another")
    return read_scale(workspace.scale_place)


def workspace_pools() -> list[str]:
    """The pools that are in the workspace, as one names them."""
    workspace = _readable_workspace()
    return [] if workspace is None else sorted(_pools_in(workspace.root))[:_MOST_POOLS]


def workspace_indexes() -> list[str]:
    """The indexes of the workspace, as one names them."""
    from cranfield.engines.index_record import is_index

    workspace = _readable_workspace()
    if workspace is None or not workspace.indexes.is_dir():
        return []
    return sorted(str(path.relative_to(workspace.root)) for path in workspace.indexes.iterdir() if is_index(path))


def workspace_documents() -> list[str]:
    """What the workspace says its documents are, if they are on this disk."""
    workspace = _readable_workspace()
    return [workspace.collection] if workspace is not None and Path(workspace.collection_place).exists() else []


def _readable_workspace() -> Workspace | None:
    """The workspace, unless something is wrong with it: `cranfield status` says what."""
    try:
        return this_workspace()
    except CranfieldError:
        return None


def _pools_in(root: Path) -> Iterator[str]:
    for folder in _FOLDERS:
        for path in (root / folder).glob("*.tsv"):
            try:
                with path.open("rb") as file:
                    if file.read(len(MARK)) == MARK:
                        yield str(path.relative_to(root))
            except OSError:
                continue
