"""The texts of documents that were found: those the project has, and for others a store beside the database.

Formats of collections are read from beginning to end, and to fetch one document of a million that way would take
minutes. So a collection is read once, in the background, into a file in which each document is found by its name
(`cranfield.formats.documents.store`). The file is made again when the collection has changed.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Collection
from pathlib import Path

from cranfield.errors import CranfieldError, EngineError
from cranfield.formats.documents.store import DocumentStore
from cranfield.web import instance
from cranfield.web.projects.document_columns import document_columns
from cranfield.web.projects.models import Document, Project
from cranfield.web.search_places import allowed

FOLDER = "documents"
"""Where the stores are, in the folder of the installation. They can be deleted: they are made again."""
_WAIT = 5.0
"""A collection that is read in so many seconds is waited for."""
_TRY_AGAIN_AFTER = 60.0
_LOOK_AGAIN_AFTER = 600.0
"""After so many seconds it is looked whether the collection has changed."""
_UNREADABLE = "the documents of the collection cannot be read; tell the manager"

_log = logging.getLogger(__name__)


def documents_named(project: Project, names: Collection[str]) -> dict[str, Document]:
    """Documents of these names, as far as their texts are known; those that are new are not in the database yet."""
    there = {document.name: document for document in project.documents.filter(name__in=list(names))}
    others = [name for name in names if name not in there]
    if others and project.collection:
        for name, document in store_of(project).get(others).items():
            try:
                there[name] = Document(project=project, **document_columns(document))
            except CranfieldError as error:  # a name that the database cannot hold
                _log.warning("project %s: %s", project.pk, error)
    return there


def store_of(project: Project) -> DocumentStore:
    """The store of a project's collection; an `EngineError` in words while it is being made, or if it cannot be."""
    try:
        path = allowed(project.collection)
    except CranfieldError as error:
        _log.warning("project %s: %s", project.pk, error)
        raise EngineError(_UNREADABLE) from error
    with _lock:
        making = _makings.get(path)
        begins = making is None or making.is_outdated()
        if making is None or begins:
            making = _makings[path] = _Making(path)
            making.start()
    # Who begins it waits a little; would all others too, nobody were left to serve those who judge.
    making.join(_WAIT if begins else 0)
    if making.is_alive():
        raise EngineError(
            f"the documents of the collection are being made ready for searching ({making.number:,} so far): try again "
            "in a while"
        )
    if making.failure:
        raise EngineError(_UNREADABLE) from making.failure
    return making.store


class _Making(threading.Thread):
    """Makes a store, unless it is there and the collection is what it was."""

    def __init__(self, path: Path) -> None:
        super().__init__(daemon=True, name=f"reading {path}")
        folder = instance.folder() / FOLDER
        folder.mkdir(mode=0o700, exist_ok=True)
        self.path, self.number = path, 0
        self.store = DocumentStore(folder / f"{hashlib.sha256(str(path).encode()).hexdigest()[:24]}.sqlite")
        self.failure: Exception | None = None
        self.ended_at = 0.0

    def run(self) -> None:
        from cranfield.formats.collections import open_collection

        try:
            made_of = _content(self.path)
            if self.store.made_of != made_of:
                documents = open_collection(self.path).documents()
                DocumentStore.build(documents, self.store.path, made_of=made_of, tell=self._tell)
        except Exception as error:
            _log.warning("the collection %s cannot be searched: %s", self.path, error)
            self.failure = error
        self.ended_at = time.monotonic()

    def is_outdated(self) -> bool:
        """Whether to look again: after a while, or if somebody deleted the file."""
        if self.is_alive():
            return False
        wait = _LOOK_AGAIN_AFTER if self.failure is None else _TRY_AGAIN_AFTER
        return time.monotonic() - self.ended_at > wait or (self.failure is None and not self.store.path.is_file())

    def _tell(self, number: int) -> None:
        self.number = number


def _content(path: Path) -> str:
    """What tells a collection from what it was before, without reading it: its files, their sizes and times."""
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    listed = hashlib.sha256()
    for file in files:
        found = file.stat()
        listed.update(
            f"{file.relative_to(path.parent)}\n{found.st_size} {found.st_mtime_ns}\n".encode("utf-8", "replace")
        )
    return f"{path} {listed.hexdigest()}"


_makings: dict[Path, _Making] = {}
_lock = threading.Lock()
