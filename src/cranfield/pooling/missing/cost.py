"""What judging costs: documents to judge for a depth, for a narrow interval, and for everything."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Floats, Ints
from cranfield.errors import CoverageError, DataError, ParameterError, UsageError
from cranfield.evaluation.evaluator import Evaluator, Measures
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.power import Pilot
from cranfield.formats import read_qrels
from cranfield.measures.parameters import CUTOFF
from cranfield.pooling.build_notes import counted, named
from cranfield.pooling.candidates import Candidates
from cranfield.stats.planning.topic_set_size import topics_for_interval
from cranfield.stats.significance.outcome import as_json

SCHEMA = "cranfield.pool-cost/1"
DEPTHS = (1, 5, 10, 20, 50, 100)


class Rate(NamedTuple):
    """How fast judgments are made, and what an hour costs."""

    per_hour: float | None = None
    wage: float | None = None
    assessors: int = 1
    """How many judge each document."""

    def checked(self) -> Rate:
        """Itself, if it can be."""
        for name, value in (("--per-hour", self.per_hour), ("--wage", self.wage)):
            if value is not None and not 0 < value < math.inf:
                raise ParameterError(f"{name} {value:g}: expected a number above 0")
        if self.wage is not None and self.per_hour is None:
            raise UsageError("--wage needs --per-hour: how many documents are judged in an hour?")
        if self.assessors < 1:
            raise ParameterError(f"--assessors {self.assessors}: expected 1 or more")
        return self

    def hours(self, documents: float) -> float | None:
        return None if self.per_hour is None else documents * self.assessors / self.per_hour

    def money(self, documents: float) -> float | None:
        hours = self.hours(documents)
        return None if hours is None or self.wage is None else hours * self.wage


class Cost(NamedTuple):
    """What something takes."""

    what: str
    topics: int
    per_topic: float
    documents: int
    """How many documents are to be judged, each once for each topic it is in the pool of."""
    judged: int
    """How many of these are judged."""
    left: int
    hours: float | None
    """Of the judging that is left."""
    money: float | None


class Width(NamedTuple):
    """What an interval as narrow as wanted takes."""

    measure: str | None
    of: str
    """Of the `mean` of a run, or of a `difference` between two."""
    wanted: float
    sd: float
    topics: int | None
    """None where no number is enough."""
    why_not: str | None
    depth: int
    documents: int | None
    """As many topics, at so many documents a topic as a pool of this depth has."""
    hours: float | None
    money: float | None


@dataclass(frozen=True, eq=False, repr=False)
class JudgingCost:
    """What judging takes."""

    depths: tuple[Cost, ...]
    exhaustive: Cost | None
    """All documents for all topics; None where their number is not known."""
    widths: tuple[Width, ...]
    rate: Rate
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; what is not known is None."""
        whole: dict[str, Any] = as_json(
            {
                "schema": SCHEMA,
                "rate": self.rate._asdict(),
                "depths": [one._asdict() for one in self.depths],
                "exhaustive": None if self.exhaustive is None else self.exhaustive._asdict(),
                "widths": [one._asdict() for one in self.widths],
                "notes": list(self.notes),
            }
        )
        return whole


def judging_cost(
    runs: Sequence[str | os.PathLike[str] | Run],
    *,
    depths: Iterable[int] = DEPTHS,
    qrels: Any = None,
    documents: int | None = None,
    rate: Rate | None = None,
    width: float | None = None,
    of: str = "difference",
    measures: Measures = ("nDCG@10", "AP"),
    sd: float | None = None,
    level: float = 1,
    confidence: float = 0.95,
    qrels_format: str | None = None,
    run_format: str | None = None,
) -> JudgingCost:
    """How many documents a pool of each depth has, and what it costs to judge them.

    With judgments (`qrels`), what is judged already is taken off. `documents` is how many the collection has: judging
    all of them is then counted too. A `width` asks how many topics, and so judgments at the deepest of the depths, an
    interval of a mean or of a difference takes that is expected to be so wide from end to end; how much scores vary
    comes from `sd`, or from the judgments and runs as a pilot.

    >>> one = Run.from_dict({"q": {"a": 3, "b": 2, "c": 1}}, name="one")
    >>> two = Run.from_dict({"q": {"x": 3, "a": 2, "b": 1}}, name="two")
    >>> found = judging_cost([one, two], depths=[1, 2], documents=1000, rate=Rate(per_hour=2))
    >>> [(cost.what, cost.documents, cost.hours) for cost in (*found.depths, found.exhaustive)]
    [('depth 1', 2, 1.0), ('depth 2', 3, 1.5), ('everything', 1000, 500.0)]
    """
    rate = (rate or Rate()).checked()
    chosen = tuple(sorted({CUTOFF.accept(depth, "a depth (-k, depths=)") for depth in depths}))
    if not runs:
        raise UsageError("there is no run to pool")
    candidates = Candidates.of_runs(runs, chosen[-1], input_format=run_format)
    judgments = None if qrels is None else read_qrels(qrels, format=qrels_format) if is_file(qrels) else qrels
    judged = _judged(candidates, judgments)
    by_depth = [_at_depth(candidates, judged, depth, rate) for depth in chosen]
    topics = len(candidates.topic_ids)
    exhaustive = None
    if documents is not None:
        exhaustive = _everything(documents, topics, judgments, by_depth[-1], rate)
    widths: tuple[Width, ...] = ()
    if width is not None:
        spreads = _spreads(runs, judgments, measures, of, sd, level, run_format)
        widths = tuple(
            _width(name, of, width, spread, by_depth[-1], chosen[-1], confidence, rate) for name, spread in spreads
        )
    return JudgingCost(tuple(by_depth), exhaustive, widths, rate, tuple(_notes(candidates, judgments, chosen[-1])))


