"""Making an index of a collection, and opening it again."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from cranfield.data.collection import Collection
from cranfield.engines import engine_class, make_engine
from cranfield.engines.engine import Engine
from cranfield.engines.index_record import FILE, IndexedCollection, IndexRecord, is_index, read_index_record
from cranfield.engines.replacing import replacing
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.provenance.record import package_version, utc_time
from cranfield.formats.collections import open_collection
from cranfield.formats.collections.reading import Ways


def collection_to_index(location: str | os.PathLike[str], **ways: Unpack[Ways]) -> Collection:
    """The collection at a place; an error for the folder of an index, in which there are no documents to read."""
    if is_index(Path(location)):
        record = read_index_record(Path(location))
        raise UsageError(
            f"{location}: this is an index already, which the engine {record.engine} made of {record.collection.name}. "
            f"Name the documents, or search it with `cranfield search {location} TOPICS -o RUN`"
        )
    return open_collection(location, **ways)


def build_index(
    collection: Collection,
    kind: str,
    settings: Mapping[str, Any],
    folder: str | os.PathLike[str],
    *,
    force: bool = False,
) -> IndexRecord:
    """Index a collection with an engine.

    The folder gets the files of the engine and `index.json`. It takes its name only when all is done; until then an
    index that was there stays. A folder with anything else in it is replaced only with `force`. Of an engine that
    keeps its documents elsewhere there is only `index.json`.
    """
    target = Path(folder)
    _refuse_what_is_no_index(target, force)
    engine_class(kind)
    with replacing(target) as place:
        begun = time.perf_counter()
        with make_engine(kind, settings, folder=place) as engine:
            engine.index(collection.documents())
            seconds = time.perf_counter() - begun
            record = _record(engine, kind, settings, collection, seconds)
        (place / FILE).write_text(record.to_json(), encoding="utf-8")
    return record


def _record(
    engine: Engine, kind: str, settings: Mapping[str, Any], collection: Collection, seconds: float
) -> IndexRecord:
    indexed = IndexedCollection.of(collection)
    count = engine.count()
    if count is not None and count != indexed.documents:
        raise DataError(
            f"{collection.name} has {indexed.documents} documents, and the engine {kind} has {count} after indexing"
        )
    return IndexRecord(
        engine=kind,
        settings=dict(settings),
        collection=indexed,
        versions={"cranfield": package_version(), **engine.description().get("versions", {})},
        created=utc_time(time.time()),
        bytes=engine.size_on_disk(),
        seconds=round(seconds, 3),
    )


def _refuse_what_is_no_index(target: Path, force: bool) -> None:
    if target.is_dir() and any(target.iterdir()) and not is_index(target) and not force:
        raise UsageError(
            f"{target}: this folder is no index, and would be replaced with all that is in it: give another name, or "
            f"--force"
        )
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target}: this is a file; give the name of a folder for the index")
