r"""The formulas that are called BM25: what a term's frequency in a document counts, and what its rarity.

With the number of documents :math:`N`, of which :math:`n` have the term, the length of a document over the mean length
:math:`l`, and :math:`K = k_1 (1 - b + b\,l)`:

========= ============================================= ============================
variant   weight of frequency :math:`f`                 weight of rarity
========= ============================================= ============================
lucene    :math:`f / (f + K)`                           ln(1 + (N - n + .5)/(n + .5))
robertson :math:`f / (f + K)`                           ln((N - n + .5)/(n + .5))
atire     :math:`(k_1 + 1) f / (f + K)`                 ln(N / n)
bm25l     :math:`(k_1 + 1)(c + δ) / (k_1 + c + δ)`,     ln((N + 1)/(n + .5))
          with :math:`c = f k_1 / K`
bm25+     :math:`(k_1 + 1) f / (f + K) + δ`             ln((N + 1)/n)
========= ============================================= ============================

Robertson and others, TREC-3 (1994); Trotman, Jia and Crane, "Towards an efficient and effective search engine" (2012)
for ATIRE; Lv and Zhai, "When documents are very long, BM25 fails!" (SIGIR 2011) for BM25L, "Lower-bounding term
frequency normalization" (CIKM 2011) for BM25+; side by side in Kamphuis and others, "Which BM25 do you mean?" (ECIR
2020). A document gets the weight of a term that it has, and nothing for one that it has not, in all of them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

USUAL_DELTA = {"bm25l": 0.5, "bm25+": 1.0}

RARITY: dict[str, Callable[[int, Values], Values]] = {
    "lucene": lambda N, n: np.log1p((N - n + 0.5) / (n + 0.5)),
    "robertson": lambda N, n: np.log((N - n + 0.5) / (n + 0.5)),
    "atire": lambda N, n: np.log(N / n),
    "bm25l": lambda N, n: np.log((N + 1) / (n + 0.5)),
    "bm25+": lambda N, n: np.log((N + 1) / n),
}
"""Of N documents and of those that have a term, how much the term tells."""


def _saturated(f: Values, K: Values, k1: float, delta: float) -> Values:
    return f / (f + K)


def _atire(f: Values, K: Values, k1: float, delta: float) -> Values:
    return (k1 + 1) * f / (f + K)


def _bm25l(f: Values, K: Values, k1: float, delta: float) -> Values:
    # c = f / (1 - b + b l), multiplied out so that k1 = 0 and b = 1 with an empty text divide by nothing.
    c = f * k1 / K + delta if k1 else f + delta
    return (k1 + 1) * c / (k1 + c)


def _bm25_plus(f: Values, K: Values, k1: float, delta: float) -> Values:
    return _atire(f, K, k1, delta) + delta


FREQUENCY: dict[str, Callable[[Values, Values, float, float], Values]] = {
    "lucene": _saturated,
    "robertson": _saturated,
    "atire": _atire,
    "bm25l": _bm25l,
    "bm25+": _bm25_plus,
}
"""Of a term's frequency, K of its document, k1 and delta, how much the frequency counts."""
