"""The cascade model: users read from the top to the first click (Craswell, Zoeter, Taylor and Ramsey 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from cranfield.data.strings import Floats
from cranfield.logs.models.chain import Chain
from cranfield.logs.models.fitting import Prior
from cranfield.logs.models.pages import Pages
from cranfield.logs.models.parts import Part, Sums
from cranfield.logs.models.tails import Counted, expect


@dataclass(frozen=True, eq=False)
class CascadeModel(Chain):
    """Everything down to the first click was looked at, and nothing below: attractiveness is clicks by looks, at once.

    What is clicked after the first click it holds impossible, and does not fit to.
    """

    name: ClassVar[str] = "cascade"

    @classmethod
    def first(cls, pages: Pages, prior: Prior) -> Self:
        return cls(np.full(pages.pairs, prior.share))

    def fitted_to(self, pages: Pages) -> Pages:
        return pages.to_first_click()

    def renewed(self, counts: Counted, prior: Prior) -> Part:
        looks, fine = counts.above.copy(), counts.log_likelihood(self.attractiveness)
        for tails in counts.tails:
            below = expect(tails, self.attractiveness, np.zeros(len(tails.head)), self.after_skip())
            looks += below.looks
            fine += float(tails.views @ np.log(below.ends))
        fine += prior.log_density(self.attractiveness)
        return Part(CascadeModel(prior.best(counts.clicks, looks)), Sums(fine, self.shared, self.shared))

    @property
    def shared(self) -> Floats:
        return np.zeros(0)

    def sharing(self, values: Floats) -> Self:
        return self

    def after_click(self, pages: Pages) -> Floats:
        return np.zeros(pages.pair.shape)

    def parameters(self) -> dict[str, Floats]:
        return {}
