"""What all curves have in common: what they were made from, rows for programs, sentences for people."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.evaluation.coverage import Coverage
from cranfield.evaluation.result import Evaluation

SCHEMA = "cranfield.curve/1"
AVERAGE = "all"
"""What stands in the place of a topic where values are over all of them."""

Cell = str | int | float | None
"""A value of a row; None where there is none."""


@dataclass(frozen=True)
class About:
    """What curves were made from and how."""

    profile: str
    settings: Mapping[str, Any]
    coverage: Mapping[str, Coverage]
    """By name of the run."""

    @classmethod
    def of(cls, evaluation: Evaluation) -> About:
        """As an evaluation says it."""
        runs = list(evaluation.values())
        return cls(runs[0].profile, runs[0].settings, {run.name: run.coverage for run in runs})

    def notes(self) -> list[str]:
        """How far judgments and runs meet; runs of which the same is to be said stand together."""
        said: dict[str, list[str]] = {}
        for name, coverage in self.coverage.items():
            said.setdefault(coverage.sentence(), []).append(name)
        return [f"{', '.join(names)}: {sentence}" for sentence, names in said.items()]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        coverage = {name: one.to_dict() for name, one in self.coverage.items()}
        return {"profile": self.profile, "settings": dict(self.settings), "coverage": coverage}


def no_curve(topic: str, kind: str, lacking: str) -> DataError:
    """The error where a topic lacks the documents without which it has no curve."""
    return DataError(
        f"topic {topic!r} has no {kind} curve: it has no {lacking}. Name another topic, or none for the average of all."
    )


class Curves(ABC):
    """Curves of one kind, of one run or several."""

    kind: ClassVar[str]
    about: About

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of what `rows` gives."""

    @abstractmethod
    def rows(self, *, by_topic: bool = False) -> Iterator[tuple[Cell, ...]]:
        """The numbers, one point a row: over all topics, and those of each topic if they are asked for."""

    @abstractmethod
    def sentences(self) -> list[str]:
        """What the curves say, in words."""

    def check_topic(self, topic: str) -> None:
        """An error if there is no curve of this topic."""
        place = self.columns.index("query")
        known = dict.fromkeys(str(row[place]) for row in self.rows(by_topic=True) if row[place] != AVERAGE)
        if topic not in known:
            raise UsageError(
                f"there is no curve of topic {topic!r}: it is none of the {len(known)} topics that have one"
                f"{did_you_mean(topic, known)}"
            )

    @abstractmethod
    def _content(self, by_topic: bool) -> dict[str, Any]:
        """What `to_dict` has beside what all curves have."""

    def to_dict(self, *, by_topic: bool = False) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/curves.md."""
        said = {"sentences": self.sentences()}
        return {"schema": SCHEMA, "kind": self.kind, **self.about.to_dict(), **self._content(by_topic), **said}

    def __repr__(self) -> str:
        runs = ", ".join(self.about.coverage)
        return "\n".join([f"<{self.kind} of {runs}>", *self.sentences()])
