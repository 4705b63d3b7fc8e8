"""The grades that a document could have, and what they are worth to a measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.strings import Floats
from cranfield.errors import UsageError
from cranfield.measures.gains import gain_of
from cranfield.measures.parameters import NOT_NEGATIVE
from cranfield.measures.registry import Measure


@dataclass(frozen=True)
class Scale:
    """The grades that an unjudged document could have been given: 0, and `positive`, which rise to the highest.

    >>> Scale.of(Qrels.from_dict({"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 3}})).positive
    (1.0, 3.0)
    """

    positive: tuple[float, ...]

    @property
    def highest(self) -> float:
        return self.positive[-1]

    @classmethod
    def of(cls, qrels: Qrels, highest: float | None = None) -> Scale:
        """Those that occur in the judgments of any query, and the highest there can be, if that is another one.

        Where no grade is above 0 the highest is 1.
        """
        occur = np.unique(qrels.grade[qrels.grade > 0])
        most = float(occur[-1]) if len(occur) else 0.0
        if highest is None:
            return cls(tuple(occur.tolist()) or (1.0,))
        top = float(NOT_NEGATIVE.accept(highest, "the highest grade (--highest-grade, highest_grade=)"))
        if top < most or top == 0:
            raise UsageError(
                f"--highest-grade (highest_grade=) is {top:g}, "
                + (f"but the judgments have grade {most:g}" if most else "and must be above 0")
            )
        return cls((*occur[occur < top].tolist(), top))

    def of_measure(self, measure: Measure) -> Scale:
        """The grades up to the `gmax` of a measure that looks at it."""
        gmax = measure.parameters.get("gmax")
        if gmax is None or not measure.looks_at("gmax"):
            return self
        return Scale((*(grade for grade in self.positive if grade < gmax), float(gmax)))


@dataclass(frozen=True)
class Stakes:
    """What is at stake in a hole: the grades that count for something, and what each is worth to a measure."""

    grades: Floats
    worth: Floats

    @classmethod
    def of(cls, measure: Measure, scale: Scale, level: float) -> Stakes:
        """Of a measure; `level` is the least relevant grade where it does not say one."""
        grades = np.array(scale.of_measure(measure).positive)
        worth, relevant = worth_of(grades, measure, level), least_relevant(measure, level)
        counts = worth > 0 if relevant is None else grades >= relevant
        return cls(grades[counts], worth[counts])

    @property
    def any(self) -> bool:
        """Whether any grade counts for something."""
        return len(self.grades) > 0

    @property
    def best(self) -> float:
        """The grade that is worth most."""
        return float(self.grades[np.argmax(self.worth)])

    @property
    def least(self) -> float:
        """The grade that is worth least."""
        return float(self.grades[np.argmin(self.worth)])

    @property
    def most(self) -> float:
        """What the best grade is worth."""
        return float(self.worth.max())


def least_relevant(measure: Measure, level: float) -> float | None:
    """The least grade that is relevant to a measure, if it looks at that."""
    parameters = measure.parameters
    if "rel" not in parameters or not measure.looks_at("rel"):
        return None
    return level if parameters["rel"] is None else float(parameters["rel"])


def worth_of(grades: Floats, measure: Measure, level: float) -> Floats:
    """What grades are worth to a measure; 1 where it only matters that they are relevant."""
    parameters: dict[str, Any] = measure.parameters
    relevant = least_relevant(measure, level)
    counts = np.ones(len(grades)) if relevant is None else (grades >= relevant).astype(np.float64)
    gain = parameters.get("gain", "linear" if "gains" in parameters else "binary")
    if gain == "binary":
        return counts
    return counts * gain_of(grades, "linear" if gain == "topic" else gain, parameters["gains"])
