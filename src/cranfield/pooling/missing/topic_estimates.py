"""An estimate of how many relevant documents there are, for each topic and in all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cranfield.stats.population_size.estimate import PopulationEstimate, around_unseen
from cranfield.stats.significance.outcome import as_json


@dataclass(frozen=True)
class TopicEstimates:
    """What one method says."""

    method: str
    assumed: str
    """What has to be so for it to be right."""
    topics: Mapping[str, PopulationEstimate]
    total: PopulationEstimate | None
    """None where the method does not apply."""
    why_not: str | None = None
    """Why it does not apply, if it does not."""
    notes: tuple[str, ...] = ()

    @classmethod
    def none(cls, method: str, why_not: str) -> TopicEstimates:
        """A method that does not apply."""
        return cls(method, "", {}, None, why_not)

    def to_dict(self) -> dict[str, Any]:
        plain: dict[str, Any] = as_json(
            {
                "method": self.method,
                "assumed": self.assumed,
                "does_not_apply": self.why_not,
                "total": None if self.total is None else self.total.to_dict(),
                "topics": {topic: one.to_dict() for topic, one in self.topics.items()},
                "notes": list(self.notes),
            }
        )
        return plain


def added_up(method: str, topics: Mapping[str, PopulationEstimate], level: float) -> PopulationEstimate:
    """The sum over topics, which err independently of each other; not defined where that of a topic is not."""
    seen = sum(one.seen for one in topics.values())
    without = [topic for topic, one in topics.items() if math.isnan(one.value)]
    if without:
        why = f"{len(without)} of {len(topics)} topics have no estimate: {topics[without[0]].undefined}"
        return PopulationEstimate(method, math.nan, math.nan, seen, undefined=why)
    value = math.fsum(one.value for one in topics.values())
    error = math.sqrt(math.fsum(one.error**2 for one in topics.values()))
    return PopulationEstimate(method, value, error, seen, around_unseen(value, error, seen, level))
