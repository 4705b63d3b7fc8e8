"""How many judgments it takes."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.measures import parse_one
from cranfield.measures.holes.scale import Scale
from cranfield.pooling.flip.chances import Chances
from cranfield.pooling.flip.expected import JudgmentsNeeded, Outlook, outlook
from cranfield.pooling.flip.side_by_side import SideBySide
from cranfield.pooling.flip.ways.case import Case


def case_of(name: str, topics: int = 4) -> Case:
    """In every topic the first run has the relevant document a where the second has nothing, and each has two unjudged
    documents of its own."""
    qrels = Qrels.from_dict({f"q{number}": {"a": 1, "b": 0} for number in range(topics)})
    first = Run.from_dict({topic: {"a": 3, "v": 2, "w": 1} for topic in qrels})
    second = Run.from_dict({topic: {"b": 3, "x": 2, "y": 1} for topic in qrels})
    return Case(SideBySide.of(qrels, first, second), parse_one(name), Scale((1.0,)))


def look(case: Case, chance: dict[bytes, float], order: bytes, simulations: int = 3) -> Outlook:
    """With documents judged topic after topic, in each in this order."""
    both = case.both
    names = both.documents.take(both.open).tolist()
    chances = Chances(np.array([chance[name] for name in names]), np.array([1.0]), np.array([1.0]), 0)
    judged = sorted(range(len(names)), key=lambda at: (both.topic[both.open][at], order.index(names[at])))
    return outlook(case, np.array(judged), chances, simulations=simulations, seed=0, level=0.95)


NOTHING = {b"v": 0.0, b"w": 0.0, b"x": 0.0, b"y": 0.0}


def test_until_the_sign_is_certain() -> None:
    # P@3: a is worth 1/3 in each topic, x and y could take off 2/3. Judged in the order x, y, v, w: with n of the 8
    # documents of the second run known not to be relevant it is certain where 4 - (8 - n) > 0, at n = 5: two topics, and
    # x of the third; of each topic w and v are judged before the next: 4 + 4 + 1.
    found = look(case_of("P@3"), NOTHING, b"xyvw")
    assert found.certain.counts == (9, 9, 9)
    assert (found.certain.median, found.certain.spread, found.better) == (9, (9, 9), 1)


def test_what_could_not_matter_does_not() -> None:
    # If v and w are relevant they outweigh x and y: after v, w of two topics 4 + 4 - 8 = 0, so one more is needed.
    found = look(case_of("P@3"), {b"v": 1.0, b"w": 1.0, b"x": 0.0, b"y": 0.0}, b"vwxy")
    # By topic v, w, x, y are judged: each topic then is worth 3 for certain, with x or y unknown less.
    # After the first topic (4 judgments): 3 - 0, and the others 1 - 2 each: 3 - 3 = 0; v of the second makes it 1.
    assert found.certain.counts == (5, 5, 5)


def test_the_other_run_may_turn_out_ahead() -> None:
    found = look(case_of("P@3"), {b"v": 0.0, b"w": 0.0, b"x": 1.0, b"y": 1.0}, b"xyvw")
    assert found.better == 0
    assert found.certain.reached == 3


def test_all_judged_and_still_equal() -> None:
    found = look(case_of("P@3"), {b"v": 0.0, b"w": 0.0, b"x": 1.0, b"y": 0.0}, b"xyvw")
    assert (found.certain.reached, found.certain.median, found.certain.is_expected) == (0, None, False)
    assert found.certain.spread is None


def test_until_the_interval_leaves_out_zero() -> None:
    # Once every topic is settled all differences are 1/3, and there is no doubt about their mean. While the last topic
    # is not, its least difference is at most 0: 1/3, 1/3, 1/3, 0 have the mean .25 and s = 1/6, t = .25 / (1/12) = 3,
    # below 3.18, the quantile of 3 degrees of freedom. So x and y of the last topic have to be judged: 12 + 2.
    found = look(case_of("P@3"), NOTHING, b"xyvw")
    assert found.significant is not None
    assert found.significant.counts == (14, 14, 14)


def test_no_interval_for_a_geometric_mean() -> None:
    found = look(case_of("GMAP"), NOTHING, b"xyvw")
    assert found.significant is None
    assert found.certain.reached == 3


def test_the_same_seed_is_the_same() -> None:
    unsure = dict.fromkeys(NOTHING, 0.5)
    assert look(case_of("AP"), unsure, b"xyvw", 5) == look(case_of("AP"), unsure, b"xyvw", 5)


def test_what_was_not_reached_counts_as_more_than_any() -> None:
    needed = JudgmentsNeeded(4, (10, 20))
    assert (needed.median, needed.is_expected) == (20, False)
    assert JudgmentsNeeded(5, (10, 20)).median is None
    assert JudgmentsNeeded(3, (10, 20)).to_dict() == {
        "simulations": 3, "reached": 2, "median": 20, "tenth": 10, "nine_tenths": 20,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["nDCG", "AP", "R@2"])
def test_other_measures_get_there_too(name: str) -> None:
    found = look(case_of(name), NOTHING, b"xyvw")
    assert found.certain.reached == 3
