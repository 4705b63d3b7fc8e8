"""How far judges agree in parts, with intervals: topic by topic, and in and between groups of judges."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from cranfield.data.categories import in_order
from cranfield.data.judge_labels import JudgeLabels
from cranfield.data.label_views import by_group, by_topic, of_judges, pair_table
from cranfield.stats.agreement.coefficient import Agreement
from cranfield.stats.agreement.cohen_kappa import cohen_kappa
from cranfield.stats.agreement.disagreement_weights import Weights
from cranfield.stats.agreement.krippendorff_alpha import krippendorff_alpha


class GroupPair(NamedTuple):
    """How far two groups agree, each speaking with one voice."""

    first: str
    second: str
    agreement: Agreement


def topic_alphas(labels: JudgeLabels, *, level: str = "nominal", resamples: int = 2000) -> dict[str, Agreement]:
    """Krippendorff's alpha of each topic.

    >>> labels = JudgeLabels.from_dict({name: {"q1": {"d1": 1, "d2": 0}} for name in ("ann", "bob")})
    >>> topic_alphas(labels, resamples=0)["q1"].value
    1.0
    """
    return {
        topic: krippendorff_alpha(of_topic, level=level, resamples=resamples) for topic, of_topic in by_topic(labels)
    }


def alpha_in_groups(
    labels: JudgeLabels, groups: Mapping[str, str], *, level: str = "nominal", resamples: int = 2000
) -> dict[str, Agreement]:
    """Krippendorff's alpha among the judges of each group; `groups` has the group of each judge."""
    members: dict[str, list[str]] = {}
    for judge in labels.judges:
        if judge in groups:
            members.setdefault(groups[judge], []).append(judge)
    return {
        group: krippendorff_alpha(of_judges(labels, members[group]), level=level, resamples=resamples)
        for group in sorted(members)
    }


def kappa_between_groups(
    labels: JudgeLabels,
    groups: Mapping[str, str],
    *,
    rule: str = "majority",
    weights: Weights = None,
    resamples: int = 2000,
) -> list[GroupPair]:
    """Cohen's kappa of each two groups, when the rule makes one grade of those that a group gave a document."""
    voices = by_group(labels, groups, rule)
    scale = sorted(voices.labels, key=in_order)
    found = []
    for first, second in combinations(voices.judges, 2):
        cells = pair_table(voices, first, second)
        table = [[cells[one, other] for other in scale] for one in scale]
        kappa = cohen_kappa(table, weights=weights, scale=scale, resamples=resamples)
        found.append(GroupPair(first, second, kappa))
    return found
