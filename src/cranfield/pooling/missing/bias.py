"""How each run would fare had it not been pooled: its own judged documents would be unjudged."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.run import Run
from cranfield.data.strings import Bools, Floats, Ints
from cranfield.errors import CoverageError, UsageError
from cranfield.evaluation.evaluator import Evaluator, Measures
from cranfield.evaluation.parallel import fork_map
from cranfield.measures import Measure
from cranfield.pooling.build_notes import named
from cranfield.pooling.missing.contributions import NOBODY, Contributions
from cranfield.pooling.missing.deepest import deepest_judged
from cranfield.pooling.missing.groups import RunGroups, read_groups
from cranfield.pooling.missing.left_out import JudgedRuns
from cranfield.stats.correlation.system_orders import SystemOrders, places
from cranfield.stats.significance.differences import ROUNDING
from cranfield.stats.significance.outcome import as_json

SCHEMA = "cranfield.pool-bias/1"
DEFAULT_DEPTH = 100
DEFAULT_MEASURES = ("AP", "nDCG@10", "P@10", "bpref")


class LeftOut(NamedTuple):
    """A run as it is, and as it would be had it, and its group, not been pooled."""

    run: str
    group: str
    unique: int
    """How many judged documents only its group brought in."""
    unique_relevant: int
    value: float
    without: float
    change: float
    rank: int
    """Among all runs, by this measure."""
    rank_without: int
    tau: float
    """Between the orders of all runs with and without these judgments; nan where it is not defined."""


class Summary(NamedTuple):
    """What the runs have in common, by one measure."""

    measure: str
    mean_change: float
    """Of the absolute changes."""
    mean_percent: float
    """Of the changes in per cent of the value, over runs whose value is not 0."""
    largest_change: float
    largest_run: str
    runs_moved: int
    """How many would have another rank."""
    most_ranks: int
    """The most ranks that a run would move."""
    tau: float
    """Between the values as they are and the values each run would have had it not been pooled."""
    least_tau: float
    """The least of the taus between the orders of all runs with all judgments, and with those of all groups but one."""


@dataclass(frozen=True, eq=False, repr=False)
class PoolBias:
    """What leaving each group of runs out of the pool does to all of them."""

    runs: tuple[str, ...]
    groups: RunGroups
    measures: tuple[Measure, ...]
    depth: int | None
    before: Floats
    """Measures x runs."""
    after: Floats
    """Groups x measures x runs."""
    unique: Ints
    """For each group, how many judged documents it alone brought in."""
    unique_relevant: Ints
    topics_changed: Ints
    """For each group, in how many topics."""
    judged: int
    relevant: int
    in_no_run: int
    """How many judged documents are not among the first so many of any run: they stay."""
    level: float
    notes: tuple[str, ...]

    def rows(self, measure: Measure) -> list[LeftOut]:
        """Every run, by one of the measures; best first."""
        at = self.measures.index(measure)
        ranks, moved = self._ranks(self.before[at][np.newaxis], measure)[0], self._ranks(self.after[:, at], measure)
        taus, found = self._taus(at), []
        for run in np.argsort(ranks, kind="stable").tolist():
            group = int(self.groups.of_run[run])
            value, without = float(self.before[at, run]), float(self.after[group, at, run])
            found.append(
                LeftOut(
                    self.runs[run],
                    self.groups.names[group],
                    int(self.unique[group]),
                    int(self.unique_relevant[group]),
                    value,
                    without,
                    without - value,
                    int(ranks[run]),
                    int(moved[group, run]),
                    float(taus[group]),
                )
            )
        return found

    def summary(self, measure: Measure) -> Summary:
        """What the runs have in common."""
        rows = self.rows(measure)
        change = np.array([row.change for row in rows])
        value, without = np.array([row.value for row in rows]), np.array([row.without for row in rows])
        percent = 100 * np.abs(change[value != 0] / value[value != 0])
        steps = np.array([abs(row.rank_without - row.rank) for row in rows])
        largest = int(np.abs(change).argmax())
        tau = SystemOrders(value[np.newaxis], without[np.newaxis], (_tolerance(value), _tolerance(value)))
        taus = [row.tau for row in rows if not np.isnan(row.tau)]
        return Summary(
            str(measure),
            float(np.abs(change).mean()),
            float(percent.mean()) if len(percent) else np.nan,
            float(change[largest]),
            rows[largest].run,
            int(np.count_nonzero(steps)),
            int(steps.max()),
            float(tau.coefficient("tau_b")[0]),
            min(taus, default=np.nan),
        )

    @cached_property
    def summaries(self) -> list[Summary]:
        return [self.summary(measure) for measure in self.measures]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; what is not defined is None."""
        whole: dict[str, Any] = as_json(
            {
                "schema": SCHEMA,
                "depth": self.depth,
                "level": self.level,
                "judged": self.judged,
                "relevant": self.relevant,
                "judged_in_no_run": self.in_no_run,
                "groups": [
                    {
                        "group": name,
                        "runs": [self.runs[run] for run in np.flatnonzero(self.groups.of_run == number).tolist()],
                        "unique": int(self.unique[number]),
                        "unique_relevant": int(self.unique_relevant[number]),
                        "topics_changed": int(self.topics_changed[number]),
                    }
                    for number, name in enumerate(self.groups.names)
                ],
                "measures": [
                    {**self.summary(measure)._asdict(), "runs": [row._asdict() for row in self.rows(measure)]}
                    for measure in self.measures
                ],
                "notes": list(self.notes),
            }
        )
        return whole

    def _ranks(self, scores: Floats, measure: Measure) -> Ints:
        """The rank of each run (column), the best being 1, and those that are tied sharing the best of theirs."""
        better = scores if measure.more_is_better else -scores
        place = places(better, _tolerance(scores))
        above = place[:, np.newaxis, :] > place[:, :, np.newaxis]
        ranks: Ints = np.count_nonzero(above, axis=2) + 1
        return ranks

    def _taus(self, at: int) -> Floats:
        after = self.after[:, at]
        before = np.broadcast_to(self.before[at], after.shape)
        return SystemOrders(before, after, (_tolerance(before), _tolerance(before))).coefficient("tau_b")


