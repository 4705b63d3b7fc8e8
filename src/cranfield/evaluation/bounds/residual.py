"""What the documents that nobody judged leave open: the smallest and the largest value a measure could have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.evaluation.missing_topics import nothing_for
from cranfield.measures import Measure
from cranfield.measures.completion import Holes


@dataclass(frozen=True, eq=False)
class Residual:
    """The bounds of one measure over all grades that the documents retrieved and not judged could have, by topic.

    `how` says whether the bounds are `exact`, so that some grades reach them, or `outer`, so that none go beyond them;
    with `none` there are no bounds. `why` says in words why they are not better known, or what else they are over.
    """

    measure: Measure
    how: Holes
    why: str
    documents: Ints
    """How many documents of each topic are looked at: those retrieved, to the depth (-M)."""
    unjudged: Ints
    """How many of them are not judged."""
    low: Floats | None
    high: Floats | None

    @property
    def mean_low(self) -> float | None:
        """What the bounds of the topics make of the mean, as the measure makes one value of many."""
        return None if self.low is None else self.measure.aggregate(self.low)

    @property
    def mean_high(self) -> float | None:
        return None if self.high is None else self.measure.aggregate(self.high)

    def rows(self, chosen: Ints) -> Residual:
        """Of some topics."""
        low = None if self.low is None else self.low[chosen]
        high = None if self.high is None else self.high[chosen]
        return replace(self, documents=self.documents[chosen], unjudged=self.unjudged[chosen], low=low, high=high)

    def with_nothing_for(self, missing: Bools) -> Residual:
        """With 0 for topics that the run lacks, where that is what the profile makes of them."""
        if self.low is None:
            return self
        return replace(self, low=nothing_for(self.low, missing), high=nothing_for(self.high, missing))

    def summary(self) -> dict[str, Any]:
        """What JSON has about the mean."""
        found: dict[str, Any] = {"low": self.mean_low, "high": self.mean_high, "how": self.how}
        return found if not self.why else {**found, "why": self.why}

    def topic(self, row: int) -> dict[str, Any]:
        """What JSON has about a topic."""
        return {
            "low": None if self.low is None else float(self.low[row]),
            "high": None if self.high is None else float(self.high[row]),
        }

    @property
    def all_documents(self) -> int:
        """How many documents are looked at, over all topics."""
        return int(self.documents.sum())

    @property
    def unjudged_documents(self) -> int:
        """How many of them are not judged."""
        return int(self.unjudged.sum())
