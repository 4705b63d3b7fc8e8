"""Archives that come out the same, byte for byte, whenever what is in them is the same.

A zip file without compression, since packers of different versions pack differently; members stand in the order of
their names, dated 1980-01-01, the earliest that the format knows. The first is `manifest.json`, with the size and the
SHA-256 of each of the others. Reading takes nothing else: no member that the manifest does not name, none that is
packed, and no name that leads out of the archive.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import IO, Any, Self

from cranfield.errors import DataError, FormatError, UsageError
from cranfield.formats.json_values import load
from cranfield.formats.writing import writing

MANIFEST = "manifest.json"
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_RIGHTS = 0o100644 << 16
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_MOST_MEMBERS = 10_000


class BundleWriter:
    """Members on their way into an archive, each written once; a context whose end writes the archive."""

    def __init__(self, path: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        self._path, self._about = path, about
        self._folder = TemporaryDirectory()
        self._members: dict[str, dict[str, object]] = {}

    def add(self, name: str, chunks: Iterable[bytes]) -> None:
        """One more member, from its bytes in pieces."""
        if not _NAME.fullmatch(name) or name in self._members or name == MANIFEST:
            raise UsageError(f"{name!r} cannot be the name of another member of a bundle")
        sha256, size = hashlib.sha256(), 0
        with self._place(len(self._members)).open("wb") as out:
            for chunk in chunks:
                sha256.update(chunk)
                size += out.write(chunk)
        self._members[name] = {"bytes": size, "sha256": sha256.hexdigest()}

    def _place(self, number: int) -> Path:
        return Path(self._folder.name) / str(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._folder:
            if error is None:
                self._write()

    def _write(self) -> None:
        files = dict(sorted(self._members.items()))
        manifest = json.dumps({**self._about, "files": files}, indent=1, ensure_ascii=False).encode() + b"\n"
        numbers = {name: number for number, name in enumerate(self._members)}
        with writing(self._path) as raw, zipfile.ZipFile(raw, "w") as archive:
            with archive.open(_header(MANIFEST), "w") as member:
                member.write(manifest)
            for name in files:
                with self._place(numbers[name]).open("rb") as source:
                    header = _header(name)
                    header.file_size = int(str(files[name]["bytes"]))
                    with archive.open(header, "w") as member:
                        shutil.copyfileobj(source, member, 1 << 20)


def _header(name: str) -> zipfile.ZipInfo:
    header = zipfile.ZipInfo(name, date_time=_EARLIEST)
    header.compress_type, header.create_system, header.external_attr = zipfile.ZIP_STORED, 3, _RIGHTS
    return header


class BundleReader:
    """The members of an archive, after its manifest was compared with what is in it."""

    def __init__(self, archive: zipfile.ZipFile, manifest: Mapping[str, Any], source: str) -> None:
        self._archive, self.manifest, self.source = archive, manifest, source

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.manifest["files"])

    def __contains__(self, name: str) -> bool:
        return name in self.manifest["files"]

    def read(self, name: str) -> bytes:
        """A whole member; an error if it is not as the manifest says."""
        with self.open(name) as member:
            content = member.read()
        if hashlib.sha256(content).hexdigest() != self.manifest["files"][name]["sha256"]:
            raise self._changed(name)
        return content

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        if name not in self:
            raise DataError(f"{self.source}: there is no {name} in the bundle")
        try:
            with self._archive.open(name) as member:
                yield member
        except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, NotImplementedError) as error:
            raise FormatError(f"{name}: the bundle is damaged ({str(error)[:100]})", source=self.source) from None

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """The objects of a member with one on each line; none if the bundle has no such member."""
        if name not in self:
            return
        with self.open(name) as member:
            for number, line in enumerate(member, 1):
                try:
                    row = load(line.decode())
                except ValueError:
                    row = None
                if not isinstance(row, dict):
                    raise FormatError("expected a JSON object", source=f"{self.source}/{name}", line=number)
                yield row

    def check_hashes(self) -> None:
        """An error if a member is not as the manifest says."""
        for name, about in self.manifest["files"].items():
            with self.open(name) as member:
                if hashlib.file_digest(member, "sha256").hexdigest() != about["sha256"]:  # type: ignore[arg-type]
                    raise self._changed(name)

    def _changed(self, name: str) -> DataError:
        return DataError(f"{self.source}: {name} is not as it was written: its SHA-256 is not that of the manifest")


@contextmanager
def reading_bundle(path: str | os.PathLike[str], schema: str) -> Iterator[BundleReader]:
    """Open an archive of a schema; an error if there is anything in it that was not written there."""
    source = os.fspath(path)
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise UsageError(f"{source}: there is no such file") from None
    except (OSError, zipfile.BadZipFile) as error:
        raise FormatError(f"this is no bundle: {getattr(error, 'strerror', None) or error}", source=source) from None
    with archive:
        members = archive.infolist()
        for member in members:
            _refuse_strange(member, source)
        names = [member.filename for member in members]
        if len(names) != len(set(names)) or len(names) > _MOST_MEMBERS:
            raise DataError(f"{source}: the archive has a member twice, or more than {_MOST_MEMBERS:,} of them")
        manifest = _manifest(archive, names, schema, source)
        reader = BundleReader(archive, manifest, source)
        sizes = {member.filename: member.file_size for member in members if member.filename != MANIFEST}
        if sizes != {name: about["bytes"] for name, about in manifest["files"].items()}:
            raise DataError(f"{source}: the files in it, or their sizes, are not those of the manifest")
        yield reader


def _refuse_strange(member: zipfile.ZipInfo, source: str) -> None:
    if not _NAME.fullmatch(member.filename):
        raise DataError(f"{source}: refused: {member.filename!r:.80} is no name that a bundle has")
    if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size or member.flag_bits & 1:
        raise DataError(f"{source}: refused: {member.filename} is packed or locked, which no member of a bundle is")


def _manifest(archive: zipfile.ZipFile, names: list[str], schema: str, source: str) -> dict[str, Any]:
    if MANIFEST not in names:
        raise DataError(f"{source}: this is no bundle: there is no {MANIFEST} in it")
    try:
        manifest = load(archive.read(MANIFEST).decode())
    except (ValueError, zipfile.BadZipFile):
        manifest = None
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(manifest, dict) or not isinstance(files, dict) or not all(map(_is_described, files.values())):
        raise FormatError("expected an object with schema and files", source=f"{source}/{MANIFEST}")
    if manifest.get("schema") != schema:
        reason = f"its schema is {manifest.get('schema')!r:.80}; this cranfield reads {schema!r}"
        raise FormatError(reason, source=f"{source}/{MANIFEST}")
    return manifest


def _is_described(about: Any) -> bool:
    return isinstance(about, dict) and isinstance(about.get("bytes"), int) and isinstance(about.get("sha256"), str)
