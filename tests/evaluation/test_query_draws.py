"""Queries are drawn with the chances they are said to have: by hand, and by drawing often."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import UsageError
from cranfield.evaluation.query_draws import WAYS, draw_queries, inclusion_chances, strata_of
from cranfield.evaluation.topic_sampling import sample_topics

ASKED = np.array([6, 3, 2, 2, 2])
SEEDS = 2000


def test_chances_by_frequency() -> None:
    """Two of 15: 12/15 of the first, 6/15 of the second, 4/15 of the others."""
    drawn = np.concatenate([draw_queries(ASKED, 2, "frequency", seed).place for seed in range(SEEDS)])
    for place, times in enumerate(ASKED.tolist()):
        chance = 2 * times / 15
        found = np.count_nonzero(drawn == place) / SEEDS
        assert found == pytest.approx(chance, abs=4 * (chance * (1 - chance) / SEEDS) ** 0.5)


def test_topics_of_a_plain_list_of_queries_are_drawn_with_the_same_chances() -> None:
    """Two of three that were asked 2, 1 and 1 times: the first always, the others half of the time. Draws one after the
    other would leave the first out now and then: 2 · 1/4 · 1/3 = 1/6 of the time."""
    counts = {"soup": 2, "bread": 1, "tea": 1}
    drawn = [set(sample_topics(counts, 2, seed=seed).topics.queries().values()) for seed in range(300)]
    assert all("soup" in one for one in drawn)
    assert sum("tea" in one for one in drawn) / 300 == pytest.approx(0.5, abs=4 * (0.25 / 300) ** 0.5)


def test_strata_have_a_third_of_the_traffic_each() -> None:
    # Of 15 the first has 6, the second those to 9, others the rest: 5 and 10 part the thirds.
    assert strata_of(ASKED).tolist() == [0, 1, 1, 2, 2]
    found = draw_queries(ASKED, 3, "stratified", 4)
    chances = dict(zip(found.stratum, found.inclusion.tolist(), strict=True))
    assert chances == {"head": 1.0, "torso": 0.5, "tail": 0.5}


@pytest.mark.parametrize("by", list(WAYS))
def test_weights_make_up_for_the_chances(by: str) -> None:
    """Over many samples the sum of asked / inclusion is the traffic (Horvitz and Thompson, 1952)."""
    samples = (draw_queries(ASKED, 3, by, seed) for seed in range(SEEDS))
    totals = [float((ASKED[one.place] / one.inclusion).sum()) for one in samples]
    assert np.mean(totals) == pytest.approx(15, abs=4 * np.std(totals) / SEEDS**0.5 + 1e-9)


@pytest.mark.parametrize("by", list(WAYS))
@given(asked=st.lists(st.integers(1, 1000), min_size=1, max_size=30), data=st.data())
def test_as_many_different_ones_as_are_asked_for(by: str, asked: list[int], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(asked)))
    found = draw_queries(np.array(asked), size, by, data.draw(st.integers(0, 99)))
    assert len(set(found.place.tolist())) == len(found.place) == len(found.inclusion) == len(found.stratum) == size


def test_an_unknown_way() -> None:
    with pytest.raises(UsageError, match="Did you mean uniform"):
        draw_queries(ASKED, 1, "uniformly", 1)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=30), st.data())
def test_chances_sum_to_the_size(asked: list[int], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(asked)))
    chances = inclusion_chances(np.array(asked), size)
    assert chances.sum() == pytest.approx(size)
    assert chances.max() <= 1
    below = chances < 1
    ratios = chances[below] / np.array(asked)[below]
    assert ratios.max(initial=0) == pytest.approx(ratios.min(initial=np.inf) if below.any() else 0)
