"""What a click model says about documents, how sure that is, and of which it says nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.data.strings import Bools, Floats
from cranfield.logs.models.fitting import Fit
from cranfield.logs.models.pages import Pages

LEAST_LOOKS = 10.0
METHOD = "observed information, with where users looked known by the fitted parameters; on the scale of log odds"


@dataclass(frozen=True, eq=False)
class Relevance:
    """By pair of query and document."""

    value: Floats
    """Attractiveness, times satisfaction where the model has it; nan where it abstains."""
    lower: Floats
    upper: Floats
    attractiveness: Floats
    satisfaction: Floats | None
    shown: Floats
    """How often the document was shown for the query."""
    looks: Floats
    """How often it was looked at, as the model expects."""
    clicks: Floats
    level: float
    least_looks: float

    @property
    def abstains(self) -> Bools:
        """Looked at too rarely for anything to be said."""
        return self.looks < self.least_looks

    @property
    def counts(self) -> tuple[int, int]:
        """How many were shown, and of how many of these nothing is said."""
        there = self.shown > 0
        return int(there.sum()), int((self.abstains & there).sum())


def relevance(fit: Fit, pages: Pages, *, least_looks: float = LEAST_LOOKS, level: float = 0.95) -> Relevance:
    """What a model that was fitted to these pages says.

    A page is the less likely the more attractive a document that was skipped: its chance is linear in the
    attractiveness a of each, so that the second derivative of the log-likelihood is -Σ clicks / a² - Σ looked² /
    (1-a)², where `looked` is how likely a skipped place was looked at.
    """
    from scipy.special import expit, logit, ndtri

    model = fit.model
    shown, looks, clicks, explained, skipped = (np.zeros(pages.pairs) for _ in range(5))
    for block in pages.blocks():
        shown += block.by_pair(block.shown)
        clicks += block.by_pair(block.clicked)
        known = model.fitted_to(block)
        looked = model.looked(known)
        looks += known.by_pair(looked)
        explained += known.by_pair(known.clicked)
        skipped += known.by_pair((looked * ~known.clicked) ** 2)
    value, spread = model.attractiveness, fit.prior.log_spread(model.attractiveness, explained, skipped)
    satisfied = model.satisfaction(pages)
    if satisfied is not None:
        value, spread = value * satisfied.share, np.hypot(spread, satisfied.log_spread)
    reach = float(ndtri((1 + level) / 2)) * spread / (1 - value)  # from log a to log odds of a
    thin = looks < least_looks
    middle = logit(value)
    bounds = (expit(middle - reach), expit(middle + reach))
    value, lower, upper = (np.where(thin, np.nan, each) for each in (value, *bounds))
    return Relevance(
        value,
        lower,
        upper,
        model.attractiveness,
        None if satisfied is None else satisfied.share,
        shown,
        looks,
        clicks,
        level,
        least_looks,
    )
