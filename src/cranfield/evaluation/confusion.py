"""The confusion matrix of a run: for each query and pooled, at a rank, at a score, or of everything retrieved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.frames import as_qrels, as_run
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Ints
from cranfield.errors import UsageError
from cranfield.evaluation.confusion_matrix import SCHEMA, Matrix, Outcomes, Rate, averages, outcomes, pooled
from cranfield.evaluation.coverage import Coverage
from cranfield.evaluation.inputs import is_file, run_names
from cranfield.evaluation.streaming import rank_run
from cranfield.formats import read_qrels, read_run
from cranfield.measures.contingency import Contingency, contingency
from cranfield.measures.parameters import NOT_NEGATIVE, Number, Whole


@dataclass(frozen=True, eq=False)
class RunConfusion:
    """How often a run was right and wrong to retrieve a document."""

    name: str
    queries: tuple[str, ...]
    counts: Contingency
    """For each query, how many documents were decided in each of the four ways."""
    coverage: Coverage
    settings: Mapping[str, Any]
    """How the counts were made: level, cutoff, threshold, documents, beta."""

    @cached_property
    def pooled(self) -> Outcomes:
        """All queries together."""
        return outcomes(pooled(self.counts), self.settings["beta"])[0]

    @cached_property
    def per_query(self) -> dict[str, Outcomes]:
        return dict(zip(self.queries, outcomes(self.counts, self.settings["beta"]), strict=True))

    @cached_property
    def averages(self) -> dict[str, dict[str, Rate]]:
        """Every rate over all queries: `micro` (of the pooled counts), `macro` (the mean of the queries) and `weighted`
        (by the relevant documents of each query)."""
        return averages(self.counts, self.settings["beta"], self.pooled.rates)

    @property
    def without_documents(self) -> int:
        """For how many queries the set is empty, so that their precision is 0."""
        return int(np.count_nonzero(self.counts.tp + self.counts.fp == 0))

    @property
    def matrix(self) -> Matrix:
        """All queries together as a matrix."""
        all_ = self.pooled
        return Matrix(
            ("relevant", "not relevant"), ("retrieved", "not retrieved"), ((all_.tp, all_.fn), (all_.fp, all_.tn))
        )

    @property
    def warnings(self) -> list[str]:
        """What is to be said beside the accuracy, unless all decisions were right."""
        if self.pooled.tn is None or self.pooled.fp == self.pooled.fn == 0:
            return []
        nothing = (self.pooled.fp + self.pooled.tn) / (self.settings["documents"] * len(self.queries))
        return [
            f"accuracy {self.pooled.rates['accuracy']:.6g} says little: returning nothing at all would reach "
            f"{nothing:.6g}. Look at precision and recall."
        ]

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        return {
            "schema": SCHEMA,
            "of": "run",
            "run": self.name,
            "settings": dict(self.settings),
            "coverage": self.coverage.to_dict(),
            "matrix": self.matrix.to_dict(),
            "pooled": self.pooled.to_dict(),
            "averages": self.averages,
            "per_query": {query: one.to_dict() for query, one in self.per_query.items()},
            "warnings": self.warnings,
        }

    def __repr__(self) -> str:
        return "\n".join([repr(self.matrix), *self.warnings])

    def _repr_html_(self) -> str:
        return self.matrix._repr_html_()


@dataclass(frozen=True, eq=False)
class ThresholdConfusion(Sequence[RunConfusion]):
    """The confusion of a run at several thresholds, in the order given."""

    steps: tuple[RunConfusion, ...]

    def __getitem__(self, at: Any) -> Any:
        return self.steps[at]

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[RunConfusion]:
        return iter(self.steps)

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        first = self.steps[0].to_dict()
        settings = {name: value for name, value in first["settings"].items() if name not in ("cutoff", "threshold")}
        steps = [
            {"threshold": step.settings["threshold"], "pooled": step.pooled.to_dict(), "averages": step.averages}
            for step in self.steps
        ]
        shared = {name: first[name] for name in ("schema", "run", "coverage")}
        return {**shared, "of": "thresholds", "settings": settings, "thresholds": steps, "warnings": self.warnings}

    @property
    def warnings(self) -> list[str]:
        """What is to be said beside the accuracy, of the last threshold."""
        return self.steps[-1].warnings

    def __repr__(self) -> str:
        lines = ["threshold  macro P  macro R  macro F"]
        for step in self.steps:
            values = (step.averages["macro"][name] for name in ("precision", "recall", "f"))
            lines.append(f"{step.settings['threshold']:9.6g}  " + "  ".join(f"{value:7.4f}" for value in values))
        return "\n".join(lines)


def confusion(
    qrels: Any,
    run: Any,
    *,
    documents: int | None = None,
    level: float = 1,
    cutoff: int | None = None,
    threshold: float | None = None,
    beta: float = 1,
    qrels_format: str | None = None,
    run_format: str | None = None,
) -> RunConfusion:
    """How often a run was right and wrong, taking what it retrieved as a set.

    The set is everything retrieved, the first `cutoff` documents of each query, or those with a score of at least
    `threshold`. `documents`, the size of the collection, tells how many were rightly left out; `level` is the least
    grade that is relevant; F is weighted with `beta`. A document that is not judged counts as not relevant, so that it
    is a false positive if it is in the set. A judged query that the run lacks counts: all that is relevant to it is
    missed. A query for which the set is empty has precision 0.

    >>> relevant, returned = {"d1": 1, "d5": 1, "d7": 1}, {"d1": 4, "d3": 3, "d5": 2, "d6": 1}
    >>> result = confusion({"q1": relevant}, {"q1": returned}, documents=8)
    >>> result.matrix
    actual \\ predicted  retrieved  not retrieved
    relevant                    2              1
    not relevant                2              3
    >>> result.pooled.rates["specificity"]  # 3 of 5
    0.6
    """
    if cutoff is not None and threshold is not None:
        raise UsageError("a set ends at a rank (cutoff) or at a score (threshold), not at both")
    depth = None if cutoff is None else Whole(1).accept(cutoff, "cutoff")
    least = None if threshold is None else float(Number().accept(threshold, "threshold"))
    joined = _join(qrels, run, documents, level, beta, qrels_format, run_format)
    return joined.confusion(depth, cutoff=depth) if least is None else joined.above(least)


def confusion_by_threshold(
    qrels: Any,
    run: Any,
    thresholds: Iterable[float] | None = None,
    *,
    most: int = 20,
    documents: int | None = None,
    level: float = 1,
    beta: float = 1,
    qrels_format: str | None = None,
    run_format: str | None = None,
) -> ThresholdConfusion:
    """How often a run was right and wrong at several thresholds of the score, other things as in `confusion`.

    Without `thresholds` all different scores of the run are taken, highest first; if there are more than `most`, so
    many that are spread evenly over them.

    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.3}}
    >>> confusion_by_threshold({"q1": {"d1": 1, "d3": 1}}, run)
    threshold  macro P  macro R  macro F
          0.9   1.0000   0.5000   0.6667
          0.8   0.5000   0.5000   0.5000
          0.3   0.6667   1.0000   0.8000
    """
    most = Whole(2).accept(most, "most")
    given = None if thresholds is None else [float(Number().accept(one, "threshold")) for one in thresholds]
    if given is not None and not given:
        raise UsageError("no threshold is given")
    joined = _join(qrels, run, documents, level, beta, qrels_format, run_format)
    return ThresholdConfusion(tuple(map(joined.above, joined.scores(most) if given is None else given)))


class _Joined(NamedTuple):
    """A run and the judgments it is compared with."""

    run: Run
    rankings: Rankings
    coverage: Coverage
    name: str
    settings: Mapping[str, Any]

    def confusion(self, depth: int | Ints | None, **settings: Any) -> RunConfusion:
        """With the set that ends at this depth."""
        counts = contingency(self.rankings, None, depth, self.settings["documents"])
        chosen = {**self.settings, **settings}
        return RunConfusion(self.name, self.rankings.qrels.queries, counts, self.coverage, chosen)

    def above(self, threshold: float) -> RunConfusion:
        """With the set of documents whose score is at least this."""
        size = np.bincount(self.run.query[self.run.score >= threshold], minlength=len(self.run.query_ids)).tolist()
        position = self.run.position
        depth = [size[position[query]] if query in position else 0 for query in self.rankings.qrels.query_ids]
        return self.confusion(np.array(depth, dtype=np.int64), threshold=threshold)

    def scores(self, most: int) -> list[float]:
        """The different scores given to documents of judged queries, highest first, or so many of them."""
        judged = np.array([query in self.rankings.qrels.position for query in self.run.query_ids], dtype=np.bool_)
        scores = np.unique(self.run.score[judged[self.run.query]])
        if len(scores) > most:
            scores = scores[np.linspace(0, len(scores) - 1, most).round().astype(np.int64)]
        highest_first: list[float] = scores[::-1].tolist()
        return highest_first


def _join(
    qrels: Any,
    run: Any,
    documents: int | None,
    level: float,
    beta: float,
    qrels_format: str | None,
    run_format: str | None,
) -> _Joined:
    settings: dict[str, Any] = {
        "level": NOT_NEGATIVE.accept(level, "level"),
        "cutoff": None,
        "threshold": None,
        "documents": None if documents is None else Whole(1).accept(documents, "documents"),
        "beta": NOT_NEGATIVE.accept(beta, "beta"),
    }
    name = run_names([run])[0]
    judged = read_qrels(qrels, format=qrels_format) if is_file(qrels) else as_qrels(qrels)
    judged.refuse_judged_twice("in a confusion matrix it has one place")
    returned = read_run(run, format=run_format) if is_file(run) else as_run(run, name=name)
    ranked = rank_run(returned, judged, single=False)
    rankings = replace(ranked.rankings, level=float(settings["level"]))
    coverage = Coverage.of(ranked._replace(rankings=rankings))
    coverage.require_common_topics(judged.queries, name)
    return _Joined(returned, rankings, coverage, name, settings)
