"""Models with parameters, and the same as definitions: what tests compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.logs.models.cascade import CascadeModel
from cranfield.logs.models.dbn import DynamicBayesianModel
from cranfield.logs.models.dcm import DependentClickModel
from cranfield.logs.models.fitting import ClickModel
from cranfield.logs.models.pages import Pages
from cranfield.logs.models.pbm import PositionBasedModel
from cranfield.logs.models.ubm import UserBrowsingModel
from tests.logs.models.latent import Way, by_last_click, by_rank, never, read_on, ways

ATTRACTIVENESS = np.array([0.2, 0.5, 0.7, 0.35])
SATISFACTION = np.array([0.3, 0.6, 0.45, 0.8])
THETA = [1.0, 0.6, 0.3]
GAMMA = [[1.0, 0.5, 0.5], [0.5, 0.8, 0.5], [0.25, 0.4, 0.9]]
CONTINUATION = [0.4, 0.7, 0.5]
GOES_ON = 0.85

PAIRS = np.array([[0, 1, 2], [2, 0, 3], [1, 3, -1], [3, -1, 0]], dtype=np.int32)
"""Pages of three ranks, one too short and one with a gap."""


@dataclass(frozen=True)
class Case:
    """A model, and what its definition says of a page."""

    model: ClickModel
    definition: Callable[[Sequence[int]], list[Way]]

    @property
    def name(self) -> str:
        return self.model.name


def _ways(*rules: object) -> Callable[[Sequence[int]], list[Way]]:
    def of(page: Sequence[int]) -> list[Way]:
        attracts = [None if pair < 0 else float(ATTRACTIVENESS[pair]) for pair in page]
        satisfies = [0.0 if pair < 0 else float(SATISFACTION[pair]) for pair in page]
        return list(ways(attracts, satisfies, *rules))  # type: ignore[arg-type]

    return of


CASES = [
    Case(PositionBasedModel(ATTRACTIVENESS, np.array(THETA)), _ways(by_rank(THETA), never)),
    Case(UserBrowsingModel(ATTRACTIVENESS, np.array(GAMMA).ravel()), _ways(by_last_click(GAMMA), never)),
    Case(CascadeModel(ATTRACTIVENESS), _ways(read_on, lambda rank, clicked, satisfied: float(not clicked))),
    Case(
        DependentClickModel(ATTRACTIVENESS, np.array(CONTINUATION)),
        _ways(read_on, lambda rank, clicked, satisfied: CONTINUATION[rank] if clicked else 1.0),
    ),
    Case(
        DynamicBayesianModel(ATTRACTIVENESS, SATISFACTION, GOES_ON),
        _ways(read_on, lambda rank, clicked, satisfied: 0.0 if satisfied else GOES_ON),
    ),
]


def all_pages() -> Pages:
    """Every pattern of clicks that is possible on each page, so often as numbers that tell them apart."""
    rows = [
        (page, [bool(mask >> at & 1) for at in range(3)])
        for page in PAIRS.tolist()
        for mask in range(8)
        if not any(page[at] < 0 and mask >> at & 1 for at in range(3))
    ]
    pairs, clicked = (np.array(column) for column in zip(*rows, strict=True))
    return Pages(pairs.astype(np.int32), clicked, np.arange(1.0, len(rows) + 1), len(ATTRACTIVENESS))


def each_page(pages: Pages) -> Iterator[tuple[list[int], tuple[bool, ...], float]]:
    """Pair, clicks and views of each row, in Python."""
    for pair, clicked, views in zip(pages.pair.tolist(), pages.clicked.tolist(), pages.views.tolist(), strict=True):
        yield pair, tuple(clicked), views