def _judged(candidates: Candidates, qrels: Qrels | None) -> Ints:
    """The rows of candidates that are judged."""
    if qrels is None:
        return np.zeros(0, dtype=np.int64)
    code = np.array([qrels.position.get(topic, -1) for topic in candidates.topic_ids], dtype=np.int32)
    if not (code >= 0).any():
        raise CoverageError(
            f"{qrels.name} has none of the {len(code)} topics of the runs ({named(candidates.topics, 3)}). Are these "
            "the right files?"
        )
    row, judgment = qrels.table.find(code[candidates.topic], candidates.documents, candidates.hashes)
    rows: Ints = row[qrels.grade[judgment] >= 0]
    return rows


def _at_depth(candidates: Candidates, judged: Ints, depth: int, rate: Rate) -> Cost:
    inside = candidates.best_rank <= depth
    return _cost(
        f"depth {depth}",
        len(candidates.topic_ids),
        int(np.count_nonzero(inside)),
        int(np.count_nonzero(inside[judged])),
        rate,
    )


def _everything(documents: int, topics: int, qrels: Qrels | None, deepest: Cost, rate: Rate) -> Cost:
    if documents * topics < deepest.documents:
        raise DataError(
            f"{documents} documents (--documents) for each of {topics} topics: the runs alone return "
            f"{deepest.documents} different ones. How many does the collection have?"
        )
    known = 0 if qrels is None else int(np.count_nonzero(qrels.grade >= 0))
    return _cost("everything", topics, documents * topics, known, rate)


def _cost(what: str, topics: int, documents: int, judged: int, rate: Rate) -> Cost:
    left = max(documents - judged, 0)
    return Cost(what, topics, documents / topics, documents, judged, left, rate.hours(left), rate.money(left))


def _spreads(
    runs: Sequence[str | os.PathLike[str] | Run],
    qrels: Qrels | None,
    measures: Measures,
    of: str,
    sd: float | None,
    level: float,
    run_format: str | None,
) -> list[tuple[str | None, float]]:
    """How much scores, or differences, vary from topic to topic, by measure."""
    if sd is not None:
        return [(None, sd)]
    if qrels is None:
        raise UsageError("--width: how much do scores vary? Give --sd, or judgments of a pilot (--qrels)")
    if len(runs) < 2:
        raise UsageError("--width: one run says nothing about how much runs differ. Give --sd, or two runs or more")
    evaluator = Evaluator(qrels, measures, level=level, run_format=run_format)
    pilot = Pilot.of(evaluator.evaluate_all(list(runs)))
    found: list[tuple[str | None, float]] = []
    for matrix in pilot.scores:
        seen = pilot.variance(matrix)
        found.append((str(matrix.measure), seen.difference_sd if of == "difference" else seen.scores_sd))
    return found


def _width(
    measure: str | None, of: str, wanted: float, sd: float, deepest: Cost, depth: int, confidence: float, rate: Rate
) -> Width:
    answer = topics_for_interval(wanted, sd, level=confidence)
    if answer.topics is None:
        return Width(measure, of, wanted, sd, None, answer.undefined, depth, None, None, None)
    needed = math.ceil(answer.topics * deepest.per_topic)
    return Width(measure, of, wanted, sd, answer.topics, None, depth, needed, rate.hours(needed), rate.money(needed))


def _notes(candidates: Candidates, qrels: Qrels | None, depth: int) -> list[str]:
    notes = []
    longest: Floats | Ints = candidates.returned.max(axis=1)
    short = [name for name, size in zip(candidates.runs, longest.tolist(), strict=True) if size < depth]
    if short:
        notes.append(f"with fewer than {depth} documents for every topic: {counted(len(short), 'run')}: {named(short)}")
    if qrels is not None:
        unknown = [topic for topic, code in zip(candidates.topics, candidates.topic_ids, strict=True)
                   if code not in qrels.position]  # fmt: skip
        if unknown:
            notes.append(f"without a judgment: {counted(len(unknown), 'topic')} of the runs: {named(unknown)}")
    return notes
