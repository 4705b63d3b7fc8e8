"""Whether the preferences of each assessor of a pairwise project contradict each other."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from cranfield.web.judging.preferences import standing_preferences
from cranfield.web.projects.models import Project

if TYPE_CHECKING:
    from cranfield.stats.agreement.consistence import Consistence


@dataclass(frozen=True, slots=True)
class Consistency:
    """Of one assessor, topic by topic."""

    assessor: str
    same: int
    """How many pairs they found the same."""
    topics: dict[str, Consistence]

    @property
    def pairs(self) -> int:
        """In how many pairs they preferred one."""
        return sum(topic.pairs for topic in self.topics.values())

    @property
    def triads(self) -> int:
        return sum(topic.triads for topic in self.topics.values())

    @property
    def circular(self) -> int:
        return sum(topic.circular for topic in self.topics.values())

    @property
    def share(self) -> float | None:
        """The share of all triads that is circular."""
        return self.circular / self.triads if self.triads else None

    @property
    def zeta(self) -> float | None:
        """The mean over the topics in which they compared every two documents, and preferred one of them."""
        known = [topic.zeta for topic in self.topics.values() if topic.zeta is not None]
        return fmean(known) if known else None


def consistency(project: Project) -> list[Consistency]:
    """Of every assessor, by their pseudonyms."""
    from cranfield.stats.agreement.consistence import consistence

    pairs: dict[str, dict[str, list[tuple[str, str]]]] = {}
    same: dict[str, int] = {}
    for event in standing_preferences(project):
        of_assessor = pairs.setdefault(event.assessor, {})
        if event.preferred == "same":
            same[event.assessor] = same.get(event.assessor, 0) + 1
        else:
            both = (event.left, event.right)
            of_assessor.setdefault(event.topic, []).append(both if event.preferred == "left" else both[::-1])
    return [
        Consistency(name, same.get(name, 0), {topic: consistence(some) for topic, some in pairs[name].items()})
        for name in sorted(pairs)
    ]
