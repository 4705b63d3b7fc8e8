"""Orders that are known from the start, by hand."""

from __future__ import annotations

from functools import partial

import pytest

from cranfield.pooling.building import build_pool
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.depth import Depth
from cranfield.pooling.orders import fixed
from cranfield.pooling.orders.material import Material
from tests.pooling.made_runs import run_of
from tests.pooling.orders.asking import TOPIC, Asking, material

LISTS = [["a", "b", "c"], ["b", "d"]]


def test_depth_goes_by_the_best_rank() -> None:
    """Best ranks: a 1, b 1, d 2, c 3."""
    order = Asking(fixed.depth, material(LISTS)).next(4)
    assert (set(order[:2]), order[2:]) == ({"a", "b"}, ["d", "c"])


def test_rrf_adds_up_reciprocal_ranks() -> None:
    """k = 0: a 1, b 1/2 + 1 = 3/2, c 1/3, d 1/2. With k = 60 all but b have about 1/61: the order is the same."""
    assert Asking(partial(fixed.reciprocal_rank, k=0), material(LISTS)).next(4) == ["b", "a", "d", "c"]
    assert Asking(fixed.reciprocal_rank, material(LISTS)).next(4) == ["b", "a", "d", "c"]


def test_rbp_adds_up_what_readers_see() -> None:
    """p = 1/2: a 1/2, b 1/4 + 1/2, c 1/8, d 1/4."""
    assert Asking(partial(fixed.rank_biased, p=0.5), material(LISTS)).next(4) == ["b", "a", "d", "c"]


@pytest.mark.parametrize("seed", range(4))
def test_runs_take_turns(seed: int) -> None:
    """If the first begins: a, b of the second, b is there so c, d; if the second does: b, a, d, c."""
    order = Asking(fixed.run_share, material(LISTS, seed=seed)).next(4)
    assert order in (["a", "b", "c", "d"], ["b", "a", "d", "c"])


def test_lots_put_all_in_any_order() -> None:
    found = {tuple(Asking(fixed.random, material([["a", "b", "c"]], seed=seed)).next(3)) for seed in range(200)}
    assert len(found) == 6


def test_with_the_seed_of_a_pool_random_is_its_own_order() -> None:
    names = [f"d{number}" for number in range(30)]
    run = run_of({"q": names}, "one")
    pool = build_pool([run], Depth(30), seed=5).pool
    assert Asking(fixed.random, Material.of(Candidates.of([run]), b"q", seed=5)).next(30) == pool["q"]
    assert sorted(pool["q"]) == sorted(names) != pool["q"]


@pytest.mark.parametrize("make", [fixed.depth, fixed.reciprocal_rank, fixed.rank_biased, fixed.run_share])
def test_what_no_run_returned_comes_last_as_it_was_listed(make: object) -> None:
    candidates = Candidates.of([run_of({"q": ["a", "b"], "other": ["z"]}, "one")])
    among = Material.among(candidates, TOPIC, ["z", "b", "y", "a"])
    assert Asking(make, among).next(9) == ["a", "b", "z", "y"]  # type: ignore[arg-type]
    elsewhere = Material.among(candidates, b"topic that no run has", ["z", "y"])
    assert Asking(make, elsewhere).next(9) == ["z", "y"]  # type: ignore[arg-type]
