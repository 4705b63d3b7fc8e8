"""Runs in memory: the order documents are ranked in, and duplicates."""

from __future__ import annotations

from random import Random

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


@given(results, st.integers(1, 8), st.randoms(use_true_random=False))
def test_rows_stand_in_ranking_order_however_they_came(
    given_results: dict[str, dict[str, float]], together: int, random: Random
) -> None:
    """Queries in any order, in pieces of some rows that are in order each: 8 rows are a whole query."""
    pieces = []
    for query, documents in given_results.items():
        rows = [(query, document, documents[document]) for document in ranked(documents)]
        pieces += [rows[at : at + together] for at in range(0, len(rows), together)]
    random.shuffle(pieces)
    run = Run.from_tuples([row for piece in pieces for row in piece])
    assert {query: list(run[query]) for query in run} == {query: ranked(given_results[query]) for query in run}
    assert list(run) == sorted(given_results)


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([("q2", "b", 3), ("q2", "a", 1), ("q1", "d", 4), ("q1", "c", 2)], id="queries in another order"),
        pytest.param([("q2", "b", 3), ("q1", "d", 4), ("q1", "c", 2), ("q2", "a", 1)], id="a query in two pieces"),
        pytest.param([("q2", "a", 1), ("q1", "d", 4), ("q1", "c", 2), ("q2", "b", 3)], id="the later piece is better"),
        pytest.param([("q1", "c", 2), ("q1", "d", 4), ("q2", "a", 1), ("q2", "b", 3)], id="the worst document first"),
    ],
)
def test_queries_and_documents_in_any_order(rows: list[tuple[str, str, float]]) -> None:
    run = Run.from_tuples(rows)
    assert list(run.rows()) == [("q1", "d", 1, 4), ("q1", "c", 2, 2), ("q2", "b", 1, 3), ("q2", "a", 2, 1)]


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
