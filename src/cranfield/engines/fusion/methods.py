"""The ways to make one list of several."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.engines.fusion.evidence import Asked, Evidence
from cranfield.engines.fusion.normalisations import borda_points
from cranfield.errors import ParameterError, UsageError, did_you_mean
from cranfield.measures.parameters import Number


@dataclass(frozen=True, slots=True)
class Method:
    """A way to make one list of several."""

    name: str
    function: Callable[..., Floats]
    """The score of each candidate, given what is `Asked` and the parameters."""
    uses_scores: bool
    """Whether scores decide, and not ranks alone."""
    takes_weights: bool
    parameters: Mapping[str, tuple[float, Number]]
    """Their usual values, and which are possible."""

    @property
    def meaning(self) -> str:
        """What it does, in a sentence."""
        return (self.function.__doc__ or "").partition("\n")[0]


METHODS: dict[str, Method] = {}
"""The ways by name."""


def _method(
    name: str, *, uses_scores: bool = False, takes_weights: bool = False, **parameters: tuple[float, Number]
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    def register(function: Callable[..., Floats]) -> Callable[..., Floats]:
        METHODS[name] = Method(name, function, uses_scores, takes_weights, parameters)
        return function

    return register


_LARGE = 1_000_000


@_method("RRF", takes_weights=True, k=(60, Number(0, _LARGE)))
def reciprocal_rank_fusion(asked: Asked, *, k: float) -> Floats:
    """The sum of 1 / (k + rank)."""
    return asked.sum_over_ranks(lambda rank: 1 / (k + rank))


@_method("CombSUM", uses_scores=True, takes_weights=True)
def sum_of_scores(asked: Asked) -> Floats:
    """The sum of the scores."""
    return asked.combine(Evidence.weighted_sum)


@_method("CombMNZ", uses_scores=True, takes_weights=True)
def multiplied_sum(asked: Asked) -> Floats:
    """The sum of the scores, times the number of runs that returned the document (or their weights)."""
    return asked.combine(lambda evidence: evidence.sum() * evidence.weighted_number())


@_method("CombGMNZ", uses_scores=True, gamma=(1, Number(0, _LARGE)))
def multiplied_sum_with_power(asked: Asked, *, gamma: float) -> Floats:
    """The sum of the scores, times the number of runs that returned the document to the power of gamma."""
    return asked.combine(lambda evidence: evidence.sum() * float(evidence.lists) ** gamma)


@_method("CombANZ", uses_scores=True)
def mean_of_scores(asked: Asked) -> Floats:
    """The mean of the scores, over the runs that returned the document."""
    return asked.combine(lambda evidence: evidence.sum() / evidence.lists)


@_method("CombMIN", uses_scores=True)
def lowest_score(asked: Asked) -> Floats:
    """The lowest of the scores, over the runs that returned the document."""
    return asked.combine(lambda evidence: evidence.value.min(axis=1))


@_method("CombMAX", uses_scores=True)
def highest_score(asked: Asked) -> Floats:
    """The highest of the scores."""
    return asked.combine(lambda evidence: evidence.value.max(axis=1))


@_method("CombMED", uses_scores=True)
def median_of_scores(asked: Asked) -> Floats:
    """The median of the scores, over the runs that returned the document."""
    return asked.combine(Evidence.median)


@_method("ISR")
def inverse_square_rank(asked: Asked) -> Floats:
    """The sum of 1 / rank^2, times the number of runs that returned the document."""
    return asked.sum_over_ranks(_inverse_square) * asked.lists.size


@_method("logISR", sigma=(0, Number(0, 1)))
def logarithmic_inverse_square_rank(asked: Asked, *, sigma: float) -> Floats:
    """The sum of 1 / rank^2, times the logarithm of sigma plus the number of runs that returned the document."""
    factor: Floats = np.log(asked.lists.size + sigma)
    return asked.sum_over_ranks(_inverse_square) * factor


def _inverse_square(rank: Ints) -> Floats:
    worth: Floats = 1 / rank.astype(np.float64) ** 2
    return worth


@_method("RBC", takes_weights=True, phi=(0.8, Number(0, 1, open_ended=True)))
def rank_biased_centroid(asked: Asked, *, phi: float) -> Floats:
    """The sum of (1 - phi) phi^(rank - 1)."""
    return asked.sum_over_ranks(lambda rank: (1 - phi) * np.power(float(phi), rank - 1))


@_method("Borda", takes_weights=True)
def borda(asked: Asked) -> Floats:
    """Points: as many as there are candidates for the first, one less for each next; the missing share the rest."""
    return asked.combine(Evidence.weighted_sum, borda_points(asked.lists))


@_method("Condorcet", takes_weights=True)
def condorcet(asked: Asked) -> Floats:
    """A point for each candidate that most runs rank lower, half a point where as many rank it higher."""
    from cranfield.engines.fusion.condorcet import duel_points

    return duel_points(asked.lists, asked.weights)


def parse_method(text: str) -> tuple[Method, dict[str, float]]:
    """The method that a text names, and its parameters.

    >>> method, parameters = parse_method("rrf(k=10)")
    >>> method.name, parameters
    ('RRF', {'k': 10})
    """
    found = re.fullmatch(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*", text)
    name = found[1] if found else text
    by_folded = {known.lower(): known for known in METHODS}
    if not found or name.lower() not in by_folded:
        raise UsageError(f"unknown fusion method {name!r}{did_you_mean(name, METHODS)} There are: {', '.join(METHODS)}")
    method = METHODS[by_folded[name.lower()]]
    given = dict(_parameter(method, part) for part in (found[2] or "").split(",") if part.strip())
    return method, {**{name: usual for name, (usual, _) in method.parameters.items()}, **given}


def _parameter(method: Method, text: str) -> tuple[str, float]:
    name, sign, value = (part.strip() for part in text.partition("="))
    if name not in method.parameters or not sign:
        there = f"It has {', '.join(method.parameters)}." if method.parameters else "It has none."
        raise ParameterError(f"{method.name} has no parameter {text.strip()!r} (name=value). {there}")
    return name, method.parameters[name][1].accept(value, f"{name} of {method.name}")
