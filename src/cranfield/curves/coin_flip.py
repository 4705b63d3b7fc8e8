"""The coin-flip system: a run that for each topic has the list of one of two systems, as a coin decides."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from cranfield.curves.convex_hull import CoinFlip, Hull, hull
from cranfield.curves.roc_averages import HULL_AVERAGE
from cranfield.curves.roc_counts import RocCounts
from cranfield.data.frames import as_qrels, as_run
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Floats, Numbered, Strings, concatenate, decode
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.coverage import some
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.named_runs import named_runs
from cranfield.formats import read_qrels, read_run
from cranfield.measures.parameters import CUTOFF, Number, Whole
from cranfield.stats.numbered_random import numbered_words
from cranfield.stats.wording import number


class Side(NamedTuple):
    """What a side of the coin stands for."""

    run: str | None
    """None for returning nothing."""
    cutoff: int | None
    """How many documents of each topic at most; None: all that the run has."""

    def __str__(self) -> str:
        if self.run is None:
            return "nothing"
        return self.run if self.cutoff is None else f"the first {self.cutoff} of {self.run}"


@dataclass(frozen=True, eq=False)
class Mixture:
    """A run mixed of two."""

    run: Run
    heads: Side
    tails: Side
    probability: float
    """That of heads, for each topic by itself."""
    seed: int
    heads_for: tuple[str, ...]
    """The topics for which the coin fell on heads."""
    tails_for: tuple[str, ...]
    empty: tuple[str, ...]
    """Topics for which the side that was chosen has nothing."""
    plan: CoinFlip | None = None
    """The point of the hull that was asked for, and its expected rates."""
    reached: tuple[float, float] | None = None
    """The false and the true positive rate of this very mixture, where a point of the hull was asked for."""

    def sentences(self) -> list[str]:
        """How it was mixed, and what is to be expected of it."""
        topics = len(self.heads_for) + len(self.tails_for)
        said = [
            f"{self.heads} for {len(self.heads_for)} of {topics} topics, {self.tails} for the other "
            f"{len(self.tails_for)} (probability {number(self.probability)}, seed {self.seed})."
        ]
        if self.plan is not None:
            said.append(
                f"Expected, over all ways the coin may fall: false positive rate {number(self.plan.fpr)}, true "
                f"positive rate {number(self.plan.tpr)} (means over topics after so many documents: the average is "
                f"cutoff)."
            )
        if self.reached is not None:
            fpr, tpr = map(number, self.reached)
            said.append(f"Reached by this one: false positive rate {fpr}, true positive rate {tpr}.")
        if self.empty:
            count = len(self.empty)
            said.append(
                f"{count} topic{'s' * (count != 1)} ({some(self.empty)}) returned nothing: the chosen side has no "
                f"documents there."
            )
        return said

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it, without the documents."""
        return {
            "schema": "cranfield.mixture/1",
            "run": self.run.name,
            "heads": self.heads._asdict(),
            "tails": self.tails._asdict(),
            "probability": self.probability,
            "seed": self.seed,
            "heads_for": list(self.heads_for),
            "tails_for": list(self.tails_for),
            "empty": list(self.empty),
            **({"plan": self.plan.to_dict(), "averaged": HULL_AVERAGE} if self.plan else {}),
            **({"fpr": self.reached[0], "tpr": self.reached[1]} if self.reached else {}),
            "sentences": self.sentences(),
        }

    def __repr__(self) -> str:
        return "\n".join([repr(self.run), *self.sentences()])


def mix(
    heads: Any,
    tails: Any,
    probability: float = 0.5,
    *,
    cutoffs: tuple[int | None, int | None] = (None, None),
    seed: int = 0,
    run_format: str | None = None,
) -> Mixture:
    """A run that for each topic has the list of `heads` with a probability, and otherwise that of `tails`.

    `cutoffs` say how many documents of either list are taken at most. The coin of a topic depends on its name and the
    `seed` alone. A topic that only one of the runs has gets nothing if the coin falls on the other: that is what the
    other system returned. Whatever measure is a mean over topics, what is to be expected of the mixture is p times the
    one plus 1 - p times the other.

    >>> a, b = {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 1}}, {"q1": {"d3": 1}, "q2": {"d3": 1}}
    >>> mixed = mix({"a": a}, {"b": b}, 0.5, cutoffs=(1, None), seed=5)
    >>> mixed.run.to_dict(), mixed.heads_for
    ({'q1': {'d1': 2.0}, 'q2': {'d3': 1.0}}, ('q1',))
    """
    named = [next(iter(_one(run, run_format).items())) for run in (heads, tails)]
    if named[0][0] == named[1][0]:
        named = [(f"{name}-{at}", run) for at, (name, run) in enumerate(named, 1)]
    limits = [None if one is None else CUTOFF.accept(one, "a cutoff of a mixture") for one in cutoffs]
    sides = [Side(name, limit) for (name, _), limit in zip(named, limits, strict=True)]
    return _mixed([run for _, run in named], sides, probability, seed)


