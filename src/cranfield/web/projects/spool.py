"""Documents on their way into the database: those that are wanted, kept in a file until all have been found.

Reading a large collection may take minutes, and the database is not to wait for that.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection as Container
from collections.abc import Iterable, Iterator
from typing import Any

from cranfield.data.documents import Document
from cranfield.web.projects.document_columns import document_columns

_IN_MEMORY = 32 * 1024 * 1024


class Spool:
    """The columns of documents, in the order in which they were found. A context: its file goes with it."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY, mode="w+", encoding="utf-8")  # noqa: SIM115
        self.names: set[str] = set()

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def fill(self, documents: Iterable[Document], wanted: Container[str], *, all_of_them: bool = True) -> None:
        """Take those that are wanted; unless `all_of_them` have to pass, no more are read when these were found."""
        for document in documents:
            if document.id in wanted and document.id not in self.names:
                self.names.add(document.id)
                json.dump(document_columns(document), self._file)
                self._file.write("\n")
                if not all_of_them and len(self.names) == len(wanted):
                    return

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self._file.seek(0)
        for line in self._file:
            yield json.loads(line)
