"""Which rows are the same document: as a dictionary finds them, whatever the hashes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.strings import WORD, Strings, Words
from cranfield.engines.same_documents import alike, in_order

IDENTIFIERS = st.sampled_from([b"a", b"b", b"ab", b"begins-1", b"begins-12", b"behind-12", b"x" * 30 + b"2", b"2"])


def usual(documents: Strings) -> Words:
    return documents.hash64()


def of_the_end(documents: Strings) -> Words:
    """The last word, whatever stands before it: different documents share it."""
    last = [document[-(len(document) % WORD or WORD) :].ljust(WORD, b"\0") for document in documents.tolist()]
    return np.frombuffer(b"".join(last), dtype="<u8").astype(np.uint64)


@pytest.mark.parametrize("hashes", [usual, of_the_end])
@given(rows=st.lists(st.tuples(st.integers(0, 3), IDENTIFIERS), max_size=40))
def test_as_a_dictionary_finds_them(hashes: Callable[[Strings], Words], rows: list[tuple[int, bytes]]) -> None:
    topic = np.array([row[0] for row in rows], dtype=np.int64)
    documents = Strings.from_list([row[1] for row in rows])
    one_of_each, number = alike(topic, documents, hashes(documents))
    assert sorted(rows[place] for place in one_of_each.tolist()) == sorted(set(rows))
    assert topic[one_of_each].tolist() == sorted(topic[one_of_each].tolist())
    assert [rows[one_of_each[place]] for place in number.tolist()] == rows


@given(st.lists(st.integers(0, 70_000)))
def test_numbers_in_order(numbers: list[int]) -> None:
    expected = sorted(range(len(numbers)), key=numbers.__getitem__)
    assert in_order(np.array(numbers, dtype=np.int64)).tolist() == expected
