"""Scores topic by topic, sorted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cranfield.curves.bands import Band, band_meaning, band_options, bands_of_topics, check_bands
from cranfield.curves.result import About, Cell, Curves
from cranfield.data.strings import Floats
from cranfield.errors import UsageError
from cranfield.evaluation.coverage import some
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.named_runs import named_runs
from cranfield.evaluation.result import Evaluation
from cranfield.measures import Measure, parse_one
from cranfield.stats.wording import number

ORDERS = ("score", "mean", "spread", "topic")
"""How topics may be sorted: by the first run, by the mean of all, by how far runs lie apart, or by name."""


@dataclass(frozen=True, eq=False, repr=False)
class TopicScores(Curves):
    """The scores of several runs on each topic, in one order."""

    kind = "per-topic"
    about: About
    measure: Measure
    topics: tuple[str, ...]
    scores: Mapping[str, Floats]
    """By name of the run, in the order of the topics; nan where the profile leaves a topic out."""
    order: str
    bands: Mapping[str, Mapping[str, Band]] = field(default_factory=dict)
    """By name of the run and what is open, between what values each score could lie."""
    open_ended: tuple[str, ...] = ()
    """Why some bands that were asked for are not there."""

    def __getitem__(self, name: str) -> Floats:
        return self.scores[name]

    @property
    def band_names(self) -> tuple[str, ...]:
        """What bands there are."""
        return tuple(sorted({name for bands in self.bands.values() for name in bands}))

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """By name of the run, the topics that it lacks."""
        return {name: coverage.missing for name, coverage in self.about.coverage.items()}

    @property
    def columns(self) -> tuple[str, ...]:
        edges = (f"{name}_{edge}" for name in self.band_names for edge in ("lower", "upper"))
        return ("run", "query", "place", "value", *edges)

    def rows(self, *, by_topic: bool = True) -> Iterator[tuple[Cell, ...]]:
        """Run, topic, place of the topic in the order, value, and the edges of bands."""
        for name, scores in self.scores.items():
            edges = [edge for band in self.band_names for edge in self.bands[name][band]]
            for at, (topic, value) in enumerate(zip(self.topics, scores.tolist(), strict=True)):
                yield name, topic, at + 1, _known(value), *(_known(float(edge[at])) for edge in edges)

    def sentences(self) -> list[str]:
        """Where runs are best and worst, and which topics are missing."""
        said = []
        for name, scores in self.scores.items():
            known = np.flatnonzero(~np.isnan(scores))
            if len(known):
                high, low = known[np.argmax(scores[known])], known[np.argmin(scores[known])]
                said.append(
                    f"{name}: from {number(float(scores[low]))} ({self.topics[low]}) to {number(float(scores[high]))} "
                    f"({self.topics[high]}), median {number(float(np.median(scores[known])))}."
                )
        for name, topics in self.missing.items():
            if topics:
                means = self.about.coverage[name].missing_means
                said.append(f"{name} lacks {len(topics)} of the topics ({some(topics)}): {means}.")
        said += [f"Band {name}: the score, {band_meaning(name)}." for name in self.band_names]
        return [*said, *self.open_ended]

    def _content(self, by_topic: bool) -> dict[str, Any]:
        found: dict[str, Any] = {
            "measure": str(self.measure),
            "order": self.order,
            "topics": list(self.topics),
            "runs": [
                {"name": name, "scores": [_known(one) for one in scores.tolist()]}
                for name, scores in self.scores.items()
            ],
        }
        if self.bands:
            for run in found["runs"]:
                run["bands"] = {
                    name: {
                        edge: [_known(value) for value in values.tolist()] for edge, values in band._asdict().items()
                    }
                    for name, band in self.bands[run["name"]].items()
                }
        return found


def per_topic(
    qrels: Any,
    runs: Any,
    measure: str | Measure = "AP",
    *,
    order: str = "score",
    bands: str | Iterable[str] = (),
    **options: Any,
) -> TopicScores:
    """The scores of runs on each topic, sorted, so that one sees which topics are hard and where runs lie apart.

    `order` sorts topics by the `score` of the first run, the `mean` of all runs, the `spread` between the highest and
    the lowest run (highest first), or by name (`topic`). `bands` are `ties` and `unjudged`, as in `cutoff`, of each
    topic. `options` are those of `evaluate`.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> scores = per_topic(qrels, {"q1": {"d2": 2, "d1": 1}, "q2": {"d1": 1}}, "RR")
    >>> scores.topics, scores["run"].tolist()
    (('q2', 'q1'), [1.0, 0.5])
    """
    if order not in ORDERS:
        raise UsageError(f"order (--order) is one of {', '.join(ORDERS)}, not {order!r}")
    wanted = check_bands(bands)
    evaluator = Evaluator(qrels, one_measure(measure), **options, **band_options(wanted))
    named = named_runs(runs)
    evaluation = evaluator.evaluate_all(list(named.values()), names=list(named))
    (chosen,) = evaluator.measures
    topics = list(dict.fromkeys(topic for run in evaluation.values() for topic in run.queries))
    columns = np.column_stack([scores_on(evaluation, name, chosen, topics) for name in evaluation])
    sorted_topics = _sorted(columns, topics, order)
    edges: dict[str, dict[str, Band]] = {}
    why: list[str] = []
    for name, run in evaluation.items():
        found, reasons = bands_of_topics(run, chosen, wanted)
        place = {topic: at for at, topic in enumerate(run.queries)}
        rows = [place.get(topics[at], -1) for at in sorted_topics]
        edges[name] = {band: Band(*(np.append(edge, np.nan)[rows] for edge in both)) for band, both in found.items()}
        why += reasons
    return TopicScores(
        About.of(evaluation),
        chosen,
        tuple(topics[at] for at in sorted_topics),
        {name: columns[sorted_topics, at] for at, name in enumerate(evaluation)},
        order,
        edges if wanted else {},
        tuple(dict.fromkeys(why)),
    )


def one_measure(measure: str | Measure) -> Measure:
    """The measure of which each topic has a score."""
    chosen = parse_one(measure)
    if chosen.definition.aggregate == "none":
        raise UsageError(f"{chosen} is text and has no scores to show")
    return chosen


def scores_on(evaluation: Evaluation, run: str, measure: Measure, topics: list[str]) -> Floats:
    """The scores of a run on these topics; nan where it has none."""
    result = evaluation[run]
    values = dict(zip(result.queries, np.asarray(result.columns[measure]).tolist(), strict=True))
    return np.array([values.get(topic, np.nan) for topic in topics])


def _sorted(columns: Floats, topics: list[str], order: str) -> list[int]:
    """The places of the topics, in order; topics that are alike by name, and those without a score last."""
    by_name = sorted(range(len(topics)), key=topics.__getitem__)
    if order == "topic":
        return by_name
    filled = ~np.isnan(columns).all(axis=1)
    height = np.full(len(topics), -np.inf)
    if order == "score":
        height = np.where(np.isnan(columns[:, 0]), -np.inf, columns[:, 0])
    elif order == "mean":
        height[filled] = np.nanmean(columns[filled], axis=1)
    else:
        height[filled] = np.nanmax(columns[filled], axis=1) - np.nanmin(columns[filled], axis=1)
    return sorted(by_name, key=lambda at: -height[at])


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value
