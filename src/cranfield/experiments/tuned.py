"""What tuning gives: every trial, the best one, and what choosing so is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.experiments.parameter_space import ParameterSpace, Values
from cranfield.measures import Measure

SCHEMA = "cranfield.tuning/1"
EVERYTHING = "training and validation"
"""The portion by which trials are chosen in cross-validation."""


@dataclass(frozen=True)
class Trial:
    """Values of the parameters, and the mean of the measure on each portion of the topics."""

    number: int
    values: Values
    scores: Mapping[str, float]


@dataclass(frozen=True)
class Fold:
    """What was chosen without a fold, and what it scores there and on the fold itself."""

    size: int
    values: Values
    without: float
    score: float


@dataclass(frozen=True)
class CrossValidation:
    """The folds."""

    folds: tuple[Fold, ...]

    @property
    def mean(self) -> float:
        """The mean of the scores on folds, each weighing as much as it has topics."""
        return float(np.average([fold.score for fold in self.folds], weights=[fold.size for fold in self.folds]))


@dataclass(frozen=True)
class Tuning:
    """Values that were tried, and the best of them by training and validation topics."""

    system: str
    measure: Measure
    parameters: ParameterSpace
    method: str
    seed: int
    trials: tuple[Trial, ...]
    best: Trial
    chosen_by: str
    """The portion of the topics by which the best trial was chosen."""
    topics: Mapping[str, int]
    """How many topics each portion has."""
    cross_validation: CrossValidation | None
    searches: int
    """How often all topics were searched for: once for each different trial."""
    seconds: float
    at_the_edge: tuple[str, ...] = ()
    """The parameters whose best value is an end of its range, though the engine takes values beyond it."""

    @property
    def trials_per_minute(self) -> float:
        """How many different trials were searched and scored in a minute."""
        return 60 * self.searches / self.seconds if self.seconds else 0.0

    @property
    def topics_in_words(self) -> str:
        """By how many topics the best trial was chosen, and which."""
        number = sum(self.topics.values()) if self.chosen_by == EVERYTHING else self.topics[self.chosen_by]
        which = "training" if self.chosen_by == "train" else self.chosen_by
        return f"{number} {which} topic{'s' * (number != 1)}"

    @property
    def portions(self) -> tuple[str, ...]:
        """The portions whose scores are shown: the one that was chosen by first."""
        shown = [name for name in self.best.scores if "fold" not in name]
        return tuple(sorted(shown, key=lambda name: name != self.chosen_by))

    @property
    def best_first(self) -> list[Trial]:
        """The trials by their scores; the first tried where they are equal."""
        return sorted(self.trials, key=lambda trial: (-self.goodness(trial.scores[self.chosen_by]), trial.number))

    def goodness(self, score: float) -> float:
        """The score, with its sign changed where less is better."""
        return -score if self.measure.more_is_better is False else score

    @property
    def notes(self) -> list[str]:
        """What is to be said beside the numbers."""
        notes = []
        if self.cross_validation:
            mean, folds = self.cross_validation.mean, len(self.cross_validation.folds)
            notes.append(
                f"{self.measure} {mean:.4f} in {folds}-fold cross-validation: what values score that are chosen so, on "
                "topics by which they were not chosen"
            )
        else:
            notes.append(
                f"the best of {len(self.trials)} trials was chosen for its score, which is therefore too good: "
                "--folds, or in the end the test topics, say what it is worth"
            )
        for name in self.at_the_edge:
            notes.append(
                f"{name} = {shown(self.best.values[name])} is an end of its range: better values may lie outside"
            )
        return notes

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it."""
        crossed = self.cross_validation
        return {
            "schema": SCHEMA,
            "system": self.system,
            "measure": str(self.measure),
            "parameters": [str(parameter) for parameter in self.parameters],
            "method": self.method,
            "seed": self.seed,
            "topics": dict(self.topics),
            "chosen_by": self.chosen_by,
            "best": _as_dict(self.best),
            "cross_validation": {
                "mean": crossed.mean,
                "folds": [
                    {"size": fold.size, "values": dict(fold.values), "without": fold.without, "score": fold.score}
                    for fold in crossed.folds
                ],
            }
            if crossed
            else None,
            "trials": [_as_dict(trial) for trial in self.trials],
            "searches": self.searches,
            "seconds": self.seconds,
            "trials_per_minute": self.trials_per_minute,
            "notes": self.notes,
        }


def shown(value: Any) -> str:
    """A value of a parameter in a table.

    >>> shown(0.9123456), shown("lucene"), shown(True)
    ('0.9123', 'lucene', 'true')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _as_dict(trial: Trial) -> dict[str, Any]:
    return {"number": trial.number, "values": dict(trial.values), "scores": dict(trial.scores)}
