"""Runs made of ranks: each topic has one relevant document, and a run has it at a rank. So RR is 1 / rank."""

from __future__ import annotations

from collections.abc import Mapping

DEPTH = 20


def judgments(topics: Mapping[str, int]) -> dict[str, dict[str, int]]:
    return {topic: {"relevant": 1, "d1": 0} for topic in topics}


def run_with(ranks: Mapping[str, int]) -> dict[str, dict[str, float]]:
    """A run of 20 documents for each topic, the relevant one at this rank."""
    return {
        topic: {"relevant" if at == rank else f"d{at}": float(DEPTH - at) for at in range(1, DEPTH + 1)}
        for topic, rank in ranks.items()
    }


OLD = {"q1": 1, "q2": 2, "q3": 4, "q4": 5, "q5": 1}
NEW = {"q1": 1, "q2": 1, "q3": 2, "q4": 10, "q5": 1}
"""Differences of RR: 0, .5, .25, -.1, 0. Their sum is .65, their mean .13, the sum of their squares .3225."""
