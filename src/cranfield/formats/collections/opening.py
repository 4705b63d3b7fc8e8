"""Opening a collection: a folder with a manifest, a BEIR folder, loose files, or a dataset of `ir_datasets`."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from cranfield.data.collection import Collection, Content, changed
from cranfield.data.documents import Document
from cranfield.data.qrels import Qrels
from cranfield.data.topics import Topics
from cranfield.errors import DataError, UsageError
from cranfield.formats import ir_datasets, read_qrels, run_name
from cranfield.formats.canonical import write_canonical
from cranfield.formats.collections.manifest import FILE, Part, read_manifest
from cranfield.formats.collections.reading import Reading, Ways
from cranfield.formats.documents import iter_documents
from cranfield.formats.topics import read_topics

Location = str | os.PathLike[str]


def open_collection(
    location: Location, *, topics: Location | None = None, qrels: Location | None = None, **ways: Unpack[Ways]
) -> Collection:
    """The collection at a place.

    A folder with a `collection.json` was made by `import_collection`: what has changed since is an error, at once for
    topics, judgments and the size of the documents, and when they have been read for the documents themselves. A folder
    as BEIR has them has its parts under their names. Anything else is taken for documents, which `topics` and `qrels`
    may go with. `ir_datasets:NAME` is a dataset of that package.

    Where the content of files does not say how they are read, `ways` do: `documents_format`, `topics_format`, the
    `encoding` of both, and `ids="path"` for documents that are files.
    """
    name = os.fspath(location)
    reading = Reading(**ways)
    given: dict[str, Any] = {
        "topics": read_topics(topics, **reading.of_topics) if topics is not None else None,
        "qrels": read_qrels(qrels) if qrels is not None else None,
    }
    if name.startswith(ir_datasets.PREFIX):
        _refuse(reading, topics, "the package knows how its datasets are read")
        return _with(ir_datasets.open_dataset(name), given)
    path = Path(name)
    if not path.exists():
        raise UsageError(f"{name}: there is no such file or folder")
    if (path / FILE).is_file():
        _refuse(reading, topics, f"{path / FILE} says how this collection is read")
        return _with(_recorded(path), given)
    if is_beir(path):
        from cranfield.formats.collections.layouts import layout

        return _with(layout("beir").open(path, reading=reading), given)
    return Collection(run_name(path.resolve()), partial(iter_documents, path, **reading.of_documents), **given)


def _refuse(reading: Reading, topics: Location | None, reason: str) -> None:
    """An error if something is said of files that know better; of topics that were given, it may be."""
    (replace(reading, topics_format=None, encoding=None) if topics is not None else reading).refuse(reason)


def _with(collection: Collection, given: dict[str, Any]) -> Collection:
    """The collection with other topics or judgments, where these were given."""
    return replace(collection, **{name: part for name, part in given.items() if part is not None})


def is_beir(path: Path) -> bool:
    """Whether a folder has documents as BEIR has them."""
    return any((path / f"corpus.jsonl{packed}").is_file() for packed in ("", ".gz", ".zst"))


def _recorded(folder: Path) -> Collection:
    manifest = read_manifest(folder)
    for name, part in manifest.parts.items():
        _refuse_missing(folder, name, part)
    size = (folder / manifest.documents.path).stat().st_size
    if size != manifest.documents.bytes:
        raise DataError(
            f"{folder}: {manifest.documents.path} changed since the collection was made: it had "
            f"{manifest.documents.bytes} bytes, it has {size}. {ADVICE}"
        )
    topics = topics_of(folder, manifest.topics) if manifest.topics is not None else None
    qrels = qrels_of(folder, manifest.qrels) if manifest.qrels is not None else None
    for name, thing in (("topics", topics), ("qrels", qrels)):
        if thing is not None and content_of(thing) != manifest.parts[name].content:
            raise DataError(f"{folder}: {changed(name, manifest.parts[name].content, content_of(thing))}. {ADVICE}")
    return Collection(
        manifest.name,
        partial(documents_of, folder, manifest.documents),
        topics=topics,
        qrels=qrels,
        recorded=manifest.documents.content,
        domain=manifest.domain,
        notes=manifest.notes,
    )


ADVICE = "Restore it, or import the collection anew: numbers made with the one are not those of the other."


def documents_of(folder: Path, part: Part) -> Iterator[Document]:
    """The documents of a folder with a manifest."""
    return iter_documents(folder / part.path, format=part.format)


def topics_of(folder: Path, part: Part) -> Topics:
    """Its topics."""
    return read_topics(folder / part.path, format=part.format)


def qrels_of(folder: Path, part: Part) -> Qrels:
    """Its judgments."""
    return read_qrels(folder / part.path, format=part.format)


def content_of(part: Topics | Qrels) -> Content:
    """The number and the hash of topics or judgments, whatever format they came in."""
    if isinstance(part, Topics):
        return Content(len(part), part.sha256)
    text = io.BytesIO()
    write_canonical(part, text)
    return Content(len(part), hashlib.sha256(text.getvalue()).hexdigest())


def _refuse_missing(folder: Path, name: str, part: Part) -> None:
    if not (folder / part.path).is_file():
        raise DataError(f"{folder}: the {name} are missing: there is no {part.path}. {ADVICE}")
