"""A small collection with an index of it, in a folder that may be searched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cranfield.data.documents import Document
from cranfield.engines.indexing import build_index
from cranfield.formats.collections import open_collection
from cranfield.formats.documents import write_documents
from cranfield.web.projects.models import Project
from tests.web.judging.making import make_project

KITCHEN = [
    Document("d1", {"title": "Onion soup", "text": "Brown the onions. Add broth. Serve the soup hot.", "year": 1962}),
    Document("d2", {"title": "Cold soup", "text": "A soup of cucumbers, served cold with <b>dill</b>."}),
    Document("d3", {"title": "Bread", "text": "Bake it hot. " + "Wait. " * 60 + "Eat it with soup."}),
    Document("d4", {"title": "Tea", "text": "Boil water."}),
]


def write_kitchen(folder: Path, engine: str = "sqlite") -> None:
    """Documents and an index, as `docs.jsonl` and `index`."""
    write_documents(KITCHEN, folder / "docs.jsonl")
    build_index(open_collection(folder / "docs.jsonl"), engine, {}, folder / "index")


def searchable_project(folder: Path, **settings: Any) -> Project:
    """Two topics with two documents each, that are not in the collection, and an engine to find others."""
    more = {"engine": str(folder / "index"), "collection": str(folder / "docs.jsonl"), **settings}
    return make_project(topics=2, documents=2, **more)
