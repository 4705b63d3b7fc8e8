"""How old judgments are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from cranfield.data.judging import JudgingEvent


class Age(NamedTuple):
    """How many judgments of a topic are older than a day."""

    topic: str
    judgments: int
    older: int

    @property
    def share(self) -> float:
        return self.older / self.judgments


def older_than(decisions: Iterable[JudgingEvent], day: str) -> list[Age]:
    """Of each topic, the judgments that stand and were made before a day, such as 2026-03-01 (UTC)."""
    judgments: Counter[str] = Counter()
    older: Counter[str] = Counter()
    for one in decisions:
        judgments[one.topic] += 1
        older[one.topic] += one.time < day
    return [Age(topic, judgments[topic], older[topic]) for topic in judgments]


def by_month(decisions: Iterable[JudgingEvent]) -> dict[str, int]:
    """How many judgments that stand are of each month, such as 2026-03."""
    return dict(sorted(Counter(one.time[:7] for one in decisions).items()))
