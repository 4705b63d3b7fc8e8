"""What becomes of judged topics that a run lacks, as profiles have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.strings import Bools, Floats
from cranfield.errors import CoverageError
from cranfield.evaluation.coverage import Coverage
from cranfield.measures import Measure
from cranfield.measures.profile_rules import Missing, Profile


class MissingTopics(NamedTuple):
    """Whether such topics count as 0, are left out of means, or are an error."""

    policy: Missing
    """What is done for the first measure."""
    first: Measure
    unlike: Measure | None
    """A measure whose mean is over other topics than that of the first, where the run lacks some."""
    profile: Profile

    @classmethod
    def of(cls, rules: Mapping[Measure, Profile], profile: Profile, *, complete: bool) -> MissingTopics:
        """What the rules of each measure say; `complete` asks for 0 (-c)."""
        policies = {m: one.missing_if_complete if complete else one.missing for m, one in rules.items()}
        first = next(iter(policies))
        unlike = next((measure for measure, policy in policies.items() if policy != policies[first]), None)
        return cls(policies[first], first, unlike, profile)

    def check(self, coverage: Coverage, queries: Sequence[str], name: str) -> None:
        """An error if the run of this name has no judged topic, or lacks some where that is not allowed."""
        coverage.require_common_topics(queries, name)
        if coverage.missing and self.unlike is not None:
            raise CoverageError(
                f"{name}: no documents for {len(coverage.missing)} of {coverage.judged} judged topics, which "
                f"{self.profile.tool} counts in the mean of {self.first} or of {self.unlike} and not of both. "
                f"Take them one at a time, or add -c (complete=True) to count missing topics as 0."
            )
        if coverage.missing and self.policy == "error":
            some = ", ".join(coverage.missing[:5])
            raise CoverageError(
                f"{name}: no documents for {len(coverage.missing)} of {coverage.judged} judged topics ({some}), where "
                f"{self.profile.tool} stops. Add {self.profile.complete_by} to count them as 0."
            )


def zero_is_worst(measure: Measure) -> bool:
    """Whether a topic that the run lacks may count as 0; else its value is that of an empty list."""
    return not measure.definition.without_run and measure.more_is_better is not False


def nothing_for(values: Any, missing: Bools) -> Any:
    """The values with 0 (or no text) for the queries that are missing."""
    if isinstance(values, list):
        return ["" if gone else text for text, gone in zip(values, missing.tolist(), strict=True)]
    zeroed: Floats = np.where(missing, 0.0, values)
    return zeroed
