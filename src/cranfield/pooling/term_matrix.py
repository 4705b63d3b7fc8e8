"""How much each word weighs in each document, kept in a file so that texts are read once."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.strings import Floats, encode
from cranfield.data.words import words
from cranfield.engines.term_counts import count_known_terms, count_terms, weighted_terms
from cranfield.errors import CranfieldError
from cranfield.formats.writing import writing
from cranfield.pooling.orders.material import TopicTexts

_VERSION = 1
"""Changes with what counts as a term and how it is weighed: what was kept before is made again."""


@dataclass(frozen=True, eq=False)
class TermMatrix:
    """The weights (1 + ln f) ln(1 + N/n) of terms, each document made as long as any other.

    >>> terms = TermMatrix.of({"d1": "hot soup", "d2": "cold soup"})
    >>> found = terms.of_topic(["d2", "d1"], "hot")
    >>> (found.documents @ found.query.T).toarray().ravel().round(2).tolist()  # ln 3 / √(ln² 3 + ln² 2)
    [0.0, 0.85]
    """

    documents: tuple[str, ...]
    terms: tuple[str, ...]
    rarity: Floats
    weights: Any
    """Documents x terms, a sparse matrix."""

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> TermMatrix:
        """Of documents and what they say."""
        names = sorted(texts, key=encode)
        vocabulary, counts = count_terms((texts[name] for name in names), words)
        have_it = np.bincount(counts.indices, minlength=len(vocabulary))
        rarity = np.log1p(len(names) / np.maximum(have_it, 1))
        return cls(tuple(names), tuple(vocabulary), rarity, weighted_terms(counts, rarity))

    @cached_property
    def _row(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.documents)}

    @cached_property
    def _column(self) -> dict[str, int]:
        return {term: column for column, term in enumerate(self.terms)}

    def of_topic(self, documents: Sequence[str], query: str) -> TopicTexts:
        """What these documents and a query say."""
        asked = weighted_terms(count_known_terms([query], words, self._column), self.rarity)
        rows = self.weights[[self._row[name] for name in documents]]
        there = np.unique(rows.indices)  # what none of them says tells nothing about them
        return TopicTexts(rows[:, there], asked[:, there])

    def save(self, path: str | os.PathLike[str], key: str) -> None:
        """Keep it in a file, under a key that says what it is of."""
        arrays = {
            "indptr": self.weights.indptr.astype(np.int64),
            "indices": self.weights.indices.astype(np.int32),
            "data": self.weights.data,
            "rarity": self.rarity,
            **{
                name: np.frombuffer("\n".join(several).encode("utf-8", "surrogateescape"), dtype=np.uint8)
                for name, several in (("documents", self.documents), ("terms", self.terms), ("key", (key,)))
            },
        }
        with writing(path) as out:
            np.savez(out, allow_pickle=False, **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str], key: str) -> TermMatrix | None:
        """What is kept in a file; None if there is none, or it is of something else."""
        from scipy.sparse import csr_matrix

        try:
            with open(path, "rb") as file, np.load(io.BytesIO(file.read()), allow_pickle=False) as kept:
                if _names(kept["key"]) != [key]:
                    return None
                documents, terms = _names(kept["documents"]), _names(kept["terms"])
                shape = len(documents), len(terms)
                weights = csr_matrix((kept["data"], kept["indices"], kept["indptr"]), shape=shape)
                return cls(tuple(documents), tuple(terms), kept["rarity"], weights)
        except (OSError, ValueError, KeyError, zipfile.BadZipFile):
            return None


def kept_matrix(
    path: str | os.PathLike[str] | None, key: str | None, texts: Callable[[], Mapping[str, str]]
) -> TermMatrix:
    """What is kept under the key, or else made of texts and kept, where that can be."""
    if path is None or key is None:
        return TermMatrix.of(texts())
    found = TermMatrix.load(path, key)
    if found is None:
        found = TermMatrix.of(texts())
        with contextlib.suppress(CranfieldError):  # it will be made again
            found.save(path, key)
    return found


def matrix_key(collection: str, documents: Iterable[str]) -> str:
    """What a matrix is of: a collection, by its hash, and some of its documents."""
    named = hashlib.sha256(f"{_VERSION} {collection}\n".encode())
    for name in sorted(map(encode, documents)):
        named.update(name + b"\n")
    return named.hexdigest()


def _names(kept: Any) -> list[str]:
    text = kept.tobytes().decode("utf-8", "surrogateescape")
    return text.split("\n") if text else []
