"""Whether a collection is still what it was when it was made, part by part."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from cranfield.data.collection import Content, changed
from cranfield.data.documents import ContentHash
from cranfield.errors import CranfieldError
from cranfield.formats.collections.manifest import Part, read_manifest
from cranfield.formats.collections.opening import content_of, documents_of, qrels_of, topics_of


class PartVerified(NamedTuple):
    """A part of a collection: what it was, and what is wrong with it now, or nothing."""

    name: str
    part: Part
    problem: str | None


def verify_collection(folder: Path) -> list[PartVerified]:
    """Read every part of a folder with a manifest again, and say which changed."""
    manifest = read_manifest(folder)
    read: dict[str, Callable[[Path, Part], Content]] = {
        "documents": _documents,
        "topics": lambda folder, part: content_of(topics_of(folder, part)),
        "qrels": lambda folder, part: content_of(qrels_of(folder, part)),
    }
    verified = []
    for name, part in manifest.parts.items():
        problem: str | None = None
        try:
            found = read[name](folder, part)
            if found != part.content:
                problem = changed(name, part.content, found)
        except CranfieldError as error:
            problem = f"the {name} can no longer be read: {error}"
        verified.append(PartVerified(name, part, problem))
    return verified


def _documents(folder: Path, part: Part) -> Content:
    content = ContentHash()
    for document in documents_of(folder, part):
        content.add(document)
    return Content(content.count, content.hexdigest())
