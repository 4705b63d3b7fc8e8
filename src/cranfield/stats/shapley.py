"""Shapley values: which part of a difference each of several causes accounts for, where they act together."""

from __future__ import annotations

from math import factorial

import numpy as np

from cranfield.data.strings import Floats


def shapley(values: Floats) -> Floats:
    r"""What each player adds to a coalition, on average over all orders in which the players may join it.

    .. math:: \varphi_i = \sum_{S \not\ni i} \frac{|S|! \, (k - |S| - 1)!}{k!} \, \big(v(S \cup i) - v(S)\big)

    Row S of `values` is v(S), a number or several, where bit i of S says whether player i has joined: with k players
    there are 2^k rows. Row i of the result is the part of player i. The parts add up to v of all players minus v of
    none, and a player who never changes anything has exactly 0.

    L. S. Shapley, A value for n-person games, in Contributions to the Theory of Games II, 1953.

    >>> alone, together = [0.0, 1.0, 2.0], 7.0  # nobody, the first, the second; and both
    >>> shapley(np.array([*alone, together])).tolist()  # (1 + (7 − 2)) / 2 and (2 + (7 − 1)) / 2
    [3.0, 4.0]
    """
    players = len(values).bit_length() - 1
    coalitions = np.arange(len(values))
    size = np.array([coalition.bit_count() for coalition in range(len(values))])
    weight = np.array([factorial(s) * factorial(players - s - 1) / factorial(players) for s in range(players)])
    parts = np.zeros((players, *values.shape[1:]))
    for player in range(players):
        without = coalitions[coalitions & (1 << player) == 0]
        gained = values[without | (1 << player)] - values[without]
        parts[player] = np.tensordot(weight[size[without]], gained, axes=1)
    return parts
