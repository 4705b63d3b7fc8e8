"""The names that columns go by."""

from __future__ import annotations

import pytest

from cranfield.data.shapes import PREFERENCES, QRELS, RUN
from cranfield.errors import DataError


@pytest.mark.parametrize(
    "names",
    [
        ("query_id", "doc_id", "relevance"),  # ir_measures
        ("qid", "docno", "label"),  # PyTerrier
        ("q_id", "doc_id", "score"),  # ranx
        ("query-id", "corpus-id", "score"),  # BEIR
        ("Query ID", "DocNo", "Label"),
    ],
)
def test_judgments_in_the_field_s_spellings(names: tuple[str, ...]) -> None:
    assert QRELS.match(names, "t") == dict(zip(("query_id", "doc_id", "relevance"), names, strict=True))


def test_pyterrier_results_have_the_text_of_the_query_too() -> None:
    assert RUN.match(["qid", "docid", "docno", "rank", "score", "query"], "t") == {
        "query_id": "qid",
        "doc_id": "docno",
        "score": "score",
        "rank": "rank",
    }


def test_a_run_may_have_ranks_instead_of_scores() -> None:
    assert RUN.match(["qid", "pid", "rank"], "t") == {"query_id": "qid", "doc_id": "pid", "rank": "rank"}


def test_preferences() -> None:
    names = ["qid", "jg", "jsg", "docno", "rel_level"]
    assert list(PREFERENCES.match(names, "t").values()) == names


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (
            ["qid", "docno"],
            "t: no column for the score; it has qid, docno. Give it one named score.",
        ),
        (
            [],
            "t: no column for the query; it has none. "
            "Give it one named query_id (or qid, q_id, topic_id, topic, query).",
        ),
        (
            ["qid", "docno", "score", "score"],
            "t: there are two columns named 'score'. Rename one of them.",
        ),
    ],
)
def test_what_is_missing(names: list[str], message: str) -> None:
    with pytest.raises(DataError) as error:
        RUN.match(names, "t")
    assert str(error.value) == message
