"""A log in parts is fitted as the whole is: pairs where their pages are, and what is shared by sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.logs.models import MODELS
from cranfield.logs.models.examination import Examined, Moved
from cranfield.logs.models.fitting import FirstRank, Prior, usual_prior
from cranfield.logs.models.pages import Pages
from cranfield.logs.models.parts import total
from cranfield.logs.models.quality import Tried, quality

PAIRS = (4, 3, 5)
"""Documents of each of three queries."""
PRIOR = Prior(0.3, looks=1.5)


def part(query: int) -> Pages:
    """Pages of one query, whose documents are shown in any order; some pages are short."""
    rng = np.random.default_rng(query)
    pair = rng.permuted(np.tile(np.arange(PAIRS[query], dtype=np.int32), (40, 1)), axis=1)[:, :3]
    pair[:5, 2] = -1
    clicked = (rng.random(pair.shape) < 0.35) & (pair >= 0)
    return Pages(pair, clicked, rng.integers(1, 9, len(pair)).astype(float), PAIRS[query])


def whole(parts: list[Pages]) -> Pages:
    """The pairs of each part are counted on from those of the one before it."""
    first = np.cumsum([0, *PAIRS])
    pair = [np.where(each.pair >= 0, each.pair + at, -1) for each, at in zip(parts, first, strict=False)]
    clicked, views = (np.concatenate([getattr(each, name) for each in parts]) for name in ("clicked", "views"))
    return Pages(np.concatenate(pair).astype(np.int32), clicked, views, int(first[-1]))


def pairs_of(model: Any) -> dict[str, list[float]]:
    return {name: getattr(model, name) for name in ("attractiveness", "satisfied") if hasattr(model, name)}


@pytest.mark.parametrize("name", MODELS)
def test_steps_are_those_of_the_whole(name: str) -> None:
    kind: Any = MODELS[name]
    parts = [part(query) for query in range(3)]
    model = kind.begin(whole(parts), PRIOR)
    counts = model.counts(whole(parts))
    ours = [kind.first(each, PRIOR) for each in parts]
    first = [kind.first_sums(each) for each in parts]
    shared = ours[0] if first[0] is None else ours[0].closed(total(first)).model
    counted = [each.counts(pages) for each, pages in zip(ours, parts, strict=True)]
    for _ in range(5):
        assert shared.shared == pytest.approx(model.shared)
        step = model.step(counts, PRIOR)
        renewed = [each.sharing(shared.shared).renewed(known, PRIOR) for each, known in zip(ours, counted, strict=True)]
        closed = shared.closed(total(each.sums for each in renewed))
        ours, shared, model = [each.model for each in renewed], closed.model, step.model
        assert closed.log_posterior == pytest.approx(step.log_posterior)
        for of, values in pairs_of(model).items():
            assert np.concatenate([pairs_of(each)[of] for each in ours]) == pytest.approx(values)


@pytest.mark.parametrize("name", MODELS)
def test_what_is_said_of_a_model_adds_up(name: str) -> None:
    kind: Any = MODELS[name]
    parts = [part(query) for query in range(3)]
    model = kind.begin(whole(parts), PRIOR)
    ours = [kind.first(each, PRIOR).sharing(model.shared) for each in parts]
    found = total(Tried.on(*each) for each in zip(ours, parts, strict=True)).quality
    expected = quality(model, whole(parts))
    assert found.views == expected.views
    assert found.perplexity == pytest.approx(expected.perplexity)
    assert found.log_likelihood == pytest.approx(expected.log_likelihood)
    examined = total(Examined.of(*each) for each in zip(ours, parts, strict=True))
    assert examined.share == pytest.approx(Examined.of(model, whole(parts)).share)


def test_what_is_said_of_pages_adds_up() -> None:
    parts = [part(query) for query in range(3)]
    assert total(map(Moved.among, parts)) == Moved.among(whole(parts))
    assert total(map(FirstRank.of, parts)).prior == usual_prior(whole(parts))


def test_nothing_is_moved_where_nothing_is_shown() -> None:
    assert Moved(0, 0).share == 0
