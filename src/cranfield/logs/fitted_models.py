"""Click models that were fitted to a log: the few numbers of each, wherever its documents are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cranfield.data.strings import Floats
from cranfield.errors import ParameterError, did_you_mean
from cranfield.logs.models import MODELS
from cranfield.logs.models.fitting import ClickModel, Fit
from cranfield.logs.models.quality import COIN, Quality

ALL = "all"
MOVED = 0.05
"""Where fewer pairs than this share were shown at several ranks, ranks and documents can hardly be told apart."""
ENOUGH_CLICKS = 500
"""With fewer, click models say more about chance than about people."""


@dataclass(frozen=True, eq=False)
class ModelNumbers:
    """One model, fitted to a log."""

    fit: Fit
    quality: Quality
    """On what was held out, or else on what it was fitted to."""
    examination: Floats
    """By rank from the first, how likely it is looked at, on the pages it was fitted to."""
    documents: int
    """How many pairs of query and document were shown."""
    abstains: int
    """Of how many of these it says nothing."""

    @property
    def model(self) -> ClickModel:
        return self.fit.model


@dataclass(frozen=True, eq=False)
class FittedModels:
    """Models fitted to the same pages of a log."""

    models: Mapping[str, ModelNumbers]
    fitted_to: int
    """How many pages that were viewed."""
    tried_on: int
    """How many others; 0 if none were held out."""
    clicks: int
    """How many documents were clicked, on the pages to fit to and on those held out."""
    held_out: float
    moved: float
    """The share of pairs of query and document that were shown at several ranks."""

    @property
    def best(self) -> str:
        """The model that foretells best: the lowest perplexity."""
        return min(self.models, key=lambda name: self.models[name].quality.perplexity)

    @property
    def verdict(self) -> str:
        """Which model foretells best, if any foretells at all."""
        if self.models[self.best].quality.perplexity >= COIN:
            return f"No model foretells clicks better than a coin, whose perplexity is {COIN:g}: do not rely on them"
        return f"{self.best} foretells clicks best"

    @property
    def notes(self) -> list[str]:
        """What one should know when reading the numbers."""
        found = [
            f"{name} was still improving after {one.fit.iterations} steps: more may change its numbers"
            for name, one in self.models.items()
            if not one.fit.converged
        ]
        if self.moved < MOVED:
            found.append(
                f"{self.moved:.1%} of documents were shown at more than one rank for the same query: what a rank does "
                "and what a document does can hardly be told apart here"
            )
        found += of_few_clicks(self.clicks)
        if not self.held_out:
            found.append("nothing was held out: models that have more to fit with look better than they are")
        return found


def of_few_clicks(clicks: int) -> list[str]:
    """What one should know of models that were fitted to so many."""
    if clicks >= ENOUGH_CLICKS:
        return []
    return [f"clicks are few, {clicks:,}: below {ENOUGH_CLICKS:,} models say more about chance than about people"]


def chosen(models: Sequence[str]) -> list[str]:
    """The names of models, `ALL` being all of them; ParameterError if there is no such one."""
    names = list(MODELS) if ALL in models else list(dict.fromkeys(models))
    for name in names:
        if name not in MODELS:
            hint = did_you_mean(name, MODELS)
            raise ParameterError(f"there is no click model {name!r}{hint} There are: {', '.join(MODELS)}")
    return names
