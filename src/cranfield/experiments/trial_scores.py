"""The scores of trials: every portion of the topics from one search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cranfield.data.columns import stack
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Ints, decode, encode
from cranfield.engines.engine import Engine
from cranfield.engines.searching import search
from cranfield.errors import EngineError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.experiments.chosen_documents import judgments_among, run_among
from cranfield.experiments.parameter_space import Values
from cranfield.experiments.splits import TRAIN, VALIDATION, make_folds
from cranfield.experiments.tuned import EVERYTHING, Trial
from cranfield.experiments.tuning_material import Portion, TuningMaterial
from cranfield.measures import Measure

EngineFor = Callable[[Values], Engine]
"""The engine with these values; whoever makes it lets go of it."""


class TrialScores:
    """Searches with the values of a trial, once, and scores what is found."""

    def __init__(
        self,
        material: TuningMaterial,
        engine_for: EngineFor,
        measure: Measure,
        *,
        folds: int,
        seed: int,
        k: int,
        fields: Sequence[str],
    ) -> None:
        self.trials: list[Trial] = []
        self.fold_sizes: list[int] = []
        self._material = material
        self._engine_for = engine_for
        self._k, self._fields = k, fields
        self._known: dict[tuple[Any, ...], Trial] = {}
        self._judges = self._make_judges(measure, folds, seed)

    @property
    def chosen_by(self) -> str:
        """The portion by which trials are chosen."""
        if self.fold_sizes:
            return EVERYTHING
        return VALIDATION if VALIDATION in self._material.portions else TRAIN

    def of(self, values: Values) -> Trial:
        """The trial with these values; what has been tried before is not searched for again."""
        key = tuple((name, type(value), value) for name, value in sorted(values.items()))
        if key not in self._known:
            run = self._searched(values)
            scores = {name: score for judge in self._judges for name, score in judge(run).items()}
            self._known[key] = Trial(len(self.trials) + 1, dict(values), scores)
            self.trials.append(self._known[key])
        return self._known[key]

    def _searched(self, values: Values) -> Run:
        outcome = search(self._engine_for(values), self._material.topics, k=self._k, fields=self._fields)
        if outcome.failures:
            topic, why = next(iter(outcome.failures.items()))
            said = ", ".join(f"{name} = {value}" for name, value in values.items())
            raise EngineError(f"with {said}: topic {topic}: {why}")
        return outcome.run

    def _make_judges(self, measure: Measure, folds: int, seed: int) -> list[_Judge]:
        portions = self._material.portions
        whole = _together(list(portions.values()))
        if whole.documents is not None:
            return self._judges_by_document(measure, whole, folds, seed)
        place = {name: row for row, name in enumerate(whole.qrels.queries)}
        if not folds:
            members = {name: portion.qrels.queries for name, portion in portions.items()}
        else:
            divided = make_folds(whole.qrels.queries, folds, seed=seed)
            self.fold_sizes = [len(fold) for fold in divided]
            members = {EVERYTHING: whole.qrels.queries, **_with_and_without(divided)}
        rows = {name: np.array([place[topic] for topic in topics]) for name, topics in members.items()}
        return [_Judge(Evaluator(whole.qrels, measure), None, rows)]

    def _judges_by_document(self, measure: Measure, whole: Portion, folds: int, seed: int) -> list[_Judge]:
        """Judgments of other documents, so that every portion needs an evaluation of its own."""
        assert whole.documents is not None
        portions: dict[str, Portion] = dict(self._material.portions)
        if folds:
            names = [decode(name) for name in whole.documents]
            divided = make_folds(names, folds, seed=seed)
            self.fold_sizes = [len(fold) for fold in divided]
            members = {
                name: frozenset(map(encode, documents)) for name, documents in _with_and_without(divided).items()
            }
            portions = {EVERYTHING: whole} | {
                name: Portion(judgments_among(whole.qrels, documents), documents) for name, documents in members.items()
            }
        return [
            _Judge(
                Evaluator(portion.qrels, measure),
                portion.documents,
                {name: np.arange(len(portion.qrels.queries))},
            )
            for name, portion in portions.items()
        ]


@dataclass(frozen=True)
class _Judge:
    """Judgments, the documents they are about, and which of their topics make up each portion."""

    evaluator: Evaluator
    documents: frozenset[bytes] | None
    rows: Mapping[str, Ints] = field(default_factory=dict)

    def __call__(self, run: Run) -> dict[str, float]:
        seen = run if self.documents is None else run_among(run, self.documents)
        if not len(seen):
            # A run without documents scores what a run scores that has none of the topics.
            return dict.fromkeys(self.rows, 0.0)
        found = self.evaluator(seen)
        (measure,) = found.measures
        values = found.columns[measure]
        assert isinstance(values, np.ndarray)
        return {name: float(measure.aggregate(values[rows])) for name, rows in self.rows.items()}


def _together(portions: Sequence[Portion]) -> Portion:
    """All of them as one."""
    qrels = Qrels.from_columns(stack([portion.qrels.to_columns() for portion in portions]))
    documents = [portion.documents for portion in portions if portion.documents is not None]
    return Portion(qrels, frozenset().union(*documents) if documents else None)


def _with_and_without(folds: Sequence[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Each fold, and all others together."""
    found: dict[str, tuple[str, ...]] = {}
    for at, fold in enumerate(folds):
        found[fold_name(at)] = tuple(fold)
        found[without_name(at)] = tuple(name for other in folds if other is not fold for name in other)
    return found


def fold_name(at: int) -> str:
    """The portion that a fold is."""
    return f"fold {at + 1}"


def without_name(at: int) -> str:
    """The portion that all other folds are."""
    return f"without fold {at + 1}"
