"""Fitting click models by expectation maximisation: which places were looked at is not known, and is expected.

Of a page one knows what was clicked, not what was looked at. Each step expects, by the model so far, how likely each
place was looked at, given all clicks on its page; then takes the best parameters for that. No step makes the log less
likely.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.models.pages import Pages

ITERATIONS = 500
TOLERANCE = 1e-7
"""The gain a page view at which steps end."""
FLOOR = 1e-6
"""What a model holds impossible counts as so likely, so that one such click does not end everything."""


@dataclass(frozen=True)
class Prior:
    """What is known of a document before the log is seen: as if it had been looked at so often, and found attractive in
    this share of looks. Fits are the most likely ones with this (the prior of an attractiveness a is proportional to
    a^(looks·share) · (1-a)^(looks·(1-share)))."""

    share: float
    looks: float = 1.0

    def best(self, successes: Floats, looks: Floats) -> Floats:
        """The most likely share, but nothing is certain.

        >>> Prior(0.5).best(np.array([3.0]), np.array([9.0]))  # (3 + 1·0.5) / (9 + 1)
        array([0.35])
        """
        known = np.maximum(looks + self.looks, FLOOR)
        return np.clip((successes + self.looks * self.share) / known, FLOOR, 1 - FLOOR)

    def log_density(self, values: Floats) -> float:
        """The logarithm, but for what does not depend on the values."""
        if not self.looks:
            return 0.0
        weighed = self.share * np.log(values) + (1 - self.share) * np.log1p(-values)
        return self.looks * float(weighed.sum())

    def log_spread(self, share: Floats, successes: Floats, failures: Floats) -> Floats:
        """The standard error of the logarithm of a share, from the second derivative of the log-posterior, which is
        that of so many successes and failures."""
        successes = successes + self.looks * self.share
        failures = failures + self.looks * (1 - self.share)
        return 1 / (share * np.sqrt(np.maximum(successes / share**2 + failures / (1 - share) ** 2, FLOOR)))


class Satisfaction(NamedTuple):
    """By pair."""

    share: Floats
    """How likely a click satisfies."""
    log_spread: Floats
    """The standard error of its logarithm."""


class Step(NamedTuple):
    """One step of a fit."""

    model: Any
    log_posterior: float
    """Of the model before the step: the log-likelihood of the pages, and the prior's share."""


class ClickModel(Protocol):
    """How users look at pages, and how attractive documents are: a place is clicked if it is looked at and attracts."""

    name: ClassVar[str]

    @property
    def attractiveness(self) -> Floats:
        """By pair."""

    @classmethod
    def begin(cls, pages: Pages, prior: Prior) -> Self:
        """A model to start with."""

    def fitted_to(self, pages: Pages) -> Pages:
        """What of the pages the model can explain, and is fitted to."""

    def counts(self, pages: Pages) -> Any:
        """What of the pages it takes to fit, made once."""

    def step(self, counts: Any, prior: Prior) -> Step:
        """A better model."""

    @property
    def shared(self) -> Floats:
        """The parameters that are fitted to all pages, and are not those of a pair."""

    def closed(self, sums: Any) -> Step:
        """With shared parameters from sums over all pages; see `cranfield.logs.models.parts`."""

    def looks(self, pages: Pages) -> Floats:
        """How likely each place is looked at, before any click is known."""

    def looks_given_above(self, pages: Pages) -> Floats:
        """The same when the clicks above it are known."""

    def looked(self, pages: Pages) -> Floats:
        """The same when all clicks on the page are known."""

    def satisfaction(self, pages: Pages) -> Satisfaction | None:
        """Of documents, by the pages it was fitted to, where the model has that; relevance is attractiveness times
        it."""

    def parameters(self) -> dict[str, Floats]:
        """What it has beside documents, by rank or, of two ranks, as a matrix; a single number is an array of one."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A model that was fitted."""

    model: ClickModel
    prior: Prior
    log_posteriors: tuple[float, ...]
    """Before each step."""
    converged: bool

    @property
    def iterations(self) -> int:
        return len(self.log_posteriors)


class FirstRank(NamedTuple):
    """How often something was shown there, and clicked. Parts of a log add up."""

    shown: float
    clicked: float

    @classmethod
    def of(cls, pages: Pages) -> FirstRank:
        return cls(float(pages.views @ pages.shown[:, 0]), float(pages.views @ pages.clicked[:, 0]))

    @property
    def prior(self) -> Prior:
        """One look, with clicks as often as at the first rank."""
        share = self.clicked / self.shown if self.shown else 0.5
        return Prior(min(max(share, 0.01), 0.99))


def usual_prior(pages: Pages) -> Prior:
    """That of a log without another one."""
    return FirstRank.of(pages).prior


def fit(
    kind: type[ClickModel],
    pages: Pages,
    *,
    prior: Prior | None = None,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Fit:
    """The most likely model of a kind: steps end when one gains less than `tolerance` a page view, or after so many."""
    prior = prior or usual_prior(pages)
    model = kind.begin(pages, prior)
    counts = model.counts(pages)
    enough = tolerance * float(pages.views.sum())
    return improved(model, prior, lambda model: model.step(counts, prior), iterations=iterations, enough=enough)


def improved(
    model: ClickModel, prior: Prior, step_of: Callable[[ClickModel], Step], *, iterations: int, enough: float
) -> Fit:
    """Step by step, until one gains no more than `enough`, or there were so many."""
    found = list[float]()
    for _ in range(iterations):
        step = step_of(model)
        model = step.model
        found.append(step.log_posterior)
        if len(found) > 1 and found[-1] - found[-2] <= enough:
            return Fit(model, prior, tuple(found), converged=True)
    return Fit(model, prior, tuple(found), converged=False)
