"""Latent semantic analysis: vectors of texts from the words they share, without any model to download."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from cranfield.engines.term_counts import Analyse, count_known_terms, count_terms, weighted_terms

Vectors = npt.NDArray[np.float32]


class Lsa(NamedTuple):
    """The vocabulary of a collection, how much each term tells, and where it lies in a space of few dimensions.

    Counts are weighted (1 + ln f) ln(1 + N/n), each text is made as long as any other, and the singular value
    decomposition of the matrix leaves the dimensions in which the texts differ most (Deerwester and others, "Indexing
    by latent semantic analysis", JASIS 1990). Texts without a known word are at the origin.

    >>> model, vectors = Lsa.fitted(["hot soup", "soup", "cold bread"], str.split, dimensions=2)
    >>> (vectors @ model.encode(["hot"], str.split)[0] > 0.01).tolist()
    [True, True, False]
    """

    vocabulary: Mapping[str, int]
    rarity: npt.NDArray[np.float64]
    directions: npt.NDArray[np.float64]

    @classmethod
    def fitted(cls, texts: Iterable[str], analyse: Analyse, *, dimensions: int) -> tuple[Self, Vectors]:
        """The space of a collection, and the vectors of its texts."""
        vocabulary, counts = count_terms(texts, analyse)
        have_it = np.bincount(counts.indices, minlength=len(vocabulary))
        rarity = np.log1p(counts.shape[0] / have_it)
        weights = weighted_terms(counts, rarity)
        model = cls(vocabulary, rarity, _directions(weights, dimensions))
        return model, (weights @ model.directions).astype(np.float32)

    def encode(self, texts: Sequence[str], analyse: Analyse) -> Vectors:
        """The vectors of other texts in this space."""
        counts = count_known_terms(texts, analyse, self.vocabulary)
        vectors: Vectors = (weighted_terms(counts, self.rarity) @ self.directions).astype(np.float32)
        return vectors

    def save(self, place: Path) -> None:
        """Write the model into a folder."""
        (place / "terms.json").write_text(json.dumps(list(self.vocabulary)))
        np.save(place / "rarity.npy", self.rarity)
        np.save(place / "directions.npy", self.directions)

    @classmethod
    def load(cls, place: Path) -> Self:
        """The model of a folder."""
        terms = json.loads((place / "terms.json").read_text())
        arrays = (np.load(place / f"{name}.npy", mmap_mode="r") for name in ("rarity", "directions"))
        return cls({term: at for at, term in enumerate(terms)}, *arrays)


def _directions(weights: Any, dimensions: int) -> npt.NDArray[np.float64]:
    """The right singular vectors of the largest singular values, as columns."""
    if not weights.shape[1]:
        return np.zeros((0, 1))
    if dimensions >= min(weights.shape):
        _, _, right = np.linalg.svd(weights.toarray(), full_matrices=False)
    else:
        from scipy.sparse.linalg import svds

        # A fixed start makes the iteration end in the same place every time.
        start = np.random.default_rng(0).standard_normal(min(weights.shape))
        _, _, right = svds(weights, k=dimensions, v0=start)
    directions: npt.NDArray[np.float64] = np.ascontiguousarray(right.T)
    return directions
