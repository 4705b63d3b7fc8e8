"""Runs in memory: the order documents are ranked in, and duplicates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.run import Run
from cranfield.errors import DataError, FormatError

ids = st.text(st.characters(codec="ascii", min_codepoint=33), min_size=1, max_size=12)
scores = st.one_of(st.integers(-3, 3), st.floats(allow_nan=False, allow_infinity=False))
results = st.dictionaries(ids, st.dictionaries(ids, scores, min_size=1, max_size=8), max_size=5)


def ranked(documents: dict[str, float]) -> list[str]:
    """trec_eval's order: score down, then document down."""
    return sorted(sorted(documents, reverse=True), key=lambda document: -documents[document])


@given(results)
def test_documents_stand_in_ranking_order(given_results: dict[str, dict[str, float]]) -> None:
    run = Run.from_dict(given_results)
    assert run.to_dict() == given_results
    assert [list(run[query]) for query in run] == [ranked(given_results[query]) for query in sorted(given_results)]
    expected = [
        (query, document, rank, given_results[query][document])
        for query in sorted(given_results)
        for rank, document in enumerate(ranked(given_results[query]), 1)
    ]
    assert list(run.rows()) == expected


def test_a_document_returned_twice() -> None:
    with pytest.raises(FormatError) as error:
        Run.from_tuples([("q1", "d", 2), ("q1", "e", 1.5), ("q1", "d", 1)], name="mine")
    assert str(error.value) == "mine: document 'd' is returned twice for query 'q1'. Keep one of them."


def test_text_and_number_are_the_same_document() -> None:
    with pytest.raises(FormatError, match="document '1' is returned twice for query 'q'"):
        Run.from_dict({"q": {1: 0.5, "1": 0.25}})


def test_rows_of_the_wrong_length() -> None:
    with pytest.raises(DataError) as error:
        Run.from_tuples([("q", "d", 1), ("q", "Q0", "d", 1)])
    assert str(error.value) == "run, row 2: expected (query, document, score), found 4 values"


def test_the_tag_is_the_name_unless_given() -> None:
    assert Run.from_dict({}, name="a").tag == "a"
    assert Run.from_dict({}, name="a", tag="b").tag == "b"
