"""From a file, a folder or an archive to documents: what is in what."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from cranfield.errors import DataError
from cranfield.formats.documents import folder, module, tar_archive, zip_archive
from cranfield.formats.documents.encodings import in_its_own_encoding, in_utf8
from cranfield.formats.documents.members import Member, document_name
from cranfield.formats.documents.pieces import Piece
from cranfield.formats.documents.recognition import recognise, recognise_member
from cranfield.formats.files import Readable, Source, open_source

_ARCHIVES = (tar_archive, zip_archive)
_SAY_THEIR_ENCODING = ("trec", "html")


@dataclass(frozen=True)
class Reader:
    """How to read: the format and the encoding, where they are given, and what files are called that are documents."""

    format: str | None
    encoding: str | None
    ids: str

    def iter_pieces(self, what: Readable) -> Iterator[Piece]:
        """All documents, some at a time."""
        if isinstance(what, (str, os.PathLike)) and os.path.isdir(what):
            yield from self._of_members(folder.iter_members(os.fspath(what)), os.fspath(what))
            return
        with open_source(what) as source:
            archive = self._archive(source)
            if archive is not None:
                yield from self._of_members(archive.iter_members(source), source.name)
                return
            source = self._as_text(source)
            yield from self._of_source(source, os.path.basename(source.name), self.format or recognise(source))

    def _of_members(self, members: Iterator[Member], whole: str) -> Iterator[Piece]:
        first: tuple[str, str] | None = None
        for path, packed in members:
            if self._archive(packed) is not None:
                raise DataError(f"{packed.name}: an archive among files is not read. Unpack it first.")
            source = self._as_text(packed)
            format = self.format or recognise_member(source, path)
            kind = "text" if format == "html" else format
            first = first or (kind, source.name)
            if kind != first[0]:
                raise DataError(
                    f"{source.name}: this is {format}, and {first[1]} before it is {first[0]}. Files of one format, or "
                    "of text and HTML, are read together: name the file that holds the documents."
                )
            yield from self._of_source(source, path, format)
        if first is None:
            raise DataError(f"{whole}: there is no file in it")

    def _of_source(self, source: Source, path: str, format: str) -> Iterator[Piece]:
        chosen = module(format)
        is_empty = not source.head().strip()  # which also passes over a byte-order mark
        if format in _SAY_THEIR_ENCODING and self.encoding is None:
            source = in_its_own_encoding(source)
        if hasattr(chosen, "ONE_TO_A_FILE"):
            yield from chosen.iter_pieces(source, document_name(path, self.ids))
        elif is_empty:
            raise DataError(f"{source.name}: the file is empty")
        else:
            yield from chosen.iter_pieces(source)

    def _archive(self, source: Source) -> ModuleType | None:
        head = source.first_bytes()
        return next((archive for archive in _ARCHIVES if archive.recognise(head)), None)

    def _as_text(self, source: Source) -> Source:
        """In UTF-8, if another encoding is given and there is text to be had."""
        binary = self.encoding is None or module("parquet").recognise(source.first_bytes())
        return source if binary or self.encoding is None else in_utf8(source, self.encoding)