def mix_at(
    qrels: Any,
    runs: Any,
    *,
    fpr: float | None = None,
    tpr: float | None = None,
    seed: int = 0,
    run_format: str | None = None,
    qrels_format: str | None = None,
    **options: Any,
) -> Mixture:
    """The mixture of runs that is expected to reach a point of their ROC convex hull.

    The point is named by its false or true positive rate (see `Hull.mixture`); `options` are those of `hull`. Which two
    systems to mix, after how many documents, and with which probability, follows from the hull. An error if that would
    take returning documents that no run returns.
    """
    judged = read_qrels(qrels, format=qrels_format) if is_file(qrels) else as_qrels(qrels)
    held = _in_memory(runs, run_format)
    found = hull(judged, held, **options)
    plan = found.mixture(fpr=fpr, tpr=tpr)
    sides, parts = [], []
    for point, share in ((plan.heads, plan.probability), (plan.tails, 1.0 - plan.probability)):
        if point.cutoff is None and share > 0:
            furthest = found.points[-2]
            raise UsageError(
                f"a mixture at this point would return every document there is for some topics, which no run does; the "
                f"furthest these runs get is false positive rate {number(furthest.fpr)}, true positive rate "
                f"{number(furthest.tpr)}"
            )
        sides.append(Side(point.run, point.cutoff if point.run is not None else 0))
        parts.append(held[point.run] if point.run is not None else next(iter(held.values())))
    mixed = _mixed(parts, sides, plan.probability, seed)
    return replace(mixed, plan=plan, reached=_rates(judged, mixed.run, found, bool(options.get("judged_only"))))


def _rates(qrels: Qrels, run: Run, found: Hull, judged_only: bool) -> tuple[float, float]:
    """The false and the true positive rate of all that a run returns, as the hull has them: means over its topics."""
    rankings = replace(Rankings.join(qrels, run), level=float(found.about.settings["level"]))
    counts = RocCounts.of(rankings.condensed() if judged_only else rankings, found.population, found.defined)
    fpr, tpr = (float(rate[found.defined].mean()) for rate in counts.last)
    return fpr, tpr


def _one(run: Any, format: str | None) -> dict[str, Run]:
    held = _in_memory(run, format)
    if len(held) != 1:
        raise UsageError(f"a side of the coin is one run, found {len(held)}")
    return held


def _in_memory(runs: Any, format: str | None) -> dict[str, Run]:
    return {
        name: read_run(run, format=format) if is_file(run) else as_run(run, name=name)
        for name, run in named_runs(runs).items()
    }


def _mixed(runs: list[Run], sides: list[Side], probability: float, seed: int) -> Mixture:
    chance = float(Number(0, 1).accept(probability, "the probability of heads (--probability)"))
    number = Whole(0).accept(seed, "the seed (--seed, seed=)")
    ids = sorted({query for run in runs for query in run.query_ids})
    falls_on_heads = dict(zip(ids, (coins_of(ids, number) < chance).tolist(), strict=True))
    chosen = [
        _rows(run, side, falls_on_heads, heads=at == 0) for at, (run, side) in enumerate(zip(runs, sides, strict=True))
    ]
    place = {query: at for at, query in enumerate(ids)}
    query = np.concatenate(
        [
            np.array([place[one] for one in run.query_ids], dtype=np.int32)[run.query[rows]]
            for run, rows in zip(runs, chosen, strict=True)
        ]
    )
    if not len(query):
        raise DataError("the mixture returns nothing for any topic: the sides that the coin chose have no documents")
    filled = np.unique(query)
    compact = np.searchsorted(filled, query).astype(np.int32)
    name = f"mix_{_label(sides[0])}_{_label(sides[1])}_{chance:g}"
    run = Run(
        Numbered([ids[at] for at in filled.tolist()], compact),
        concatenate([run.documents.take(rows) for run, rows in zip(runs, chosen, strict=True)]),
        np.concatenate([run.score[rows] for run, rows in zip(runs, chosen, strict=True)]),
        name=name,
    )
    there = set(run.query_ids)
    return Mixture(
        run,
        sides[0],
        sides[1],
        chance,
        number,
        tuple(decode(one) for one in ids if falls_on_heads[one]),
        tuple(decode(one) for one in ids if not falls_on_heads[one]),
        tuple(decode(one) for one in ids if one not in there),
    )


def coins_of(ids: list[bytes], seed: int) -> Floats:
    """For each topic a number from 0 to 1 that depends on its name and the seed alone."""
    names = Strings.from_list(ids).hash64()
    words = numbered_words(numbered_words(np.full(len(ids), seed, dtype=np.uint64), names), np.zeros_like(names))
    share: Floats = (words >> np.uint64(11)).astype(np.float64) / 2.0**53
    return share


def _rows(run: Run, side: Side, falls_on_heads: dict[bytes, bool], *, heads: bool) -> Bools:
    """The documents of a run that the mixture has."""
    wanted = np.array([falls_on_heads[query] == heads for query in run.query_ids], dtype=np.bool_)
    rows: Bools = wanted[run.query]
    return rows if side.cutoff is None else rows & (run.rank <= side.cutoff)


def _label(side: Side) -> str:
    name = "nothing" if side.run is None else side.run
    return name if side.cutoff is None or side.run is None else f"{name}@{side.cutoff}"
