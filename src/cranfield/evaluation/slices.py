"""Slices of topics, and how a run differs from a baseline in each of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.errors import CoverageError, UsageError, did_you_mean
from cranfield.evaluation.compared import Compared
from cranfield.evaluation.coverage import some
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.requirements import ALL_TOPICS
from cranfield.formats.slices import read_slices
from cranfield.stats.interval import Interval
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.mean_difference import student_interval


@dataclass(frozen=True)
class Slices:
    """Judged topics by the name of their slice; a topic may be in several."""

    topics: Mapping[str, tuple[str, ...]]
    not_judged: tuple[str, ...]
    """Topics of slices that are not judged; they are ignored."""
    in_none: tuple[str, ...]
    """Judged topics that are in no slice; they count among all topics only."""

    @classmethod
    def of(cls, given: Any, judged: Sequence[str]) -> Slices:
        """From a file (see `formats.slices`) or `{slice: topics}`."""
        named = read_slices(given) if is_file(given) else given
        if not isinstance(named, Mapping) or any(isinstance(topics, str) for topics in named.values()):
            raise UsageError(f"slices is {type(given).__name__}, not a file or {{slice: [topic, ...]}}")
        wanted = {str(name): [str(topic) for topic in topics] for name, topics in named.items()}
        if ALL_TOPICS in wanted:
            raise UsageError(f"slices: {ALL_TOPICS!r} stands for all topics; give the slice of this name another one")
        known, sliced = set(judged), {topic: None for topics in wanted.values() for topic in topics}
        slices = cls(
            {name: tuple(topic for topic in topics if topic in known) for name, topics in wanted.items()},
            tuple(topic for topic in sliced if topic not in known),
            tuple(topic for topic in judged if topic not in sliced),
        )
        if not any(slices.topics.values()):
            raise CoverageError(
                f"slices: none of their topics is judged (slices: {some(slices.not_judged)}; judgments: "
                f"{some(tuple(judged))}). Are these the right files?"
            )
        return slices

    def check_name(self, name: str) -> None:
        """An error if there is no such slice."""
        if name not in self.topics:
            hint = did_you_mean(name, self.topics)
            raise UsageError(f"there is no slice {name!r}{hint} There are: {', '.join(self.topics)}")

    def sentence(self) -> str:
        """How far slices and judgments meet."""
        parts = [f"slices: {', '.join(f'{name} {len(topics)}' for name, topics in self.topics.items())} topics"]
        if self.in_none:
            parts.append(f"{len(self.in_none)} judged in no slice ({some(self.in_none)})")
        if self.not_judged:
            parts.append(f"{len(self.not_judged)} in slices not judged ({some(self.not_judged)}: ignored)")
        return "; ".join(parts)


@dataclass(frozen=True, eq=False)
class SliceDifference:
    """How a run differs from the baseline on the topics of a slice. There is no p: many slices are many looks."""

    name: str
    compared: Compared
    """On these topics, without tests."""
    interval: Interval | None
    """Student's, of the mean difference; none for fewer than two topics and without variance."""

    def to_dict(self) -> dict[str, Any]:
        whole = self.compared.to_dict()
        kept = ("measure", "run", "baseline", "topics", "baseline_mean", "mean", "difference", "wins", "ties", "losses")
        bounds = self.interval and {"lower": self.interval.lower, "upper": self.interval.upper}
        return {"slice": self.name, **{name: whole[name] for name in kept}, "interval": bounds}


def restricted(compared: Compared, topics: Iterable[str]) -> Compared | None:
    """The same on some topics only, without tests; none where there are none of them."""
    place = {topic: row for row, topic in enumerate(compared.topics)}
    rows = np.array([place[topic] for topic in topics if topic in place], dtype=np.int64)
    if not len(rows):
        return None
    scores, baseline = compared.scores[rows], compared.baseline_scores[rows]
    differences = Differences.between(scores, baseline)
    return replace(
        compared,
        topics=tuple(compared.topics[row] for row in rows.tolist()),
        scores=scores,
        baseline_scores=baseline,
        higher=int(differences.wins[0]),
        equal=int(differences.zeros[0]),
        lower=int(differences.losses[0]),
        tests={},
        not_tested="this is a slice of the topics",
        assumptions=None,
        posterior=None,
    )


def slice_differences(rows: Iterable[Compared], slices: Slices, level: float) -> tuple[SliceDifference, ...]:
    """Every comparison in every slice that has a topic of it."""
    found = []
    for compared in rows:
        for name, topics in slices.topics.items():
            part = restricted(compared, topics)
            if part is not None:
                interval = None
                if not part.is_geometric:
                    differences = Differences.between(part.scores, part.baseline_scores)
                    interval = student_interval(differences, level, "two-sided")[0]
                found.append(SliceDifference(name, part, interval))
    return tuple(found)
