"""Documents by their identifiers: what formats that are read from beginning to end cannot give."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from cranfield.data.documents import Document
from cranfield.errors import DataError

Tell = Callable[[int], None]
"""Told how many documents are in it by now."""

_FEW = 500
"""How many identifiers SQLite is asked for at once."""
_TELL_EVERY = 1000
_APPLICATION = 0x43524644
"""What SQLite has in the head of the file, so that no other database is taken for one of these."""


class DocumentStore:
    """A file with the documents of a collection, packed, each found by its identifier without reading the others.

    It is made by reading the collection once, whatever formats and archives its documents are in, and can be asked from
    several threads and processes.

    >>> path = Path(tempfile.mkdtemp()) / "kitchen.sqlite"
    >>> store = DocumentStore.build([Document("d1", {"title": "Soup"}), Document("d2", {"title": "Bread"})], path)
    >>> store.get(["d2", "d3"])
    {'d2': Document(id='d2', fields={'title': 'Bread'})}
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @classmethod
    def build(
        cls,
        documents: Iterable[Document],
        path: str | os.PathLike[str],
        *,
        made_of: str = "",
        tell: Tell | None = None,
    ) -> DocumentStore:
        """Write these documents; the file takes its name when all are in it. `made_of` is kept, to know it again by."""
        target = Path(path)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
        try:
            with closing(sqlite3.connect(temporary, isolation_level=None)) as connection:
                _write(connection, documents, made_of, tell)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
        return cls(target)

    @property
    def made_of(self) -> str | None:
        """What it was said to be made of; None if there is no such file, or it is none of these."""
        if not self.path.is_file():
            return None
        try:
            with closing(self._open()) as connection:
                if connection.execute("PRAGMA application_id").fetchone() != (_APPLICATION,):
                    return None
                return str(connection.execute("SELECT made_of FROM about").fetchone()[0])
        except sqlite3.DatabaseError:
            return None

    def get(self, names: Collection[str]) -> dict[str, Document]:
        """Those of some documents that there are, in the order in which they are asked for."""
        try:
            with closing(self._open()) as connection:
                found = dict(_rows(connection, [_key(name) for name in names]))
        except sqlite3.DatabaseError as error:
            raise DataError(f"{self.path}: documents cannot be read from it ({error}): make it again") from error
        return {
            name: Document(name, json.loads(zlib.decompress(found[key])))
            for name, key in ((name, _key(name)) for name in names)
            if key in found
        }

    def __len__(self) -> int:
        with closing(self._open()) as connection:
            return int(connection.execute("SELECT count(*) FROM documents").fetchone()[0])

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)


def _write(connection: sqlite3.Connection, documents: Iterable[Document], made_of: str, tell: Tell | None) -> None:
    # Nothing is lost that was not lost anyway: a broken file never takes its name.
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE about (made_of TEXT)")
    connection.execute("INSERT INTO about VALUES (?)", (made_of,))
    connection.execute("CREATE TABLE documents (name BLOB, fields BLOB)")
    connection.executemany("INSERT INTO documents VALUES (?, ?)", _packed(documents, tell))
    try:
        connection.execute("CREATE UNIQUE INDEX names ON documents (name)")
    except sqlite3.IntegrityError:
        raise DataError("a document is there twice: every document needs an identifier of its own") from None
    connection.execute("COMMIT")


def _packed(documents: Iterable[Document], tell: Tell | None) -> Iterator[tuple[bytes, bytes]]:
    for number, document in enumerate(documents, 1):
        yield _key(document.id), zlib.compress(json.dumps(document.fields, separators=(",", ":")).encode(), 1)
        if tell is not None and number % _TELL_EVERY == 0:
            tell(number)


def _rows(connection: sqlite3.Connection, keys: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    for start in range(0, len(keys), _FEW):
        some = keys[start : start + _FEW]
        holes = ", ".join("?" for _ in some)
        yield from connection.execute(f"SELECT name, fields FROM documents WHERE name IN ({holes})", some)


def _key(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
