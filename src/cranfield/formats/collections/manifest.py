"""`collection.json`: what a collection is made of, and the hash of every part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from cranfield.data.collection import Content
from cranfield.errors import FormatError
from cranfield.formats.schema import Schema

FILE = "collection.json"
_SCHEMA = Schema("cranfield.collection", 1, "the manifest of a collection")
PARTS = ("documents", "topics", "qrels")


@dataclass(frozen=True)
class Part:
    """A file of the collection: its format, how much is in it, and the hash of its content, whatever the format."""

    path: str
    format: str
    count: int
    sha256: str
    bytes: int

    @property
    def content(self) -> Content:
        return Content(self.count, self.sha256)


@dataclass(frozen=True)
class Manifest:
    """The content of `collection.json`."""

    name: str
    documents: Part
    topics: Part | None = None
    qrels: Part | None = None
    domain: str = ""
    source: str = ""
    """What it was made of."""
    notes: tuple[str, ...] = ()

    @property
    def parts(self) -> dict[str, Part]:
        """Those there are, by name."""
        found = {name: getattr(self, name) for name in PARTS}
        return {name: part for name, part in found.items() if part is not None}

    def to_json(self) -> str:
        content: dict[str, Any] = {"name": self.name}
        content |= {name: value for name in ("domain", "source") if (value := getattr(self, name))}
        content |= {name: asdict(part) for name, part in self.parts.items()}
        return _SCHEMA.text({**content, "notes": list(self.notes)})


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder."""
    path = folder / FILE
    content = _SCHEMA.read(path)
    if not isinstance(content.get("name"), str) or "documents" not in content:
        raise FormatError("the manifest lacks a name or documents", source=str(path))
    parts = {name: _part(content[name], name, path) for name in PARTS if content.get(name) is not None}
    return Manifest(
        content["name"],
        domain=str(content.get("domain", "")),
        source=str(content.get("source", "")),
        notes=tuple(map(str, content.get("notes") or ())),
        **parts,
    )


def _part(found: Any, name: str, path: Path) -> Part:
    types = {"path": str, "format": str, "count": int, "sha256": str, "bytes": int}
    if not isinstance(found, Mapping) or any(not isinstance(found.get(key), kind) for key, kind in types.items()):
        raise FormatError(f"expected {name} with {', '.join(types)}, found {found!r:.60}", source=str(path))
    inside = PurePosixPath(found["path"])
    if inside.is_absolute() or ".." in inside.parts:
        raise FormatError(f"the {name} are at {found['path']!r}, which is outside the folder", source=str(path))
    return Part(**{key: found[key] for key in types})
