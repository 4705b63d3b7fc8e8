"""BM25 with every parameter free at query time, over an index of plain arrays."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from cranfield.data.documents import Document
from cranfield.engines.analysis import Analysis
from cranfield.engines.best_first import best_of_an_array
from cranfield.engines.bm25_variants import FREQUENCY, RARITY, USUAL_DELTA
from cranfield.engines.embedded import EmbeddedEngine
from cranfield.engines.engine import Hits
from cranfield.engines.fields import Fields, encodable
from cranfield.engines.parameters import choice, number
from cranfield.engines.term_counts import Analyse, count_known_terms, count_terms
from cranfield.errors import ParameterError

QUERIES_AT_ONCE = 64
"""As many rows of scores are held in memory at once."""


class Postings(NamedTuple):
    """For each term the documents that have it and how often: those of term t are at starts[t] to starts[t + 1]."""

    vocabulary: Mapping[str, int]
    starts: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int32]
    frequencies: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int32]
    analyse: Analyse


class Bm25Engine(EmbeddedEngine[Postings]):
    """BM25 in one of its variants (see `bm25_variants`).

    `k1`, `b`, `variant`, `idf` and `delta` are free at query time: `tuned` gives the same index with others. A document
    whose score is 0 is not found.

    >>> import tempfile
    >>> engine = Bm25Engine(tempfile.mkdtemp())
    >>> engine.index([Document("d1", {"text": "soup"}), Document("d2", {"text": "soup, bread and soup"})])
    >>> engine.search("soups", 1)  # ln(1 + .5/2.5) 1/(1 + 1.2 (1 - .75 + .75 1/2))
    [('d1', 0.10418...)]
    >>> engine.tuned(b=0).search("soups", 1)  # ln(1 + .5/2.5) 2/(2 + 1.2)
    [('d2', 0.11395...)]
    """

    kind: ClassVar[str] = "bm25"
    made_at_once: ClassVar[bool] = True
    libraries: ClassVar[tuple[str, ...]] = ("numpy", "scipy", "tantivy")
    free: ClassVar[frozenset[str]] = frozenset({"k1", "b", "variant", "idf", "delta"})

    def __init__(
        self,
        folder: str | Path,
        *,
        k1: float = 1.2,
        b: float = 0.75,
        variant: str = "lucene",
        idf: str | None = None,
        delta: float | None = None,
        fields: Sequence[str] | None = None,
        language: str = "english",
        stem: bool = True,
        stop_words: bool | Sequence[str] = True,
    ) -> None:
        super().__init__(folder)
        self._fields = Fields(fields, weighted=False)
        self._analysis = Analysis(language, stem=stem, stop_words=stop_words)
        self._settle(k1=k1, b=b, variant=variant, idf=idf, delta=delta)

    def tuned(self, **parameters: Any) -> Self:
        """The same index, asked with other values of k1, b, variant, idf or delta; nothing is read again."""
        if settled := parameters.keys() - self._given.keys():
            free = ", ".join(self._given)
            raise ParameterError(f"{min(settled)} is settled when documents are indexed; free are {free}")
        self._index()
        other = copy.copy(self)
        other._settle(**{**self._given, **parameters})
        return other

    def _settle(self, *, k1: float, b: float, variant: str, idf: str | None, delta: float | None) -> None:
        self._given = {"k1": k1, "b": b, "variant": variant, "idf": idf, "delta": delta}
        self._k1 = number("k1", k1, least=0)
        self._b = number("b", b, least=0, most=1)
        self._variant = choice("variant", variant, FREQUENCY)
        self._idf = choice("idf", variant if idf is None else idf, RARITY)
        self._delta = number("delta", USUAL_DELTA.get(variant, 0.0) if delta is None else delta, least=0)

    def _indexed_with(self) -> Mapping[str, Any]:
        return {"fields": self._fields.recorded(), **self._analysis.recorded()}

    def _asked_with(self) -> Mapping[str, Any]:
        return {"k1": self._k1, "b": self._b, "variant": self._variant, "idf": self._idf, "delta": self._delta}

    def _build(self, place: Path, documents: Iterable[Document]) -> None:
        texts = (self._fields.texts(document)[0] for document in self._fields.checked(documents))
        vocabulary, counts = count_terms(texts, self._analysis.analyser().analyze)
        np.save(place / "lengths.npy", counts.sum(axis=1, dtype=np.int32).A1)
        by_term = counts.tocsc()
        np.save(place / "starts.npy", by_term.indptr.astype(np.int64))
        np.save(place / "documents.npy", by_term.indices.astype(np.int32))
        np.save(place / "frequencies.npy", by_term.data.astype(np.int32))
        (place / "terms.json").write_text(json.dumps(list(vocabulary)))

    def _open(self, place: Path) -> Postings:
        terms = json.loads((place / "terms.json").read_text())
        names = ("starts", "documents", "frequencies", "lengths")
        arrays = {name: np.load(place / f"{name}.npy", mmap_mode="r") for name in names}
        vocabulary = {term: at for at, term in enumerate(terms)}
        return Postings(vocabulary, **arrays, analyse=self._analysis.analyser().analyze)

    def search(self, query: str, k: int) -> Hits:
        """The best k documents that have one of the words of the query."""
        return self.search_topics({"": query}, k)[""]

    def search_topics(self, queries: Mapping[str, str], k: int) -> dict[str, Hits]:
        """The hits of all queries: the weight of each term in each document is worked out once for many of them."""
        postings, table = self._index()
        found: dict[str, Hits] = {}
        for names in _batches(queries, QUERIES_AT_ONCE):
            asked = count_known_terms(
                [encodable(queries[name]) for name in names], postings.analyse, postings.vocabulary
            )
            terms = np.unique(asked.indices)
            scores = asked[:, terms].astype(np.float64) @ self._weights(postings, terms)
            for name, start, end in zip(names, scores.indptr, scores.indptr[1:], strict=False):
                found[name] = best_of_an_array(scores.data[start:end], scores.indices[start:end], k, table)
        return found

    def _weights(self, postings: Postings, terms: npt.NDArray[np.int32]) -> Any:
        """The matrix terms × documents of what each of these terms counts in each document that has it."""
        from scipy import sparse

        starts, ends = postings.starts[terms], postings.starts[terms + 1]
        limits = np.concatenate(([0], np.cumsum(ends - starts)))
        places = np.arange(limits[-1]) + np.repeat(starts - limits[:-1], ends - starts)
        documents, frequencies = postings.documents[places], postings.frequencies[places].astype(np.float64)
        relative_lengths = postings.lengths[documents] / postings.lengths.mean()
        K = self._k1 * (1 - self._b + self._b * relative_lengths)
        counts = FREQUENCY[self._variant](frequencies, K, self._k1, self._delta)
        rarity = RARITY[self._idf](len(postings.lengths), (ends - starts).astype(np.float64))
        data = np.repeat(rarity, ends - starts) * counts
        return sparse.csr_matrix((data, documents, limits), shape=(len(terms), len(postings.lengths)))


def _batches(names: Iterable[str], size: int) -> Iterator[list[str]]:
    rest = iter(names)
    while batch := list(islice(rest, size)):
        yield batch
