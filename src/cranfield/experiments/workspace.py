"""A workspace: a folder with `cranfield.toml`, which says what is searched, asked, judged and compared."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cranfield.data.scale import SCALES
from cranfield.errors import UsageError, did_you_mean
from cranfield.experiments.finding import FILE
from cranfield.formats.collections.reading import Ways
from cranfield.formats.toml_lines import TomlLines, dotted

ELSEWHERE = "ir_datasets:"
"""What the name of a collection begins with that is no place on this disk."""


@dataclass(frozen=True)
class GivenRun:
    """A run that was made elsewhere."""

    file: str
    """As `cranfield.toml` names it."""
    sha256: str | None = None
    """What the file is to have, where that is said."""


@dataclass(frozen=True)
class System:
    """A search engine with its parameters, and how topics are put to it; or only a run, of an engine elsewhere.

    >>> System("bm25", "bm25", {"k1": 0.9}).k
    1000
    """

    name: str
    engine: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """As `cranfield.toml` has them; the others have the values that the engine gives them."""
    fields: tuple[str, ...] = ()
    """The fields of a topic that make its query; none: the first that says what is sought."""
    k: int = 1000
    """How many documents are wanted for each topic."""
    given: GivenRun | None = None
    """The run, in the place of an engine."""

    @classmethod
    def of_run(cls, name: str, run: GivenRun) -> System:
        """A system that is not searched here."""
        return cls(name, "run", {"run": run.file}, given=run)


@dataclass(frozen=True)
class Workspace:
    """What `cranfield.toml` says, and where the files are that are made of it.

    Places that the file names are relative to it: `collection_place`, `topics_place` and `qrels_place` can be opened
    from anywhere.
    """

    root: Path
    name: str
    collection: str
    """A folder or file of documents, or `ir_datasets:NAME`."""
    topics: str | None = None
    """The file of the topics; None: those of the collection."""
    qrels: str | None = None
    """The file of the judgments; None: those of the collection."""
    scale: str | None = None
    """The scale of judgments: binary, graded, or a file; None: nothing is said of it."""
    measures: tuple[str, ...] = ()
    systems: Mapping[str, System] = field(default_factory=dict)
    splits: Mapping[str, Any] = field(default_factory=dict)
    """How topics are divided, as `cranfield split` wrote it."""
    reading: Ways = field(default_factory=Ways)
    """How documents and topics are read, where their content does not say it."""
    lines: TomlLines = field(default_factory=lambda: TomlLines(""), repr=False, compare=False)

    @property
    def file(self) -> Path:
        return self.root / FILE

    @property
    def state(self) -> Path:
        """The folder of what is only of use on this machine: the lock, and hashes of files that were read."""
        return self.root / ".cranfield"

    @property
    def indexes(self) -> Path:
        return self.root / "indexes"

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    @property
    def report(self) -> Path:
        return self.root / "report.html"

    @property
    def splits_folder(self) -> Path:
        return self.root / "splits"

    @property
    def ledger(self) -> Path:
        return self.root / "ledger"

    @property
    def judgments(self) -> Path:
        """The folder of judging events."""
        return self.root / "judgments"

    @property
    def collection_place(self) -> str:
        return self.place(self.collection)

    @property
    def topics_place(self) -> str | None:
        return None if self.topics is None else self.place(self.topics)

    @property
    def qrels_place(self) -> str | None:
        return None if self.qrels is None else self.place(self.qrels)

    @property
    def scale_place(self) -> str | None:
        return self.scale if self.scale is None or self.scale in SCALES else self.place(self.scale)

    def place(self, named: str) -> str:
        """A place that the file names, as it can be opened from anywhere."""
        return named if named.startswith(ELSEWHERE) else str(self.root / named)

    def run_file(self, system: str | System) -> Path:
        """Where the run of a system is, or will be."""
        name = system if isinstance(system, str) else system.name
        given = self.systems[name].given if name in self.systems else None
        return self.runs / f"{name}.run" if given is None else Path(self.place(given.file))

    def system(self, name: str) -> System:
        """A system by its name."""
        if name not in self.systems:
            there = f"{did_you_mean(name, self.systems)} There are: {', '.join(self.systems)}"
            raise UsageError(f"{self.where('systems')}: there is no system {name!r}{there}")
        return self.systems[name]

    def where(self, *keys: str) -> str:
        """Where a key stands, for messages: `cranfield.toml:7: systems.bm25.k1`."""
        line = self.lines.of(*keys)
        shown = _near(self.file)
        return f"{shown}:{line}: {dotted(keys)}" if line else f"{shown}: {dotted(keys)}"


def _near(path: Path) -> str:
    """A path as one would type it here, where that is shorter."""
    relative = os.path.relpath(path)
    return relative if len(relative) < len(str(path)) else str(path)
