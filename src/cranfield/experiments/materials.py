"""What a workspace is made of: documents, topics and judgments, where they are, and the hashes of their content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from cranfield.data.collection import Collection, Content, changed
from cranfield.data.topics import Topics
from cranfield.errors import DataError
from cranfield.experiments.known_bytes import known_bytes
from cranfield.experiments.known_contents import known_content
from cranfield.experiments.workspace import ELSEWHERE, Workspace
from cranfield.formats.collections.manifest import FILE as MANIFEST
from cranfield.formats.collections.manifest import Part, read_manifest
from cranfield.formats.collections.opening import ADVICE, content_of, is_beir, open_collection
from cranfield.formats.collections.reading import Reading, Ways


def collection(workspace: Workspace) -> Collection:
    """The documents, with the topics and judgments that the workspace says."""
    _refuse_missing(workspace, "collection", workspace.collection_place)
    return open_collection(workspace.collection_place, **_ways(workspace))


def topics(workspace: Workspace) -> Topics:
    """What is asked."""
    from cranfield.formats.topics import read_topics

    if workspace.topics_place is not None:
        _refuse_missing(workspace, "topics", workspace.topics_place)
        return read_topics(workspace.topics_place, **Reading(**workspace.reading).of_topics)
    found = collection(workspace).topics
    if found is None:
        raise DataError(f"{workspace.where('collection')}: it has no topics of its own: name their file as topics")
    return found


def judged(workspace: Workspace) -> bool:
    """Whether there are judgments, or are said to be: systems can search before there are any."""
    if workspace.qrels is not None or workspace.collection.startswith(ELSEWHERE):
        return True
    return not Path(workspace.collection_place).exists() or "qrels" in _parts(workspace)


def qrels(workspace: Workspace) -> str:
    """Where the judgments are, as every command reads them."""
    if workspace.qrels_place is not None:
        _refuse_missing(workspace, "qrels", workspace.qrels_place)
        return workspace.qrels_place
    _refuse_missing(workspace, "collection", workspace.collection_place)
    if workspace.collection.startswith(ELSEWHERE):
        return workspace.collection
    part = _parts(workspace).get("qrels")
    if part is None:
        raise DataError(f"{workspace.where('collection')}: it has no judgments of its own: name their file as qrels")
    return str(part)


def documents_file(workspace: Workspace) -> Path | None:
    """The file that says what documents are called; None where there is none, or that is not one file of records."""
    found = None if workspace.collection.startswith(ELSEWHERE) else _parts(workspace).get("documents")
    return found if found is not None and ".jsonl" in found.name and found.is_file() else None


def documents_content(workspace: Workspace) -> Content:
    """The number and the hash of the documents.

    They are read only if their bytes have not been seen here before. Of a folder with a manifest they are on record,
    and only the size of the file is looked at: who reads them notices what has changed.
    """
    _refuse_missing(workspace, "collection", workspace.collection_place)
    place = Path(workspace.collection_place)
    if (place / MANIFEST).is_file():
        part, file = read_manifest(place).documents, place / read_manifest(place).documents.path
        if not file.is_file():
            raise DataError(f"{place}: the documents are missing: there is no {part.path}. {ADVICE}")
        if (size := file.stat().st_size) != part.bytes:
            raise DataError(
                f"{place}: {part.path} changed since the collection was made: it had {part.bytes} bytes, it has "
                f"{size}. {ADVICE}"
            )
        return part.content
    return _known(workspace, "documents", lambda: collection(workspace).content)


def topics_content(workspace: Workspace) -> Content:
    """The number and the hash of the topics; they are read only if their bytes have not been seen here before."""
    if workspace.topics_place is not None:
        _refuse_missing(workspace, "topics", workspace.topics_place)
        return _of_file(workspace, "topics", workspace.topics_place, lambda: content_of(topics(workspace)))
    found = _known(workspace, "topics", lambda: content_of(topics(workspace)))
    return _as_recorded(workspace, "topics", found)


def qrels_content(workspace: Workspace) -> Content:
    """The number and the hash of the judgments; they are read only if their bytes have not been seen here before."""
    from cranfield.formats import read_qrels

    place = qrels(workspace)
    found = _of_file(workspace, "qrels", place, lambda: content_of(read_qrels(place)))
    return found if workspace.qrels_place is not None else _as_recorded(workspace, "qrels", found)


def _known(workspace: Workspace, part: str, read: Callable[[], Content]) -> Content:
    """The content of a part of the collection."""
    if workspace.collection.startswith(ELSEWHERE):
        return known_content(workspace, f"{part} {workspace.collection}", read)
    # Which topics there are may depend on which are judged.
    needed = ("documents",) if part == "documents" else ("topics", "qrels")
    files = [file for name, file in _parts(workspace).items() if name in needed]
    return known_content(workspace, _key(workspace, part, files), read)


def _of_file(workspace: Workspace, part: str, place: str, read: Callable[[], Content]) -> Content:
    key = f"{part} {place}" if place.startswith(ELSEWHERE) else _key(workspace, part, [Path(place)])
    named = {"topics": workspace.topics, "qrels": workspace.qrels}[part] is not None
    try:
        return known_content(workspace, key, read)
    except DataError as error:
        what = "judgments" if part == "qrels" else part
        where = workspace.where(part if named else "collection")
        raise DataError(f"{where}: the {what} cannot be read: {error}") from None


def _parts(workspace: Workspace) -> dict[str, Path]:
    """The files of the collection by part."""
    place = Path(workspace.collection_place)
    if (place / MANIFEST).is_file():
        return {name: place / part.path for name, part in read_manifest(place).parts.items()}
    if is_beir(place):
        from cranfield.formats.collections.layouts import layout

        return layout("beir").find(place)
    return {"documents": place}


def _ways(workspace: Workspace) -> Ways:
    """How the files of the collection are read; nothing need be said of one that says it itself."""
    recorded = workspace.collection.startswith(ELSEWHERE) or (Path(workspace.collection_place) / MANIFEST).is_file()
    return {} if recorded else workspace.reading


def _as_recorded(workspace: Workspace, part: str, found: Content) -> Content:
    """The content of a part; an error if the collection has a record of another."""
    place = Path(workspace.collection_place)
    recorded: Part | None = read_manifest(place).parts.get(part) if (place / MANIFEST).is_file() else None
    if recorded is not None and recorded.content != found:
        raise DataError(f"{place}: {changed(part, recorded.content, found)}. {ADVICE}")
    return found


def _key(workspace: Workspace, part: str, places: Sequence[Path]) -> str:
    """By what the content of a part is known: the bytes of its files, and how they are read."""
    ways = [f"{name}={way}" for name, way in workspace.reading.items()]
    try:
        return " ".join([part, *(known_bytes(workspace, place) for place in places), *ways])
    except OSError as error:
        raise DataError(f"{error.filename}: cannot be read: {error.strerror or error}. {ADVICE}") from None


def _refuse_missing(workspace: Workspace, key: str, place: str) -> None:
    if not place.startswith(ELSEWHERE) and not Path(place).exists():
        raise DataError(f"{workspace.where(key)}: there is no {place}: put it there, or name another")
