"""From clicks to preferences: which of two documents shown together people wanted more (Joachims and others, 2005)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Bools, Ints
from cranfield.errors import UsageError, did_you_mean
from cranfield.logs.log import Log
from cranfield.stats.interval import Intervals
from cranfield.stats.proportions import wilson

if TYPE_CHECKING:
    import ibis

ENOUGH = 5
"""Of two documents about which fewer votes were cast, nothing is said."""

Condition = Callable[[Any, Any], Any]
"""Of a document that was clicked and another of the same list: whether the first is preferred."""

RULES: Mapping[str, tuple[Condition, str]] = {
    "skip-above": (
        lambda one, other: (other["rank"] < one["rank"]) & ~other.clicked,
        "a clicked document over those above it that were not clicked",
    ),
    "last-skip-above": (
        lambda one, other: one["last"] & (other["rank"] < one["rank"]) & ~other.clicked,
        "the document clicked last over those above it that were not clicked",
    ),
    "earlier-click": (
        lambda one, other: other.clicked & (other.click_ms < one.click_ms),
        "a clicked document over those clicked before it",
    ),
    "skip-previous": (
        lambda one, other: (other["rank"] == one["rank"] - 1) & ~other.clicked,
        "a clicked document over the one just above it, if that was not clicked",
    ),
    "skip-next": (
        lambda one, other: (other["rank"] == one["rank"] + 1) & ~other.clicked,
        "a clicked document over the one just below it, if that was not clicked",
    ),
}
"""By its name, when one document is preferred, and the same in words."""

Names = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class InferredPreferences:
    """For two documents of a query, how often a rule preferred the one, and how often the other."""

    text: Names
    preferred: Names
    """The one with more votes; of as many, the one that comes first in the alphabet."""
    other: Names
    votes: Ints
    against: Ints
    interval: Intervals
    """Of the share of votes for the preferred one."""
    enough: int

    @property
    def certain(self) -> Bools:
        """Where there are votes enough, and the interval says that more people want the one than the other."""
        found: Bools = (self.votes + self.against >= self.enough) & (self.interval.lower > 0.5)
        return found

    def __len__(self) -> int:
        return len(self.votes)


def infer_preferences(
    log: Log, rule: str = "skip-above", *, enough: int = ENOUGH, level: float = 0.95
) -> InferredPreferences:
    """Preferences by one of RULES, over all that people were shown.

    A vote is one list that somebody saw. Votes are taken for independent, which those of one person are not.
    """
    if rule not in RULES:
        raise UsageError(f"unknown rule {rule!r}{did_you_mean(rule, RULES)} There are: {', '.join(RULES)}")
    found = log.run(_balance(_votes(log.impressions, RULES[rule][0])).order_by(["text", "preferred", "other"]))
    votes, against = (found[name].to_numpy().astype(np.int64) for name in ("votes", "against"))
    text, preferred, other = (found[name].to_numpy(zero_copy_only=False) for name in ("text", "preferred", "other"))
    return InferredPreferences(text, preferred, other, votes, against, wilson(votes, votes + against, level), enough)


def _votes(impressions: ibis.Table, prefers: Condition) -> ibis.Table:
    """How many lists prefer one document of a query over another."""
    import ibis

    order = ibis.window(group_by="query_id", order_by=[ibis.desc("click_ms"), ibis.desc("rank")])
    clicked = impressions.filter(impressions.clicks > 0)
    clicked = clicked.select(
        "query_id",
        "text",
        "document_id",
        "rank",
        click_ms=clicked.click_ms.fill_null(0),
        clicked=ibis.literal(True),
        last=ibis.row_number().over(order) == 0,
    )
    shown = impressions.select(
        "query_id",
        "rank",
        other_id="document_id",
        click_ms=impressions.click_ms.fill_null(0),
        clicked=impressions.clicks > 0,
    )
    pairs = clicked.join(
        shown,
        [clicked.query_id == shown.query_id, clicked.document_id != shown.other_id, prefers(clicked, shown)],
        rname="other_{name}",
    )
    return pairs.group_by(["text", "document_id", "other_id"]).agg(votes=pairs.count())


def _balance(votes: ibis.Table) -> ibis.Table:
    """Each two documents once, the one with more votes first."""
    back = votes.select("text", document_id="other_id", other_id="document_id", against="votes")
    both = votes.left_join(back, ["text", "document_id", "other_id"])
    both = both.select("text", "votes", preferred="document_id", other="other_id", against=both.against.fill_null(0))
    first = (both.votes > both.against) | ((both.votes == both.against) & (both.preferred < both.other))
    return both.filter(first)
