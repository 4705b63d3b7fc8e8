"""The record of what values were made of, so that anyone can make them again and see that they are the same."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.errors import UsageError
from cranfield.evaluation.provenance.origin import Input

if TYPE_CHECKING:
    from cranfield.evaluation.result import RunEvaluation

EPOCH = "SOURCE_DATE_EPOCH"
"""The variable that says what time it is, where the same input is to give the same output to the last byte."""


@dataclass(frozen=True)
class TopicCounts:
    """How many topics the judgments have, the run has, and the mean is over."""

    judged: int
    in_run: int
    counted: int


@dataclass(frozen=True)
class Provenance:
    """What values were made of: `verify` makes them again from it."""

    version: str
    """Of this package."""
    python: str
    numpy: str
    time: str
    """When the values were made: UTC, ISO 8601."""
    profile: Mapping[str, Any]
    """Its name, and every rule in words."""
    measures: tuple[str, ...]
    """In canonical spelling, with every parameter that is not the default."""
    settings: Mapping[str, Any]
    """What was said for all measures and runs."""
    inputs: tuple[Input, ...]
    """The judgments, the runs and whatever else was read, with their SHA-256."""
    topics: Mapping[str, TopicCounts]
    """By name of the run."""

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON would have it; the layout is documented in docs/json.md."""
        return {
            "cranfield": self.version,
            "python": self.python,
            "numpy": self.numpy,
            "time": self.time,
            "profile": dict(self.profile),
            "measures": list(self.measures),
            "settings": dict(self.settings),
            "inputs": [source.to_dict() for source in self.inputs],
            "topics": {name: asdict(counts) for name, counts in self.topics.items()},
        }


def provenance(runs: Sequence[RunEvaluation]) -> Provenance:
    """The record of runs that were evaluated together; files that have not been hashed are."""
    first = runs[0]
    if first.origin is None:
        raise UsageError(f"{first.name}: nothing is known of where its values come from; evaluate it again")
    inputs = dict.fromkeys(source for run in runs for source in _inputs(run))
    return Provenance(
        version=package_version(),
        python=sys.version.split()[0],
        numpy=np.__version__,
        time=utc_time(max(run.origin.time for run in runs if run.origin)),
        profile=first.origin.profile.to_dict(first.measures),
        measures=tuple(map(str, first.measures)),
        settings=dict(first.settings),
        inputs=tuple(source.hashed() for source in inputs),
        topics={run.name: _counts(run) for run in runs if not run.ideal},
    )


def package_version() -> str:
    """Of the package, whose face imports this room and not the other way round."""
    version: str = importlib.import_module("cranfield").__version__
    return version


def _inputs(run: RunEvaluation) -> list[Input]:
    """What was read, the run by the name it has now."""
    inputs = run.origin.inputs if run.origin else ()
    return [source._replace(run=run.name) if source.role == "run" else source for source in inputs]


def _counts(run: RunEvaluation) -> TopicCounts:
    coverage = run.coverage
    return TopicCounts(coverage.judged, coverage.found + len(coverage.unjudged), len(run.queries))


def utc_time(seconds: float) -> str:
    """A time in ISO 8601, or the one that `SOURCE_DATE_EPOCH` says."""
    fixed = os.environ.get(EPOCH)
    if fixed:
        try:
            seconds = int(fixed)
            return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        except (ValueError, OverflowError, OSError):
            raise UsageError(f"{EPOCH} is {fixed!r}; expected a number of seconds since 1970") from None
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
