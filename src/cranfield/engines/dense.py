"""Vectors of any model, searched exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.data.documents import Document
from cranfield.engines.analysis import Analysis
from cranfield.engines.callables import called, find_callable, name_of, source_hash
from cranfield.engines.embedded import EmbeddedEngine
from cranfield.engines.engine import Hits
from cranfield.engines.fields import Fields, encodable
from cranfield.engines.lsa import Lsa
from cranfield.engines.nearest import nearest
from cranfield.engines.parameters import choice, whole_number
from cranfield.errors import EngineError

Vectors = npt.NDArray[np.float32]
Encode = Callable[[list[str]], Any]


class Space(NamedTuple):
    """The vectors of the documents, and what makes one of a query."""

    vectors: Vectors
    encode: Encode


class DenseEngine(EmbeddedEngine[Space]):
    """The documents whose vectors are nearest to the query's, among all of them.

    `encode` takes a list of texts and gives an array with a row for each: `module:function`, `file.py:function`, or
    the function itself; `encode_queries` likewise, where queries are encoded differently. Without it, `lsa` makes
    vectors of `dimensions` numbers from the collection itself. `similarity` is `cosine` or `dot`.

    >>> import tempfile
    >>> def encode(texts):
    ...     return [[text.count("s"), text.count("b")] for text in texts]
    >>> engine = DenseEngine(tempfile.mkdtemp(), encode=encode)
    >>> engine.index([Document("d1", {"text": "soup"}), Document("d2", {"text": "sobs"})])
    >>> engine.search("salt", 2)  # (1, 0) and (2, 1): 2 / √5
    [('d1', 1.0), ('d2', 0.8944...)]
    """

    kind: ClassVar[str] = "dense"
    libraries: ClassVar[tuple[str, ...]] = ("numpy", "scipy")
    free: ClassVar[frozenset[str]] = frozenset({"encode_queries", "batch"})

    def __init__(
        self,
        folder: str | Path,
        *,
        encode: str | Encode = "lsa",
        encode_queries: str | Encode | None = None,
        similarity: str = "cosine",
        dimensions: int = 128,
        batch: int = 64,
        fields: Sequence[str] | None = None,
        language: str = "english",
    ) -> None:
        super().__init__(folder)
        self._fields = Fields(fields, weighted=False)
        self._analysis = Analysis(language, stem=True, stop_words=True)
        self._similarity = choice("similarity", similarity, ("cosine", "dot"))
        self._dimensions = whole_number("dimensions", dimensions, least=1)
        self._batch = whole_number("batch", batch, least=1)
        self._lsa = encode == "lsa"
        self._name = name_of(encode)
        self._encode = None if self._lsa else find_callable("encode", encode)
        self._query_name = self._name if encode_queries is None else name_of(encode_queries)
        self._encode_queries = (
            self._encode if encode_queries is None else find_callable("encode_queries", encode_queries)
        )
        self._source = source_hash(encode if encode_queries is None else encode_queries, "encode_queries_sha256")

    def _indexed_with(self) -> Mapping[str, Any]:
        shape = {"fields": self._fields.recorded(), "encode": self._name, "similarity": self._similarity}
        return {**shape, "dimensions": self._dimensions, "language": self._analysis.language} if self._lsa else shape

    def _asked_with(self) -> Mapping[str, Any]:
        return {"encode_queries": self._query_name, **self._source}

    def _build(self, place: Path, documents: Iterable[Document]) -> None:
        texts = (self._fields.texts(document)[0] for document in self._fields.checked(documents))
        if self._encode is None:
            model, vectors = Lsa.fitted(texts, self._analysis.analyser().analyze, dimensions=self._dimensions)
            model.save(place)
            np.save(place / "vectors.npy", self._scaled(vectors))
            return
        width = None
        with (place / "vectors.raw").open("wb") as out:
            while batch := list(islice(texts, self._batch)):
                vectors = _encoded(self._name, self._encode, batch, width)
                width = vectors.shape[1]
                out.write(self._scaled(vectors).tobytes())
        if width:
            rows = np.memmap(place / "vectors.raw", np.float32, "r").reshape(-1, width)
            np.save(place / "vectors.npy", rows)
        (place / "vectors.raw").unlink()

    def _open(self, place: Path) -> Space:
        vectors = np.load(place / "vectors.npy", mmap_mode="r")
        if self._encode_queries is not None:
            return Space(vectors, self._encode_queries)
        model, analyse = Lsa.load(place), self._analysis.analyser().analyze
        return Space(vectors, lambda texts: model.encode(texts, analyse))

    def search(self, query: str, k: int) -> Hits:
        """The k documents that are nearest; none for a query at the origin, which is equally far from all."""
        return self.search_topics({"": query}, k)[""]

    def search_topics(self, queries: Mapping[str, str], k: int) -> dict[str, Hits]:
        """The nearest documents of all queries, encoded and compared many at a time."""
        (vectors, encode), table = self._index()
        rest, found = iter(queries), dict[str, Hits]()
        while names := list(islice(rest, self._batch)):
            texts = [encodable(queries[name]) for name in names]
            asked = self._scaled(_encoded(self._query_name, encode, texts, vectors.shape[1]))
            found.update(zip(names, nearest(vectors, asked, k, table), strict=True))
        return found

    def _scaled(self, vectors: Vectors) -> Vectors:
        """For cosines, every vector but the origin is as long as any other."""
        if self._similarity == "dot":
            return vectors
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))[:, np.newaxis]
        return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _encoded(name: str, encode: Encode, texts: list[str], width: int | None) -> Vectors:
    """The vectors of some texts, checked."""
    answer = called(f"the function {name}", encode, texts)
    try:
        vectors = np.asarray(answer, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EngineError(f"the function {name} gave {type(answer).__name__}, which is no array: {error}") from None
    expected = f"expected {len(texts)} rows of {width or 'one or more'} numbers"
    if (
        vectors.ndim != 2
        or len(vectors) != len(texts)
        or not vectors.shape[1]
        or vectors.shape[1] != (width or vectors.shape[1])
    ):
        raise EngineError(
            f"the function {name} gave an array of shape {vectors.shape} for {len(texts)} texts; {expected}"
        )
    if not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise EngineError(f"the function {name} gave numbers that are not finite for the text {texts[row][:60]!r}")
    return vectors
