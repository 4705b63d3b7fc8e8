"""Which run agrees more with preferences: Kendall's tau and BPREF of preferences, with intervals over topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.preference_counts import count_preferences
from cranfield.data.preferences import Preferences
from cranfield.data.run import Run
from cranfield.data.strings import Floats, Ints
from cranfield.errors import DataError, UsageError
from cranfield.stats.interval import Interval
from cranfield.stats.significance.outcome import Outcome
from cranfield.stats.significance.t_test import one_sample_t_test, paired_t_test


@dataclass(frozen=True, eq=False)
class PreferredRun:
    """How far one run agrees with preferences."""

    run: str
    agree: Ints
    """By topic, P: the preferred document stands above the other one, or is the only one of the two there."""
    disagree: Ints
    """By topic, Q: the other way round."""
    neither: int
    """Preferences between documents of which the run has none."""
    level: float

    @property
    def by_topic(self) -> Floats:
        """tau = (P - Q) / (P + Q) of each topic; nan where the run has nothing to say."""
        both = self.agree + self.disagree
        tau: Floats = np.where(both > 0, (self.agree - self.disagree) / np.maximum(both, 1), np.nan)
        return tau

    @property
    def topics(self) -> int:
        return int(np.count_nonzero(self.agree + self.disagree))

    @property
    def tau(self) -> float:
        """The mean over topics."""
        return float(np.nanmean(self.by_topic))

    @property
    def bpref(self) -> float:
        """P / (P + Q), the mean over topics: (tau + 1) / 2."""
        return (self.tau + 1) / 2

    @property
    def interval(self) -> Interval | None:
        """Of the mean tau over topics, by Student's t, cut off at -1 and 1; none of a single one."""
        taus = self.by_topic[~np.isnan(self.by_topic)]
        found = one_sample_t_test(taus, 0.0, level=self.level).interval if len(taus) > 1 else None
        return None if found is None else found.cut(-1.0, 1.0)


@dataclass(frozen=True, eq=False)
class PreferredRuns:
    """Runs by how far they agree, the best first."""

    topics: Sequence[str]
    runs: Sequence[PreferredRun]
    behind: Mapping[str, Outcome | None]
    """The best run against each other one: the paired t-test of tau over the topics of both; none of a single one."""


def score_on_preferences(preferences: Preferences, runs: Sequence[Run], *, level: float = 0.95) -> PreferredRuns:
    """Score runs on preferences (Croft, Metzler and Strohman 2010, section 8.4.4).

    tau = (P - Q) / (P + Q) and BPREF = P / (P + Q), where P preferences agree with the order of the run and Q do not.

    >>> preferences = Preferences.from_tuples(
    ...     [
    ...         ("q", "1", "0", "a", 1),
    ...         ("q", "1", "0", "b", 0),
    ...         ("q", "2", "0", "a", 1),
    ...         ("q", "2", "0", "c", 0),
    ...         ("q", "3", "0", "b", 1),
    ...         ("q", "3", "0", "c", 0),
    ...     ]
    ... )
    >>> run = Run.from_dict({"q": {"a": 3, "c": 2, "b": 1}})  # a over b and a over c agree, b over c does not
    >>> found = score_on_preferences(preferences, [run]).runs[0]
    >>> round(found.tau, 4), round(found.bpref, 4)
    (0.3333, 0.6667)
    """
    if not runs:
        raise UsageError("there is no run to score")
    names = [run.name for run in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two runs are called {twice!r}: give them other names")
    scored = sorted((_scored(preferences, run, level) for run in runs), key=lambda one: -one.tau)
    best = scored[0]
    behind = {one.run: _behind(best.by_topic, one.by_topic, level) for one in scored[1:]}
    return PreferredRuns(preferences.queries, scored, behind)


def _scored(preferences: Preferences, run: Run, level: float) -> PreferredRun:
    counts = count_preferences(preferences, run)
    agree = counts.total("fulfilled", "fulfilled_implied").astype(np.int64)
    disagree = counts.total("possible", "possible_implied").astype(np.int64) - agree
    found = PreferredRun(run.name, agree, disagree, int(counts.total("neither").sum()), level)
    if not found.topics:
        raise DataError(
            f"{run.name}: none of the documents in {preferences.name} is in it; do both name topics and documents in "
            "the same way?"
        )
    return found


def _behind(best: Floats, other: Floats, level: float) -> Outcome | None:
    both = ~np.isnan(best) & ~np.isnan(other)
    return paired_t_test(best[both], other[both], level=level) if both.sum() > 1 else None
