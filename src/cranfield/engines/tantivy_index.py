"""Tantivy: an embedded full-text engine, searched by BM25."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

import numpy as np

from cranfield.data.documents import Document
from cranfield.engines.analysis import Analysis, need_tantivy
from cranfield.engines.best_first import Found, best_of_a_list
from cranfield.engines.embedded import EmbeddedEngine
from cranfield.engines.engine import Hits
from cranfield.engines.fields import FieldChoice, Fields, encodable
from cranfield.engines.parameters import whole_number

if TYPE_CHECKING:
    import tantivy

NUMBER = "number"
"""The field with the number of a document; the identifiers are in a list beside the index, because to fetch a stored
document for each hit takes longer than the search."""

_SCORE, _ADDRESS = itemgetter(0), itemgetter(1)


class Searchable(NamedTuple):
    """An index that is open."""

    schema: tantivy.Schema
    searcher: tantivy.Searcher
    analyser: tantivy.TextAnalyzer


class TantivyEngine(EmbeddedEngine[Searchable]):
    """BM25 (k1 = 1.2, b = 0.75, which Tantivy has built in) over one text, or over fields with weights.

    A query is a bag of words, never a language: its words are analysed as the documents were, a document matches if it
    has one of them, and nothing in it is an operator.

    >>> import tempfile
    >>> engine = TantivyEngine(tempfile.mkdtemp())
    >>> engine.index([Document("d1", {"text": "A hot soup"}), Document("d2", {"text": "Cold bread"})])
    >>> [document for document, score in engine.search('NOT "soups', 10)]
    ['d1']
    """

    kind: ClassVar[str] = "tantivy"
    made_at_once: ClassVar[bool] = True
    libraries: ClassVar[tuple[str, ...]] = ("tantivy",)
    free: ClassVar[frozenset[str]] = frozenset({"memory"})

    def __init__(
        self,
        folder: str | Path,
        *,
        fields: FieldChoice = None,
        language: str = "english",
        stem: bool = True,
        stop_words: bool | Sequence[str] = True,
        memory: int = 300,
    ) -> None:
        super().__init__(folder)
        self._fields = Fields(fields)
        self._analysis = Analysis(language, stem=stem, stop_words=stop_words)
        self._memory = whole_number("memory", memory, least=16, most=4000)
        self._columns = [f"text{place}" for place in range(len(self._fields.weights))]

    def _indexed_with(self) -> Mapping[str, Any]:
        return {"fields": self._fields.recorded(), **self._analysis.recorded()}

    def _build(self, place: Path, documents: Iterable[Document]) -> None:
        need_tantivy("the engine tantivy")
        import tantivy

        schema = tantivy.SchemaBuilder()
        for column in self._columns:
            schema.add_text_field(column, tokenizer_name="analysis", index_option="freq")
        schema.add_unsigned_field(NUMBER, fast=True)
        index = tantivy.Index(schema.build(), path=str(place))
        index.register_tokenizer("analysis", self._analysis.analyser())
        # One thread beside ours keeps the documents in their order, so that an index is the same every time.
        writer = index.writer(heap_size=self._memory * 1_000_000, num_threads=1)
        try:
            for number, document in enumerate(self._fields.checked(documents)):
                row = tantivy.Document()
                for column, text in zip(self._columns, self._fields.texts(document), strict=True):
                    row.add_text(column, text)
                row.add_unsigned(NUMBER, number)
                writer.add_document(row)
            writer.commit()
        finally:
            # Nothing writes to the folder any more when this returns, whether all went well or not.
            writer.wait_merging_threads()

    def _open(self, place: Path) -> Searchable:
        need_tantivy("the engine tantivy")
        import tantivy

        index = tantivy.Index.open(str(place))
        return Searchable(index.schema, index.searcher(), self._analysis.analyser())

    def search(self, query: str, k: int) -> Hits:
        """The best k documents that have one of the words of the query."""
        (_, searcher, _), table = self._index()
        asked = self._query(query)
        if asked is None:
            return []

        def fetch(limit: int) -> Found:
            hits = searcher.search(asked, limit=limit, count=False).hits
            numbers = searcher.fast_field_values(NUMBER, list(map(_ADDRESS, hits)))
            return (
                np.fromiter(map(_SCORE, hits), np.float64, len(hits)),
                np.fromiter(cast("list[int]", numbers), np.int64, len(hits)),
            )

        return best_of_a_list(fetch, k, table)

    def _query(self, query: str) -> tantivy.Query | None:
        """Any of the words; one that is there twice counts twice."""
        from tantivy import Occur, Query

        schema, _, analyser = self._index()[0]
        terms = Counter(analyser.analyze(encodable(query)))
        words = []
        for column, weight in zip(self._columns, self._fields.weights, strict=True):
            for term, times in terms.items():
                word = Query.term_query(schema, column, term, "freq")
                words.append((Occur.Should, word if weight * times == 1 else Query.boost_query(word, weight * times)))
        return Query.boolean_query(words) if words else None
