"""SQLite's full-text index (FTS5)."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from cranfield.data.documents import Document
from cranfield.engines.best_first import Found, best_of_a_list
from cranfield.engines.embedded import EmbeddedEngine
from cranfield.engines.engine import Hits
from cranfield.engines.fields import FieldChoice, Fields
from cranfield.engines.parameters import choice
from cranfield.errors import EngineError

TOKENIZERS = {"porter": "porter unicode61", "unicode61": "unicode61"}

WORD = re.compile(r"[^\W_]+")


class SqliteEngine(EmbeddedEngine[sqlite3.Connection]):
    """FTS5's own BM25 (k1 = 1.2, b = 0.75, which it has built in), over one text or over fields with weights.

    `tokenizer` is `porter` (English stems) or `unicode61` (words as they are, without accents); there are no stop
    words. A query is a bag of words: each is quoted, and a document matches if it has one of them.

    >>> import tempfile
    >>> engine = SqliteEngine(tempfile.mkdtemp())
    >>> engine.index([Document("d1", {"text": "A hot soup"}), Document("d2", {"text": "Cold bread"})])
    >>> [document for document, score in engine.search('NOT "soups', 10)]
    ['d1']
    """

    kind: ClassVar[str] = "sqlite"
    made_at_once: ClassVar[bool] = True

    def __init__(self, folder: str | Path, *, fields: FieldChoice = None, tokenizer: str = "porter") -> None:
        super().__init__(folder)
        self._fields = Fields(fields)
        self._tokenizer = choice("tokenizer", tokenizer, TOKENIZERS)

    def _indexed_with(self) -> Mapping[str, Any]:
        return {"fields": self._fields.recorded(), "tokenizer": self._tokenizer}

    def description(self) -> Mapping[str, Any]:
        """The parameters, and the version of SQLite."""
        return {**super().description(), "versions": {"sqlite": sqlite3.sqlite_version}}

    def _build(self, place: Path, documents: Iterable[Document]) -> None:
        columns = ", ".join(f"text{place}" for place in range(len(self._fields.weights)))
        holes = ", ".join("?" for _ in self._fields.weights)
        connection = sqlite3.connect(place / "index.sqlite", isolation_level=None)
        try:
            # Nothing is lost that was not lost anyway: a broken index never takes its place.
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN")
            options = f"content='', tokenize='{TOKENIZERS[self._tokenizer]}'"
            connection.execute(f"CREATE VIRTUAL TABLE texts USING fts5({columns}, {options})")
            rows = (
                (number, *self._fields.texts(document))
                for number, document in enumerate(self._fields.checked(documents))
            )
            connection.executemany(f"INSERT INTO texts(rowid, {columns}) VALUES (?, {holes})", rows)
            connection.execute("INSERT INTO texts(texts) VALUES ('optimize')")
            connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise EngineError(f"{self.folder}: SQLite {sqlite3.sqlite_version} cannot index: {error}") from error
        finally:
            connection.close()

    def _open(self, place: Path) -> sqlite3.Connection:
        file = (place / "index.sqlite").resolve()
        try:
            return sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        except sqlite3.OperationalError as error:
            raise OSError(f"{file.name}: {error}") from error

    def close(self) -> None:
        """Close the database."""
        if self._opened is not None:
            self._opened[0].close()
        super().close()

    def search(self, query: str, k: int) -> Hits:
        """The best k documents that have one of the words of the query."""
        connection, table = self._index()
        words = WORD.findall(query)
        if not words:
            return []
        asked = " OR ".join(f'"{word}"' for word in words)
        # SQLite's scores are negative, so that the best come first.
        best = f"SELECT -bm25(texts, {', '.join(map(str, self._fields.weights))}) AS score, rowid FROM texts"

        def fetch(limit: int) -> Found:
            rows = connection.execute(f"{best} WHERE texts MATCH ? ORDER BY score DESC LIMIT ?", (asked, limit))
            found = rows.fetchall()
            scores, numbers = ([row[column] for row in found] for column in (0, 1))
            return np.array(scores, np.float64), np.array(numbers, np.int64)

        try:
            return best_of_a_list(fetch, k, table)
        except sqlite3.DatabaseError as error:
            raise EngineError(f"{self.folder}: SQLite cannot answer: {error}") from error
