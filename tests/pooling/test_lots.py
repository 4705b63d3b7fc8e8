"""Lots depend on seed, topic and document and on nothing else, and are as even as chance."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.data.strings import Strings
from cranfield.pooling.lots import DRAWING, JUDGING, lots

TOPICS = [b"q1", b"q2"]
DOCUMENTS = Strings.from_list([b"d%d" % number for number in range(200)])


def of(seed: int, purpose: int = DRAWING, topic: int = 0) -> np.ndarray:
    return lots(TOPICS, np.full(200, topic, dtype=np.int32), DOCUMENTS.hash64(), seed, purpose)


def test_seed_topic_and_purpose_matter_and_company_does_not() -> None:
    first = of(1)
    others = [of(2), of(1, JUDGING), of(1, topic=1)]
    for other in others:
        assert not (first == other).any()
        assert abs(np.corrcoef(np.argsort(np.argsort(first)), np.argsort(np.argsort(other)))[0, 1]) < 0.25
    alone = lots([b"q1"], np.zeros(1, dtype=np.int32), DOCUMENTS.take(slice(7, 8)).hash64(), 1, DRAWING)
    assert alone[0] == first[7]


@pytest.mark.parametrize("seed", [2**64 + 5, 10**30])
def test_any_seed_will_do(seed: int) -> None:
    assert len(set(of(seed).tolist())) == 200


def test_each_document_is_as_likely_to_be_first() -> None:
    """20 documents, 8000 seeds: chi-square with 19 degrees of freedom is below 43.8 in 99.9 % of cases (tables)."""
    documents = DOCUMENTS.take(slice(0, 20)).hash64()
    topic = np.zeros(20, dtype=np.int32)
    first = [int(np.argmin(lots(TOPICS, topic, documents, seed, DRAWING))) for seed in range(8000)]
    counts = np.bincount(first, minlength=20)
    assert ((counts - 400) ** 2 / 400).sum() < 43.8
