"""Click models as their definitions have them: every way in which a page may be read, one by one.

From Chuklin, Markov and de Rijke, Click Models for Web Search (2015), chapter 3: what is looked at, what attracts, what
satisfies and who goes on are drawn in turn. Nothing here is computed as the models under test compute it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple


class Way(NamedTuple):
    """One way to read a page, and how likely it is; by rank."""

    chance: float
    looked: tuple[bool, ...] = ()
    clicked: tuple[bool, ...] = ()
    satisfied: tuple[bool, ...] = ()
    went_on: tuple[bool, ...] = ()


Looks = Callable[[Way, int], float]
"""How likely the next rank (from 0) is looked at, after what happened so far; where readers go on by a draw of their own,
that is in `went_on`."""


def ways(
    attractiveness: Sequence[float | None],
    satisfaction: Sequence[float],
    looks: Looks,
    goes_on: Callable[[int, bool, bool], float],
) -> Iterator[Way]:
    """All ways; None where nothing is shown, which is passed over. `goes_on` of rank, click and satisfaction."""

    def after(way: Way) -> Iterator[Way]:
        rank = len(way.looked)
        if rank == len(attractiveness):
            yield way
            return
        attracts = attractiveness[rank]
        if attracts is None:
            on = way.went_on[-1] if way.went_on else True
            seen = way._replace(looked=(*way.looked, on), clicked=(*way.clicked, False))
            yield from after(seen._replace(satisfied=(*way.satisfied, False), went_on=(*way.went_on, on)))
            return
        seen_chance = looks(way, rank)
        for looked, of_look in ((True, seen_chance), (False, 1 - seen_chance)):
            for clicked, of_click in ((True, attracts), (False, 1 - attracts)) if looked else ((False, 1.0),):
                satisfies = satisfaction[rank]
                for satisfied, of_end in ((True, satisfies), (False, 1 - satisfies)) if clicked else ((False, 1.0),):
                    on_chance = goes_on(rank, clicked, satisfied) if looked else 0.0
                    for on, of_on in ((True, on_chance), (False, 1 - on_chance)):
                        chance = way.chance * of_look * of_click * of_end * of_on
                        if chance:
                            yield from after(
                                Way(
                                    chance,
                                    (*way.looked, looked),
                                    (*way.clicked, clicked),
                                    (*way.satisfied, satisfied),
                                    (*way.went_on, on),
                                )
                            )

    yield from after(Way(1.0))


def read_on(way: Way, rank: int) -> float:
    """Of those who read from the top: whether they went on from the rank above."""
    return 1.0 if rank == 0 else float(way.went_on[-1])


def by_rank(theta: Sequence[float]) -> Looks:
    return lambda way, rank: theta[rank]


def by_last_click(gamma: Sequence[Sequence[float]]) -> Looks:
    """γ by rank and rank of the last click, or 0."""

    def looks(way: Way, rank: int) -> float:
        last = max((at + 1 for at, clicked in enumerate(way.clicked) if clicked), default=0)
        return gamma[rank][last]

    return looks


def never(rank: int, clicked: bool, satisfied: bool) -> float:
    """Where going on means nothing."""
    return 0.0
