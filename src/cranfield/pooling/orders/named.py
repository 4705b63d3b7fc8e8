"""The orders by name, with what they need, and parameters where they have some."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from cranfield.errors import ParameterError, UsageError, did_you_mean
from cranfield.pooling.orders import JudgingOrder, bandits, fixed
from cranfield.pooling.orders.active_learning import ActiveLearning
from cranfield.pooling.orders.material import Material
from cranfield.pooling.orders.move_to_front import MoveToFront

FADING = 0.9
"""The discount of the variants that are called nonstationary: ten judgments ago counts for a third."""


@dataclass(frozen=True)
class Kind:
    """An order that can be asked for by name."""

    make: Callable[..., JudgingOrder]
    """From material, and parameters by name."""
    meaning: str
    needs: str = "runs"
    """`runs`, `texts` or nothing."""
    parameters: Mapping[str, float] = field(default_factory=dict)
    """By name, with the values they have unless others are given."""


def _active(material: Material) -> ActiveLearning:
    if material.texts is None:
        raise UsageError("the order active needs the texts of documents and topics: name the collection")
    return ActiveLearning(material, material.texts)


def _bandits() -> dict[str, Kind]:
    rules = {
        "bandit-bayes": (bandits.THOMPSON, "ask the run that a draw from Beta(1 + relevant, 1 + others) likes best"),
        "bandit-max-mean": (bandits.MAX_MEAN, "ask the run with the best (1 + relevant) / (2 + judged)"),
        "bandit-ucb": (bandits.UPPER_BOUND, "ask the run with the highest upper bound, UCB1"),
        "bandit-ucb-tuned": (bandits.TUNED_BOUND, "ask the run with the highest upper bound, UCB1-tuned"),
    }
    found = {}
    for name, (rule, meaning) in rules.items():
        make = partial(bandits.Bandit, rule=rule)
        found[name] = Kind(make, meaning, parameters={"discount": 1.0})
        found[f"{name}-nonstationary"] = Kind(
            make, f"the same, older judgments counting less (discount {FADING})", parameters={"discount": FADING}
        )
    return found


ORDERS: Mapping[str, Kind] = {
    "pool": Kind(fixed.as_listed, "as the pool has them", needs=""),
    "random": Kind(fixed.random, "in random order", needs=""),
    "depth": Kind(fixed.depth, "by the best rank in any run: depth 1, depth 2, and so on"),
    "run-share": Kind(fixed.run_share, "runs take turns, each with its best that is not there yet"),
    "rrf": Kind(fixed.reciprocal_rank, "by the sum of 1 / (k + rank) over the runs", parameters={"k": 60.0}),
    "rbp": Kind(fixed.rank_biased, "by what a document weighs in the RBP of the runs", parameters={"p": 0.8}),
    "move-to-front": Kind(MoveToFront, "stay with a run until it names one that is not relevant"),
    **_bandits(),
    "active": Kind(_active, "by a classifier of texts that learns from what is judged", needs="texts"),
}
_RANGES: Mapping[str, tuple[str, Callable[[float], bool]]] = {
    "discount": ("from 0 to 1", lambda value: 0.0 <= value <= 1.0),
    "k": ("0 or more", lambda value: 0.0 <= value < float("inf")),
    "p": ("from 0 to below 1", lambda value: 0.0 <= value < 1.0),
}


@dataclass(frozen=True)
class NamedOrder:
    """An order by name and parameters.

    >>> NamedOrder.parse("bandit-ucb:discount=0.95").parameters
    {'discount': 0.95}
    >>> NamedOrder.parse("bandit-bais")
    Traceback (most recent call last):
    cranfield.errors.UsageError: there is no order 'bandit-bais'. Did you mean bandit-bayes, ...
    """

    label: str
    """As it was asked for."""
    kind: Kind
    parameters: Mapping[str, float]

    @classmethod
    def parse(cls, text: str) -> NamedOrder:
        """From `NAME`, or `NAME:PARAMETER=VALUE,...`."""
        name, _, rest = text.strip().partition(":")
        if name not in ORDERS:
            raise UsageError(f"there is no order {name!r}{did_you_mean(name, ORDERS)} There are: {', '.join(ORDERS)}")
        kind = ORDERS[name]
        given = dict(kind.parameters)
        for part in filter(None, rest.split(",")):
            parameter, _, value = (piece.strip() for piece in part.partition("="))
            given[parameter] = _value(name, kind, parameter, value)
        return cls(text.strip(), kind, given)

    def make(self, material: Material) -> JudgingOrder:
        """The order of a topic's documents."""
        parameters: dict[str, Any] = dict(self.parameters)
        return self.kind.make(material, **parameters)


def _value(name: str, kind: Kind, parameter: str, value: str) -> float:
    if parameter not in kind.parameters:
        has = f"which has {', '.join(kind.parameters)}" if kind.parameters else "which has none"
        raise ParameterError(f"{parameter!r} is no parameter of the order {name}, {has}")
    expected, fits = _RANGES[parameter]
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not fits(number):
        raise ParameterError(f"{name}: {parameter} is {value or 'missing'}; expected a number {expected}")
    return number
