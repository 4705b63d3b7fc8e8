"""The position-based model: a rank is looked at with a chance of its own (Craswell, Zoeter, Taylor and Ramsey 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.logs.models.looking import Looking
from cranfield.logs.models.pages import Pages


@dataclass(frozen=True, eq=False)
class PositionBasedModel(Looking):
    r"""P(click) = θ_rank · attractiveness.

    θ of the first rank is 1. Where no document was shown at two ranks, what is θ and what is attractiveness cannot be
    told apart.
    """

    name: ClassVar[str] = "pbm"

    @classmethod
    def first_chances(cls, ranks: int) -> Floats:
        return np.arange(1.0, ranks + 1) ** -0.5

    @classmethod
    def places(cls, pages: Pages) -> Ints:
        return np.broadcast_to(np.arange(pages.ranks), pages.pair.shape)

    def looks(self, pages: Pages) -> Floats:
        return self.looks_given_above(pages)

    def parameters(self) -> dict[str, Floats]:
        return {"examination": self.chance}
