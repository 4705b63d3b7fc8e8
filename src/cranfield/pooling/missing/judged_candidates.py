"""What runs returned, with the grades it was given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.strings import Bools, Floats, decode
from cranfield.errors import CoverageError
from cranfield.pooling.build_notes import counted, named
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.judged_pool import UNJUDGED
from cranfield.pooling.missing.deepest import deepest_judged


@dataclass(frozen=True, eq=False)
class JudgedCandidates:
    """The documents that runs returned for judged topics, and the grade of each.

    >>> from cranfield import Run
    >>> runs = [Run.from_dict({"q1": {"a": 3, "b": 2, "c": 1}}, name="one")]
    >>> found = JudgedCandidates.of(Qrels.from_dict({"q1": {"a": 1, "c": 0, "z": 1}}), Candidates.of(runs))
    >>> found.grade.tolist(), found.in_no_run
    ([1.0, -1.0, 0.0], 1)
    """

    qrels: Qrels
    candidates: Candidates
    """For topics that are judged."""
    grade: Floats
    """UNJUDGED where there is none."""
    returned: Bools
    """Of each judgment, whether some run returned the document."""
    unjudged_topics: tuple[str, ...]
    """Topics of the runs without a judgment: they are left out."""

    @classmethod
    def of(cls, qrels: Qrels, found: Candidates) -> JudgedCandidates:
        """Judgments (a negative grade is none) and candidates; an error where a run has no topic in common there."""
        qrels.refuse_judged_twice("here a document has one grade: keep one assessor's, or merge them")
        candidates = found.among(qrels.position)
        refuse_no_common_topics(qrels, found)
        code = np.array([qrels.position[topic] for topic in candidates.topic_ids], dtype=np.int32)
        row, judgment = qrels.table.find(code[candidates.topic], candidates.documents, candidates.hashes)
        grade = np.full(len(candidates), UNJUDGED)
        grade[row] = np.where(qrels.grade[judgment] < 0, UNJUDGED, qrels.grade[judgment])
        returned = np.zeros(len(qrels), dtype=np.bool_)
        returned[judgment] = True
        strange = tuple(topic for topic in found.topic_ids if topic not in qrels.position)
        return cls(qrels, candidates, grade, returned, tuple(map(decode, strange)))

    @property
    def judged(self) -> Bools:
        return self.grade >= 0

    def relevant(self, level: float) -> Bools:
        """Which of them have at least this grade, and are judged."""
        return self.judged & (self.grade >= level)

    @property
    def in_no_run(self) -> int:
        """How many judged documents no run returned, as far down as was looked."""
        return int(np.count_nonzero((self.qrels.grade >= 0) & ~self.returned))

    @cached_property
    def judged_depth(self) -> int:
        """How far down nearly everything is judged that runs returned; 0 if not even the first documents are."""
        best = self.candidates.best_rank
        deepest = int(best.max(initial=0))
        judged = np.bincount(best[self.judged], minlength=deepest + 1)[1:]
        down = deepest_judged(judged, np.bincount(best, minlength=deepest + 1)[1:])
        # Where no document is first seen, there is none that could be unjudged.
        return down if down < deepest else int(self.candidates.place_rank.max(initial=0))

    def notes(self) -> list[str]:
        """What should be said about how judgments and runs meet."""
        said, depth = [], self.candidates.depth
        if self.in_no_run:
            where = "any run" if depth is None else f"the first {depth} of any run"
            of = int(np.count_nonzero(self.qrels.grade >= 0))
            said.append(f"{self.in_no_run} of {of} judged documents are not among {where}: others brought them in")
        there = set(self.candidates.topic_ids)
        missing = [decode(topic) for topic in self.qrels.query_ids if topic not in there]
        if missing:
            said.append(f"left out: {counted(len(missing), 'judged topic')} that no run has: {named(missing)}")
        if self.unjudged_topics:
            said.append(
                f"left out: {counted(len(self.unjudged_topics), 'topic')} of the runs without a judgment: "
                f"{named(self.unjudged_topics)}"
            )
        return said


def refuse_no_common_topics(qrels: Qrels, found: Candidates) -> None:
    """An error for a run without a judged topic, or without one that some other run has too."""
    known = np.array([topic in qrels.position for topic in found.topic_ids], dtype=np.bool_)
    has = found.returned > 0
    others = has.sum(axis=0) > 1
    own = [[found.topics[at] for at in np.flatnonzero(topics).tolist()] for topics in has]
    for run, topics, names in zip(found.runs, has, own, strict=True):
        if not (topics & known).any():
            raise CoverageError(
                f"{run}: none of its {len(names)} topics ({named(names, 3)}) is judged in {qrels.name} "
                f"({named(qrels.queries, 3)}). Are these the right files?"
            )
    for run, topics, names in zip(found.runs, has, own, strict=True):
        if len(found.runs) > 1 and not (topics & known & others).any():
            raise CoverageError(
                f"{run}: none of its {len(names)} topics ({named(names, 3)}) is a judged topic of any other run. Are "
                "the runs for the same topics, with the same identifiers?"
            )