def pool_bias(
    qrels: Any,
    runs: Sequence[str | os.PathLike[str] | Run],
    measures: Measures = DEFAULT_MEASURES,
    *,
    depth: int | None = DEFAULT_DEPTH,
    groups: Iterable[str] = (),
    level: float = 1,
    cutoff: int | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
) -> PoolBias:
    """How each run would fare had it not been pooled (Zobel 1998): leave one run out, or one group of them.

    What no other run has among its first `depth` documents would then not have been judged: it counts as unjudged, for
    all runs, and all are evaluated anew. Judged documents that no run has so far up stay: others brought them in.
    `groups` are texts as `read_groups` takes them; runs of a group are left out together. `cutoff` is how many
    documents of each list measures look at.

    J. Zobel. How reliable are the results of large-scale information retrieval experiments? SIGIR 1998.

    >>> one = Run.from_dict({"q": {"a": 3, "b": 2, "c": 1}}, name="one")
    >>> two = Run.from_dict({"q": {"x": 3, "a": 2, "b": 1}}, name="two")
    >>> found = pool_bias({"q": {"a": 1, "b": 0, "x": 1}}, [one, two], "P@2", depth=2)
    >>> [(row.run, row.unique, row.value, row.without) for row in found.rows(found.measures[0])]  # only two has x
    [('two', 1, 1.0, 0.5), ('one', 1, 0.5, 0.5)]
    """
    if len(runs) < 2:
        raise UsageError(f"{len(runs)} run: leaving it out leaves nothing that was pooled. Expected two runs or more")
    evaluator = Evaluator(qrels, measures, level=level, depth=cutoff, qrels_format=qrels_format, run_format=run_format)
    judged = JudgedRuns.of(evaluator, runs)
    of_runs = read_groups(groups, judged.names)
    if len(of_runs) < 2:
        raise UsageError(
            f"all {len(judged.names)} runs are in the group {of_runs.names[0]!r}: leaving it out leaves nothing that "
            "was pooled. Expected two groups or more"
        )
    _refuse_apart(judged)
    contributions = Contributions.of(judged.rankings, of_runs, depth)
    graded = judged.qrels.grade >= 0
    relevant = graded & (judged.qrels.grade >= level)
    _ = judged.blind  # and with it all values, before the processes part
    gone = [contributions.unique(group) for group in range(len(of_runs))]
    after = fork_map([partial(_means_without, judged, rows) for rows in gone])
    in_no_run = int(np.count_nonzero(graded & (contributions.owner == NOBODY)))
    return PoolBias(
        runs=judged.names,
        groups=of_runs,
        measures=judged.measures,
        depth=depth,
        before=judged.means(judged.values),
        after=np.array(after),
        unique=contributions.counts(graded, len(of_runs)),
        unique_relevant=contributions.counts(relevant, len(of_runs)),
        topics_changed=np.array([len(np.unique(judged.qrels.query[rows])) for rows in gone]),
        judged=int(np.count_nonzero(graded)),
        relevant=int(np.count_nonzero(relevant)),
        in_no_run=in_no_run,
        level=level,
        notes=tuple(_notes(judged, depth, in_no_run, int(np.count_nonzero(graded)))),
    )


def _means_without(judged: JudgedRuns, gone: Ints) -> Floats:
    return judged.means(judged.values_without(gone))


def _refuse_apart(judged: JudgedRuns) -> None:
    shared: Bools = judged.has.sum(axis=0) > 1
    for name, has in zip(judged.names, judged.has, strict=True):
        if not (has & shared).any():
            raise CoverageError(
                f"{name}: none of its judged topics is a topic of any other run. Are the runs for the same topics, "
                "with the same identifiers?"
            )


def _notes(judged: JudgedRuns, depth: int | None, in_no_run: int, of: int) -> list[str]:
    notes = []
    if in_no_run:
        where = "any run" if depth is None else f"the first {depth} of any run"
        notes.append(
            f"{in_no_run} of {of} judged documents are not among {where}: others brought them in, and they stay"
        )
    lacking = [name for name, has in zip(judged.names, judged.has, strict=True) if not has.all()]
    if lacking:
        notes.append(f"without documents for some judged topic, which counts as 0: {named(lacking)}")
    deepest = _judged_depth(judged)
    if depth is None or deepest < depth:
        notes.append(
            f"the runs are judged down to rank {deepest} only; if the pool was not so deep as was taken here, say how "
            "deep it was (-k): the deeper, the fewer documents only one run has"
        )
    return notes


def _judged_depth(judged: JudgedRuns) -> int:
    """How far down nearly all is judged that the runs returned."""
    deepest = max(int(ranked.retrieved.max(initial=0)) for ranked in judged.rankings)
    known, there = np.zeros(deepest + 1), np.zeros(deepest + 1)
    for ranked in judged.rankings:
        known += np.bincount(ranked.rank[ranked.grade >= 0], minlength=deepest + 1)
        there += np.bincount(ranked.retrieved, minlength=deepest + 1)
    # A list of n documents has one at each rank up to n.
    return deepest_judged(known[1:], np.cumsum(there[::-1])[::-1][1:])


def _tolerance(scores: Floats) -> float:
    return ROUNDING * float(np.abs(scores).max(initial=0))
