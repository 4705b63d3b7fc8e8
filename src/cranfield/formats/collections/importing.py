"""Importing a collection: its parts in one layout, whatever they came in, and a manifest with their hashes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Unpack

from cranfield.data.collection import Collection, Content
from cranfield.errors import DataError
from cranfield.formats import write_qrels
from cranfield.formats.collections.layouts import layout as layout_of
from cranfield.formats.collections.manifest import FILE, Manifest, Part
from cranfield.formats.collections.opening import content_of, open_collection
from cranfield.formats.collections.reading import Reading, Ways
from cranfield.formats.documents import write_documents
from cranfield.formats.topics import write_topics
from cranfield.formats.writing import writing_folder

Location = str | os.PathLike[str]

DOCUMENTS, TOPICS, QRELS = "documents.jsonl.gz", "topics.jsonl", "qrels.txt"


def import_collection(
    layout: str,
    path: Location,
    out: Location,
    *,
    name: str | None = None,
    documents: Location | None = None,
    topics: Location | None = None,
    qrels: Location | None = None,
    grades: Mapping[float, float] | None = None,
    **ways: Unpack[Ways],
) -> Collection:
    """Read a collection in one of the known layouts and write it to a folder of its own, with a manifest.

    `documents`, `topics` and `qrels` name files that are not where the layout has them; `grades` say what codes of the
    judgments mean, where the layout says nothing or something else. `ways` are those of `open_collection`, for files
    whose format the layout leaves open. The folder appears when it is complete.
    """
    parts = {"documents": documents, "topics": topics, "qrels": qrels}
    given = {part: Path(file) for part, file in parts.items() if file is not None}
    found = layout_of(layout).open(Path(path), given, grades or {}, Reading(**ways))
    return save_collection(found, out, name=name or found.name, source=layout)


def save_collection(collection: Collection, out: Location, *, name: str, source: str) -> Collection:
    """Write a collection to a new folder, with a manifest, and open it there."""
    with writing_folder(out) as folder:
        kept = {"documents": _documents(collection, folder)}
        if collection.topics is not None:
            write_topics(collection.topics, folder / TOPICS, format="jsonl")
            kept["topics"] = _part(folder / TOPICS, "jsonl", content_of(collection.topics))
        if collection.qrels is not None:
            write_qrels(collection.qrels, folder / QRELS, format="trec")
            kept["qrels"] = _part(folder / QRELS, "trec", content_of(collection.qrels))
        manifest = Manifest(name, domain=collection.domain, source=source, notes=collection.notes, **kept)
        (folder / FILE).write_text(manifest.to_json(), encoding="utf-8")
    return open_collection(out)


def _documents(collection: Collection, folder: Path) -> Part:
    write_documents(collection.documents(), folder / DOCUMENTS)
    if not collection.count:
        raise DataError(f"{collection.name}: there is no document in it")
    return _part(folder / DOCUMENTS, "jsonl", collection.content)


def _part(path: Path, format: str, content: Content) -> Part:
    return Part(path.name, format, content.count, content.sha256, path.stat().st_size)
