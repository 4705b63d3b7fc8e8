"""What single documents do, and in what order they are judged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.measures import parse_one
from cranfield.pooling.flip.chances import Chances
from cranfield.pooling.flip.effects import effects, effects_beside
from cranfield.pooling.flip.importance import Importance
from tests.pooling.flip.small_cases import Two, scores, twos

MEASURES = ["P@3", "RBP(p=0.5)", "DCG", "RR", "Success@2", "AP", "AP@3", "AP(denominator=min-k-R)@2", "nDCG", "nDCG@2"]
MEASURES += ["R@3", "SetF", "SetE", "Rprec", "ERR", "Q", "BinG", "Compat", "Utility(fn=-1)"]


@pytest.mark.parametrize("name", MEASURES)
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(two=twos(highest=3))
def test_the_change_is_that_of_a_judgment(name: str, two: Two) -> None:
    # Oracle: the public evaluation with this document judged, and without.
    measure = parse_one(name)
    if not two.fits(measure):
        return
    case = two.case(measure)
    names = [document.decode() for document in case.both.documents.take(case.both.open).tolist()]

    def difference(judged: dict[str, int]) -> float:
        evaluator = cf.Evaluator({"q": judged, "~": {"a": 0}}, [measure])
        lists = [{"q": scores(some)} if some else {} for some in (two.first, two.second)]
        first, second = (evaluator({**one, "~": {"a": 1}}).columns[measure] for one in lists)
        return float(first[0]) - float(second[0])

    found = effects(case)
    for document, change in zip(names, found.tolist(), strict=True):
        best = int(max(two.grades(measure)))
        assert change == pytest.approx(difference(two.judged | {document: best}) - difference(two.judged), abs=1e-9)


def test_a_document_does_less_where_others_are_relevant() -> None:
    # First: a x, second: y z; a is relevant. R@2 is 1 - 0; with y 1/2 - 1/2. With another relevant document where y is,
    # it is 1/2 - 1/2: with y or z then 1/3 - 2/3, with x 2/3 - 1/3.
    case = Two(("a", "x"), ("y", "z"), {"a": 1}).case(parse_one("R@2"))
    np.testing.assert_allclose(effects(case), [0, -1, -1])
    np.testing.assert_allclose(effects_beside(case, np.array([1])), [1 / 3, -1 / 3, -1 / 3])


def importance(two: Two, chances: list[float], order: str) -> list[str]:
    case = two.case(parse_one("P@4"))
    estimated = Chances(np.array(chances), np.array([1.0]), np.array([1.0]), 0)
    found = Importance.of(case, estimated, order)
    return [name.decode() for name in case.both.documents.take(case.both.open[found.order]).tolist()]


# The first run is ahead by 1/4 as judged, and w and x, which only it has, and y and z, which only the second has, change
# that by 1/4 each. v is in both and cannot matter.
FOUR = Two(("a", "v", "w", "x"), ("v", "b", "y", "z"), {"a": 1, "b": 0})


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        # v, w, x, y, z have the chances .9, .8, .1, .3, .6: by p for all.
        ("expected", ["w", "z", "y", "x"]),
        # The lower bound has y and z relevant and w and x not: it moves with .8 and .1, with 1 - .3 and 1 - .6.
        ("certainty", ["w", "y", "z", "x"]),
        # All the same: those that stand higher come first, and then by name.
        ("swing", ["w", "y", "x", "z"]),
    ],
)
def test_orders(order: str, expected: list[str]) -> None:
    assert importance(FOUR, [0.9, 0.8, 0.1, 0.3, 0.6], order) == expected


@settings(max_examples=20)
@given(two=twos(), chance=st.floats(0.05, 0.95))
def test_nothing_is_listed_twice(two: Two, chance: float) -> None:
    case = two.case(parse_one("nDCG"))
    estimated = Chances(
        np.full(len(case.both.open), chance), np.array(case.scale.positive), np.ones(len(case.scale.positive)), 0
    )
    assert sorted(Importance.of(case, estimated).order.tolist()) == list(range(len(case.both.open)))
