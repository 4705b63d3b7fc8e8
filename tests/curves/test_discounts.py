"""What measures make of rank."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cranfield.curves import rank_weights
from cranfield.errors import UsageError
from cranfield.measures import parse_one
from cranfield.measures.readers import cwl


@pytest.mark.parametrize(
    ("measure", "weight"),
    [
        ("DCG", lambda i: 1 / math.log2(i + 1)),
        ("nDCG@20", lambda i: 1 / math.log2(i + 1) if i <= 20 else 0),
        ("DCG(discount=zipf)", lambda i: 1 / i),
        ("P@10", lambda i: 0.1 if i <= 10 else 0),
        ("R@10", lambda i: 1 if i <= 10 else 0),
        ("RR", lambda i: 1 / i),
        ("AP", lambda i: 1 / i),  # of one relevant document
        ("RBP(p=0.8)", lambda i: 0.2 * 0.8 ** (i - 1)),
        ("ERR(gmax=1)", lambda i: 0.5 / i),  # s = (2^1 - 1) / 2^1
        ("P(rel=3)@5", lambda i: 0.2 if i <= 5 else 0),
    ],
)
def test_formulas(measure: str, weight: object) -> None:
    found = rank_weights(measure, depth=30).values[parse_one(measure)]
    assert callable(weight)
    assert found == pytest.approx([weight(i) for i in range(1, 31)])


@pytest.mark.parametrize("measure", ["RBP(p=0.5)", "P@7", "SDCG@12", "INSQ"])
def test_of_readers_who_do_not_look_at_relevance_it_is_the_share_of_their_reading(measure: str) -> None:
    weights = cwl(measure, [0] * 25).W
    assert rank_weights(measure, depth=25).values[parse_one(measure)] == pytest.approx(weights)


def test_shares_of_rank_1() -> None:
    found = rank_weights("RBP(p=0.5)", depth=3)
    assert list(found.rows()) == [
        ("RBP(p=0.5)", 1, 0.5, 1.0),
        ("RBP(p=0.5)", 2, 0.25, 0.5),
        ("RBP(p=0.5)", 3, 0.125, 0.25),
    ]
    assert found.to_dict() == {"ranks": [1, 2, 3], "values": {"RBP(p=0.5)": [0.5, 0.25, 0.125]}}


def test_more_than_ten_ranks_stay_in_order() -> None:
    values = rank_weights("RR", depth=1200).values[parse_one("RR")]
    assert (np.diff(values) < 0).all()


@pytest.mark.parametrize("measure", ["Judged@10", "NumRel", "EER", "RelString", "alpha_nDCG@10", "prefs_simp"])
def test_measures_without_weights(measure: str) -> None:
    with pytest.raises(UsageError, match="has no weight for a rank"):
        rank_weights(measure)


def test_a_depth_is_a_number_of_ranks() -> None:
    with pytest.raises(UsageError, match="the depth of a drawing"):
        rank_weights("RR", depth=0)
