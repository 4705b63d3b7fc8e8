"""Fisher's exact test: whether a trait is more common in one group of items than in the others."""

from __future__ import annotations

from math import comb

from cranfield.stats.arguments import whole


def fisher_exact_greater(both: int, group: int, trait: int, items: int) -> float:
    r"""The chance that `both` or more items of a group have a trait, if the group were drawn blindly.

    .. math:: p = \sum_{i=b}^{\min(g, t)} \binom{t}{i} \binom{n - t}{g - i} \Big/ \binom{n}{g}

    Of n items, t have the trait, the group has g items, and b of these have the trait. It is the one-sided form of the
    test, and exact. With an empty group, or a trait that all items or none have, it is 1: nothing could be seen.

    R. A. Fisher. The logic of inductive inference. Journal of the Royal Statistical Society 98, 1935.

    >>> fisher_exact_greater(3, 4, 4, 8)  # 3 or 4 of 4 cups: (4·4 + 1·1) / 70
    0.24285714285714285
    """
    for name, number in (("both", both), ("group", group), ("trait", trait), ("items", items)):
        whole(name, number, 0)
    ways = sum(comb(trait, i) * comb(items - trait, group - i) for i in range(both, min(group, trait) + 1))
    return ways / comb(items, group)
