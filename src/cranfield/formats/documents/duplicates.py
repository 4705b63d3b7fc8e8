"""Two documents of one name: found in eight bytes of memory for each document that can be read again."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cranfield.data.strings import encode
from cranfield.data.values import shown
from cranfield.formats.documents.pieces import Piece

_MANY = 1 << 16
_BY_PATH = "Files are told apart by their folders and endings with --ids path (in Python ids='path')."


class Watch(Protocol):
    """Sees all documents go by, and raises an error that names both places of a document that is there twice."""

    def look(self, piece: Piece) -> None:
        """Some more documents."""

    def finish(self) -> None:
        """There are no more."""


class ByName:
    """Keeps every name and its place: for what can be read only once."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[Piece, int]] = {}

    def look(self, piece: Piece) -> None:
        """Compare with all before."""
        bare = piece._replace(documents=[])
        for at, document in enumerate(piece.documents):
            here = bare, at
            first = self._first.setdefault(document.id, here)
            if first is not here:
                where = first[0].place(first[1], within=piece.source)
                named = "" if piece.places else f" {_BY_PATH}"
                raise piece.error(
                    at,
                    f"document {shown(encode(document.id))} is there twice (first at {where}). "
                    f"Keep one of them.{named}",
                )

    def finish(self) -> None:
        """Nothing was put off."""


class ByHash:
    """Keeps a hash of every name; if two are equal, the documents are read again to see whether the names are."""

    def __init__(self, again: Callable[[], Iterator[Piece]]) -> None:
        self._again = again
        self._fresh = array("q")
        self._sorted: list[NDArray[np.int64]] = []
        """Of falling size, each at least twice as large as the next, so that a hash is seldom moved."""

    def look(self, piece: Piece) -> None:
        """Take note, and compare when there are many."""
        self._fresh.extend([hash(document.id) for document in piece.documents])
        if len(self._fresh) >= _MANY:
            self.finish()

    def finish(self) -> None:
        """Compare those that were not yet."""
        fresh = np.sort(np.frombuffer(self._fresh, dtype=np.int64))
        self._fresh = array("q")
        suspects = set(fresh[1:][fresh[1:] == fresh[:-1]].tolist())
        for known in self._sorted:
            at = np.minimum(np.searchsorted(known, fresh), len(known) - 1)
            suspects.update(fresh[known[at] == fresh].tolist())
        if suspects:
            self._read_again(suspects)
        while self._sorted and len(self._sorted[-1]) < 2 * len(fresh):
            fresh = np.sort(np.concatenate((self._sorted.pop(), fresh)), kind="stable")
        if len(fresh):
            self._sorted.append(fresh)

    def _read_again(self, suspects: set[int]) -> None:
        watch = ByName()
        for piece in self._again():
            rows = [row for row, document in enumerate(piece.documents) if hash(document.id) in suspects]
            if rows:
                documents = [piece.documents[row] for row in rows]
                places = [piece.places[row] for row in rows] if piece.places else ()
                watch.look(Piece(piece.source, documents, places, piece.unit))
