"""Users that read a page of results from the top: which ranks they look at. What they look at they click if it
attracts.

Each model says one thing: who looks at a rank, given what happened above it (Chuklin, Markov and de Rijke, Click Models
for Web Search, 2015, chapter 3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.errors import ParameterError, did_you_mean


class Above(NamedTuple):
    """What happened above a rank, one row for each page."""

    looked: Bools
    """Whether the rank just above was looked at; of the first rank, true."""
    clicked: Bools
    """Whether it was clicked."""
    satisfied: Bools
    """Whether that click gave what was sought."""
    distance: Ints
    """How many ranks the last click is above, or as if it were rank 0 if there is none."""


class UserModel(Protocol):
    """How users read a page."""

    name: ClassVar[str]

    def looks(self, rank: int, above: Above, draw: Floats) -> Bools:
        """Who looks at a rank, from 1; `draw` are random numbers between 0 and 1, one for each page."""


@dataclass(frozen=True)
class PositionBased:
    """Looks at rank r with the chance r^-decay, whatever is above."""

    name: ClassVar[str] = "pbm"
    decay: float = 1.0

    def looks(self, rank: int, above: Above, draw: Floats) -> Bools:
        return np.asarray(draw < rank**-self.decay)


@dataclass(frozen=True)
class Cascade:
    """Reads from the top to the first click, and no further."""

    name: ClassVar[str] = "cascade"

    def looks(self, rank: int, above: Above, draw: Floats) -> Bools:
        return np.asarray(above.looked & ~above.clicked)


@dataclass(frozen=True)
class DependentClicks:
    """Reads from the top; after a click at rank r goes on with the chance `goes_on`^(1/r), more often further down."""

    name: ClassVar[str] = "dcm"
    goes_on: float = 0.4

    def looks(self, rank: int, above: Above, draw: Floats) -> Bools:
        goes_on = self.goes_on ** (1 / max(rank - 1, 1))
        return np.asarray(above.looked & (~above.clicked | (draw < goes_on)))


@dataclass(frozen=True)
class DynamicBayesian:
    """Reads from the top until satisfied by a click; until then goes on from each rank with the chance `goes_on`."""

    name: ClassVar[str] = "dbn"
    goes_on: float = 0.9

    def looks(self, rank: int, above: Above, draw: Floats) -> Bools:
        return np.asarray(above.looked & ~above.satisfied & (draw < (1.0 if rank == 1 else self.goes_on)))


@dataclass(frozen=True)
class UserBrowsing:
    """Looks at a rank with the chance distance^-decay, the distance being that to the last click above."""

    name: ClassVar[str] = "ubm"
    decay: float = 1.0

    def looks(self, rank: int, above: Above, draw: Floats) -> Bools:
        return np.asarray(draw < above.distance.astype(np.float64) ** -self.decay)


USERS: Mapping[str, type[Any]] = {
    kind.name: kind for kind in (PositionBased, Cascade, DependentClicks, DynamicBayesian, UserBrowsing)
}
"""Users by the name of their model."""


def user_model(name: str, **parameters: float) -> UserModel:
    """The users of a name, with other parameters than the usual ones if some are given.

    >>> user_model("dbn", goes_on=0.8)
    DynamicBayesian(goes_on=0.8)
    """
    if name not in USERS:
        hint = did_you_mean(name, USERS)
        raise ParameterError(f"there is no user model {name!r}{hint} There are: {', '.join(USERS)}")
    try:
        made: UserModel = USERS[name](**parameters)
    except TypeError:
        known = ", ".join(each.name for each in fields(USERS[name])) or "none"
        raise ParameterError(f"user model {name}: parameters {', '.join(parameters)}: it has {known}") from None
    for what, value in parameters.items():
        if not (0 <= value <= 1 if what == "goes_on" else value >= 0):
            expected = "a chance from 0 to 1" if what == "goes_on" else "0 or more"
            raise ParameterError(f"user model {name}: {what}={value}: expected {expected}")
    return made


def parameters_of(users: UserModel) -> dict[str, float]:
    """The parameters of users, by name."""
    return asdict(users)  # type: ignore[call-overload,no-any-return]


class Behaviour(NamedTuple):
    """What users did with pages: one row for each page, one column for each rank."""

    looked: Bools
    clicked: Bools
    satisfied: Bools


def behave(users: UserModel, attractiveness: Floats, satisfaction: Floats, draws: Floats) -> Behaviour:
    """Read pages: what is looked at is clicked with the chance of its attractiveness, and a click satisfies with that
    of its satisfaction.

    A rank at which nothing is shown attracts nobody. `draws` are three random numbers for each cell of the pages.

    >>> page = np.array([[1.0, 0.0, 1.0]])
    >>> behave(Cascade(), page, page, np.full((3, 1, 3), 0.5)).clicked.tolist()
    [[True, False, False]]
    """
    pages, ranks = attractiveness.shape
    looked, clicked, satisfied = (np.zeros((pages, ranks), dtype=np.bool_) for _ in range(3))
    nobody = np.zeros(pages, dtype=np.bool_)
    above = Above(~nobody, nobody, nobody, np.ones(pages, dtype=np.int64))
    for at in range(ranks):
        looked[:, at] = users.looks(at + 1, above, draws[0, :, at])
        clicked[:, at] = looked[:, at] & (draws[1, :, at] < attractiveness[:, at])
        satisfied[:, at] = clicked[:, at] & (draws[2, :, at] < satisfaction[:, at])
        distance = np.where(clicked[:, at], 1, above.distance + 1)
        above = Above(looked[:, at], clicked[:, at], satisfied[:, at], distance)
    return Behaviour(looked, clicked, satisfied)
