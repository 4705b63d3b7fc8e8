"""Estimates from a sample of the pool, put to the test by simulation.

A simulation judges many samples of one pool and asks what an estimator makes of them. Each sample is a query, so that
one call evaluates them all; the truth is the same measure of the pool judged completely.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Strings
from cranfield.measures import parse_one

TRUTH = {
    "infAP": "AP", "xinfAP": "AP", "infP@10": "P@10", "infNDCG": "nDCG", "infNDCG@20": "nDCG@20",
    "statAP": "AP", "statNumRel": "NumRel", "statP@10": "P@10", "statP@50": "P@50", "statRprec": "Rprec",
}  # fmt: skip
"""Estimates, and what they estimate."""
STRATIFIED = [estimate for estimate in TRUTH if estimate != "infAP"]
BY_PROBABILITY = [estimate for estimate in TRUTH if estimate.startswith("stat")]


class Pool:
    """A pool whose every document is judged, and a ranking of most of them among documents outside it."""

    def __init__(self, seed: int, *, documents: int = 240) -> None:
        chance = np.random.default_rng(seed)
        relevance = np.linspace(0.7, 0.05, documents)  # earlier documents are relevant more often
        self.grade = np.where(chance.random(documents) < relevance, chance.integers(1, 4, documents), 0).astype(float)
        self.stratum = np.repeat([0, 1, 2], [documents // 6, documents // 3, documents // 2])
        self.ranked = np.argsort(np.arange(documents) + chance.normal(0, documents / 5, documents))[
            : documents * 4 // 5
        ]
        self.rank = np.sort(chance.choice(np.arange(1, documents + 1), len(self.ranked), replace=False))

    def stratified(self, shares: list[float], samples: int, seed: int) -> Rankings:
        """Samples of a fixed number of documents from each stratum, at least two."""
        chance = np.random.default_rng(seed)
        draw = chance.random((samples, len(self.grade)))
        judged = np.zeros(draw.shape, dtype=np.bool_)
        for stratum, share in enumerate(shares):
            inside = np.flatnonzero(self.stratum == stratum)
            number = max(2, round(share * len(inside)))
            first = np.argsort(draw[:, inside], axis=1)[:, :number]
            np.put_along_axis(judged, inside[first], True, axis=1)
        return self.rankings(judged)

    def independent(self, probability: Floats, samples: int, seed: int) -> Rankings:
        """Samples in which each document is judged with its probability, whatever happens to the others."""
        judged = np.random.default_rng(seed).random((samples, len(self.grade))) < probability
        return self.rankings(judged, probability)

    def rankings(self, judged: npt.NDArray[np.bool_], probability: Floats | None = None) -> Rankings:
        samples, documents = judged.shape
        names = Strings.from_list([b"%05d" % at for at in range(max(samples, documents))])
        query = np.repeat(np.arange(samples), documents)
        number = np.tile(np.arange(documents), samples)
        qrels = Qrels(
            names.take(query),
            names.take(number),
            np.where(judged, self.grade, -1.0).ravel(),
            stratum=None if probability is not None else names.take(np.tile(self.stratum, samples)),
            probability=None if probability is None else np.tile(probability, samples),
        )
        rows = np.repeat(np.arange(samples), len(self.ranked))
        return Rankings(
            qrels,
            np.full(samples, self.rank[-1]),
            np.zeros(samples, dtype=np.int64),
            rows.astype(np.int32),
            np.tile(self.rank, samples),
            rows * documents + np.tile(self.ranked, samples),
        )

    def truth(self, measure: str) -> float:
        complete = self.rankings(np.ones((1, len(self.grade)), dtype=np.bool_))
        return float(parse_one(TRUTH[measure]).compute(complete)[0])


def values(measure: str, rankings: Rankings) -> Floats:
    one = parse_one(measure)
    one.check_judgments(rankings.qrels)
    found: Floats = one.compute(rankings)
    return found


@pytest.mark.parametrize("estimate", STRATIFIED)
@pytest.mark.parametrize("seed", range(3))
def test_exact_where_the_whole_pool_is_judged(estimate: str, seed: int) -> None:
    pool = Pool(seed)
    (found,) = values(estimate, pool.stratified([1, 1, 1], 1, seed))
    close = 1e-4 if estimate in ("xinfAP", "infP@10") else 1e-12  # these have a smoothing term of 1e-5
    assert found == pytest.approx(pool.truth(estimate), abs=close)


@pytest.mark.parametrize("estimate", BY_PROBABILITY)
def test_exact_where_every_document_is_certain(estimate: str) -> None:
    pool = Pool(4)
    (found,) = values(estimate, pool.independent(np.ones(240), 1, 4))
    assert found == pytest.approx(pool.truth(estimate), abs=1e-12)


@pytest.mark.parametrize("measure", ["statAPVar", "statAPError"])
def test_nothing_varies_where_all_is_judged(measure: str) -> None:
    pool = Pool(5)
    assert values(measure, pool.stratified([1, 1, 1], 1, 5)).tolist() == [0.0]
    assert values(measure, pool.independent(np.ones(240), 1, 5)).tolist() == [0.0]


def mean_errors(estimate: str, seed: int, samples: int) -> list[float]:
    """The mean absolute error with more and more of the pool judged, in the end all of it."""
    pool = Pool(seed)
    shares = [[0.2, 0.1, 0.06], [0.5, 0.25, 0.15], [0.9, 0.6, 0.4], [1.0, 1.0, 1.0]]
    if estimate == "infAP":  # for a sample of the whole pool, which is its only stratum
        pool.stratum[:] = 0
        shares = [[0.1], [0.25], [0.6], [1.0]]
    truth = pool.truth(estimate)
    return [float(np.abs(values(estimate, pool.stratified(share, samples, 1)) - truth).mean()) for share in shares]


@pytest.mark.parametrize("estimate", TRUTH)
def test_the_error_falls_as_the_sample_grows(estimate: str) -> None:
    first, second, third, last = mean_errors(estimate, seed=0, samples=400)
    assert first > 1.2 * second > 1.2**2 * third > 0
    assert last < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("estimate", TRUTH)
def test_the_error_falls_on_many_pools(estimate: str) -> None:
    errors = np.array([mean_errors(estimate, seed, samples=1500) for seed in range(1, 11)])
    assert (np.diff(errors.mean(axis=0)) < 0).all()
    assert (np.diff(errors, axis=1) <= 0).all()


@pytest.mark.parametrize("estimate", ["statNumRel", "statP@10", "statP@50"])
@pytest.mark.parametrize("design", ["strata", "independent"])
def test_totals_are_unbiased(estimate: str, design: str) -> None:
    """The mean of many estimates is the truth, within four of its standard errors."""
    pool, samples = Pool(6), 4000
    if design == "strata":
        found = values(estimate, pool.stratified([0.3, 0.2, 0.1], samples, 6))
    else:
        found = values(estimate, pool.independent(np.linspace(0.5, 0.1, 240), samples, 6))
    assert abs(found.mean() - pool.truth(estimate)) < 4 * found.std() / samples**0.5


def ratio_of_variances(pool: Pool, design: str, share: float, samples: int, seed: int) -> float:
    if design == "strata":
        rankings = pool.stratified([min(2 * share, 1.0), share, 0.6 * share], samples, seed)
    else:
        rankings = pool.independent(np.clip(np.linspace(2, 0.6, 240) * share, 0, 1), samples, seed)
    return float(values("statAPVar", rankings).mean() / values("statAP", rankings).var(ddof=1))


@pytest.mark.parametrize("design", ["strata", "independent"])
def test_the_stated_variance_is_that_of_the_estimates(design: str) -> None:
    """Within 15 % of the variance of 4000 estimates, with about a quarter of the pool judged."""
    assert ratio_of_variances(Pool(7), design, 0.25, 4000, 7) == pytest.approx(1.0, abs=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["strata", "independent"])
@pytest.mark.parametrize(("share", "tolerance"), [(0.1, 0.3), (0.25, 0.15), (0.5, 0.1)])
def test_the_stated_variance_on_many_pools(design: str, share: float, tolerance: float) -> None:
    """The fewer the judgments, the more the first-order approximation falls short."""
    ratios = [ratio_of_variances(Pool(seed), design, share, 4000, seed) for seed in range(8, 14)]
    assert ratios == pytest.approx([1.0] * len(ratios), abs=tolerance)
