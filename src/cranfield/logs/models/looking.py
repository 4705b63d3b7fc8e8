"""Models in which a place is looked at with a chance of its own, whatever the documents are: by rank (PBM), or by rank
and the last click above (UBM).

A place that was not clicked was looked at with the chance g(1-a) / (1-ga), where g is the chance of the place and a the
attractiveness of the document; what was clicked was looked at. All places of one pair and one chance count together, so
that a step costs as much as there are such, however long the log is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.logs.models.fitting import Prior, Satisfaction
from cranfield.logs.models.pages import Pages, summed
from cranfield.logs.models.parts import Part, Parted, Sums

EXAMINATION = Prior(0.5)
"""Of how likely a kind of place is looked at."""


class Counts(NamedTuple):
    """How often a pair was shown at a kind of place: clicked, and not."""

    pair: Ints
    place: Ints
    clicked: Floats
    skipped: Floats


@dataclass(frozen=True, eq=False)
class Looking(Parted):
    """A model of this kind."""

    shared_prior: ClassVar[Prior] = EXAMINATION
    chance: Floats
    """By kind of place; the first is looked at always, for else only products with attractiveness would be known."""

    @classmethod
    def first(cls, pages: Pages, prior: Prior) -> Self:
        return cls(np.full(pages.pairs, prior.share), cls.first_chances(pages.ranks))

    @classmethod
    def first_chances(cls, ranks: int) -> Floats:
        """What fitting begins with."""
        raise NotImplementedError

    @classmethod
    def places(cls, pages: Pages) -> Ints:
        """The kind of each place."""
        raise NotImplementedError

    def fitted_to(self, pages: Pages) -> Pages:
        return pages

    def counts(self, pages: Pages) -> Counts:
        kinds = len(self.chance)
        keys, sums = list[Ints](), list[Floats]()
        for block in pages.blocks():
            shown = block.shown
            key = (block.pair.astype(np.int64) * kinds + self.places(block))[shown]
            found, at = np.unique(key, return_inverse=True)
            views = np.broadcast_to(block.views[:, np.newaxis], shown.shape)[shown]
            clicked = summed(at, views * block.clicked[shown], len(found))
            keys.append(found)
            sums.append(np.stack([clicked, summed(at, views, len(found)) - clicked]))
        if not keys:
            nothing = np.zeros(0, dtype=np.int64)
            return Counts(nothing, nothing, np.zeros(0), np.zeros(0))
        key, at = np.unique(np.concatenate(keys), return_inverse=True)
        clicked, skipped = (summed(at, values, len(key)) for values in np.concatenate(sums, axis=1))
        return Counts(key // kinds, key % kinds, clicked, skipped)

    @property
    def shared(self) -> Floats:
        return self.chance[1:]

    def sharing(self, values: Floats) -> Self:
        return replace(self, chance=np.append(1.0, values))

    def renewed(self, counts: Counts, prior: Prior) -> Part:
        attracts, chance = self.attractiveness[counts.pair], self.chance[counts.place]
        click = attracts * chance
        looked = counts.clicked + counts.skipped * chance * (1 - attracts) / (1 - click)
        fine = float(counts.clicked @ np.log(click) + counts.skipped @ np.log1p(-click))
        pairs, kinds = len(self.attractiveness), len(self.chance)
        clicks = summed(counts.pair, counts.clicked, pairs)
        looks = summed(counts.pair, looked, pairs)
        shown = summed(counts.place, counts.clicked + counts.skipped, kinds)
        seen = summed(counts.place, looked, kinds)
        fine += prior.log_density(self.attractiveness)
        return Part(replace(self, attractiveness=prior.best(clicks, looks)), Sums(fine, seen[1:], shown[1:]))

    def looks_given_above(self, pages: Pages) -> Floats:
        return self.chance[self.places(pages)]

    def looked(self, pages: Pages) -> Floats:
        attracts, chance = pages.of_pairs(self.attractiveness), self.looks_given_above(pages)
        return np.where(pages.clicked, 1.0, chance * (1 - attracts) / (1 - chance * attracts))

    def satisfaction(self, pages: Pages) -> Satisfaction | None:
        return None
