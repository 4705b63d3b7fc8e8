"""From clicks to preferences: which of two documents shown together people wanted more (Joachims and others, 2005).

Rules such as skip-above prefer a document that stands below another one. Of two documents that are always shown in the
same order such a rule can only ever prefer the lower one, whatever people want. So votes are counted beside the chances
for them, and something is said only of documents that were shown in both orders (as Radlinski and Joachims do, 2006).
Joachims' "click > earlier click" also votes for the upper of two that was clicked later: here that is a chance of the
lower one without a vote, which over both orders says the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.errors import UsageError, did_you_mean
from cranfield.logs.log import Log
from cranfield.logs.spark_engine import SparkEngine
from cranfield.stats.interval import Intervals
from cranfield.stats.proportions import newcombe

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa

ENOUGH = 5
"""Of two documents about which fewer votes were cast, nothing is said."""


class Rule(NamedTuple):
    """When a list votes for a document over another one."""

    words: str
    above: bool = False
    """Whether the one that may be preferred stands above the other one; else it stands below."""
    next_to: bool = False
    """Whether nothing may stand between."""
    last: bool = False
    """Whether it has to be the one that was clicked last."""
    later: bool = False
    """Whether both are to be clicked, and the one later than the other; else the one is clicked, the other not."""


RULES: Mapping[str, Rule] = {
    "skip-above": Rule("a clicked document over those above it that were not clicked"),
    "last-skip-above": Rule("the document clicked last over those above it that were not clicked", last=True),
    "earlier-click": Rule("a clicked document over those above it that were clicked before it", later=True),
    "skip-previous": Rule("a clicked document over the one just above it, if that was not clicked", next_to=True),
    "skip-next": Rule(
        "a clicked document over the one just below it, if that was not clicked", above=True, next_to=True
    ),
}

Names = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class InferredPreferences:
    """For two documents of a query, how often a rule preferred the one, and how often the other."""

    text: Names
    preferred: Names
    """The one with the higher share of votes; if they were always shown in one order, the one with more votes."""
    other: Names
    votes: Ints
    chances: Ints
    """In how many lists the preferred one stood where the rule could prefer it, and one of the two was clicked."""
    against: Ints
    against_chances: Ints
    """The same of the other one."""
    interval: Intervals
    """Of votes / chances of the one less that of the other; nan where they were always shown in one order."""
    enough: int

    @property
    def certain(self) -> Bools:
        """Where there are votes enough, both orders were shown, and the interval says which is wanted more."""
        found: Bools = (self.votes + self.against >= self.enough) & (self.interval.lower > 0)
        return found

    @property
    def one_sided(self) -> Bools:
        """Where the two were always shown in one order, so that votes may come of the order alone."""
        found: Bools = (self.chances == 0) | (self.against_chances == 0)
        return found

    @property
    def told(self) -> Bools:
        """Where the one has more for it than the other, be it certain or not."""
        found: Bools = _lead(self.votes, self.chances, self.against, self.against_chances) > 0
        return found

    def __len__(self) -> int:
        return len(self.votes)


def infer_preferences(
    log: Log, rule: str = "skip-above", *, enough: int = ENOUGH, level: float = 0.95
) -> InferredPreferences:
    """Preferences by one of RULES, over all that people were shown.

    A vote is one list that somebody saw. Votes are taken for independent, which those of one person are not.
    """
    asked, keys = votes(log.impressions, rule_of(rule)), ["text", "first", "second"]
    if isinstance(log.engine, SparkEngine):
        from cranfield.logs.spark_evidence import collected

        found = collected(log.engine, log.engine.rows(asked), log.path).sort_by([(key, "ascending") for key in keys])
    else:
        found = log.run(asked.order_by(keys))
    return preferences_of(found, enough, level)


def rule_of(name: str) -> Rule:
    """One of RULES."""
    if name not in RULES:
        raise UsageError(f"unknown rule {name!r}{did_you_mean(name, RULES)} There are: {', '.join(RULES)}")
    return RULES[name]


def preferences_of(found: pa.Table, enough: int = ENOUGH, level: float = 0.95) -> InferredPreferences:
    """What rows of `votes` come to."""
    text, first, second = (found[name].to_numpy(zero_copy_only=False) for name in ("text", "first", "second"))
    cast, chances, against, against_chances = (
        found[name].to_numpy().astype(np.int64)
        for name in ("first_votes", "first_chances", "second_votes", "second_chances")
    )
    turned = _lead(cast, chances, against, against_chances) < 0
    ones, others = (cast, chances), (against, against_chances)
    (cast, chances), (against, against_chances) = (
        tuple(np.where(turned, there, here) for here, there in zip(*sides, strict=True))
        for sides in ((ones, others), (others, ones))
    )
    return InferredPreferences(
        text,
        np.where(turned, second, first),
        np.where(turned, first, second),
        *(cast, chances, against, against_chances),
        newcombe((cast, chances), (against, against_chances), level),
        enough,
    )


def _lead(votes: Ints, chances: Ints, against: Ints, against_chances: Ints) -> Floats:
    """How far one document is ahead of the other one: by shares of chances, or by votes if only one has chances."""
    shares = votes / np.maximum(chances, 1) - against / np.maximum(against_chances, 1)
    return np.where((chances > 0) & (against_chances > 0), shares, votes - against)


def votes(impressions: ibis.Table, rule: Rule) -> ibis.Table:
    """For each two documents of a query in the order of the alphabet, how many lists prefer the one and the other, and
    how many could have."""
    pairs = _pairs(impressions)
    is_one = (pairs.gap < 0) if rule.above else (pairs.gap > 0)
    # A list in which both were clicked is there twice: once with each of the two as the clicked one.
    counted = (is_one & pairs.other_clicked) if rule.later else (is_one | ~pairs.other_clicked)
    if rule.next_to:
        counted = counted & (pairs.gap.abs() == 1)
    vote = is_one & ((pairs.click_ms > pairs.other_ms) if rule.later else ~pairs.other_clicked)
    if rule.last:
        vote = vote & pairs["last"]
    in_order = pairs.document_id < pairs.other_id
    chosen = pairs.mutate(
        first=in_order.ifelse(pairs.document_id, pairs.other_id),
        second=in_order.ifelse(pairs.other_id, pairs.document_id),
        for_first=is_one == in_order,
        vote=vote.ifelse(1, 0),
        counted=counted,
    )
    chosen = chosen.filter(chosen.counted)
    counted_votes = chosen.group_by(["text", "first", "second"]).agg(
        first_votes=chosen.for_first.ifelse(chosen.vote, 0).sum(),
        first_chances=chosen.for_first.ifelse(1, 0).sum(),
        second_votes=chosen.for_first.ifelse(0, chosen.vote).sum(),
        second_chances=chosen.for_first.ifelse(0, 1).sum(),
    )
    return counted_votes.filter(counted_votes.first_votes + counted_votes.second_votes > 0)


def _pairs(impressions: ibis.Table) -> ibis.Table:
    """Each document that was clicked with each other one of its list; `gap` is how far the clicked one stands below."""
    import ibis

    order = ibis.window(group_by="query_id", order_by=[ibis.desc("click_ms"), ibis.desc("rank"), "document_id"])
    clicked = impressions.filter(impressions.clicks > 0)
    clicked = clicked.select(
        "query_id",
        "text",
        "document_id",
        "rank",
        click_ms=clicked.click_ms.fill_null(0),
        last=ibis.row_number().over(order) == 0,
    )
    shown = impressions.select(
        "query_id",
        other_id="document_id",
        other_rank="rank",
        other_ms=impressions.click_ms.fill_null(0),
        other_clicked=impressions.clicks > 0,
    )
    pairs = clicked.join(shown, "query_id")
    pairs = pairs.filter(pairs.document_id != pairs.other_id)
    return pairs.mutate(gap=pairs["rank"] - pairs.other_rank)
