"""Pools with judgments put in: what the estimators read, row by row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cranfield as cf
from cranfield.data.pool import BOTH, OUTRIGHT, SAMPLED, Pool
from cranfield.errors import CoverageError, DataError
from cranfield.pooling.judged_pool import JudgedPool

POOL = replace(
    Pool.from_dict({"q": ["a", "b", "c", "d", "e"]}),
    chosen=np.array([True, True, False, True, False]),
    stratum=np.array([0, 1, 1, 1, 1], dtype=np.int32),
    probability=np.array([1, 0.5, 0.5, 0.5, 0.5]),
    method=np.array([BOTH, SAMPLED, SAMPLED, SAMPLED, SAMPLED], dtype=np.int32),
)
"""a is certain; b and d were drawn of b, c, d and e."""
GRADES = {"q": {"a": 2, "b": 1, "d": 0}}


def judged(grades: dict[str, dict[str, int]]) -> JudgedPool:
    return JudgedPool.of(POOL, cf.Qrels.from_dict(grades))


def test_strata_have_every_document_and_minus_one_for_those_not_drawn() -> None:
    strata = judged(GRADES).to_strata()
    assert strata["q"] == {"a": 2, "b": 1, "c": -1, "d": 0, "e": -1}
    assert strata.stratum is not None
    assert strata.stratum.tolist() == [b"0", b"1", b"1", b"1", b"1"]
    assert strata.inclusion.tolist() == [1, 0.5, 0.5, 0.5, 0.5]


def test_prels_have_what_is_judged_and_its_chance() -> None:
    prels = judged(GRADES).to_prels()
    assert prels["q"] == {"a": 2, "b": 1, "d": 0}
    assert prels.probability is not None
    assert prels.method is not None
    assert prels.probability.tolist() == [1, 0.5, 0.5]
    assert prels.method.tolist() == [b"2", b"1", b"1"]


def test_qrels_have_what_is_judged_and_the_rest_if_asked() -> None:
    assert judged(GRADES).to_qrels()["q"] == GRADES["q"]
    assert judged(GRADES).to_qrels(with_unjudged=True)["q"] == {"a": 2, "b": 1, "c": -1, "d": 0, "e": -1}
    assert judged(GRADES).notes() == ()


def test_what_was_judged_without_being_drawn_stands_for_nothing() -> None:
    found = judged({"q": {**GRADES["q"], "c": 3, "elsewhere": 1}})
    assert found.to_strata()["q"]["c"] == -1
    assert "c" not in found.to_prels()["q"]
    assert found.to_qrels()["q"]["c"] == 3
    assert found.notes() == (
        "1 judgments are of documents that were not drawn; estimates leave them out",
        "1 judgments are of documents that are not in the pool; they are left out",
    )


def test_what_is_not_finished_is_refused_and_can_be_taken_for_the_sample() -> None:
    found = judged({"q": {"a": 1, "b": 0, "d": -2}})
    with pytest.raises(
        DataError, match=r"1 of the 3 documents to judge have no judgment yet, the first is 'd' of topic"
    ):
        found.refuse_unfinished()
    prels = found.to_prels()
    assert prels.probability is not None
    assert prels.probability.tolist() == [1, 0.25]  # one of the four is judged
    assert found.to_strata().inclusion.tolist() == [1, 0.25, 0.25, 0.25, 0.25]
    assert found.notes() == ("1 of the documents to judge have no judgment yet",)
    assert found.notes_on_strata() == ()
    assert judged({"q": {"a": 1}}).notes_on_strata()[0].startswith("1 strata have no judged document")


def test_a_pool_without_strata_has_none_that_are_empty() -> None:
    found = JudgedPool.of(Pool.from_dict({"q": ["a"], "r": ["b"]}), cf.Qrels.from_dict({"q": {"a": 1}}))
    assert found.notes() == ("1 of the documents to judge have no judgment yet",)
    (note,) = found.notes_on_strata()
    assert note.startswith("1 topics have no judged document")


def test_inferred_ap_is_warned_of_where_chances_differ() -> None:
    (note,) = judged(GRADES).notes_on_infap()
    assert note.startswith("documents of 1 topics had different chances of being judged: infAP")
    evenly = replace(POOL, stratum=np.ones(5, dtype=np.int32), probability=np.full(5, 0.6))
    assert JudgedPool.of(evenly, cf.Qrels.from_dict(GRADES)).notes_on_infap() == ()
    everything = Pool.from_dict({"q": ["a", "b"]})
    assert JudgedPool.of(everything, cf.Qrels.from_dict(GRADES)).notes_on_infap() == ()


def test_of_a_pool_that_is_not_judged_all_through_nothing_is_certain() -> None:
    pool = Pool.from_dict({"q": ["a", "b"]})
    prels = JudgedPool.of(pool, cf.Qrels.from_dict({"q": {"a": 1}})).to_prels()
    assert prels.probability is not None
    assert prels.method is not None
    assert (prels.probability.tolist(), prels.method.tolist()) == ([0.5], [b"1"])
    whole = JudgedPool.of(pool, cf.Qrels.from_dict({"q": {"a": 1, "b": 0}})).to_prels()
    assert whole.method is not None
    assert (whole.method.tolist(), pool.method.tolist()) == ([b"0", b"0"], [OUTRIGHT, OUTRIGHT])


def test_judgments_of_other_topics_and_of_several_assessors() -> None:
    with pytest.raises(CoverageError, match=r"qrels has none of the 1 topics of the pool \('q', ...\)"):
        judged({"other": {"a": 1}})
    several = cf.Qrels.from_tuples([("q", "ann", "a", 1), ("q", "bob", "a", 0)])
    with pytest.raises(DataError, match="judged more than once"):
        JudgedPool.of(POOL, several)
