"""A pool: rows by topic, nothing twice, chances that can be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cranfield.data.pool import OUTRIGHT, Pool
from cranfield.errors import DataError


def test_topics_are_in_byte_order_and_documents_in_the_order_of_judging() -> None:
    pool = Pool.from_dict({"9": ["b", "a"], "10": ["c"]})
    assert pool.topics == ("10", "9")
    assert pool.to_judge() == {"10": ["c"], "9": ["b", "a"]}
    assert pool.offset.tolist() == [0, 1, 3]
    assert pool.method.tolist() == [OUTRIGHT] * 3
    assert not pool.is_sample


def test_what_was_not_drawn_is_not_judged() -> None:
    pool = replace(Pool.from_dict({"q": ["a", "b", "c"]}), chosen=np.array([True, False, True]))
    assert pool["q"] == ["a", "c"]
    assert len(pool) == 2
    assert len(pool.documents) == 3


def test_a_document_is_in_a_pool_once() -> None:
    with pytest.raises(DataError, match="document 'a' is there twice for topic 'q'"):
        Pool.from_dict({"q": ["a", "b", "a"]})


@pytest.mark.parametrize("chance", [0.0, -0.5, 1.5, float("nan")])
def test_a_chance_of_nothing_is_refused(chance: float) -> None:
    pool = replace(Pool.from_dict({"q": ["a", "b"]}), probability=np.array([1.0, chance]))
    with pytest.raises(DataError, match=r"document 'b' of topic 'q': inclusion probability .* is not above 0"):
        pool.checked()
