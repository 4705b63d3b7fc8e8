"""What engines that keep their index in a folder have in common."""

from __future__ import annotations

import abc
import contextlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from cranfield.data.documents import Document
from cranfield.engines.engine import Engine
from cranfield.engines.id_table import IdTable
from cranfield.errors import DataError, EngineError, ParameterError

Opened = TypeVar("Opened")


class EmbeddedEngine(Engine, Generic[Opened]):
    """An engine whose index is files of its own: `folder/kind`, built aside and put in place when it is complete.

    An index is opened when it is first asked, with the parameters with which it was made; it is an error to open it
    with others.
    """

    embedded: ClassVar[bool] = True

    libraries: ClassVar[tuple[str, ...]] = ()
    """The distributions whose version belongs to the provenance of a run."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._opened: tuple[Opened, IdTable] | None = None

    @abc.abstractmethod
    def _indexed_with(self) -> Mapping[str, Any]:
        """The parameters that are settled once documents are indexed."""

    def _asked_with(self) -> Mapping[str, Any]:
        """The parameters that are free for every query."""
        return {}

    @abc.abstractmethod
    def _build(self, place: Path, documents: Iterable[Document]) -> None:
        """Write the index into an empty folder."""

    @abc.abstractmethod
    def _open(self, place: Path) -> Opened:
        """The index in this folder, ready to be searched."""

    def index(self, documents: Iterable[Document]) -> None:
        """Take in these documents; the old index stays until the new one is complete."""
        self.close()
        with _replacing(self._place) as place:
            numbers: dict[str, int] = {}
            self._build(place, _numbered(documents, numbers))
            IdTable.of(numbers).save(place)
            (place / "parameters.json").write_text(json.dumps(self._indexed_with()))

    def count(self) -> int:
        """How many documents are indexed."""
        return len(self._index()[1])

    def size_on_disk(self) -> int:
        """How many bytes the index takes."""
        return sum(file.stat().st_size for file in self._place.rglob("*") if file.is_file())

    def description(self) -> Mapping[str, Any]:
        """The parameters, and the versions of the libraries that did the work."""
        return {
            "parameters": {**self._indexed_with(), **self._asked_with()},
            "versions": {name: metadata.version(name) for name in self.libraries},
        }

    def close(self) -> None:
        """Let go of the files; they are opened again when the engine is asked again."""
        self._opened = None

    @property
    def _place(self) -> Path:
        return self.folder / self.kind

    def _index(self) -> tuple[Opened, IdTable]:
        """What is searched, and the identifiers of its documents by number."""
        if self._opened is None:
            self._check_parameters()
            try:
                self._opened = self._open(self._place), IdTable.load(self._place)
            except (OSError, ValueError, EOFError) as error:
                raise EngineError(f"{self._place}: the index cannot be opened ({error}): index again") from error
        return self._opened

    def _check_parameters(self) -> None:
        record = self._place / "parameters.json"
        if not record.is_file():
            raise EngineError(f"{self.folder}: there is no index of the engine {self.kind} here: index documents first")
        then = json.loads(record.read_text())
        now = json.loads(json.dumps(self._indexed_with()))
        for name, value in now.items():
            if then.get(name) != value:
                raise ParameterError(
                    f"{self.folder}: was indexed with {name} = {json.dumps(then.get(name))}, not {json.dumps(value)}: "
                    f"open it with that, or index again"
                )


def _numbered(documents: Iterable[Document], numbers: dict[str, int]) -> Iterator[Document]:
    """The documents as they pass, each given the next number."""
    for document in documents:
        if document.id in numbers:
            for _ in documents:  # who reads them from files knows where both are, and says so at the end
                pass
            raise DataError(
                f"document {document.id} is there twice, as number {numbers[document.id] + 1} and "
                f"number {len(numbers) + 1}: every document needs an identifier of its own"
            )
        numbers[document.id] = len(numbers)
        yield document
    if not numbers:
        raise DataError("there is no document to index")


@contextlib.contextmanager
def _replacing(place: Path) -> Iterator[Path]:
    """A folder to build in, which takes its name only when all went well."""
    part, old = place.with_name(f".{place.name}.part"), place.with_name(f".{place.name}.old")
    for left_behind in (part, old):
        shutil.rmtree(left_behind, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        yield part
        if place.exists():
            place.rename(old)
        part.rename(place)
    finally:
        shutil.rmtree(part, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
