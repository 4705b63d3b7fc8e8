"""What if only one assessor had judged, or one group? The order of systems by each of them, beside that by all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cranfield.data.judge_labels import JudgeLabels
from cranfield.data.label_views import by_group, of_judges
from cranfield.data.qrels import Qrels
from cranfield.errors import DataError
from cranfield.evaluation.judges import DEFAULT_MEASURE, JudgePair, JudgeRankings, rankings_by_judge
from cranfield.measures import Measure

EVERYONE = "everyone"
ONLY = "only "
"""What stands before the name of an assessor alone."""


@dataclass(frozen=True, eq=False)
class WhatIf:
    """The order of systems by everyone, by each group and by each assessor alone."""

    rankings: JudgeRankings
    judges: tuple[str, ...]
    """Everyone first, then groups, then assessors."""
    assessors: tuple[str, ...]
    """Those of the judges who are one assessor alone."""

    @property
    def sentence(self) -> str:
        """What it comes to, in plain words, for single assessors: in everyone and in groups they would count again."""
        alone = self.rankings.of(self.assessors)
        if len(self.assessors) < 2:
            return f"Only {self.assessors[0].removeprefix(ONLY)} has judged: there is no other order to compare with."
        if all(pair.tau.undefined is None and pair.tau.value == 1 for pair in alone.pairs):
            return "All assessors put the systems in the same order."
        return alone.in_words("assessor")

    @property
    def beside_everyone(self) -> dict[str, JudgePair]:
        """Of each judge, how alike their order is to that by everyone."""
        found = {}
        for pair in self.rankings.pairs:
            if EVERYONE in (pair.first, pair.second):
                found[pair.second if pair.first == EVERYONE else pair.first] = pair
        return found


def what_if(
    labels: JudgeLabels,
    everyone: Qrels,
    runs: Any,
    measure: str | Measure = DEFAULT_MEASURE,
    *,
    groups: Mapping[str, str] | None = None,
    rule: str = "majority",
) -> WhatIf:
    """Evaluate runs by the judgments of all, and by those of each group and each assessor alone.

    `everyone` has the judgments that hold, `groups` the group of each assessor; the rule makes one grade of those
    that the members of a group gave a document.

    >>> labels = JudgeLabels.from_dict({"ann": {"q1": {"d1": 1, "d2": 0}}, "bob": {"q1": {"d1": 0, "d2": 1}}})
    >>> runs = {"a": {"q1": {"d1": 2.0, "d2": 1.0}}, "b": {"q1": {"d2": 2.0, "d1": 1.0}}}
    >>> result = what_if(labels, labels.qrels_of("ann"), runs, "RR")
    >>> {judge: pair.tau.value for judge, pair in result.beside_everyone.items()}
    {'only ann': 1.0, 'only bob': -1.0}
    """
    if not len(labels):
        raise DataError("nobody has graded a document yet")
    judges = {EVERYONE: JudgeLabels.from_qrels(everyone)}
    voices = by_group(labels, groups, rule) if groups and len(set(groups.values())) > 1 else None
    for group in voices.judges if voices is not None else ():
        judges[f"group {group}"] = of_judges(voices, (group,)) if voices is not None else labels
    alone = {f"{ONLY}{judge}": of_judges(labels, (judge,)) for judge in labels.judges}
    judges |= alone
    return WhatIf(rankings_by_judge(JudgeLabels.joined(judges), runs, measure), tuple(judges), tuple(alone))
