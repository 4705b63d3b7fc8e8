"""Pages in parts, which may lie on several machines.

What a model knows of a pair of query and document is made of the pages of that query alone; only a few numbers, such as
how likely each rank is looked at, are made of all pages. So each part renews what it knows of its own pairs, and gives
sums, which are added up; the shared numbers are made of these. A log in memory is a single part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from cranfield.data.strings import Floats
from cranfield.logs.models.fitting import Prior, Step
from cranfield.logs.models.pages import Pages

Added = TypeVar("Added", bound=tuple[Any, ...])


class Sums(NamedTuple):
    """What the shared parameters are made of."""

    log_posterior: float
    """Of the pages and the pairs of the part."""
    successes: Floats
    looks: Floats
    """By parameter."""


class Part(NamedTuple):
    """A model with the pairs of one part, and the sums over the pages of it."""

    model: Any
    sums: Sums


def total(parts: Iterable[Added]) -> Added:
    """Named tuples of numbers and arrays, added up.

    >>> import numpy as np
    >>> total([Sums(1.0, np.ones(2), np.ones(2)), Sums(2.0, np.ones(2), np.zeros(2))])
    Sums(log_posterior=3.0, successes=array([2., 2.]), looks=array([1., 1.]))
    """
    first, *others = parts
    return type(first)(*(reduce(add, each) for each in zip(first, *others, strict=True)))


@dataclass(frozen=True, eq=False)
class Parted:
    """A model that can be fitted in parts; of the pairs of a part it knows its own alone."""

    name: ClassVar[str]
    shared_prior: ClassVar[Prior] = Prior(0.5)
    """Of the shared parameters."""
    attractiveness: Floats

    @property
    def shared(self) -> Floats:
        """The parameters that are fitted to all pages."""
        raise NotImplementedError

    def sharing(self, values: Floats) -> Self:
        """The same with other shared parameters."""
        raise NotImplementedError

    @classmethod
    def first(cls, pages: Pages, prior: Prior) -> Self:
        """A model to start with, of the pairs of these pages."""
        raise NotImplementedError

    @classmethod
    def first_sums(cls, pages: Pages) -> Sums | None:
        """What shared parameters to start with are made of, where they depend on the pages."""
        return None

    def renewed(self, counts: Any, prior: Prior) -> Part:
        """Better pairs, by the shared parameters so far, and what better shared ones are made of."""
        raise NotImplementedError

    def closed(self, sums: Sums) -> Step:
        """With shared parameters from the sums over all parts."""
        better = self.sharing(self.shared_prior.best(sums.successes, sums.looks))
        return Step(better, sums.log_posterior + self.shared_prior.log_density(self.shared))

    @classmethod
    def begin(cls, pages: Pages, prior: Prior) -> Self:
        model, sums = cls.first(pages, prior), cls.first_sums(pages)
        return model if sums is None else model.closed(sums).model

    def step(self, counts: Any, prior: Prior) -> Step:
        part = self.renewed(counts, prior)
        step: Step = part.model.closed(part.sums)
        return step
