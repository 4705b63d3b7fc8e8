"""How far judgments reach."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from cranfield import evaluate
from cranfield.curves import judged_by_rank
from tests.curves.material import Case, cases


@settings(max_examples=50)
@given(cases())
def test_it_is_the_measure_at_every_rank(case: Case) -> None:
    found = judged_by_rank(case.qrels, case.run)
    names = [f"Judged@{rank}" for rank in found.ranks]
    means = evaluate(case.qrels, case.run, names).mean
    assert found["run"].judged == pytest.approx([means[name] for name in names])


@settings(max_examples=50)
@given(cases())
def test_the_pool_by_counting(case: Case) -> None:
    found = judged_by_rank(case.qrels, case.run)
    for rank, share in zip(found.ranks.tolist(), found["run"].found.tolist(), strict=True):
        shares = []
        for query, judged in case.qrels.items():
            ranked = sorted(case.run.get(query, {}).items(), key=lambda item: (-item[1], item[0]))
            first = [name for name, _ in ranked[:rank]]
            shares.append(len(set(first) & judged.keys()) / len(judged))
        assert share == pytest.approx(sum(shares) / len(shares))


def test_documents_that_were_pooled_and_not_judged_do_not_count() -> None:
    found = judged_by_rank({"q": {"a": -1, "b": 0}}, {"q": {"a": 2, "b": 1}})
    assert found["run"].judged.tolist() == [0.0, 0.5]
    assert found["run"].found.tolist() == [0.0, 1.0]
    assert found.pool == 1.0


def test_dropping_unjudged_documents_does_not_hide_them() -> None:
    run = {"q": {"x": 2, "b": 1}}
    assert np.array_equal(
        judged_by_rank({"q": {"b": 0}}, run, judged_only=True)["run"].judged,
        judged_by_rank({"q": {"b": 0}}, run)["run"].judged,
    )


def test_rows_and_sentences() -> None:
    found = judged_by_rank({"q": {"a": 1, "b": 0}}, {"q": {"a": 2, "x": 1}})
    assert list(found.rows()) == [("run", "all", 1, 1.0, 0.5), ("run", "all", 2, 0.5, 0.5)]
    assert found.sentences() == [
        "run: .500 of the first 2 documents are judged; .500 of the judged documents are found."
    ]
    assert found.to_dict()["judged_documents_a_topic"] == 2.0
