"""Groups of things that are alike, each around one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping


def stars(weights: Mapping[str, float], alike: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Groups by their heads (star clustering: Aslam, Pelekhov and Rus, 2004): the heaviest thing that is in no group
    yet takes all that are like it and in no group yet.

    Every member is like the head of its group: no chain of things, each a little like the next, ends far from where it
    began. Of things of the same weight, the first in the alphabet is the head.

    >>> stars({"futon": 5, "futon frame": 3, "frame": 1}, [("futon frame", "futon"), ("futon frame", "frame")])
    {'futon': ['futon', 'futon frame'], 'frame': ['frame']}
    """
    neighbours = defaultdict[str, list[str]](list)
    for one, other in alike:
        neighbours[one].append(other)
        neighbours[other].append(one)

    def order(name: str) -> tuple[float, str]:
        return -weights[name], name

    groups, taken = dict[str, list[str]](), set[str]()
    for head in sorted(weights, key=order):
        if head not in taken:
            members = [head, *sorted({name for name in neighbours[head] if name not in taken} - {head}, key=order)]
            taken.update(members)
            groups[head] = members
    return groups
