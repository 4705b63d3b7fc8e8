"""Looking documents up among the judged ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.judgments import JudgmentTable
from cranfield.data.strings import Strings

pairs = st.tuples(
    st.integers(0, 5), st.sampled_from([b"", b"d1", b"d2", b"d10", b"a-long-identifier-1", b"a-long-identifier-2"])
)


@given(
    judged=st.lists(pairs, max_size=60),
    asked=st.lists(st.tuples(st.integers(-1, 6), pairs.map(lambda pair: pair[1]) | st.binary(max_size=3)), max_size=60),
    hashing=st.sampled_from(["good", "few values", "one value"]),
)
def test_what_is_judged_is_found_and_nothing_else(
    judged: list[tuple[int, bytes]], asked: list[tuple[int, bytes]], hashing: str
) -> None:
    def columns(rows: list[tuple[int, bytes]]) -> tuple[np.ndarray, Strings, np.ndarray]:
        documents = Strings.from_list([document for _, document in rows])
        hashes = documents.hash64()
        if hashing != "good":  # so that many share a slot, or all of a query
            hashes = hashes % np.uint64(2 if hashing == "few values" else 1)
        return np.array([query for query, _ in rows], dtype=np.int32), documents, hashes

    rows, judgments = JudgmentTable(*columns(judged)).find(*columns(asked))
    # Oracle: a dict with the first judgment of each pair.
    first = {pair: row for row, pair in reversed(list(enumerate(judged)))}
    expected = [(row, first[pair]) for row, pair in enumerate(asked) if pair in first]
    assert list(zip(rows.tolist(), judgments.tolist(), strict=True)) == expected


@pytest.mark.parametrize("judged", [0, 1, 1000])
def test_many(judged: int) -> None:
    documents = Strings.from_list([b"d%d" % at for at in range(2 * judged)])
    query = np.arange(2 * judged, dtype=np.int32) % 7
    table = JudgmentTable(query[:judged], documents.take(slice(0, judged)), documents.hash64()[:judged])
    rows, judgments = table.find(query, documents, documents.hash64())
    assert rows.tolist() == judgments.tolist() == list(range(judged))
