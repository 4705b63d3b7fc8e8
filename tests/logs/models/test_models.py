"""Every model says what its definition says, page by page, and one step of fitting is what expectations give."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from cranfield.logs.models import MODELS
from cranfield.logs.models.dbn import GOING_ON, SATISFIED, DynamicBayesianModel
from cranfield.logs.models.dcm import DependentClickModel
from cranfield.logs.models.fitting import FLOOR, ClickModel, Prior, fit, usual_prior
from cranfield.logs.models.looking import EXAMINATION
from cranfield.logs.models.pages import Pages
from cranfield.logs.models.pbm import PositionBasedModel
from cranfield.logs.models.quality import quality
from cranfield.logs.models.relevance import relevance
from cranfield.logs.models.ubm import UserBrowsingModel
from tests.logs.models.cases import CASES, Case, all_pages, each_page
from tests.logs.models.latent import Way

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
PRIOR = Prior(0.3, looks=1.5)


def chance(found: Sequence[Way]) -> float:
    return math.fsum(way.chance for way in found)


def possible(case: Case, pages: Pages) -> Pages:
    """Without what the model holds impossible."""
    rows = [
        at
        for at, (pair, clicked, _) in enumerate(each_page(pages))
        if chance([way for way in case.definition(pair) if way.clicked == clicked])
    ]
    return Pages(pages.pair[rows], pages.clicked[rows], pages.views[rows], pages.pairs)


@each_case
def test_looks_are_those_of_the_definition(case: Case) -> None:
    pages = possible(case, all_pages())
    looks, given, looked = (
        case.model.looks(pages),
        case.model.looks_given_above(pages),
        case.model.looked(pages),
    )
    for row, (pair, clicked, _) in enumerate(each_page(pages)):
        ways = case.definition(pair)
        assert chance(ways) == pytest.approx(1)
        for rank in [rank for rank in range(3) if pair[rank] >= 0]:
            assert looks[row, rank] == pytest.approx(chance([way for way in ways if way.looked[rank]]))
            for known, found in ((clicked[:rank], given), (clicked, looked)):
                those = [way for way in ways if way.clicked[: len(known)] == known]
                there = chance([way for way in those if way.looked[rank]])
                assert found[row, rank] == pytest.approx(there / chance(those))


@each_case
def test_log_likelihood_and_perplexity_are_those_of_the_definition(case: Case) -> None:
    pages = possible(case, all_pages())
    found = quality(case.model, pages)
    likely, bits, shown = 0.0, [0.0] * 3, [0.0] * 3
    for pair, clicked, views in each_page(pages):
        ways = case.definition(pair)
        likely += views * math.log(chance([way for way in ways if way.clicked == clicked]))
        for rank in [rank for rank in range(3) if pair[rank] >= 0]:
            same = chance([way for way in ways if way.clicked[rank] == clicked[rank]])
            bits[rank] -= views * math.log2(same)
            shown[rank] += views
    assert found.log_likelihood == pytest.approx(likely / pages.views.sum())
    by_rank = [2 ** (of / number) for of, number in zip(bits, shown, strict=True)]
    assert found.perplexity_by_rank == pytest.approx(by_rank)
    assert found.perplexity == pytest.approx(sum(by_rank) / 3)
    assert found.views == sum(views for _, _, views in each_page(pages))


def test_what_a_model_holds_impossible_counts_as_one_in_a_million() -> None:
    case = next(case for case in CASES if case.name == "cascade")
    pages = Pages(np.array([[0, 1, -1]], dtype=np.int32), np.array([[True, True, False]]), np.ones(1), 4)
    assert quality(case.model, pages).log_likelihood == pytest.approx(math.log(0.2) + math.log(FLOOR))


@each_case
def test_a_step_takes_what_is_best_for_what_is_expected(case: Case) -> None:
    """Attractiveness is clicks by expected looks, and the other parameters likewise, each with its prior."""
    pages = possible(case, all_pages())
    clicks, looks, posterior = np.zeros(4), np.zeros(4), 0.0
    decided, ended, on, could = np.zeros(4), np.zeros(4), 0.0, 0.0
    clicked_at, went_on_at = np.zeros(3), np.zeros(3)
    looked_at, shown_at = np.zeros((3, 3)), np.zeros((3, 3))
    for pair, clicked, views in each_page(pages):
        those = [way for way in case.definition(pair) if way.clicked == clicked]
        total = chance(those)
        posterior += views * math.log(total)
        last = max(rank for rank in range(3) if pair[rank] >= 0)
        for rank in [rank for rank in range(3) if pair[rank] >= 0]:
            looks[pair[rank]] += views * chance([way for way in those if way.looked[rank]]) / total
            clicks[pair[rank]] += views * clicked[rank]
            above = max((at + 1 for at in range(rank) if clicked[at]), default=0)
            looked_at[rank, above] += views * chance([way for way in those if way.looked[rank]]) / total
            shown_at[rank, above] += views
            if rank == last:
                continue
            goes = views * chance([way for way in those if way.looked[rank] and way.went_on[rank]]) / total
            ends = views * chance([way for way in those if way.satisfied[rank]]) / total
            on += goes
            could += views * chance([way for way in those if way.looked[rank] and not way.satisfied[rank]]) / total
            if clicked[rank]:
                decided[pair[rank]] += views
                ended[pair[rank]] += ends
                clicked_at[rank] += views
                went_on_at[rank] += goes
    step = case.model.step(case.model.counts(pages), PRIOR)
    assert step.model.attractiveness == pytest.approx((clicks + 1.5 * 0.3) / (looks + 1.5))
    density = 1.5 * (0.3 * np.log(case.model.attractiveness) + 0.7 * np.log1p(-case.model.attractiveness)).sum()
    if isinstance(case.model, PositionBasedModel):
        expected = (looked_at.sum(axis=1) + 0.5) / (shown_at.sum(axis=1) + 1)
        assert step.model.chance == pytest.approx([1, *expected[1:]])
        density += EXAMINATION.log_density(case.model.chance[1:])
    if isinstance(case.model, UserBrowsingModel):
        expected = (looked_at.ravel() + 0.5) / (shown_at.ravel() + 1)
        assert step.model.chance == pytest.approx([1, *expected[1:]])
        density += EXAMINATION.log_density(case.model.chance[1:])
    if isinstance(case.model, DependentClickModel):
        assert step.model.continuation == pytest.approx((went_on_at + 0.5) / (clicked_at + 1))
        density += GOING_ON.log_density(case.model.continuation)
    if isinstance(case.model, DynamicBayesianModel):
        assert step.model.satisfied == pytest.approx((ended + SATISFIED.looks / 2) / (decided + SATISFIED.looks))
        assert step.model.continuation == pytest.approx((on + 0.5) / (could + 1))
        density += SATISFIED.log_density(case.model.satisfied)
        density += GOING_ON.log_density(np.array([case.model.continuation]))
    assert step.log_posterior == pytest.approx(posterior + density)


@each_case
def test_intervals_are_from_the_second_derivative_of_the_log_likelihood(case: Case) -> None:
    """By differences of the log-likelihood, for a log of a thousand times these pages, where the prior is nothing."""
    pages = possible(case, all_pages())
    many = Pages(pages.pair, pages.clicked, 1000 * pages.views, pages.pairs)
    fitted = fit(type(case.model), many, prior=PRIOR, iterations=3)
    found = relevance(fitted, many, level=0.95)
    for pair in range(4):
        value, relative_error = 1.0, 0.0
        for parameter in ("attractiveness", "satisfied") if case.name == "dbn" else ("attractiveness",):
            share = float(getattr(fitted.model, parameter)[pair])
            value *= share
            relative_error = math.hypot(
                relative_error, 1 / (share * math.sqrt(_bend(fitted.model, parameter, pair, many)))
            )
        odds, reach = math.log(value / (1 - value)), 1.959964 * relative_error / (1 - value)
        assert found.value[pair] == pytest.approx(value)
        ends = [math.log(end / (1 - end)) for end in (found.lower[pair], found.upper[pair])]
        assert ends == pytest.approx([odds - reach, odds + reach], abs=reach / 100)


def _bend(model: ClickModel, parameter: str, pair: int, pages: Pages) -> float:
    """How fast the log-likelihood falls off to both sides of the value that a pair has."""
    step, likely = 1e-4, list[float]()
    for change in (-step, 0.0, step):
        values = getattr(model, parameter).copy()
        values[pair] += change
        changed = type(model)(**{**vars(model), parameter: values})
        seen = model.fitted_to(pages)
        likely.append(quality(changed, seen).log_likelihood * float(seen.views.sum()))
    return -(likely[0] - 2 * likely[1] + likely[2]) / step**2


@pytest.mark.parametrize("name", MODELS)
def test_no_step_makes_the_log_less_likely(name: str) -> None:
    rng = np.random.default_rng(5)
    pair = rng.permuted(np.tile(np.arange(6, dtype=np.int32), (300, 1)), axis=1)[:, :5]
    pair[:40, 3:] = -1
    clicked = (rng.random(pair.shape) < 0.3) & (pair >= 0)
    pages = Pages(pair, clicked, rng.integers(1, 9, len(pair)).astype(float), 6)
    found = fit(MODELS[name], pages, iterations=40, tolerance=0)
    assert (np.diff(found.log_posteriors) > -1e-7).all()
    assert found.log_posteriors[-1] >= found.log_posteriors[0]


@pytest.mark.parametrize("name", MODELS)
def test_pages_may_be_given_together_or_one_by_one(name: str) -> None:
    pages = all_pages()
    times = pages.views.astype(int)
    single = Pages(pages.pair.repeat(times, axis=0), pages.clicked.repeat(times, axis=0), np.ones(times.sum()), 4)
    both = [fit(MODELS[name], each, iterations=20) for each in (pages, single)]
    assert both[0].model.attractiveness == pytest.approx(both[1].model.attractiveness)
    assert both[0].log_posteriors == pytest.approx(both[1].log_posteriors)


def test_cascade_is_clicks_by_looks() -> None:
    """Of document 0: looked at 3 times (rank 1 twice, below a skip once, not below a click), clicked once."""
    pair = np.array([[0, 1], [1, 0], [1, 0], [0, 1]], dtype=np.int32)
    clicked = np.array([[True, False], [False, False], [True, True], [False, True]])
    found = fit(MODELS["cascade"], Pages(pair, clicked, np.ones(4), 2), prior=Prior(0.5, looks=0))
    assert found.model.attractiveness == pytest.approx([1 / 3, 2 / 3])


def test_nothing_is_said_of_documents_that_were_looked_at_too_rarely() -> None:
    pair = np.array([[0, 1]] * 2, dtype=np.int32)
    pages = Pages(pair, np.array([[True, False], [False, False]]), np.array([8.0, 3.0]), 2)
    fitted = fit(MODELS["cascade"], pages)
    found = relevance(fitted, pages, least_looks=10)
    assert found.abstains.tolist() == [False, True]  # 11 looks at the first, 3 at the second: 8 clicked above it
    assert found.looks.tolist() == [11, 3]
    assert np.isnan(found.value[1])
    assert np.isnan(found.lower[1])
    assert found.lower[0] < found.value[0] < found.upper[0]


def test_the_usual_prior_is_one_look_with_clicks_as_at_the_first_rank() -> None:
    pages = Pages(
        np.array([[0, 1]] * 2, dtype=np.int32), np.array([[True, True], [False, True]]), np.array([1.0, 3]), 2
    )
    assert usual_prior(pages) == Prior(0.25, looks=1.0)
