"""Random judgments and runs against pytrec_eval, which wraps trec_eval 9.0.x: every measure both have, query by query.

Oracle: pytrec_eval-terrier (version in requirements/test.txt).
"""

from __future__ import annotations

from typing import Any

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.measures import trec_eval

QUERIES = [f"q{i}" for i in range(4)]
DOCUMENTS = ["d1", "d2", "d10", "D3", "doc-with-a-long-name-4", "doc-with-a-long-name-5", "é6", "z", "a" * 30, "#9"]

qrels_strategy = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-2, 4), min_size=1).filter(
        lambda grades: max(grades.values()) >= 0  # trec_eval stops where a topic has negative grades only
    ),
    min_size=1,
)
scores = st.one_of(
    st.sampled_from([0.0, 1.0, 100.0, 100.00000001, -1.5]),  # tied, and tied as 32-bit floats
    st.floats(-1e6, 1e6, allow_nan=False, width=32),
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e30, max_value=1e30),
)
run_strategy = st.dictionaries(
    st.sampled_from([*QUERIES, "q-unjudged"]),
    st.dictionaries(st.sampled_from([*DOCUMENTS, "unjudged-1", "unjudged-2"]), scores, min_size=1),
    min_size=1,
)

SUPPORTED = [
    entry
    for entry in trec_eval.TABLE
    if entry.name in pytrec_eval.supported_measures and entry.name not in ("runid", "relstring")
]
LABELS = {column.label: column.measure for entry in SUPPORTED for column in entry.columns() if column.measure}


def close(ours: float, theirs: float) -> bool:
    return ours == pytest.approx(theirs, abs=1e-9, rel=1e-9)


def test_nothing_is_left_out() -> None:
    # What pytrec_eval has and this test does not compare: names of runs, strings, and measures that are not numbers.
    assert set(pytrec_eval.supported_measures) - {entry.name for entry in SUPPORTED} <= {"runid", "relstring"}
    assert len(SUPPORTED) >= 30


@settings(max_examples=300, deadline=None)
@given(qrels=qrels_strategy, run=run_strategy)
def test_every_shared_measure_for_every_query(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> None:
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(pytrec_eval.supported_measures)).evaluate(run)
    if not theirs:
        with pytest.raises(cf.errors.CoverageError):
            cf.evaluate(qrels, run, "AP", profile="trec_eval-9")
        return
    ours = cf.evaluate(qrels, run, list(LABELS.values()), profile="trec_eval-9")
    assert set(ours.per_query) == set(theirs)
    for query, values in theirs.items():
        for label, measure in LABELS.items():
            if label in values and label not in ("gm_map", "gm_bpref"):
                assert close(ours.per_query[query][str(measure)], values[label]), (query, label)


@settings(max_examples=100, deadline=None)
@given(qrels=qrels_strategy, run=run_strategy, level=st.integers(1, 4))
def test_with_another_relevance_level(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], level: int
) -> None:
    names = {"map", "P", "recall", "bpref", "recip_rank", "Rprec", "success", "infAP"}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level)
    theirs: dict[str, dict[str, Any]] = evaluator.evaluate(run)
    if not theirs:
        return
    chosen = {label: m for label, m in LABELS.items() if label.rsplit("_", 1)[0] in names or label in names}
    ours = cf.evaluate(qrels, run, list(chosen.values()), profile="trec_eval-9", level=level)
    for query, values in theirs.items():
        for label, measure in chosen.items():
            if label in values:
                assert close(ours.per_query[query][str(measure.at_level(level))], values[label]), (query, label)


@settings(max_examples=150, deadline=None)
@given(qrels=qrels_strategy, run=run_strategy)
def test_with_judged_documents_only(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> None:
    # Where no judged document is retrieved, -J leaves an empty list, and trec_eval divides 0 by 0 for some measures:
    # values that are not numbers there are passed over.
    names = set(pytrec_eval.supported_measures)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, names, judged_docs_only_flag=True).evaluate(run)
    if not theirs:
        return
    ours = cf.evaluate(qrels, run, list(LABELS.values()), profile="trec_eval-9", judged_only=True)
    for query, values in theirs.items():
        for label, measure in LABELS.items():
            name = str(measure(judged_only=True)) if "judged_only" in measure.definition.parameters else str(measure)
            if label in values and label not in ("gm_map", "gm_bpref") and values[label] == values[label]:
                assert close(ours.per_query[query][name], values[label]), (query, label)
