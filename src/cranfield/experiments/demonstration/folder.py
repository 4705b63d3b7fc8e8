"""The folder of the demonstration: a workspace like any other, made of what comes with the package."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from cranfield.errors import UsageError
from cranfield.experiments.demonstration.material import GUIDELINE, PACKAGE, SCALE, TOPICS, Material
from cranfield.experiments.finding import FILE
from cranfield.experiments.split_files import is_split
from cranfield.experiments.workspace import Workspace
from cranfield.experiments.workspace_file import read_workspace
from cranfield.formats.writing import writing, writing_folder

TEMPLATE = "workspace.toml"
LABELS = "judges.tsv"
"""What was judged twice, for `cranfield agreement`."""


def refuse_others(folder: str | os.PathLike[str]) -> None:
    """An error if a folder has something in it that the demonstration did not put there."""
    target = Path(folder)
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not target.is_dir():
        raise UsageError(f"{target}: this is a file; the demonstration makes a folder: give another name")
    try:
        found = (target / FILE).read_bytes()
    except OSError:
        raise UsageError(
            f"{target}: this folder is not empty, and not made by `cranfield demo`: give the name of another"
        ) from None
    if found != _packaged(TEMPLATE):
        raise UsageError(
            f"{target}: {_what_changed(target / FILE)} since `cranfield demo` made it, so the folder is yours and is "
            "left as it is. `cranfield status` there says what is in it; `cranfield demo NAME` makes another"
        )


def _what_changed(file: Path) -> str:
    """What somebody did to the file of a demonstration, `cranfield split` for one."""
    made, now = tomllib.loads(_packaged(TEMPLATE).decode()), read_workspace(file)
    if is_split(now):
        return "its topics were divided (`cranfield split`)"
    other = [name for name in now.systems if name not in made["systems"]]
    return f"{FILE} has the system {other[0]}" if other else f"{FILE} was changed"


def make_workspace(material: Material, folder: str | os.PathLike[str]) -> Workspace:
    """Write the workspace, or in a folder of an earlier demonstration what differs of it."""
    refuse_others(folder)
    target, files = Path(folder), _files(material)
    if (target / FILE).is_file():
        for name, content in files.items():
            _write_if_different(target / name, content)
        return read_workspace(target)
    with writing_folder(target) as place:
        for name, content in files.items():
            (place / name).write_bytes(content)
    return read_workspace(target)


def _files(material: Material) -> Mapping[str, bytes]:
    return {
        "documents.jsonl": material.documents,
        TOPICS: _packaged(TOPICS),
        "qrels.txt": material.qrels.encode(),
        LABELS: material.labels.encode(),
        GUIDELINE: _packaged(GUIDELINE),
        SCALE: _packaged(SCALE),
        FILE: _packaged(TEMPLATE),
    }


def _packaged(name: str) -> bytes:
    return (resources.files(PACKAGE) / name).read_bytes()


def _write_if_different(path: Path, content: bytes) -> None:
    if not path.is_file() or path.read_bytes() != content:
        with writing(path) as out:
            out.write(content)
