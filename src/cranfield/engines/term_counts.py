"""How often each term is in each text, as sparse matrices."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Analyse = Callable[[str], list[str]]

BLOCK = 5_000_000
"""So many words are counted at a time; between blocks only the counts are kept."""


class _Vocabulary(dict[str, int]):
    """Terms and their numbers; a new term gets the next."""

    def __missing__(self, term: str) -> int:
        self[term] = len(self)
        return self[term]


def count_terms(texts: Iterable[str], analyse: Analyse) -> tuple[dict[str, int], Any]:
    """The vocabulary of some texts, and the matrix texts × terms of how often each is there.

    >>> vocabulary, counts = count_terms(["hot soup soup", "hot bread"], str.split)
    >>> vocabulary, counts.toarray().tolist()
    ({'hot': 0, 'soup': 1, 'bread': 2}, [[1, 2, 0], [1, 0, 1]])
    """
    from scipy import sparse

    vocabulary = _Vocabulary()
    blocks: list[Any] = []
    terms, ends = array("i"), array("q", [0])
    for text in texts:
        terms.extend(map(vocabulary.__getitem__, analyse(text)))
        ends.append(len(terms))
        if len(terms) > BLOCK:
            blocks.append(_counted(terms, ends, len(vocabulary)))
            terms, ends = array("i"), array("q", [0])
    blocks.append(_counted(terms, ends, len(vocabulary)))
    for block in blocks:
        block.resize(block.shape[0], len(vocabulary))
    return dict(vocabulary), sparse.vstack(blocks, format="csr", dtype=np.int32)


def count_known_terms(texts: Sequence[str], analyse: Analyse, vocabulary: Mapping[str, int]) -> Any:
    """The matrix texts × terms of a vocabulary that there is; other words do not count.

    >>> count_known_terms(["soup or bread"], str.split, {"hot": 0, "soup": 1, "bread": 2}).toarray().tolist()
    [[0, 1, 1]]
    """
    terms, ends = array("i"), array("q", [0])
    for text in texts:
        terms.extend(vocabulary[term] for term in analyse(text) if term in vocabulary)
        ends.append(len(terms))
    return _counted(terms, ends, len(vocabulary))


def weighted_terms(counts: Any, rarity: npt.NDArray[np.float64]) -> Any:
    """Counts weighted by (1 + ln f) times how rare a term is, and each text made as long as any other.

    >>> _, counts = count_terms(["hot hot soup"], str.split)
    >>> weighted_terms(counts, np.array([1.0, 1.0])).toarray().round(3).tolist()  # 1 + ln 2 and 1, over their length
    [[0.861, 0.509]]
    """
    weights = counts.astype(np.float64)
    weights.data = (1 + np.log(weights.data)) * rarity[weights.indices]
    lengths = np.sqrt(np.add.reduceat(np.append(weights.data, 0.0) ** 2, weights.indptr[:-1]))
    weights.data /= np.repeat(lengths, np.diff(weights.indptr))
    return weights


def _counted(terms: array[int], ends: array[int], width: int) -> Any:
    from scipy import sparse

    columns, limits = np.array(terms, dtype=np.int32), np.array(ends, dtype=np.int64)
    counts = sparse.csr_matrix((np.ones(len(columns), np.int32), columns, limits), shape=(len(limits) - 1, width))
    counts.sum_duplicates()
    return counts
