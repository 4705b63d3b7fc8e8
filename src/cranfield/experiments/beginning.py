"""Beginning a workspace: `cranfield.toml`, with what is known already and comments on what else can be said."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Unpack

from cranfield.errors import DataError, UsageError
from cranfield.experiments.finding import FILE
from cranfield.experiments.toml_sections import with_table
from cranfield.experiments.workspace import ELSEWHERE, Workspace
from cranfield.experiments.workspace_file import read_workspace
from cranfield.formats.collections import import_collection, open_collection, save_collection
from cranfield.formats.collections.reading import Reading, Ways
from cranfield.formats.toml_lines import dotted
from cranfield.formats.writing import writing

COLLECTION = "collection"
"""The folder to which a collection is copied."""
MEASURES = ("nDCG@10", "AP", "P@10", "Judged@10")

_TEMPLATE = """\
# A workspace of Cranfield: what is searched, asked, judged and compared. `cranfield status` says what is to be done.
version = 1
name = {name}

collection = {collection}  # a folder, a file of documents, or ir_datasets:NAME
{topics}
{qrels}
measures = {measures}

# Each system is an engine (`cranfield engines` lists them) and its parameters. The first is the baseline.
{systems}
# Another one, to be compared with the first: it differs in one thing.
# [systems.less-saturated]
# engine = "bm25"
# k1 = 2.0

# [search]
# fields = ["title"]  # the fields of a topic that make its query
# k = 1000            # documents for each topic
"""


def usual_engine() -> str:
    """The engine of a new workspace: BM25 whose parameters are free, or SQLite's where its library is not installed."""
    return "bm25" if importlib.util.find_spec("tantivy") else "sqlite"


def begin_workspace(
    folder: str | os.PathLike[str],
    *,
    collection: str | None = None,
    topics: str | None = None,
    qrels: str | None = None,
    name: str | None = None,
    measures: Sequence[str] = MEASURES,
    systems: Mapping[str, str] | None = None,
    source: str | None = None,
    layout: str | None = None,
    **ways: Unpack[Ways],
) -> Workspace:
    """Write the `cranfield.toml` of a new workspace, and give the workspace.

    The collection stays where it is (`collection`), or is copied from its `source` into the workspace with a manifest,
    by which changes are noticed at once; `layout` says in which of the known layouts it comes. `systems` are engines by
    the names of systems. Paths are as one would type them here. `ways` are those of `open_collection`, for files whose
    content does not say how they are read.
    """
    root = Path(folder)
    refuse_workspace(root)
    if (collection is None) == (source is None):
        raise UsageError("a workspace needs documents: a collection where it is, or a source to copy one from")
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{root}: cannot be made: {error.strerror or error}") from None
    if source is not None:
        _copy(source, layout, root / COLLECTION, name or Path(os.path.abspath(source)).name, ways)
        place = COLLECTION
    else:
        assert collection is not None
        place = _from(root, collection)
    text = _TEMPLATE.format(
        name=_text(name or Path(os.path.abspath(root)).name),
        collection=_text(place),
        topics=_line("topics", topics and _from(root, topics)),
        qrels=_line("qrels", qrels and _from(root, qrels)),
        measures=json.dumps(list(measures), ensure_ascii=False),
        systems="\n".join(
            f"[{dotted(['systems', system])}]\nengine = {_text(engine)}\n"
            for system, engine in (systems or {usual_engine(): usual_engine()}).items()
        ),
    )
    if (said := Reading(**ways).said) and (source is None or topics is not None):
        text = with_table(text, ("reading",), said)
    with writing(root / FILE) as out:
        out.write(text.encode())
    try:
        return read_workspace(root)
    except DataError:
        (root / FILE).unlink()  # what was given cannot be used, so that there is no workspace
        raise


def refuse_workspace(folder: Path) -> None:
    """An error if a folder is a workspace already."""
    if (folder / FILE).exists():
        raise UsageError(f"{folder / FILE}: this is a workspace already: `cranfield status` says what is in it")


def _copy(source: str, layout: str | None, target: Path, name: str, ways: Ways) -> None:
    if layout is not None:
        import_collection(layout, source, target, name=name, **ways)
        return
    found = open_collection(source, **ways)
    save_collection(found, target, name=found.name, source=source if source.startswith(ELSEWHERE) else found.name)


def _from(root: Path, place: str) -> str:
    """A place as seen from the workspace: absolute if it was given so."""
    if place.startswith(ELSEWHERE) or os.path.isabs(place):
        return place
    return Path(os.path.relpath(place, root)).as_posix()


def _line(key: str, place: str | None) -> str:
    return f"{key} = {_text(place)}" if place else f'# {key} = "..."  # where the collection has none of its own'


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
