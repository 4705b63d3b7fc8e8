"""The user browsing model: a rank is looked at with a chance that depends on it and on the last click above it (Dupret
and Piwowarski 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.logs.models.looking import Looking
from cranfield.logs.models.pages import Pages


@dataclass(frozen=True, eq=False)
class UserBrowsingModel(Looking):
    """P(click | clicks above) = γ(rank, rank of the last click above, or 0) · attractiveness; γ(1, 0) is 1."""

    name: ClassVar[str] = "ubm"

    @classmethod
    def first_chances(cls, ranks: int) -> Floats:
        distance = np.arange(1, ranks + 1)[:, np.newaxis] - np.arange(ranks)
        chance: Floats = (np.maximum(distance, 1) + 1.0) ** -0.5  # below 1, near which steps are short
        chance[0, 0] = 1.0
        return chance.ravel()

    @classmethod
    def places(cls, pages: Pages) -> Ints:
        return np.arange(pages.ranks) * pages.ranks + pages.last_above

    def looks(self, pages: Pages) -> Floats:
        """Over all ways in which the ranks above may have been clicked: how likely the last click is at each rank."""
        gamma, attracts = self.chance.reshape(pages.ranks, -1), pages.of_pairs(self.attractiveness)
        last = np.zeros((len(pages.views), pages.ranks + 1))
        last[:, 0] = 1.0
        looks = np.empty_like(attracts)
        for at in range(pages.ranks):
            looks[:, at] = last[:, : at + 1] @ gamma[at, : at + 1]
            click = last[:, : at + 1] * gamma[at, : at + 1] * attracts[:, at, np.newaxis]
            last[:, : at + 1] -= click
            last[:, at + 1] = click.sum(axis=1)
        return looks

    def parameters(self) -> dict[str, Floats]:
        ranks = round(len(self.chance) ** 0.5)
        table = self.chance.reshape(ranks, ranks)
        return {"examination": np.where(np.tri(ranks, dtype=np.bool_), table, np.nan)}
