"""Answers of engines: what is put right, and what is refused."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.strings import Strings
from cranfield.engines.answers import Answer, checked
from cranfield.engines.ranked import Ranked
from cranfield.errors import DataError, EngineError


def names(answer: Answer) -> list[str]:
    return [name.decode() for name in answer.documents.tolist()]


@given(
    st.dictionaries(st.text(min_size=1, max_size=3), st.floats(allow_nan=False, allow_infinity=False)),
    st.integers(1, 5),
)
def test_what_can_be_used(hits: dict[str, float], k: int) -> None:
    answer = checked(list(hits.items()), k)
    assert answer.found == len(hits)
    assert len(answer.documents) == min(k, len(hits))
    best = sorted(hits.values(), reverse=True)[:k]
    assert answer.scores.tolist() == best
    assert all(hits[name] == score for name, score in zip(names(answer), answer.scores.tolist(), strict=True))
    assert answer.put_in_order == (list(hits.values()) != sorted(hits.values(), reverse=True))


def test_numbers_of_every_kind_are_scores_and_identifiers() -> None:
    hits: Any = [(7, np.float32(0.5)), (np.int64(8), 0), ("9", -0.0)]
    answer = checked(hits, 10)
    assert names(answer) == ["7", "8", "9"]
    assert [str(score) for score in answer.scores.tolist()] == ["0.5", "0.0", "0.0"]


@pytest.mark.parametrize(
    ("hits", "message"),
    [
        ([("d1", 2.0), ("d2", 1.0), ("d1", 0.5)], "document 'd1' is there twice"),
        ([(1, 2.0), ("1", 1.0)], "document '1' is there twice"),
        ([("d1", 2.0), ("d2", float("nan"))], "the score of document 'd2' is nan, which is no finite number"),
        ([("d1", float("inf"))], "the score of document 'd1' is inf, which is no finite number"),
        ([("d1", None)], "the score of document 'd1' is"),
        ([("d1", 1.0), ("d2", "high")], "the score of document 'd2' is 'high', which is no number"),
        ([(None, 1.0)], "a document has no identifier"),
        ([("", 1.0)], "a document has an empty identifier"),
        (["d1", "d2"], "the answer does not consist of pairs of an identifier and a score"),
        ([("d1", 1.0), ("\ud800", 0.5)], "the answer, row 2: document '\\ud800' holds half of a surrogate pair"),
        ([("d1", 1.0, 2.0)], "the answer does not consist of pairs of an identifier and a score"),
        ([5], "the answer does not consist of pairs of an identifier and a score"),
    ],
)
def test_what_cannot_be_used(hits: Any, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        checked(hits, 10)


def test_white_space_is_refused_where_a_run_has_no_place_for_it() -> None:
    for name in ("d 2", " d2", "d2\n"):
        hits = [("d1", 1.0), (name, 0.5)]
        assert names(checked(hits, 10)) == ["d1", name]
        with pytest.raises(EngineError, match=re.escape(f"document {name!r} holds white space")):
            checked(hits, 10, plain=True)


def test_columns_are_checked_as_pairs_are() -> None:
    documents = Strings.from_list([b"d1", b"d 2", b"d3"])
    answer = checked(Ranked(documents, np.array([0.25, 0.5, 0.0])), 2)
    assert (names(answer), answer.scores.tolist(), answer.found, answer.put_in_order) == (
        ["d 2", "d1"],
        [0.5, 0.25],
        3,
        True,
    )
    with pytest.raises(EngineError, match="document 'd 2' holds white space"):
        checked(Ranked(documents, np.array([0.25, 0.5, 0.0])), 2, plain=True)
    with pytest.raises(EngineError, match="the score of document 'd3' is inf"):
        checked(Ranked(documents, np.array([0.25, 0.5, math.inf])), 2)
