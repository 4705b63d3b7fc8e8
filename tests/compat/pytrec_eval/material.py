"""Random judgments and runs, and a comparison of results that knows which differences are meant."""

from __future__ import annotations

import math

import pytest
from hypothesis import strategies as st

Results = dict[str, dict[str, float]]

QUERIES = ["q1", "q2", "q10", "Q3", "é4"]
DOCUMENTS = [
    "d1",
    "d2",
    "d10",
    "D3",
    "doc-with-a-long-name-4",
    "doc-with-a-long-name-5",
    "é6",
    "語7",
    "z",
    "a" * 30,
    "#9",
]

grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-2, 4), min_size=1).filter(
    lambda judged: max(judged.values()) >= 0  # pytrec_eval may crash where a topic has negative grades only
)
qrels = st.dictionaries(st.sampled_from(QUERIES), grades, min_size=1)
scores = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 100.0, 100.00000001, -1.5, 3]),  # tied, and tied as 32-bit floats
    st.floats(-1e6, 1e6, allow_nan=False, width=32),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([math.inf, -math.inf, 1e39]),
)
rankings = st.dictionaries(st.sampled_from([*DOCUMENTS, "unjudged-1", "unjudged-2"]), scores)
runs = st.dictionaries(st.sampled_from([*QUERIES, "q-unjudged"]), rankings, min_size=1)


def original_stands(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> bool:
    """Whether pytrec_eval comes through this: it crashes where the first judged query has no documents."""
    return bool(next((documents for query, documents in run.items() if query in qrels), True))


def run_lines(run: dict[str, dict[str, float]]) -> list[str]:
    """A run as lines of a file, in the order of the dicts."""
    return [f"{query} Q0 {document} 1 {score!r} tag\n" for query in run for document, score in run[query].items()]


def qrel_lines(qrels: dict[str, dict[str, int]]) -> list[str]:
    """Judgments as lines of a file, in the order of the dicts."""
    return [f"{query} 0 {document} {grade}\n" for query in qrels for document, grade in qrels[query].items()]


def assert_same(ours: Results, theirs: Results) -> None:
    """The same queries and measures in the same order, the same values; but 0 for what is 0/0 in pytrec_eval."""
    assert list(ours) == list(theirs)
    for query, values in theirs.items():
        assert list(ours[query]) == list(values)
        for measure, value in values.items():
            nought_by_nought = math.isnan(value) and measure.startswith(("iprec_at_recall", "11pt_avg"))
            expected = 0.0 if nought_by_nought else value
            assert ours[query][measure] == pytest.approx(expected, rel=1e-12, abs=1e-12), (query, measure)
            assert type(ours[query][measure]) is float
