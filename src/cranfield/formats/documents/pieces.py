"""Documents on their way from a file: some at a time, with the places they were found at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cranfield.data.documents import Document
from cranfield.errors import FormatError


class Piece(NamedTuple):
    """Some consecutive documents of a file."""

    source: str
    documents: list[Document]
    places: Sequence[int] = ()
    """The line (or row) that each begins at; none where the file is the document."""
    unit: str = "line"

    def place(self, at: int, *, within: str = "") -> str:
        """Where a document was found; without the name of the file for readers who are `within` it.

        >>> piece = Piece("corpus.jsonl", [Document("d1", {})], [17])
        >>> piece.place(0), piece.place(0, within="corpus.jsonl")
        ('corpus.jsonl:17', 'line 17')
        """
        if not self.places:
            return self.source
        if within == self.source:
            return f"{self.unit} {self.places[at]}"
        return f"{self.source}:{self.places[at]}" if self.unit == "line" else f"{self.source}, row {self.places[at]}"

    def error(self, at: int, reason: str) -> FormatError:
        """What is wrong with a document, and where."""
        if self.places and self.unit != "line":
            return FormatError(f"{self.unit} {self.places[at]}: {reason}", source=self.source)
        return FormatError(reason, source=self.source, line=self.places[at] if self.places else None)
